package recall

import (
	"cmp"
	"slices"
	"strings"
)

// entry is a candidate on its way through Rank.
type entry struct {
	c         *Candidate
	relevance float64
	order     float64 // what it is ordered by before the formula: relevance, or by RRF
	score     float64
	rank      int // by order, the best 0
	*fused        // with vectors or a reranker only
}

// fused is what beside the words made an entry's place.
type fused struct {
	words    float64 // lexical relevance, 0…1
	rrf      float64
	reranked bool
}

// Rank orders candidates by p and keeps those that answer. The input may come in
// any order and is not changed; the result does not depend on its order.
func Rank(candidates []Candidate, p Params) Ranking {
	r := ranking{p: &p}
	list := r.relevant(candidates)
	if n := min(len(list), max(p.Limit, 0)); n > 0 {
		r.out.Kept, r.parts = make([]Scored, 0, n), make(Parts, 0, n*most)
	}
	for i := range list {
		e := &list[i]
		e.rank = i
		e.score = p.score(e.c, e.order, i)
	}
	slices.SortFunc(list, byScore)
	r.keep(list)
	slices.SortStableFunc(r.out.Dropped, func(a, b Dropped) int { return cmp.Compare(b.Relevance, a.Relevance) })
	return r.out
}

type ranking struct {
	p     *Params
	out   Ranking
	parts Parts   // of all that were taken
	best  float64 // highest relevance
}

// under reports whether e is too weak beside the best.
func (r *ranking) under(e entry) bool { return e.relevance < r.p.Floor*r.best }

// relevant drops what has no evidence and gives the rest by falling relevance.
func (r *ranking) relevant(candidates []Candidate) []entry {
	list := make([]entry, 0, len(candidates))
	best, answers := 0.0, r.answers(candidates)
	for i := range candidates {
		c := &candidates[i]
		switch {
		case r.close(c):
		case !r.evident(c):
			r.drop(entry{c: c}, NoEvidence, "")
			continue
		case !answers:
			r.drop(entry{c: c}, TooLittle, "")
			continue
		}
		if r.evident(c) {
			best = max(best, c.Raw)
		}
		list = append(list, entry{c: c})
	}
	r.out.raw = best
	if r.p.Semantic || r.p.Rerank != nil {
		more := make([]fused, len(list))
		for i := range list {
			list[i].fused = &more[i]
		}
	}
	for i := range list {
		e := &list[i]
		words := 0.0
		if r.evident(e.c) {
			words = e.c.Raw / best
		}
		e.relevance = words
		if e.fused != nil {
			e.words, e.relevance = words, r.blend(e.c, words)
		}
	}
	if r.p.Bar != NoBar {
		list = slices.DeleteFunc(list, r.borrows)
	}
	r.fuse(list)
	if !r.p.Semantic && r.p.Rerank == nil {
		r.best = 1 // also where what had it is gone
		return list
	}
	for i := range list {
		r.best = max(r.best, list[i].relevance)
	}
	return list
}

// answers reports whether one of the leading candidates, those that could come
// first in Bounded, speaks strongly enough: below the bar the store has no answer.
func (r *ranking) answers(candidates []Candidate) bool {
	best := 0.0
	for i := range candidates {
		if c := &candidates[i]; r.evident(c) {
			best = max(best, c.Raw)
		}
	}
	for i := range candidates {
		if c := &candidates[i]; r.evident(c) && c.Raw >= reach*best && r.p.Bar.proves(c) {
			return true
		}
	}
	return false
}

// borrows reports, and drops, a candidate that has nothing of the question itself
// and not enough by its neighbours.
func (r *ranking) borrows(e entry) bool {
	if e.c.Evidence.Own > 0 || e.lexical() >= borrowed || r.close(e.c) {
		return false
	}
	r.drop(e, Borrowed, "")
	return true
}

// lexical is the relevance by words alone.
func (e *entry) lexical() float64 {
	if e.fused != nil {
		return e.words
	}
	return e.relevance
}

// evident reports whether c shares anything informative with the query.
func (r *ranking) evident(c *Candidate) bool {
	return c.Raw > 0 && (c.Evidence.Share > 0 || r.p.Bar == NoBar)
}

// keep walks the list from the best and takes what is no repetition, not under
// the floor and within the limit.
func (r *ranking) keep(list []entry) {
	for _, e := range list {
		switch of := r.repeats(e); {
		case r.full():
			if !r.p.Explain {
				return
			}
			r.drop(e, OverLimit, "")
		case r.under(e):
			r.drop(e, UnderFloor, "")
		case of != "":
			r.drop(e, Repeats, of)
		default:
			r.take(e)
		}
	}
}

func (r *ranking) full() bool { return r.p.Limit > 0 && len(r.out.Kept) >= r.p.Limit }

// repeats gives the id of the answer that says what e says, "" if there is none.
func (r *ranking) repeats(e entry) string {
	if r.p.Same == nil || r.full() || r.under(e) {
		return ""
	}
	for i := range r.out.Kept {
		if r.p.Same(r.out.Kept[i].Ref, e.c.Ref) {
			return r.out.Kept[i].ID
		}
	}
	return ""
}

func (r *ranking) take(e entry) {
	s := Scored{Ref: e.c.Ref, ID: e.c.ID, Score: e.score, Relevance: e.relevance}
	from := len(r.parts)
	r.parts = r.p.parts(r.parts, e.c, e.relevance, e.rank)
	if r.p.Semantic {
		r.parts = append(r.parts, Part{"words", e.words})
		if e.c.HasVector {
			r.parts = append(r.parts, Part{"closeness", e.c.Closeness})
		}
		if e.rrf > 0 {
			r.parts = append(r.parts, Part{"rrf", e.rrf})
		}
	}
	if e.order != e.relevance {
		r.parts = append(r.parts, Part{"order", e.order})
	}
	if e.fused != nil && e.reranked {
		r.parts = append(r.parts, Part{"rerank", e.order})
	}
	s.Parts = r.parts[from:len(r.parts):len(r.parts)]
	r.out.Kept = append(r.out.Kept, s)
}

func (r *ranking) drop(e entry, why Reason, of string) {
	if r.p.Explain {
		d := Dropped{Ref: e.c.Ref, ID: e.c.ID, Relevance: e.relevance, Reason: why, Of: of}
		if r.p.Semantic && e.c.HasVector {
			d.Closeness = e.c.Closeness
		}
		r.out.Dropped = append(r.out.Dropped, d)
	}
}

func byRelevance(a, b entry) int {
	if c := cmp.Compare(b.relevance, a.relevance); c != 0 {
		return c
	}
	return newer(a.c, b.c)
}

func byScore(a, b entry) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return newer(a.c, b.c)
}

// newer orders ties: the newer first, then by id.
func newer(a, b *Candidate) int {
	if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}
