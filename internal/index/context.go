package index

import "math/bits"

// chain is one conversation on its way through a search: memories that are pieces
// of one message lend their neighbours the best of them, once.
type chain struct {
	*shape
	best []float64 // by message: the score it lends
	set  []uint64  // by message: its informing terms
	near []uint64  // by message: … and those of the messages around it
}

// Extra addends that Explain keeps beside those of the fields.
const (
	addBefore = fields + iota
	addAfter
	addends
)

// context turns the scores of single memories into scores within their
// conversations, finds those that may answer (they, or what is near them, have
// something to do with the question) and weighs how they are put. A conversation
// without one informing term has none of them, and is not looked at.
func (s *search) context() {
	s.each(func(d uint32) { s.nearby[d] = s.informed[d] })
	for _, t := range s.talks {
		if s.talk[t] > 0 {
			s.follow(t)
			s.lend()
		}
	}
	s.each(s.weigh)
}

// weigh notes whether d may answer, and weighs how it is put.
func (s *search) weigh(d uint32) {
	few := s.day == 0 && !s.all()
	if s.nearby[d] == 0 && (few || !s.dated(d) && (!s.all() || s.score[d] == 0)) || s.edited && s.ix.isDead(d) {
		s.score[d] = 0
		return
	}
	flags := s.flags(d)
	if flags&flagCore != 0 {
		s.score[d] = 0
		return
	}
	s.score[d] *= s.ask(flags)
	s.top = max(s.top, s.score[d])
	s.may = append(s.may, d)
}

// each calls do for every memory whose score counts.
func (s *search) each(do func(d uint32)) {
	for w, set := range s.in {
		for ; set != 0; set &= set - 1 {
			do(uint32(w*64 + bits.TrailingZeros64(set)))
		}
	}
}

// flags gives what is marked of a memory.
func (s *search) flags(d uint32) uint16 {
	if s.edited || d >= s.ix.base.n {
		flags, _ := s.ix.attr(d)
		return flags
	}
	return uint16(s.ix.base.sec[secFlags][d])
}

// follow puts the scores of conversation t into the chain.
func (s *search) follow(t uint32) {
	c := &s.chain
	c.shape = s.shapeOf(t)
	c.best, c.set = zeroed(c.best, len(c.asks)), zeroed(c.set, len(c.asks))
	for i, d := range c.docs {
		m := c.message[i]
		c.best[m] = max(c.best[m], s.score[d])
		c.set[m] |= s.informed[d]
	}
}

// lend adds to each memory of the chain what its neighbours lend it.
func (s *search) lend() {
	c := &s.chain
	if s.q.Off&Context != 0 {
		return
	}
	c.around()
	few := s.day == 0 && !s.all()
	for i, d := range c.docs {
		m := int(c.message[i])
		if s.nearby[d] = c.near[m]; few && c.near[m] == 0 {
			continue // can not answer
		}
		before, after := c.before(m), c.after(m)
		s.score[d] += before + after
		if s.q.Explain {
			s.addend[addBefore][d], s.addend[addAfter][d] = before, after
		}
	}
}

// before is what the messages before m lend it: an answer takes more of the
// question it answers.
func (c *chain) before(m int) (sum float64) {
	w := 1.0
	for k := m - 1; k >= 0 && k >= m-turns && c.sitting[k] == c.sitting[m]; k-- {
		w *= shareBefore
		if k == m-1 && c.asks[k] {
			sum += shareAnswer * c.best[k]
		} else {
			sum += w * c.best[k]
		}
	}
	return sum
}

// after is what the messages after m lend it: a question takes nothing of its answer.
func (c *chain) after(m int) (sum float64) {
	w := 1.0
	for k := m + 1; k < len(c.best) && k <= m+turns && c.sitting[k] == c.sitting[m]; k++ {
		w *= shareAfter
		if k > m+1 || !c.asks[m] {
			sum += w * c.best[k]
		}
	}
	return sum
}

// around spreads the informing terms of each message over those around it.
func (c *chain) around() {
	c.near = zeroed(c.near, len(c.set))
	for m, set := range c.set {
		if set == 0 {
			continue
		}
		for k := max(0, m-evidenceTurns); k < min(len(c.near), m+evidenceTurns+1); k++ {
			if c.sitting[k] == c.sitting[m] {
				c.near[k] |= set
			}
		}
	}
}

// ask is what the form of a memory with these flags is worth for the question.
func (s *search) ask(flags uint16) float64 {
	x := 1.0
	if flags&flagQuestion != 0 && s.q.Off&Questions == 0 {
		x *= asQuestion
	}
	if flags&flagNumber != 0 && s.q.Number && s.q.Off&Numbers == 0 {
		x *= asNumber
	}
	return x
}
