package recall

import (
	"cmp"
	"math"
	"slices"
)

// Fusion says how words and vectors make one order.
type Fusion string

const (
	// Blend is half the lexical relevance and half the closeness.
	Blend Fusion = "blend"
	// RRF orders by reciprocal ranks, 1/(60 + rank) in each list that has the
	// candidate (Cormack, Clarke and Büttcher 2009). Relevance, which the floor
	// looks at, is still the blend.
	RRF Fusion = "rrf"
)

const (
	rrfConstant = 60

	// leastClose is the closeness that is evidence without any word in common.
	leastClose = 0.3

	// rerankHead is how many of the leading candidates a reranker is given.
	rerankHead = 30
)

// Scale turns a cosine into a closeness of 0…1: (cos − zero)/(one − zero), clamped.
// An empty range is a step at zero.
func Scale(cos, zero, one float64) float64 {
	if one <= zero {
		return bit(cos > zero)
	}
	return unit((cos - zero) / (one - zero))
}

// close reports whether the vectors alone make c an answer.
func (r *ranking) close(c *Candidate) bool {
	return r.p.Semantic && c.HasVector && c.Closeness >= leastClose
}

// blend is half lexical relevance, half closeness; of a memory that has no vector
// yet it is the words' alone.
func (r *ranking) blend(c *Candidate, words float64) float64 {
	if !r.p.Semantic || !c.HasVector {
		return words
	}
	return (words + unit(c.Closeness)) / 2
}

// fuse gives each entry its place in the order: relevance, or by RRF, then what the
// reranker says of the head.
func (r *ranking) fuse(list []entry) {
	for i := range list {
		list[i].order = list[i].relevance
	}
	if r.p.Semantic && r.p.Fusion == RRF {
		reciprocal(list, func(e *entry) float64 { return e.words })
		reciprocal(list, func(e *entry) float64 { return e.c.Closeness * bit(e.c.HasVector) })
		best := 0.0
		for i := range list {
			best = max(best, list[i].rrf)
		}
		for i := range list {
			list[i].order = list[i].rrf / best
		}
	}
	slices.SortFunc(list, byOrder)
	r.rerank(list)
}

// reciprocal adds 1/(60 + rank) to each entry that has something of by. Equals share
// a rank.
func reciprocal(list []entry, by func(*entry) float64) {
	slices.SortFunc(list, func(a, b entry) int {
		if c := cmp.Compare(by(&b), by(&a)); c != 0 {
			return c
		}
		return newer(a.c, b.c)
	})
	rank := 0
	for i := range list {
		x := by(&list[i])
		if x <= 0 {
			return
		}
		if i == 0 || x < by(&list[i-1]) {
			rank = i + 1
		}
		list[i].rrf += 1 / float64(rrfConstant+rank)
	}
}

// rerank orders the head of list by the reranker's scores and makes them its
// relevance, by the best of them; what comes after the head stays after it.
func (r *ranking) rerank(list []entry) {
	if r.p.Rerank == nil || len(list) == 0 {
		return
	}
	head := list[:min(len(list), rerankHead)]
	refs := make([]int, len(head))
	for i := range head {
		refs[i] = head[i].c.Ref
	}
	scores := positive(r.p.Rerank(refs))
	if len(scores) != len(head) {
		return
	}
	best, least := 0.0, 1.0
	for _, x := range scores {
		if !math.IsNaN(x) {
			best = max(best, x)
		}
	}
	if best <= 0 {
		return
	}
	for i := range head {
		if math.IsNaN(scores[i]) {
			least = min(least, head[i].order)
			continue
		}
		head[i].order = scores[i] / best
		head[i].relevance = head[i].order
		head[i].reranked = true
		least = min(least, head[i].order)
	}
	for i := range list[len(head):] {
		e := &list[len(head)+i]
		e.order = min(e.order, least)
		e.relevance = min(e.relevance, least)
	}
	slices.SortStableFunc(list, byOrder)
}

// positive takes scores through a sigmoid if any is negative (a cross-encoder's
// logits). An infinite score makes all of them useless: nil.
func positive(scores []float64) []float64 {
	negative := false
	for _, x := range scores {
		if math.IsInf(x, 0) {
			return nil
		}
		negative = negative || x < 0
	}
	if !negative {
		return scores
	}
	out := make([]float64, len(scores))
	for i, x := range scores {
		out[i] = 1 / (1 + math.Exp(-x))
	}
	return out
}

func byOrder(a, b entry) int {
	if c := cmp.Compare(b.order, a.order); c != 0 {
		return c
	}
	return byRelevance(a, b)
}
