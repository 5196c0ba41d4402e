package store

import (
	"reflect"

	"plastic/memory"
)

// A trait is a field of a memory that can change on its own.
type trait struct {
	equal   func(a, b *memory.Memory) bool
	copy    func(dst, src *memory.Memory)
	counted bool // by recalls too: of two values the greater stands
	wording bool // what a person sets: another value of a hand is worth keeping
}

func traitOf[T comparable](at func(*memory.Memory) *T) trait {
	return trait{
		equal: func(a, b *memory.Memory) bool { return *at(a) == *at(b) },
		copy:  func(dst, src *memory.Memory) { *at(dst) = *at(src) },
	}
}

func worded(t trait) trait { t.wording = true; return t }

var traits = []trait{
	worded(traitOf(func(m *memory.Memory) *string { return &m.Content })),
	worded(traitOf(func(m *memory.Memory) *memory.Kind { return &m.Kind })),
	worded(traitOf(func(m *memory.Memory) *float64 { return &m.Importance })),
	worded(traitOf(func(m *memory.Memory) *bool { return &m.Pinned })),
	worded(traitOf(func(m *memory.Memory) *bool { return &m.Private })),
	traitOf(func(m *memory.Memory) *string { return &m.SupersededBy }),
	traitOf(func(m *memory.Memory) *string { return &m.Source }),
	traitOf(func(m *memory.Memory) *string { return &m.Session }),
	traitOf(func(m *memory.Memory) *string { return &m.Speaker }),
	{
		equal: func(a, b *memory.Memory) bool { return a.CreatedAt.Equal(b.CreatedAt) },
		copy:  func(dst, src *memory.Memory) { dst.CreatedAt = src.CreatedAt },
	},
	{
		equal: func(a, b *memory.Memory) bool { return a.UpdatedAt.Equal(b.UpdatedAt) },
		copy:  func(dst, src *memory.Memory) { dst.UpdatedAt = src.UpdatedAt },
	},
	{
		equal: func(a, b *memory.Memory) bool { return a.ConsolidatedAt.Equal(b.ConsolidatedAt) },
		copy:  func(dst, src *memory.Memory) { dst.ConsolidatedAt = src.ConsolidatedAt },
	},
	{
		equal: func(a, b *memory.Memory) bool { return a.ValidTo.Equal(b.ValidTo) },
		copy:  func(dst, src *memory.Memory) { dst.ValidTo = src.ValidTo },
	},
	{
		equal:   func(a, b *memory.Memory) bool { return a.RecallCount == b.RecallCount },
		copy:    func(dst, src *memory.Memory) { dst.RecallCount = max(dst.RecallCount, src.RecallCount) },
		counted: true,
	},
	{
		equal:   func(a, b *memory.Memory) bool { return a.LastRecalledAt.Equal(b.LastRecalledAt) },
		copy:    func(dst, src *memory.Memory) { dst.LastRecalledAt = later(dst.LastRecalledAt, src.LastRecalledAt) },
		counted: true,
	},
	{
		equal: func(a, b *memory.Memory) bool {
			return len(a.Extra) == 0 && len(b.Extra) == 0 || reflect.DeepEqual(a.Extra, b.Extra)
		},
		copy: func(dst, src *memory.Memory) { dst.Extra = src.Extra },
	},
}

func equalMemory(a, b *memory.Memory) bool {
	for i := range traits {
		if !traits[i].equal(a, b) {
			return false
		}
	}
	return a.ID == b.ID
}

// folded is what the journal makes of one memory of the file.
type folded struct {
	m       *memory.Memory // nil: there is none
	beaten  *memory.Memory // a wording of the journal that a hand has overruled
	removed *memory.Memory // the journal's state of what a hand took out
}

// fold applies the operations on one id to what the file has under it, nil if
// nothing. same says that the journal goes on from exactly this file; else a
// value in the file that the journal neither found nor set was written by a hand
// since, and stands. whole says that what is not in the file was taken out.
func fold(b *memory.Memory, ops []*op, same, whole bool) folded {
	var f folded
	dropped := false
	if b != nil {
		m := *b
		f.m = &m
	}
	for _, o := range ops {
		switch o.kind {
		case opRecall:
			if f.m != nil {
				f.m.RecallCount = max(f.m.RecallCount, o.count)
				f.m.LastRecalledAt = later(f.m.LastRecalledAt, o.at)
			}
		case opPurge:
			f, dropped = folded{}, true
		case opDrop:
			if f.m != nil && !same && !knownWording(f.m, o, ops) {
				continue // edited since by a hand: it stays
			}
			f.m, f.removed, dropped = nil, nil, true
		case opPut:
			f.put(o, ops, same || dropped, whole)
		}
	}
	return f
}

func (f *folded) put(o *op, ops []*op, same, whole bool) {
	switch {
	case f.m == nil && (o.was == nil || same || !whole), f.m != nil && same:
		m := *o.m
		f.m = &m
	case f.m == nil:
		f.removed = o.m
	default:
		f.replay(o, ops)
	}
}

// replay sets the fields that o changed, but those which a hand has changed since.
func (f *folded) replay(o *op, ops []*op) {
	f.beaten = nil
	for i := range traits {
		t := &traits[i]
		if o.was != nil && t.equal(o.was, o.m) {
			continue
		}
		if t.counted || inHistory(t, f.m, ops) {
			t.copy(f.m, o.m)
		} else if t.wording && !t.equal(f.m, o.m) {
			f.beaten = o.m
		}
	}
}

// inHistory reports whether m's value of t is one that the journal found or set.
func inHistory(t *trait, m *memory.Memory, ops []*op) bool {
	for _, o := range ops {
		if o.kind == opPut && (t.equal(m, o.m) || o.was != nil && t.equal(m, o.was)) {
			return true
		}
	}
	return false
}

func knownWording(m *memory.Memory, drop *op, ops []*op) bool {
	if m.Content == drop.entry.Memory.Content {
		return true
	}
	return inHistory(&traits[0], m, ops)
}
