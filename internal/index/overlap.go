package index

import (
	"math"
	"slices"
)

// Match is a memory whose content has many stems in common with a text.
type Match struct {
	Ref     Ref
	Jaccard float64 // different stems in both by different stems in either, 0…1
}

// Overlaps gives all memories whose content has a Jaccard of stems of at least
// least (above 0) with the stems given, the most alike first. Order and repeats in
// stems do not matter; tokenize.Stems gives them for a text.
//
// A memory that alike must have one of the rarer stems (with n different stems it
// must share ⌈least·n⌉ of them, so it has one of any n − ⌈least·n⌉ + 1); only those
// lists bring candidates, the others are looked into for them only, and the count is
// exact.
func (ix *Index) Overlaps(stems []string, least float64) []Match {
	s := ix.borrow()
	defer ix.giveBack(s)
	lists := s.stemLists(stems)
	n := len(lists)
	if n == 0 || !(least > 0) {
		return nil
	}
	s.shared = sized(s.shared, int(ix.refs()))
	s.in = zeroed(s.in, int(ix.refs()+63)/64)
	s.sharing = s.sharing[:0]
	rarer := n - int(math.Ceil(least*float64(n)-1e-9)) + 1
	s.onlyWithin = false
	for i := range lists {
		s.onlyWithin = i >= rarer
		if s.onlyWithin && len(s.sharing) == 0 {
			break
		}
		s.readStem(&lists[i])
		for _, d := range s.docs {
			if w, bit := &s.in[d/64], uint64(1)<<(d%64); *w&bit == 0 {
				*w |= bit
				s.shared[d] = 0
				s.sharing = append(s.sharing, d)
			}
			s.shared[d]++
		}
	}
	s.onlyWithin = false
	var out []Match
	for _, d := range s.sharing {
		both := s.shared[d]
		either := uint32(n) + ix.stems(d) - both
		if j := float64(both) / float64(either); j >= least-1e-12 {
			out = append(out, Match{Ref(d), j})
		}
	}
	slices.SortFunc(out, func(a, b Match) int {
		switch {
		case a.Jaccard != b.Jaccard:
			return int(math.Copysign(1, b.Jaccard-a.Jaccard))
		case ix.before(uint32(b.Ref), uint32(a.Ref)):
			return -1
		}
		return 1
	})
	return out
}

// stemList is where the memories that have one stem stand.
type stemList struct {
	size int // bytes and entries of its lists
	base [len(stemFields)][]byte
	more [len(stemFields)][]entry
}

// stemLists finds the lists of each different stem, shortest first.
func (s *search) stemLists(stems []string) []stemList {
	different := slices.Clone(stems)
	slices.Sort(different)
	different = slices.Compact(different)
	lists := make([]stemList, len(different))
	for i, stem := range different {
		l := &lists[i]
		for k, f := range stemFields {
			l.base[k], l.more[k], _ = s.find(f, "", stem)
			l.size += len(l.base[k]) + len(l.more[k])
		}
	}
	slices.SortFunc(lists, func(a, b stemList) int { return a.size - b.size })
	return lists
}

// readStem makes the memories that have a stem the list at hand.
func (s *search) readStem(l *stemList) {
	s.docs, s.times = s.docs[:0], s.times[:0]
	for k, f := range stemFields {
		s.readList(f, l.base[k], stemsOnly)
		s.readMore(l.more[k], stemsOnly)
	}
}
