package plastic

import (
	"bufio"
	"io"

	"plastic/internal/foreign"
	"plastic/memory"
)

// Export writes every memory, superseded ones too: as JSON lines, so that an
// import gives the same memory back, or in another tool's format by its name. It exists for the owner alone.
func (b *Bank) Export(w io.Writer, format string) error {
	if err := b.mayDump("export"); err != nil {
		return err
	}
	s, err := b.look()
	if err != nil {
		return err
	}
	if format != "" && format != foreign.JSONL {
		err := foreign.Write(w, format, s.memories())
		return formatsBeside(err, func(f foreign.Format) bool { return f.Writes })
	}
	bw := bufio.NewWriter(w)
	var line []byte
	for i := range s.memories() {
		line = append(memory.AppendJSON(line[:0], &s.memories()[i]), '\n')
		if _, err := bw.Write(line); err != nil {
			return err
		}
	}
	return bw.Flush()
}

// Formats lists the forms of memories that Import and Export know.
func Formats() []foreign.Format { return foreign.Formats() }
