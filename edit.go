package plastic

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"plastic/internal/editfile"
	"plastic/internal/same"
	"plastic/memory"
	"plastic/recall"
	"plastic/store"
	"plastic/tokenize"
)

// Sheet is memories as a Markdown list for an editor: one item a memory, with its
// id and, in braces at the end, what of it is not the default.
type Sheet struct {
	Text     string
	Memories int
}

// mostOnSheet bounds what a query brings onto a sheet.
const mostOnSheet = 100

// EditSheet writes the live memories, or those that query finds or names by id,
// as a Sheet, by createdAt. It counts as no recall. It exists for the owner
// alone and fails with memory.ErrNotFound for a query that finds nothing.
func (b *Bank) EditSheet(query string) (Sheet, error) {
	if err := b.mayDump("edit"); err != nil {
		return Sheet{}, err
	}
	s, err := b.look()
	if err != nil {
		return Sheet{}, err
	}
	var ms []memory.Memory
	if query == "" {
		for _, m := range s.memories() {
			if m.Live(s.now) {
				ms = append(ms, m)
			}
		}
	} else if ms = s.sought(query); len(ms) == 0 {
		return Sheet{}, Hint(memory.ErrNotFound, fmt.Sprintf("nothing answers %q", clip(query, 80)), "without words `plastic edit` opens all memories")
	}
	return Sheet{Text: editfile.Render(ms, s.config.Memory.Location()), Memories: len(ms)}, nil
}

// sought are the live memories that query names or finds, by createdAt: core
// ones and near-identical ones too, which recall leaves out.
func (s *scene) sought(query string) []memory.Memory {
	if m, ok := s.get(query); ok && m.Live(s.now) {
		return []memory.Memory{m}
	}
	var ms []memory.Memory
	f := s.search(context.Background(), query, asked{formula: s.config.Recall.Formula, limit: mostOnSheet, explain: true})
	take := func(id string) {
		if m, ok := s.get(id); ok {
			ms = append(ms, m)
		}
	}
	for _, k := range f.Kept {
		take(k.ID)
	}
	for _, d := range f.Dropped {
		if d.Reason == recall.Repeats {
			take(d.ID)
		}
	}
	for _, m := range s.core() {
		if sharesTerm(query, m.Content) {
			ms = append(ms, m)
		}
	}
	slices.SortFunc(ms, func(a, b memory.Memory) int { return a.Compare(&b) })
	return ms
}

// sharesTerm reports whether text has a term of query that is no function word.
func sharesTerm(query, text string) bool {
	has := tokenize.Stems(text)
	return slices.ContainsFunc(tokenize.Stems(query), func(term string) bool {
		return !tokenize.Functional(term) && slices.Contains(has, term)
	})
}

// EditPlan is what an edited Sheet asks for.
type EditPlan struct {
	Remember    []Wanted   `json:"remember"`
	Update      []Revision `json:"update"`
	Forget      []Wanted   `json:"forget"`
	AllowSecret bool       `json:"-"` // keep texts that look like they hold a key
}

// Wanted is a memory as a Sheet has it.
type Wanted struct {
	Line       int         `json:"line"` // where it begins in the text, from 1
	ID         string      `json:"id"`   // "" for a new one
	Content    string      `json:"content"`
	Kind       memory.Kind `json:"kind"`
	Importance float64     `json:"importance"`
	Pinned     bool        `json:"pinned"`
	Private    bool        `json:"private"`
}

// Settings is what of it is not the default, in braces; "" if nothing is.
func (w Wanted) Settings() string { return editfile.Item(w).Settings() }

// Revision is a memory as it was on the Sheet and as it is wanted.
type Revision struct {
	Was Wanted `json:"was"`
	Is  Wanted `json:"is"`
}

// Empty reports whether the plan asks for nothing.
func (p EditPlan) Empty() bool { return len(p.Remember)+len(p.Update)+len(p.Forget) == 0 }

// ReadEdit says what the text edited asks for beside the Sheet that was given:
// an item that is gone is to be forgotten, one without an id to be remembered.
// It fails with memory.ErrInvalid and the line where edited can not be read, and
// for an empty text: an editor that left nothing forgets nothing.
func ReadEdit(given Sheet, edited string) (EditPlan, error) {
	if strings.TrimSpace(edited) == "" {
		return EditPlan{}, Hint(memory.ErrInvalid, "the text is empty; nothing was changed", "to forget all that it held, delete the items and leave the comment")
	}
	p, err := editfile.Compare(given.Text, edited)
	if err != nil {
		return EditPlan{}, err
	}
	out := EditPlan{Remember: []Wanted{}, Update: []Revision{}, Forget: []Wanted{}}
	for _, it := range p.New {
		out.Remember = append(out.Remember, Wanted(it))
	}
	for _, c := range p.Changed {
		out.Update = append(out.Update, Revision{Was: Wanted(c.Was), Is: Wanted(c.Is)})
	}
	for _, it := range p.Gone {
		out.Forget = append(out.Forget, Wanted(it))
	}
	return out, nil
}

// Edited answers Edit.
type Edited struct {
	Remembered []Noted  `json:"remembered"` // in the order of the plan
	Updated    []string `json:"updated"`
	Forgotten  []string `json:"forgotten"`
	Left       []Kept   `json:"left"` // as they are, because they changed meanwhile
}

// Noted says what became of a new text.
type Noted struct {
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"`
}

// Edit does what p asks for in one update: all of it or, where an item does not
// pass the gates of Remember and Update, nothing. Memories that were changed,
// forgotten or superseded since the Sheet was written stay as they are and are
// listed. It exists for the owner alone and fails as Remember and Update do; the
// error names the line.
func (b *Bank) Edit(ctx context.Context, p EditPlan) (Edited, error) {
	if err := b.mayDump("edit"); err != nil {
		return Edited{}, err
	}
	now := b.opts.Now()
	drafts, err := b.editDrafts(p, now)
	if err != nil {
		return Edited{}, err
	}
	var out Edited
	_, err = b.store.Update(ctx, func(tx *store.Tx) error {
		out = Edited{Remembered: []Noted{}, Updated: []string{}, Forgotten: []string{}, Left: []Kept{}}
		s := b.scene(tx.State(), now)
		for _, w := range p.Forget {
			if _, ok := s.asGiven(w, &out); ok {
				tx.Archive(w.ID, memory.Archived{ArchivedAt: whole(now), As: memory.Forgotten, By: b.by, Why: "deleted in an edit"})
				out.Forgotten = append(out.Forgotten, w.ID)
			}
		}
		for _, r := range p.Update {
			old, ok := s.asGiven(r.Was, &out)
			if !ok {
				continue
			}
			if err := b.revise(tx, old, r.Is, now); err != nil {
				return err
			}
			out.Updated = append(out.Updated, r.Is.ID)
		}
		out.Remembered = b.noteAll(tx, drafts, now)
		return nil
	})
	if err != nil {
		return Edited{}, err
	}
	b.used(now)
	return out, nil
}

// asGiven finds the memory of w if it still is what the sheet said, and lists it
// as left if not.
func (s *scene) asGiven(w Wanted, out *Edited) (memory.Memory, bool) {
	m, ok := s.get(w.ID)
	switch {
	case !ok:
		out.Left = append(out.Left, Kept{w.ID, "it left the memory meanwhile"})
	case !m.Live(s.now):
		out.Left = append(out.Left, Kept{w.ID, "it was superseded meanwhile"})
	case !editfile.ItemOf(&m).Equal(editfile.Item(w)):
		out.Left = append(out.Left, Kept{w.ID, "it was changed meanwhile"})
	default:
		return m, true
	}
	return m, false
}

// editDrafts checks all texts of p and gives the memories that are new.
func (b *Bank) editDrafts(p EditPlan, now time.Time) ([]memory.Memory, error) {
	var out []memory.Memory
	for _, w := range p.Remember {
		m, err := b.draft(Draft{Content: w.Content, Kind: w.Kind, Importance: &w.Importance, Pinned: w.Pinned, Private: w.Private, Source: "edit", AllowSecret: p.AllowSecret}, now)
		if err != nil {
			return nil, onLine(w.Line, err)
		}
		out = append(out, m)
	}
	for _, r := range p.Update {
		if r.Is.Content != r.Was.Content {
			if _, err := b.content(r.Is.Content, p.AllowSecret); err != nil {
				return nil, onLine(r.Is.Line, err)
			}
		}
		if r.Is.Kind != r.Was.Kind {
			if err := noSecret("the kind", string(r.Is.Kind)); err != nil {
				return nil, onLine(r.Is.Line, err)
			}
		}
	}
	return out, nil
}

func onLine(line int, err error) error {
	return Hint(err, fmt.Sprintf("line %d: %s", line, err), NextStep(err))
}

// revise makes old what w says. A wording that differs in nothing a list can
// hold stays as it is.
func (b *Bank) revise(tx *store.Tx, old memory.Memory, w Wanted, now time.Time) error {
	m := old
	m.Kind, m.Importance, m.Pinned, m.Private = w.Kind, w.Importance, w.Pinned, w.Private
	if editfile.Tidy(old.Content) != w.Content {
		m.Content = w.Content
		tx.Keep(memory.Archived{Memory: old, ArchivedAt: whole(now), As: memory.Version, By: b.by, Why: "edited"})
	}
	if err := check(&m); err != nil {
		return onLine(w.Line, err)
	}
	m.UpdatedAt = whole(now)
	tx.Put(m)
	return nil
}

// noteAll keeps drafts; one that says what a memory or an earlier draft says
// strengthens that one.
func (b *Bank) noteAll(tx *store.Tx, drafts []memory.Memory, now time.Time) []Noted {
	out := make([]Noted, 0, len(drafts))
	s := b.scene(tx.State(), now) // once: an index of a large memory takes its time
	type text struct {
		id string
		*same.Text
	}
	var fresh []text
	for _, m := range drafts {
		old, known := s.twin(&m)
		said := same.Read(&m)
		for i := 0; i < len(fresh) && !known; i++ {
			old.ID, known = fresh[i].id, same.Texts(fresh[i].Text, said, s.sameness())
		}
		if known {
			old, _ = tx.Get(old.ID)
			b.reinforce(tx, old, m, now)
			out = append(out, Noted{old.ID, Reinforced})
			continue
		}
		m.ID = tx.NewID()
		tx.Put(m)
		fresh = append(fresh, text{m.ID, said})
		out = append(out, Noted{m.ID, Created})
	}
	return out
}
