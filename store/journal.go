package store

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"plastic/memory"
)

// The journal, memory.journal: what happened since memory.json was last written,
// one JSON object a line. The first line names this journal, by chance, and the
// memory.json it goes on from:
//
//	{"journal":"9f2c…","base":{"size":…,"mtime":…,"inode":…}}
//
// Then, one line for each update, so that an update is there whole or not at all:
//
//	{"at":"…","ops":[{"put":{…},"was":{…}},{"drop":{…}},{"keep":{…}},{"purge":["id"]},{"expire":"…","end":"…"},{"night":{…}},{"turn":"id"}]}
//
// put is a whole memory and the one it replaced; drop and keep are archive
// entries, drop takes their memory out as well; expire and end are times; turn is one
// of the queue that is distilled. Then,
// never synced, one line for each recall, with the counts reached:
//
//	{"at":"…","recalled":{"k3v9x2":4}}
//
// and, before a checkpoint renames its file, what that file will be:
//
//	{"checkpoint":{"size":…,"sum":"…"}}
//
// All values are absolute: reading a journal twice, or over a memory.json that
// has some of it already, comes to the same. A last line without its line end
// was never acknowledged; it is not read and is cut off by the next write.
const journalName = "memory.journal"

// journal is a journal as far as it was read. It only grows; states look at a
// beginning of it.
type journal struct {
	name string  // from the first line; "" when there is none
	base FileKey // the memory.json it goes on from

	mu      sync.RWMutex // guards all below
	ops     []op
	byID    map[string][]int32
	marks   []mark
	size    int64 // bytes read: up to the end of the last whole line
	content int64 // bytes of lines that are not recalls

	rehearsals, recalls int // lines of recalls, and how many memories they count
	bad                 []string
	room                []op // for the line at hand
}

// mark is a checkpoint line: the file that holds the first n operations.
type mark struct {
	size int64
	sum  string
	n    int
}

func newJournal() *journal { return &journal{byID: make(map[string][]int32)} }

// header is the longest first line that is looked at.
const header = 256

func journalHead(name string, base FileKey) []byte {
	return fmt.Appendf(nil, `{"journal":"%s","base":{"size":%d,"mtime":%d,"inode":%d}}`+"\n", name, base.Size, base.MTime, base.Inode)
}

func newJournalName() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// journalID gives the name in the first line of an open journal, "" if none.
func journalID(f io.ReaderAt) string {
	var buf [header]byte
	n, _ := f.ReadAt(buf[:], 0)
	line, _, ok := bytes.Cut(buf[:n], []byte("\n"))
	if !ok {
		return ""
	}
	name, _ := parseHead(string(line))
	return name
}

func parseHead(line string) (name string, base FileKey) {
	memory.Members(line, func(key, raw string) {
		switch key {
		case "journal":
			name = memory.Unquote(raw)
		case "base":
			memory.Members(raw, func(key, raw string) {
				switch key {
				case "size":
					base.Size, _ = strconv.ParseInt(raw, 10, 64)
				case "mtime":
					base.MTime, _ = strconv.ParseInt(raw, 10, 64)
				case "inode":
					base.Inode, _ = strconv.ParseUint(raw, 10, 64)
				}
			})
		}
	})
	return name, base
}

// openJournal opens the journal for reading; nil when there is none.
func openJournal(path string) (*os.File, error) {
	f, _, err := openFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// readMore reads the whole lines that stand in f behind what j has.
func (j *journal) readMore(f *os.File) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	if fi.Size() <= j.size {
		return nil
	}
	buf := make([]byte, fi.Size()-j.size)
	n, err := f.ReadAt(buf, j.size)
	if err != nil && err != io.EOF {
		return err
	}
	end := bytes.LastIndexByte(buf[:n], '\n') + 1
	j.parse(string(buf[:end]))
	return nil
}

// parse takes in whole lines. The caller holds mu.
func (j *journal) parse(text string) {
	for line := range strings.Lines(text) {
		first := j.size == 0
		j.size += int64(len(line))
		if first {
			if j.name, j.base = parseHead(line); j.name != "" {
				continue
			}
		}
		if !j.line(line) {
			j.bad = append(j.bad, strings.TrimRight(line, "\n"))
		}
	}
}

// line takes in one line, all of it or nothing.
func (j *journal) line(line string) bool {
	if j.recalledLine(line) {
		return true
	}
	var at time.Time
	ops, known, ok := []op(nil), false, true
	n := memory.Members(line, func(key, raw string) {
		switch key {
		case "at":
			at, _ = memory.ParseTime(raw)
		case "ops":
			known = true
			k := memory.Elements(raw, func(raw string) {
				o, good := parseOp(raw, at)
				ops, ok = append(ops, o...), ok && good
			})
			ok = ok && k > 0
			j.content += int64(len(line))
		case "recalled":
			known = true
			ops = parseRecalled(ops, raw, at)
			j.rehearsals++
		case "checkpoint":
			known = true
			j.marks = append(j.marks, parseMark(raw, len(j.ops)))
		}
	})
	if n == 0 || !known || !ok {
		return false
	}
	j.add(ops)
	return true
}

// took takes in operations whose line of n bytes was just written. The caller holds
// mu.
func (j *journal) took(ops []op, n int) {
	j.size += int64(n)
	if ops[0].kind == opRecall {
		j.rehearsals++
	} else {
		j.content += int64(n)
	}
	j.add(ops)
}

func (j *journal) add(ops []op) {
	for i := range ops {
		if o := &ops[i]; o.id != "" {
			j.byID[o.id] = append(j.byID[o.id], int32(len(j.ops)+i))
			if o.kind == opRecall {
				j.recalls++
			}
		}
	}
	j.ops = append(j.ops, ops...)
}

// recalledLine takes in a line of recalls as appendRecalled writes it, which is the
// commonest by far. Of any other it takes nothing.
func (j *journal) recalledLine(line string) bool {
	const stamp = `{"at":"2006-01-02T15:04:05Z"`
	if len(line) < len(stamp) || !strings.HasPrefix(line, `{"at":"`) {
		return false
	}
	rest, ok := strings.CutPrefix(line[len(stamp):], `,"recalled":{`)
	at, good := memory.ParseTime(line[len(`{"at":`):len(stamp)])
	if !ok || !good {
		return false
	}
	ops := j.room[:0]
	for more := true; more; {
		id, after, quoted := strings.Cut(strings.TrimPrefix(rest, `"`), `":`)
		end := strings.IndexAny(after, ",}")
		if !quoted || len(id) == len(rest) || end < 1 || !memory.ValidID(id) {
			return false
		}
		n, err := strconv.Atoi(after[:end])
		if err != nil {
			return false
		}
		ops = append(ops, op{kind: opRecall, id: id, count: n, at: at})
		more, rest = after[end] == ',', after[end+1:]
	}
	if j.room = ops; rest != "}\n" {
		return false
	}
	j.rehearsals++
	j.add(ops)
	return true
}
