package index

import "slices"

// shape is what of a conversation does not depend on the question: its memories in
// order, and the messages they are pieces of.
type shape struct {
	docs    []uint32
	message []int32 // by place in docs
	asks    []bool  // by message: ends with a question
	sitting []int32 // by message: a long silence begins another
}

// shapes keeps the shapes of a block's conversations from one search to the next:
// walking them through packed columns costs more than scoring them.
type shapes struct {
	of     *block
	at     []shape  // by conversation
	length []uint32 // by conversation and field, 0 if not looked at yet
}

// shapes gives what is kept of the block at hand.
func (s *search) shapes() *shapes {
	if base := s.ix.base; s.kept.of != base {
		s.kept = shapes{of: base, at: make([]shape, base.talks+1), length: make([]uint32, (int(base.talks)+1)*fields)}
	}
	return &s.kept
}

// shapeOf gives the shape of conversation t. It is valid until the next call.
func (s *search) shapeOf(t uint32) *shape {
	ix := s.ix
	if s.q.Off&Message != 0 || t > ix.base.talks || ix.sessions.at(t) != nil {
		s.passing.read(s, t)
		return &s.passing
	}
	p := &s.shapes().at[t]
	if p.docs == nil {
		p.read(s, t)
	}
	return p
}

// read walks conversation t from its last memory to its first, and turns it round.
func (p *shape) read(s *search, t uint32) {
	ix := s.ix
	p.docs, p.message = p.docs[:0], p.message[:0]
	p.asks, p.sitting = p.asks[:0], p.sitting[:0]
	talk := ix.session(t)
	n := min(talk.docs, ix.refs()) // whatever a damaged block says
	if p.docs == nil {
		p.docs, p.message = make([]uint32, 0, n), make([]int32, 0, n)
		p.asks, p.sitting = make([]bool, 0, n), make([]int32, 0, n)
	}
	for d := talk.last; d != none; d = ix.prev(d) {
		p.docs = append(p.docs, d)
	}
	slices.Reverse(p.docs)
	long, sitting := false, int32(0)
	for i, d := range p.docs {
		flags, _ := ix.attr(d)
		if !long || !ix.sameMoment(p.docs[i-1], d) || s.q.Off&Message != 0 {
			if i > 0 && ix.created(d)-ix.created(p.docs[i-1]) > silence {
				sitting++
			}
			p.asks, p.sitting = append(p.asks, false), append(p.sitting, sitting)
		}
		m := len(p.asks) - 1
		p.message = append(p.message, int32(m))
		p.asks[m] = flags&flagAsks != 0
		long = flags&flagLong != 0
	}
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
