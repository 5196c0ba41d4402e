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
// lists bring candidates, and the exact count is taken over all.
func (ix *Index) Overlaps(stems []string, least float64) []Match {
	s := ix.borrow()
	defer ix.giveBack(s)
	lists := s.stemLists(stems)
	n := len(lists)
	if n == 0 || !(least > 0) {
		return nil
	}
	s.shared = zeroed(s.shared, int(ix.refs()))
	s.sharing = s.sharing[:0]
	prefix := n - int(math.Ceil(least*float64(n)-1e-9)) + 1
	for i, list := range lists {
		for _, d := range list {
			switch {
			case s.shared[d] > 0:
				s.shared[d]++
			case i < prefix:
				s.shared[d] = 1
				s.sharing = append(s.sharing, d)
			}
		}
		if i+1 >= prefix && len(s.sharing) == 0 {
			return nil
		}
	}
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

// stemLists gives for each different stem the memories that have it, rarest first.
func (s *search) stemLists(stems []string) [][]uint32 {
	different := slices.Clone(stems)
	slices.Sort(different)
	different = slices.Compact(different)
	lists := make([][]uint32, len(different))
	for i, stem := range different {
		for _, f := range stemFields {
			s.list(f, "", stem, stemsOnly)
			lists[i] = append(lists[i], s.docs...)
		}
	}
	slices.SortFunc(lists, func(a, b []uint32) int { return len(a) - len(b) })
	return lists
}
