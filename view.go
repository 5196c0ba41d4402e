package plastic

import (
	"time"

	"plastic/internal/index"
	"plastic/memory"
	"plastic/store"
)

// scope is a set of memories that an index is built over: all of them, or those
// that are not private. No index ever mixes the two, so that what an audience
// may not see moves nothing of what it sees.
type scope bool

const (
	everything scope = false
	sharedOnly scope = true
)

// holds reports whether m is in the scope.
func (of scope) holds(m *memory.Memory) bool { return of == everything || memory.Owner.Sees(m) }

// view is a search index over one scope of one state.
type view struct {
	state *store.State
	index *index.Index
	asked int // how often since the index is stale
}

// index is the search index over what is visible.
func (s *scene) index() *index.Index {
	if s.fixed != nil {
		return s.fixed
	}
	of := everything
	if s.hides() {
		of = sharedOnly
	}
	s.fixed = s.bank.view(s, of)
	return s.fixed
}

// hides reports whether there are memories that this audience does not see.
func (s *scene) hides() bool {
	return s.audience != memory.Trusted && s.bank.view(s, everything).Private()
}

// view brings the index over a scope to the state of s. A newer scene's view is
// never taken back to an older state by it: then Changed does not know.
func (sh *shared) view(s *scene, of scope) *index.Index {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	v := sh.views[of]
	if s.state.Draft() {
		return sh.draft(s, of, v)
	}
	if v == nil || !v.index.Holds(s.now) {
		v = sh.open(s, of)
	} else if v.state != s.state {
		ids, ok := s.state.Changed(v.state)
		switch {
		case !ok:
			v = sh.open(s, of)
		case len(ids) > mostSought && s.state.FileKey() != v.state.FileKey() && !s.state.Located(ids):
			v = &view{state: s.state, index: v.index.With(v.index.Differs(of.of(s.state.Memories())))}
		default:
			v = &view{state: s.state, index: change(v.index, s.state, of, ids)}
		}
	}
	if v.index.Stale() {
		if old := sh.views[of]; old != nil {
			v.asked = old.asked
		}
		if v.asked++; v.asked > patience {
			v.index, v.asked = v.index.Merged(lines(s.state)), 0
			sh.keep(v, of)
		}
	}
	sh.views[of] = v
	return v.index
}

// patience is how often a stale index is asked before it is merged: each answer costs
// a little more meanwhile, the merge as much as some hundred answers. What came at
// once, a night or an import, does not wait for it.
const patience = 64

// draft gives the index of an update under way, which is not kept.
func (sh *shared) draft(s *scene, of scope, v *view) *index.Index {
	if v != nil && v.index.Holds(s.now) {
		if c, ok := s.state.Since(v.state.Mark()); ok {
			return changeAt(v.index, s.state, of, c.IDs).Recalled(counted(c.Recalled))
		}
	}
	return sh.build(s, of)
}

// farBehind is how many memories may have changed in memory.json since the index file
// before it is written anew: at every start so many lines are read, and cut into words
// if those changed, which costs some twenty microseconds each.
func farBehind(n int) int { return 64 + n/1000 }

// open gives the index from its file, with what changed since, or builds it.
func (sh *shared) open(s *scene, of scope) *view {
	v := &view{state: s.state}
	ix, mark, err := index.OpenFile(sh.store.Derived(bool(of)))
	if err != nil || !ix.Holds(s.now) {
		v.index = sh.build(s, of)
		sh.keep(v, of)
		return v
	}
	c, known := s.state.Since(mark)
	if known {
		v.index = changeAt(ix, s.state, of, c.IDs)
		if len(c.Recalled) > 0 {
			v.index = v.index.Recalled(counted(c.Recalled))
		}
	} else {
		v.index = ix.With(ix.Differs(of.of(s.state.Memories())))
	}
	behind := v.index.Behind()
	switch {
	case known && len(c.IDs) <= farBehind(v.index.Len()) && len(c.Recalled) <= mostChanges:
	case !known && behind == 0 && s.state.Mark() == nil: // the file would be no better
	default:
		v.index = v.index.Merged(lines(s.state))
		sh.keep(v, of)
	}
	return v
}

// mostChanges is how many memories may differ from the file in their counts of recalls
// alone, as the journal has them, before it is written anew.
const mostChanges = 4096

// of gives those of ms that are in the scope.
func (of scope) of(ms []memory.Memory) []memory.Memory {
	if of == everything {
		return ms
	}
	out := make([]memory.Memory, 0, len(ms))
	for i := range ms {
		if of.holds(&ms[i]) {
			out = append(out, ms[i])
		}
	}
	return out
}

// mostSought is how many memories are sought one by one in a file that was written
// anew; to compare all takes less then.
const mostSought = 64

// change gives ix with the memories of ids as they are in st.
func change(ix *index.Index, st *store.State, of scope, ids []string) *index.Index {
	at := make(map[string]int64, len(ids))
	for _, id := range ids {
		at[id] = store.Unknown
	}
	return changeAt(ix, st, of, at)
}

// changeAt is change where ids has the offsets of their lines.
func changeAt(ix *index.Index, st *store.State, of scope, ids map[string]int64) *index.Index {
	if len(ids) == 0 {
		return ix
	}
	var changed []memory.Memory
	var removed []string
	for id, offset := range ids {
		if offset == store.Unknown {
			// Where it was; a new one is at the end more often than not.
			if offset = ix.Line(id); offset < 0 {
				offset = st.FileKey().Size
			}
		}
		if m, ok := st.GetAt(id, offset); ok && of.holds(&m) {
			changed = append(changed, m)
		} else {
			removed = append(removed, id)
		}
	}
	return ix.With(changed, removed)
}

func counted(list map[string]store.Counted) []index.Counted {
	out := make([]index.Counted, 0, len(list))
	for id, c := range list {
		out = append(out, index.Counted{ID: id, Count: c.Count, At: c.At})
	}
	return out
}

// build makes the index from all memories.
func (sh *shared) build(s *scene, of scope) *index.Index {
	ms := of.of(s.state.Memories())
	b := index.Builder{Line: lines(s.state), Progress: sh.progress(len(ms))}
	return b.Build(ms, s.now)
}

// slow is how long a build may take before it is told of.
const slow = time.Second

// progress tells Options.Progress of a build that takes long.
func (sh *shared) progress(all int) func(done int) {
	if sh.opts.Progress == nil {
		return nil
	}
	start := time.Now()
	return func(done int) {
		if time.Since(start) >= slow {
			sh.opts.Progress("building the search index", done, all)
		}
	}
}

// lines gives where the lines of memory.json begin, Unknown where that is not known.
func lines(st *store.State) func(id string) int64 {
	at := map[string]int64{}
	st.Offsets(func(id string, offset int64) { at[id] = offset })
	return func(id string) int64 {
		if offset, ok := at[id]; ok {
			return offset
		}
		return store.Unknown
	}
}

// keep writes the index to its file. Without a mark, of a state that has no name,
// the next to open it compares all memories with it and cuts none that is the same.
// Nothing depends on the file but time: a folder that can not be written is none the
// worse.
func (sh *shared) keep(v *view, of scope) {
	parts := v.index.File(v.state.Mark())
	_ = sh.store.KeepDerived(bool(of), parts[0], parts[1])
}
