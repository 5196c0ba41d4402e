package store

import (
	"plastic/memory"
)

// Archive gives what left the memory and can be restored, oldest first.
// Tombstones without text and marks of restoring are not shown. It is not to be
// changed.
func (st *State) Archive() []memory.Archived {
	all := st.entries()
	hidden := func(e *memory.Archived) bool { return isMark(e) || e.Textless() }
	n := 0
	for i := range all {
		if !hidden(&all[i]) {
			n++
		}
	}
	if n == len(all) {
		return all[:n:n]
	}
	out := make([]memory.Archived, 0, n)
	for i := range all {
		if !hidden(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

// Tombstone gives the entry that keeps older copies of id out: it was forgotten
// or pruned, and not restored since. Its text may be gone.
func (st *State) Tombstone(id string) (memory.Archived, bool) {
	return activeTombstone(st.entriesOf(id))
}

// activeTombstone gives the newest tombstone among the entries of one id that no
// mark cancels.
func activeTombstone(entries []memory.Archived) (memory.Archived, bool) {
	var restored, newest memory.Archived
	for _, e := range entries {
		switch {
		case isMark(&e):
			restored.RestoredAt = later(restored.RestoredAt, e.RestoredAt)
		case isTombstone(&e) && !e.ArchivedAt.Before(newest.ArchivedAt):
			newest = e
		}
	}
	return newest, newest.As != "" && restored.RestoredAt.Before(newest.ArchivedAt)
}

// entriesOf gives the entries of one id, oldest first.
func (st *State) entriesOf(id string) []memory.Archived {
	st.archIDsOnce.Do(func() {
		entries := st.entries()
		st.archIDs = make(map[string]int32, len(entries))
		st.archNext = make([]int32, len(entries))
		for i := len(entries) - 1; i >= 0; i-- {
			st.archNext[i] = st.archIDs[entries[i].Memory.ID]
			st.archIDs[entries[i].Memory.ID] = int32(i + 1)
		}
	})
	var out []memory.Archived
	for i := st.archIDs[id]; i > 0; i = st.archNext[i-1] {
		out = append(out, st.arch[i-1])
	}
	return out
}

// entries gives all of the archive, marks and tombstones too, tidied.
func (st *State) entries() []memory.Archived {
	st.archOnce.Do(func() {
		if st.arch == nil {
			entries := st.rawEntries()
			st.arch = tidy(entries, st.living(entries))
		}
	})
	return st.arch
}

// rawEntries gives the archive with the journal applied, before it is tidied. It is not
// to be changed.
func (st *State) rawEntries() []memory.Archived {
	ops, kept := st.allOps(), st.archived.read().entries
	more := 0
	for _, o := range ops {
		if o.entry != nil {
			more++
		}
	}
	entries := kept[:len(kept):len(kept)] // what goes on with it copies it
	if more > 0 {
		entries = append(make([]memory.Archived, 0, len(kept)+more), kept...)
	}
	for _, o := range ops {
		switch o.kind {
		case opDrop, opKeep:
			entries = append(entries, *o.entry)
		case opPurge:
			entries = purged(entries, o.id, o.at)
		case opExpire:
			entries = expire(entries, o.at, o.end)
		}
	}
	return entries
}

// living looks up the memories that entries speak of; where there are many, the
// file is gone through once rather than searched for each.
func (st *State) living(entries []memory.Archived) func(id string) (memory.Memory, bool) {
	const few = 8
	if len(entries) > few {
		ids := make(map[string]bool, len(entries))
		for i := range entries {
			ids[entries[i].Memory.ID] = true
		}
		st.base.locate(ids)
	}
	return st.Get
}
