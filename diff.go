package plastic

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"plastic/layers"
	"plastic/memory"
)

// Difference answers Diff. Each list is in the order in which things happened.
type Difference struct {
	Learnt    []Memory       `json:"learnt"`    // by createdAt; as they are now, or were when they left
	Changed   []Changed      `json:"changed"`   // what was there before
	Forgotten []ArchiveEntry `json:"forgotten"` // forgotten, pruned or removed, and not back since
}

// Changed is one memory that is not what it was.
type Changed struct {
	At     Time    `json:"at"`  // the last time, within the dates
	How    How     `json:"how"` // the last way
	Why    string  `json:"why"`
	Memory Memory  `json:"memory"`        // as it is now, or was when it left
	Was    *Memory `json:"was,omitempty"` // its wording before the first change, where the archive has it
	Next   string  `json:"next"`          // id of what took its place, or ""
}

// How says in which way a memory changed.
type How string

// The ways.
const (
	ByUpdate    How = "updated"
	BySuccessor How = "superseded"
	ByNight     How = "raised" // its importance, for good
)

// Diff says what was learnt, changed and forgotten from one moment up to, and
// without, another, as far as the memory, the archive and nights.jsonl tell: what
// was purged or has expired is not in it, and of several changes of a memory the
// last is named. What was learnt and forgotten between the two is in both lists.
// It exists for the owner alone and fails with memory.ErrInvalid when until is
// before from.
func (b *Bank) Diff(from, until time.Time) (Difference, error) {
	if err := b.mayDump("diff"); err != nil {
		return Difference{}, err
	}
	if until.Before(from) {
		return Difference{}, Hint(memory.ErrInvalid, "the second date is before the first", "give the earlier one first")
	}
	s, err := b.look()
	if err != nil {
		return Difference{}, err
	}
	nights, err := b.NightRecords()
	if err != nil {
		return Difference{}, err
	}
	d := differ{scene: s, from: from, until: until, changed: map[string]*Changed{}}
	d.memories()
	d.archived()
	d.nights(nights)
	return d.result(), nil
}

type differ struct {
	*scene
	from, until time.Time
	out         Difference
	known       map[string]memory.Memory // by id, as they are now or were when they left
	changed     map[string]*Changed
}

// within reports whether t is between the dates.
func (d *differ) within(t time.Time) bool {
	return !t.IsZero() && !t.Before(d.from) && t.Before(d.until)
}

// memories gathers every memory there is word of, and takes those that were
// created or changed between the dates.
func (d *differ) memories() {
	d.known = map[string]memory.Memory{}
	for _, m := range d.scene.memories() {
		d.known[m.ID] = m
	}
	for _, a := range slices.Backward(d.archive()) { // of several entries the newest
		_, there := d.known[a.Memory.ID]
		gone := a.As != memory.Version || a.Memory.SupersededBy != ""
		if !there && gone && a.Memory.Content != "" && a.Memory.Kind != cardKind {
			d.known[a.Memory.ID] = a.Memory
		}
	}
	for _, m := range d.known {
		switch {
		case d.within(m.CreatedAt):
			d.out.Learnt = append(d.out.Learnt, d.now(m))
		case d.within(m.UpdatedAt) && m.UpdatedAt.After(m.CreatedAt):
			d.change(m, m.UpdatedAt, ByUpdate, "")
		}
		if m.SupersededBy != "" && d.within(m.ValidTo) {
			d.change(m, m.ValidTo, BySuccessor, "")
		}
	}
}

// archived takes what left between the dates, and the wordings that did.
func (d *differ) archived() {
	for _, a := range d.archive() {
		if !d.within(a.ArchivedAt) || a.Memory.Kind == cardKind {
			continue
		}
		m := d.known[a.Memory.ID]
		switch {
		case a.As != memory.Version:
			if _, back := d.get(a.Memory.ID); back {
				continue
			}
			d.out.Forgotten = slices.DeleteFunc(d.out.Forgotten, func(e ArchiveEntry) bool { return e.Memory.ID == a.Memory.ID })
			d.out.Forgotten = append(d.out.Forgotten, entry(&a))
		case a.Memory.SupersededBy != "" || m.ID == "":
		default:
			if c := d.change(m, a.ArchivedAt, ByUpdate, a.Why); c != nil && c.Was == nil {
				was := entry(&a).Memory
				c.Was = &was
			}
		}
	}
}

// nights takes what nights between the dates raised.
func (d *differ) nights(list []NightRecord) {
	for _, r := range list {
		if r.DryRun || r.Compress == nil || !d.within(r.At().Time) {
			continue
		}
		for _, it := range r.Compress.Raised {
			if m, ok := d.known[it.ID]; ok {
				d.change(m, r.At().Time, ByNight, it.Why)
			}
		}
	}
}

// change notes a change of m, which counts where it was there before; nil where
// it was not.
func (d *differ) change(m memory.Memory, at time.Time, how How, why string) *Changed {
	if !m.CreatedAt.Before(d.from) {
		return nil
	}
	c := d.changed[m.ID]
	if c == nil {
		c = &Changed{Memory: d.now(m), Next: m.SupersededBy}
		d.changed[m.ID] = c
	}
	if at.After(c.At.Time) {
		c.Why = ""
	}
	if !at.Before(c.At.Time) {
		c.At, c.How, c.Why = Time{at}, how, cmp.Or(why, c.Why)
	}
	return c
}

// now is m as it stands; without a layer if it left.
func (d *differ) now(m memory.Memory) Memory {
	if _, there := d.get(m.ID); !there {
		return answer(&m, layers.Standing{})
	}
	return d.answer(&m)
}

func (d *differ) result() Difference {
	out := Difference{Learnt: []Memory{}, Changed: []Changed{}, Forgotten: []ArchiveEntry{}}
	out.Learnt = append(out.Learnt, d.out.Learnt...)
	for _, c := range d.changed {
		out.Changed = append(out.Changed, *c)
	}
	out.Forgotten = append(out.Forgotten, d.out.Forgotten...)
	slices.SortFunc(out.Learnt, func(a, b Memory) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt.Time), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(out.Changed, func(a, b Changed) int {
		return cmp.Or(a.At.Compare(b.At.Time), cmp.Compare(a.Memory.ID, b.Memory.ID))
	})
	slices.SortFunc(out.Forgotten, func(a, b ArchiveEntry) int {
		return cmp.Or(a.ArchivedAt.Compare(b.ArchivedAt.Time), a.Memory.CreatedAt.Compare(b.Memory.CreatedAt.Time), cmp.Compare(a.Memory.ID, b.Memory.ID))
	})
	return out
}

// String is the difference in figures.
func (d Difference) String() string {
	return fmt.Sprintf("learnt %d, changed %d, forgotten %d", len(d.Learnt), len(d.Changed), len(d.Forgotten))
}
