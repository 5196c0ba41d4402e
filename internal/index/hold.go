package index

import (
	"cmp"
	"slices"

	"plastic/tokenize"
)

// Holding gives those hits of Search(q) that by themselves hold at least the share
// least (above 0) of what q asks for, the fullest first, at most q.Head of them
// unless that is 0. They have no Raw: nothing is scored.
//
// What holds so much has more than the commonest things of q together, as far as
// their information stays below that share; so it has one of the rarer, whose lists
// are short. The long ones are only looked into for memories found by these.
func (ix *Index) Holding(q Query, least float64) []Hit {
	s := ix.borrow()
	defer ix.giveBack(s)
	s.begin(&q)
	h := holding{search: s}
	h.find()
	s.byField(h.sort)
	h.count()
	s.inform()
	s.date()
	whole := s.asked()
	h.read(least * whole / s.trust * (1 - 1e-6))
	s.each(func(d uint32) {
		if flags := s.flags(d); flags&flagCore != 0 || s.edited && ix.isDead(d) {
			return
		}
		if own := s.own(d); own >= least && (s.informed[d] != 0 || s.dated(d)) {
			s.found = append(s.found, Hit{Ref: Ref(d), Own: own})
		}
	})
	slices.SortStableFunc(s.found, func(a, b Hit) int { return cmp.Compare(b.Own, a.Own) })
	if n := len(s.found); q.Head > 0 && n > q.Head {
		s.found = s.found[:q.Head]
	}
	return slices.Clone(s.found)
}

// holding is one call of Holding.
type holding struct {
	*search
	forms [][]form // by thing: the terms that name it alone
}

// form is a term that names a thing.
type form struct {
	term     *tokenize.QueryTerm
	postings *postings
}

// find finds the postings of the question's terms as look does, but for how many
// conversations have a term, which costs reading more.
func (h *holding) find() {
	h.postings = sized(h.postings, len(h.q.Terms))
	for i := range h.q.Terms {
		t, p := &h.q.Terms[i], &h.postings[i]
		*p = postings{weight: h.weight(t)}
		if p.weight == 0 {
			continue
		}
		var known counts
		p.base, p.more, known = h.search.find(t.Field, "", t.Text)
		p.df = known.memories
		for _, e := range p.more {
			p.df += int(min(e.times>>1, 1))
		}
		if len(p.base) > 0 && known.memories == 0 || h.ix.dead > 0 {
			h.whole(t.Field, p)
		}
	}
}

// sort notes which thing t names, if it carries information, and reads nothing.
func (h *holding) sort(t *tokenize.QueryTerm, p *postings) {
	h.alias(t, p)
	if !h.informs(t, p.df) {
		return
	}
	g := h.thing(t.Thing)
	g.single, g.part = t.Field == tokenize.Single, t.Sentence
	g.weight, g.light = max(g.weight, t.Weight), g.light && t.Light
	i := slices.IndexFunc(h.things, func(o thing) bool { return o.number == t.Thing })
	for len(h.forms) <= i {
		h.forms = append(h.forms, nil)
	}
	if t.Parts > 1 {
		h.partial = append(h.partial, t)
		return
	}
	h.forms[i] = append(h.forms[i], form{t, p})
}

// count finds out how many memories name each thing. Of a thing that one term names
// the index knows it; of the others the lists are read.
func (h *holding) count() {
	for i := range h.things {
		g := &h.things[i]
		parts := slices.ContainsFunc(h.partial, func(t *tokenize.QueryTerm) bool { return t.Thing == g.number })
		if len(h.forms[i]) == 1 && !parts {
			g.docs = h.forms[i][0].postings.df
			continue
		}
		for _, f := range h.forms[i] {
			h.whole(f.term.Field, f.postings)
			for _, d := range h.search.read[f.postings.from:f.postings.to] {
				h.note(g, d)
			}
		}
		h.forms[i] = nil
	}
}

// read notes which memories name the things not read yet: whole lists, but for the
// longest whose information together is less than mass.
func (h *holding) read(mass float64) {
	var left []int
	for i := range h.things {
		if len(h.forms[i]) > 0 && h.things[i].bit != 0 {
			left = append(left, i)
		}
	}
	slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(h.things[b].docs, h.things[a].docs) })
	common := 0
	for ; common < len(left) && h.mass[left[common]] < mass; common++ {
		mass -= h.mass[left[common]]
	}
	for _, i := range left[common:] {
		f := h.forms[i][0]
		h.whole(f.term.Field, f.postings)
		for _, d := range h.search.read[f.postings.from:f.postings.to] {
			h.mark(d)
			h.informed[d] |= h.things[i].bit
		}
	}
	h.onlyWithin = true
	for _, i := range left[:common] {
		f := h.forms[i][0]
		h.within(f.term.Field, f.postings)
		for _, d := range h.docs {
			h.informed[d] |= h.things[i].bit
		}
	}
	h.onlyWithin = false
}
