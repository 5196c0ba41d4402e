package store

import (
	"slices"
	"sync"

	"plastic/memory"
)

// Changed lists the ids that were added, changed or removed from prev to st; ok
// is false when that is not known cheaply and the caller should compare all.
func (st *State) Changed(prev *State) (ids []string, ok bool) {
	if prev == nil || prev.hist != st.hist {
		return nil, false
	}
	if ids, ok = st.hist.between(prev.step, st.step); ok {
		return ids, true
	}
	if prev.base.key.Size > smallFile || st.base.key.Size > smallFile {
		return nil, false
	}
	return difference(prev.Memories(), st.Memories()), true
}

// difference lists the ids under which a and b differ.
func difference(a, b []memory.Memory) []string {
	old := make(map[string]*memory.Memory, len(a))
	for i := range a {
		old[a[i].ID] = &a[i]
	}
	ids := []string{}
	for i := range b {
		m := old[b[i].ID]
		if m == nil || !equalMemory(m, &b[i]) {
			ids = append(ids, b[i].ID)
		}
		delete(old, b[i].ID)
	}
	for id := range old {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// history remembers which ids each step from one state to the next changed.
type history struct {
	mu    sync.Mutex // guards steps, first
	first int        // number of the step in steps[0]
	steps [][]string
	known []bool // false: a file was replaced by another hand
}

// longHistory bounds the steps that are remembered.
const longHistory = 1 << 12

func (h *history) add(ids map[string]bool, known bool) (step int) {
	list := make([]string, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steps, h.known = append(h.steps, list), append(h.known, known)
	if len(h.steps) > longHistory {
		half := len(h.steps) / 2
		h.first += half
		h.steps, h.known = slices.Clone(h.steps[half:]), slices.Clone(h.known[half:])
	}
	return h.first + len(h.steps)
}

func (h *history) between(from, to int) (ids []string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if from > to || from < h.first {
		return nil, false
	}
	seen := make(map[string]bool)
	ids = []string{}
	for i := from - h.first; i < to-h.first; i++ {
		if !h.known[i] {
			return nil, false
		}
		for _, id := range h.steps[i] {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids, true
}
