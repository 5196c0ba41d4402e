package plastic

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"plastic/compress"
	"plastic/memory"
	"plastic/store"
	"plastic/tokenize"
)

// ImportOptions say what an import reads and whether it writes.
type ImportOptions struct {
	From    string // "" or "jsonl": plastic's own JSON lines
	DryRun  bool
	Restore bool // take what was forgotten or pruned here too
}

// maxImportLine bounds one line of an import, in bytes.
const maxImportLine = 1 << 20

// Import takes memories from JSON lines, one a line; content is enough. It is a
// restore, not a conversation: near-duplicates are not merged. What is there
// already (the same id and content, or without an id the same folded content
// and date) is skipped, and so is what was forgotten here; the same id with
// another content takes the newer updatedAt. Each line passes the gates of
// Remember; one that can not is refused with its line, the others are taken
// together or, on an error, not at all.
func (b *Bank) Import(ctx context.Context, r io.Reader, o ImportOptions) (Imported, error) {
	if err := b.mayDump("import"); err != nil {
		return Imported{}, err
	}
	if o.From != "" && o.From != "jsonl" {
		return Imported{}, Hint(memory.ErrUsage, fmt.Sprintf("the format %q is not known", clip(o.From, 40)), "known formats: jsonl")
	}
	now := b.opts.Now()
	in := intake{bank: b, now: now, restore: o.Restore, out: Imported{Refused: []Refusal{}, DryRun: o.DryRun}}
	if err := in.read(r); err != nil {
		return Imported{}, err
	}
	refused := in.out.Refused
	take := func(s *scene, into sink) {
		in.taken, in.out.Imported, in.out.Skipped, in.out.Refused = nil, 0, 0, slices.Clone(refused)
		in.settle(s, into)
		in.out.Tonight = compressed(compress.Night(in.after(s), nightParams(s.config), now))
		in.out.Tonight.DryRun = true
	}
	if o.DryRun {
		s, err := b.look()
		if err != nil {
			return Imported{}, err
		}
		take(s, &drySink{scene: s, put: map[string]memory.Memory{}})
	} else {
		_, err := b.store.Update(ctx, func(tx *store.Tx) error {
			take(b.scene(tx.State(), now), tx)
			return nil
		})
		if err != nil {
			return Imported{}, err
		}
		b.used(now)
	}
	slices.SortStableFunc(in.out.Refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	return in.out, nil
}

// sink is what an import needs of an update.
type sink interface {
	Get(id string) (memory.Memory, bool)
	NewID() string
	Put(m memory.Memory)
	Keep(a memory.Archived)
}

// drySink takes an import and writes nothing.
type drySink struct {
	scene *scene
	put   map[string]memory.Memory
}

func (d *drySink) Get(id string) (memory.Memory, bool) {
	if m, ok := d.put[id]; ok {
		return m, true
	}
	return d.scene.state.Get(id)
}

func (d *drySink) NewID() string        { return fmt.Sprintf("dry%d", len(d.put)) }
func (d *drySink) Put(m memory.Memory)  { d.put[m.ID] = m }
func (d *drySink) Keep(memory.Archived) {}

// intake is one import under way.
type intake struct {
	bank    *Bank
	now     time.Time
	restore bool
	items   []item
	taken   []memory.Memory
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

// read parses and checks every line; bad ones are listed, not fatal.
func (in *intake) read(r io.Reader) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, tooLong, err := readLine(br)
		if err != nil && err != io.EOF {
			return fmt.Errorf("read the import: %w", err)
		}
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		switch text := strings.TrimSpace(line); {
		case tooLong:
			in.refuse(n, fmt.Sprintf("longer than %d bytes", maxImportLine))
		case text != "":
			if it, err := in.parse(n, text); err != nil {
				in.refuse(n, err.Error())
			} else {
				in.items = append(in.items, it)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func readLine(br *bufio.Reader) (line string, tooLong bool, err error) {
	var b strings.Builder
	for {
		chunk, err := br.ReadSlice('\n')
		if b.Len()+len(chunk) > maxImportLine {
			tooLong = true
			b.Reset()
		}
		if !tooLong {
			b.Write(chunk)
		}
		if err != bufio.ErrBufferFull {
			return b.String(), tooLong, err
		}
	}
}

// strict are the fields whose odd values a hand edit may have and an import may not.
var strict = []string{"importance", "createdAt", "updatedAt", "lastRecalledAt", "consolidatedAt", "validTo",
	"supersededBy", "recallCount", "kind", "pinned", "source", "session", "speaker"}

func (in *intake) parse(n int, text string) (item, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			return item{}, errors.New("not a JSON object")
		}
		return item{}, fmt.Errorf("not a JSON object: %w", err)
	}
	if raw, ok := fields["id"]; ok {
		var id string
		if json.Unmarshal(raw, &id) != nil || id != "" && !memory.ValidID(id) {
			return item{}, fmt.Errorf("id %s is not one (letters, digits and ._:-, at most %d)", clip(string(raw), 40), memory.MaxID)
		}
	}
	if raw, ok := fields["importance"]; ok {
		var x float64
		if err := json.Unmarshal(raw, &x); err != nil {
			return item{}, fmt.Errorf("importance %s is not a number", clip(string(raw), 40))
		}
		if err := memory.CheckImportance(x); err != nil {
			return item{}, err
		}
	}
	m, err := memory.ParseJSON([]byte(text))
	if err != nil {
		return item{}, err
	}
	for _, name := range strict {
		if raw, odd := m.Extra[name]; odd {
			return item{}, fmt.Errorf("%s %s can not be read", name, clip(string(raw), 40))
		}
	}
	if err := in.level(&m); err != nil {
		return item{}, err
	}
	return item{line: n, dated: !m.CreatedAt.IsZero(), m: m}, in.gate(&m)
}

// level takes the five-step scale where a line says it is on that scale.
func (in *intake) level(m *memory.Memory) error {
	raw, ok := m.Extra["level"]
	if !ok {
		return nil
	}
	var n int
	if json.Unmarshal(raw, &n) != nil {
		return fmt.Errorf("level %s is no whole number from 1 to 5", clip(string(raw), 40))
	}
	x, err := memory.FromLevel(n)
	if err != nil {
		return err
	}
	m.Importance = x
	delete(m.Extra, "level")
	return nil
}

// gate is what Remember asks of a draft.
func (in *intake) gate(m *memory.Memory) error {
	text, err := in.bank.content(m.Content, false)
	if err != nil {
		return err
	}
	m.Content = text
	if m.CreatedAt.IsZero() {
		m.CreatedAt = whole(in.now)
	}
	delete(m.Extra, "private") // whatever it was, it is private now
	for _, raw := range m.Extra {
		if err := noSecret("a field", string(raw)); err != nil {
			return err
		}
	}
	if err := labels(m); err != nil {
		return err
	}
	return check(m)
}

// settle decides for each item whether it is new, and puts what is.
func (in *intake) settle(s *scene, tx sink) {
	texts := map[string][]time.Time{} // folded content → when
	for i := range s.memories() {
		m := &s.memories()[i]
		f := tokenize.Fold(m.Content)
		texts[f] = append(texts[f], m.CreatedAt)
	}
	goneID, goneText := map[string]bool{}, map[string]bool{}
	if !in.restore {
		for _, a := range s.archive() {
			if a.As == memory.Forgotten || a.As == memory.Pruned {
				goneID[a.Memory.ID] = true
				goneText[tokenize.Fold(a.Memory.Content)] = a.Memory.Content != ""
			}
		}
	}
	for _, it := range in.items {
		m, f := it.m, tokenize.Fold(it.m.Content)
		old, exists := tx.Get(m.ID)
		switch {
		case m.ID != "" && exists:
			in.again(tx, it, old)
			continue
		case m.ID != "" && goneID[m.ID], goneText[f]:
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
		tx.Put(m)
		in.taken = append(in.taken, m)
		in.out.Imported++
	}
}

// again handles an item whose id is there already.
func (in *intake) again(tx sink, it item, old memory.Memory) {
	switch {
	case old.Content == it.m.Content:
		in.out.Skipped++
	case it.m.UpdatedAt.After(old.UpdatedAt):
		tx.Keep(memory.Archived{Memory: old, ArchivedAt: whole(in.now), As: memory.Version, By: in.bank.by, Why: "a newer wording was imported"})
		tx.Put(it.m)
		in.taken = append(in.taken, it.m)
		in.out.Imported++
	default:
		in.refuse(it.line, fmt.Sprintf("%s is there with another text and no older updatedAt", it.m.ID))
	}
}

func has(at []time.Time, t time.Time, dated bool) bool {
	for _, x := range at {
		if !dated || x.Equal(t) {
			return true
		}
	}
	return false
}

// after is the memory as it will stand once the import is in.
func (in *intake) after(s *scene) []memory.Memory {
	fresh := map[string]bool{}
	for i := range in.taken {
		fresh[in.taken[i].ID] = true
	}
	all := append([]memory.Memory(nil), in.taken...)
	for _, m := range s.memories() {
		if !fresh[m.ID] {
			all = append(all, m)
		}
	}
	return all
}

// Export writes every memory as JSON lines, superseded ones too, so that an
// import gives the same memory back. It exists for the owner alone.
func (b *Bank) Export(w io.Writer, format string) error {
	if err := b.mayDump("export"); err != nil {
		return err
	}
	if format != "" && format != "jsonl" {
		return Hint(memory.ErrUsage, fmt.Sprintf("the format %q is not known", clip(format, 40)), "known formats: jsonl")
	}
	s, err := b.look()
	if err != nil {
		return err
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
