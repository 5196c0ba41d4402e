package store

import (
	"slices"
	"time"

	"plastic/memory"
)

// adopt gives the operations that settle what was found in the files: versions
// that lost, wordings a hand has overruled, memories a hand has taken out.
func (s *Store) adopt(st *State, now time.Time) []op {
	b := st.base
	k := s.lastKnown()
	foreign := s.foreignSince(k, b)
	if st.same && !foreign && (!b.doubtful() || b.plain || b.decoded.Load() && b.inOrder()) {
		return nil // nobody but this journal has had a hand in it
	}
	var ops []op
	add := func(kind opKind, e memory.Archived) {
		if slices.ContainsFunc(st.entriesOf(e.Memory.ID), func(o memory.Archived) bool { return o.As == e.As && sameTelling(&o.Memory, &e.Memory) }) {
			return // kept already, by an update that could not write the file
		}
		e.ArchivedAt = now
		e = normalEntry(e)
		ops = append(ops, op{kind: kind, id: e.Memory.ID, entry: &e})
	}
	b.decode()
	for _, e := range b.adopt {
		add(opKeep, e)
	}
	byID := b.byID()
	removed := make(map[string]memory.Memory)
	for id := range st.touched(st.from) {
		var m *memory.Memory
		if i, ok := byID[id]; ok {
			m = &b.mems[i]
		}
		f := st.fold(id, m)
		if f.beaten != nil {
			add(opKeep, memory.Archived{Memory: *f.beaten, As: memory.Version, By: "hand", Why: "edited by hand meanwhile"})
		}
		if f.m == nil && f.removed != nil {
			removed[id] = *f.removed
		}
	}
	if foreign && !b.hurt() {
		s.missing(st, removed)
	}
	for _, m := range removed {
		add(opDrop, memory.Archived{Memory: m, As: memory.Removed, By: "hand", Why: "no longer in memory.json"})
	}
	return ops
}

// foreignSince reports whether memory.json was written by another hand since the
// last good copy was made. Without a copy nothing can be said, and nothing is.
func (s *Store) foreignSince(k known, b *base) bool {
	return k.Copied != b.key && statKey(s.own(lastName)) != FileKey{}
}

// missing adds the memories of the last good copy that the file has no more and
// nobody has archived.
func (s *Store) missing(st *State, removed map[string]memory.Memory) {
	byID := st.base.byID()
	for _, m := range st.base.last() {
		if _, ok := byID[m.ID]; ok {
			continue
		}
		if len(st.opsOf(m.ID)) > 0 && !recallsOnly(st.opsOf(m.ID)) {
			continue
		}
		// A checkpoint that was cut off before its copy has archived it already.
		if !slices.ContainsFunc(st.entriesOf(m.ID), func(e memory.Archived) bool {
			return !isMark(&e) && (e.Textless() || e.As == memory.Forgotten || e.Memory.Content == m.Content)
		}) {
			removed[m.ID] = m
		}
	}
}

func recallsOnly(ops []*op) bool {
	for _, o := range ops {
		if o.kind != opRecall {
			return false
		}
	}
	return true
}
