package plastic

import (
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

// view is a search index over one scope of one state.
type view struct {
	state *store.State
	index *index.Index
}

// index is the search index over what is visible.
func (s *scene) index() *index.Index {
	if s.fixed != nil {
		return s.fixed
	}
	of := everything
	if s.audience != memory.Trusted {
		if s.memories(); s.hidden {
			of = sharedOnly
		}
	}
	sh := s.bank.shared
	sh.mu.Lock()
	defer sh.mu.Unlock()
	v := sh.views[of]
	switch {
	case v != nil && v.state == s.state && v.index.Holds(s.now):
	case v != nil && v.index.Holds(s.now) && v.advance(s):
	default:
		v = &view{state: s.state, index: index.Build(s.memories(), s.now)}
	}
	sh.views[of] = v
	return v.index
}

// advance brings a view to the state of s by what changed since, and reports
// false where a new index is the better way. A newer scene's view is never
// taken back to an older state by it: then Changed does not know.
func (v *view) advance(s *scene) bool {
	ids, ok := s.state.Changed(v.state)
	if !ok || v.index.Stale() {
		return false
	}
	var changed []memory.Memory
	var removed []string
	for _, id := range ids {
		if m, ok := s.get(id); ok {
			changed = append(changed, m)
		} else {
			removed = append(removed, id)
		}
	}
	v.index, v.state = v.index.With(changed, removed), s.state
	return true
}
