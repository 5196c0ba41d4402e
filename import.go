package plastic

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plastic/compress"
	"plastic/internal/foreign"
	"plastic/memory"
	"plastic/store"
	"plastic/tokenize"
)

// ImportOptions say what an import reads and whether it writes.
type ImportOptions struct {
	From    string // a format by name; "": what the file shows itself to be
	DryRun  bool
	Restore bool // take what was forgotten or pruned here too
}

// Import takes memories from a stream: plastic's own JSON lines, or another
// tool's format, found by how the stream begins or named by o.From. One memory a line; content is enough. It is a
// restore, not a conversation: near-duplicates are not merged. What is there
// already (the same id and content, or without an id the same folded content
// and date) is skipped, and so is what was forgotten here; the same id with
// another content takes the newer updatedAt. Each item passes the gates of
// Remember; one that can not is refused with its line, the others are taken
// together or, on an error, not at all.
func (b *Bank) Import(ctx context.Context, r io.Reader, o ImportOptions) (Imported, error) {
	if err := b.mayDump("import"); err != nil {
		return Imported{}, err
	}
	if o.From == "" {
		br := bufio.NewReaderSize(r, foreign.HeadSize)
		head, _ := br.Peek(foreign.HeadSize)
		format, err := foreign.DetectHead(head)
		if err != nil {
			return Imported{}, Hint(err, err.Error(), "save it to a file and import that")
		}
		r, o.From = br, format
	}
	in := b.intake(o)
	if o.From != foreign.JSONL {
		got, err := foreign.ReadFrom(o.From, "stdin", r, in.reading())
		if err != nil {
			return Imported{}, known(err)
		}
		in.foreign(got)
		return in.settleAll(ctx, o)
	}
	if err := in.read(r); err != nil {
		return Imported{}, err
	}
	return in.settleAll(ctx, o)
}

// ImportPath is Import from a file, folder or archive, whose format is found by
// what is inside unless o.From names it.
func (b *Bank) ImportPath(ctx context.Context, path string, o ImportOptions) (Imported, error) {
	if err := b.mayDump("import"); err != nil {
		return Imported{}, err
	}
	if o.From == "" {
		format, err := foreign.Detect(path)
		if err != nil {
			return Imported{}, known(err)
		}
		if format == "markdown" && !isText(path) {
			format = foreign.JSONL // its lines are refused one by one rather than taken for prose
		}
		o.From = format
	}
	if o.From == foreign.JSONL {
		f, err := os.Open(path)
		if err != nil {
			return Imported{}, err
		}
		defer f.Close()
		return b.Import(ctx, f, o)
	}
	in := b.intake(o)
	got, err := foreign.Read(o.From, path, in.reading())
	if err != nil {
		return Imported{}, known(err)
	}
	in.foreign(got)
	return in.settleAll(ctx, o)
}

// isText reports whether path is named as prose, or is a folder.
func isText(path string) bool {
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		return true
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown", ".txt":
		return true
	}
	return false
}

// known adds to an error about a format that is to be read what formats there are.
func known(err error) error {
	return formatsBeside(err, func(f foreign.Format) bool { return f.Reads })
}

// formatsBeside adds to an error about a format the names of those that serve.
func formatsBeside(err error, serves func(foreign.Format) bool) error {
	if NextStep(err) != "" || Code(err) != "usage" {
		return err
	}
	var names []string
	for _, f := range foreign.Formats() {
		if serves(f) {
			names = append(names, f.Name)
		}
	}
	return Hint(memory.ErrUsage, err.Error(), "known formats: "+strings.Join(names, ", "))
}

func (b *Bank) intake(o ImportOptions) *intake {
	return &intake{bank: b, now: b.opts.Now(), restore: o.Restore, out: Imported{Refused: []Refusal{}, Notes: []string{}, DryRun: o.DryRun}}
}

// settleAll takes what was read in one update, or only says what it would.
func (in *intake) settleAll(ctx context.Context, o ImportOptions) (Imported, error) {
	b, refused := in.bank, in.out.Refused
	take := func(s *scene, into sink) {
		in.taken, in.at, in.former, in.brought = nil, map[string]int{}, nil, nil
		in.out.Imported, in.out.Skipped, in.out.Refused = 0, 0, slices.Clone(refused)
		in.settle(s, into)
		after := in.after(s)
		in.out.Tonight = compressed(compress.Night(after, b.sparing(nightParams(s.config), after), in.now))
		in.out.Tonight.DryRun = true
	}
	if o.DryRun {
		s, err := b.look()
		if err != nil {
			return Imported{}, err
		}
		if err := s.state.Writable(); err != nil {
			return Imported{}, err // as the import itself would
		}
		take(s, &drySink{scene: s, put: map[string]memory.Memory{}})
	} else {
		_, err := b.store.Update(ctx, func(tx *store.Tx) error {
			take(b.scene(tx.State(), in.now), tx)
			return nil
		})
		if err != nil {
			return Imported{}, err
		}
		b.used(in.now)
	}
	in.queueTurns(ctx, o.DryRun)
	if !o.DryRun {
		b.noteImport(in)
	}
	slices.SortStableFunc(in.out.Refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	return in.out, nil
}

// intake is one import under way.
type intake struct {
	bank    *Bank
	now     time.Time
	restore bool
	items   []item
	taken   []memory.Memory   // as they came in last, one an id
	at      map[string]int    // id → its place in taken
	former  []memory.Memory   // what was here before the import, where taken ones took its place
	brought []memory.Archived // tombstones that taken ones have ended
	turns   []foreign.Turn    // of conversations
	queued  []string          // the sources of those that went into the queue
	out     Imported
}

type item struct {
	line  int
	dated bool
	m     memory.Memory
}

func (in *intake) refuse(line int, reason string) {
	in.out.Refused = append(in.out.Refused, Refusal{Line: line, Reason: reason})
}

// settle decides for each item whether it is new, and puts what is.
func (in *intake) settle(s *scene, tx sink) {
	origin := map[string]string{}     // an import's own key → id here
	texts := map[string][]time.Time{} // folded content → when
	of := in.moments()
	for i := range s.memories() {
		m := &s.memories()[i]
		if of == nil || of[m.CreatedAt.Unix()] {
			f := tokenize.Fold(m.Content)
			texts[f] = append(texts[f], m.CreatedAt)
		}
		if imported(m.Source) {
			origin[m.Source] = m.ID
		}
	}
	goneID, goneText := map[string]bool{}, map[string]bool{}
	tombs := map[string]memory.Archived{}
	for _, a := range s.archive() {
		if a.As == memory.Forgotten || a.As == memory.Pruned {
			tombs[a.Memory.ID] = a
			if !in.restore {
				goneID[a.Memory.ID] = true
				goneText[tokenize.Fold(a.Memory.Content)] = a.Memory.Content != ""
				if imported(a.Memory.Source) {
					goneID[a.Memory.Source] = true
				}
			}
		}
	}
	for _, it := range in.items {
		if id, again := origin[it.m.Source]; again && it.m.ID == "" {
			it.m.ID = id
		}
		m, f := it.m, tokenize.Fold(it.m.Content)
		old, exists := tx.Get(m.ID)
		switch {
		case m.ID != "" && exists:
			in.again(tx, it, old)
			continue
		case m.ID != "" && goneID[m.ID], goneID[m.Source], goneText[f]:
			in.out.Skipped++
			continue
		case m.ID == "" && has(texts[f], m.CreatedAt, it.dated):
			in.out.Skipped++
			continue
		case m.ID != "" && has(texts[f], m.CreatedAt, true):
			in.out.Skipped++
			continue
		}
		if m.ID == "" {
			m.ID = tx.NewID()
		}
		texts[f] = append(texts[f], m.CreatedAt)
		if imported(m.Source) {
			origin[m.Source] = m.ID
		}
		tx.Put(m)
		in.take(m)
		if a, ok := tombs[m.ID]; ok {
			in.brought = append(in.brought, a)
		}
		in.out.Imported++
	}
}

// moments are the seconds that the items are of: only what is of one of them can be
// there already. nil where an item has neither a date nor an id, which is there
// already whenever it was said.
func (in *intake) moments() map[int64]bool {
	of := make(map[int64]bool, len(in.items))
	for i := range in.items {
		it := &in.items[i]
		if !it.dated && it.m.ID == "" {
			return nil
		}
		of[it.m.CreatedAt.Unix()] = true
	}
	return of
}

// imported reports whether source is an import's own key for one thing.
func imported(source string) bool { return strings.HasPrefix(source, "import:") }

// again handles an item whose id is there already.
func (in *intake) again(tx sink, it item, old memory.Memory) {
	switch {
	case strings.TrimSpace(old.Content) == strings.TrimSpace(it.m.Content): // other forms lose what stands around it
		in.out.Skipped++
	case it.m.UpdatedAt.After(old.UpdatedAt):
		tx.Keep(memory.Archived{Memory: old, ArchivedAt: whole(in.now), As: memory.Version, By: in.bank.by, Why: "a newer wording was imported"})
		tx.Put(it.m)
		if _, own := in.at[old.ID]; !own { // else what is replaced came with this import
			in.former = append(in.former, old)
		}
		in.take(it.m)
		in.out.Imported++
	default:
		in.refuse(it.line, fmt.Sprintf("%s is there with another text and no older updatedAt", it.m.ID))
	}
}

// take notes m as what the import leaves under its id.
func (in *intake) take(m memory.Memory) {
	if i, again := in.at[m.ID]; again {
		in.taken[i] = m
		return
	}
	in.at[m.ID] = len(in.taken)
	in.taken = append(in.taken, m)
}

func has(at []time.Time, t time.Time, dated bool) bool {
	for _, x := range at {
		if !dated || x.Equal(t) {
			return true
		}
	}
	return false
}

// after is the memory as it will stand once the import is in, by createdAt and id.
func (in *intake) after(s *scene) []memory.Memory {
	taken := slices.Clone(in.taken)
	slices.SortFunc(taken, func(a, b memory.Memory) int { return a.Compare(&b) })
	all := make([]memory.Memory, 0, len(taken)+len(s.memories()))
	for i := range s.memories() {
		m := &s.memories()[i]
		if _, fresh := in.at[m.ID]; fresh {
			continue
		}
		for len(taken) > 0 && taken[0].Before(m) {
			all, taken = append(all, taken[0]), taken[1:]
		}
		all = append(all, *m)
	}
	return append(all, taken...)
}
