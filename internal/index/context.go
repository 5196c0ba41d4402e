package index

import (
	"slices"
)

// chain is one conversation in order, cut into messages: memories that are pieces
// of one message lend their neighbours the best of them, once.
type chain struct {
	docs    []uint32
	message []int32   // by place in docs
	best    []float64 // by message: the score it lends
	set     []uint64  // by message: its informing terms
	asks    []bool    // by message: ends with a question
	sitting []int32   // by message: a long silence begins another
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
	all := s.q.Off&Informing != 0
	copy(s.nearby, s.informed)
	s.date()
	for t := range s.talk {
		if s.talk[t] > 0 && (s.talkInformed[t] || s.day > 0 || all) {
			s.follow(uint32(t))
			s.lend()
		}
	}
	for d, near := range s.nearby {
		r := uint32(d)
		if near == 0 && !s.dated(r) && (!all || s.score[d] == 0) || s.edited && s.ix.isDead(r) {
			s.score[d] = 0
			continue
		}
		flags, _ := s.ix.attr(r)
		if flags&flagCore != 0 {
			s.score[d] = 0
			continue
		}
		s.score[d] *= s.ask(flags)
		s.top = max(s.top, s.score[d])
		s.may = append(s.may, r)
	}
}

// follow reads conversation t into the chain, from its last memory to its first,
// and turns it round.
func (s *search) follow(t uint32) {
	ix, c := s.ix, &s.chain
	c.docs, c.message = c.docs[:0], c.message[:0]
	c.best, c.set, c.asks, c.sitting = c.best[:0], c.set[:0], c.asks[:0], c.sitting[:0]
	for d := ix.session(t).last; d != none; d = ix.prev(d) {
		c.docs = append(c.docs, d)
	}
	slices.Reverse(c.docs)
	long, sitting := false, int32(0)
	for i, d := range c.docs {
		flags, _ := ix.attr(d)
		if !long || !ix.sameMoment(c.docs[i-1], d) || s.q.Off&Message != 0 {
			if i > 0 && ix.created(d)-ix.created(c.docs[i-1]) > silence {
				sitting++
			}
			c.best, c.set, c.asks, c.sitting = append(c.best, 0), append(c.set, 0), append(c.asks, false), append(c.sitting, sitting)
		}
		m := len(c.best) - 1
		c.message = append(c.message, int32(m))
		c.best[m] = max(c.best[m], s.score[d])
		c.set[m] |= s.informed[d]
		c.asks[m] = flags&flagAsks != 0
		long = flags&flagLong != 0
	}
}

// lend adds to each memory of the chain what its neighbours lend it.
func (s *search) lend() {
	c := &s.chain
	if s.q.Off&Context != 0 {
		return
	}
	for i, d := range c.docs {
		m := int(c.message[i])
		before, after := c.before(m), c.after(m)
		s.score[d] += before + after
		s.nearby[d] = c.near(m)
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

// near gives the informing terms of message m and those around it.
func (c *chain) near(m int) (set uint64) {
	for k := max(0, m-evidenceTurns); k < min(len(c.set), m+evidenceTurns+1); k++ {
		if c.sitting[k] == c.sitting[m] {
			set |= c.set[k]
		}
	}
	return set
}

// continues reports whether next is a further piece of the message that d is a
// piece of: same moment, same speaker, and d is as long as a piece that was cut.
func (ix *Index) continues(d, next uint32) bool {
	flags, _ := ix.attr(d)
	return flags&flagLong != 0 && ix.sameMoment(d, next)
}

func (ix *Index) sameMoment(a, b uint32) bool {
	return ix.speakerOf(a) == ix.speakerOf(b) && ix.created(a) == ix.created(b)
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
