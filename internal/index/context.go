package index

import (
	"slices"

	"plastic/tokenize"
)

// chain is one conversation in order, cut into messages: memories that are pieces
// of one message lend their neighbours the best of them, once.
type chain struct {
	docs    []uint32
	message []int32   // by place in docs
	best    []float64 // by message: the score it lends
	set     []uint64  // by message: its informing terms
	asks    []bool    // by message: ends with a question
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
	c.best, c.set, c.asks = c.best[:0], c.set[:0], c.asks[:0]
	for d := ix.session(t).last; d != none; d = ix.prev(d) {
		c.docs = append(c.docs, d)
	}
	slices.Reverse(c.docs)
	long := false
	for i, d := range c.docs {
		flags, _ := ix.attr(d)
		if !long || !ix.sameMoment(c.docs[i-1], d) || s.q.Off&Message != 0 {
			c.best, c.set, c.asks = append(c.best, 0), append(c.set, 0), append(c.asks, false)
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
	for k := m - 1; k >= 0 && k >= m-turns; k-- {
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
	for k := m + 1; k < len(c.best) && k <= m+turns; k++ {
		w *= shareAfter
		if k > m+1 || !c.asks[m] {
			sum += w * c.best[k]
		}
	}
	return sum
}

// near gives the informing terms of message m and those around it.
func (c *chain) near(m int) (set uint64) {
	for _, x := range c.set[max(0, m-evidenceTurns):min(len(c.set), m+evidenceTurns+1)] {
		set |= x
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

// hits makes the result of the scores.
func (s *search) hits() Result {
	best := s.finish()
	least := max(s.q.Floor*best, s.q.Within*s.nth(s.q.Head))
	for _, d := range s.may {
		if raw := s.score[d]; raw > 0 && raw >= least && !s.outdone(d) {
			s.found = append(s.found, s.hit(d))
		}
	}
	return Result{Hits: slices.Clone(s.found), Best: best, Total: s.total}
}

// nth gives the n-th best Raw, 0 if there are fewer or n is 0.
func (s *search) nth(n int) float64 {
	s.head = s.head[:0]
	for _, d := range s.may {
		raw, k := s.score[d], len(s.head)
		if n <= 0 || k == n && raw <= s.head[n-1] || s.outdone(d) {
			continue
		}
		for k > 0 && s.head[k-1] < raw {
			k--
		}
		s.head = slices.Insert(s.head, k, raw)
		s.head = s.head[:min(len(s.head), n)]
	}
	if n <= 0 || len(s.head) < n {
		return 0
	}
	return s.head[n-1]
}

// finish turns the scores of what may answer into Raw and gives the best.
func (s *search) finish() (best float64) {
	who, user := s.ix.named(s.q), s.ix.who().user
	for _, d := range s.may {
		f := s.factors(d, who, user)
		s.score[d] = s.unit * ((s.score[d]+f.talk)*f.speaker*f.user*f.date + f.day)
		best = max(best, s.score[d])
	}
	return best
}

// factors are what a score gains by conversation, person and time.
type factors struct{ talk, speaker, user, date, day float64 }

func (s *search) factors(d, who, user uint32) factors {
	off := s.q.Off
	f := factors{speaker: 1, user: 1, date: 1}
	if t := s.ix.sessionOf(d); t != 0 && s.best > 0 && off&Talk == 0 {
		f.talk = shareTalk * s.top * s.lent[t] / s.best
	}
	if speaker := s.ix.speakerOf(d); speaker != 0 {
		if speaker == who && off&Speakers == 0 {
			f.speaker = asSpeaker
		}
		if speaker == user && off&User == 0 {
			f.user = asUser
		}
	}
	if s.dated(d) {
		f.date, f.day = asDate, dayWeight*s.day
	}
	return f
}

// date counts the memories from the time that the question names, which is a term
// like others: the fewer have it, the more it says.
func (s *search) date() {
	if s.q.Dates == nil || s.q.Off&Dates != 0 {
		return
	}
	df := 0
	for d := range s.score {
		if s.dated(uint32(d)) && !s.ix.isDead(uint32(d)) {
			df++
		}
	}
	s.day = inverse(float64(s.ix.live), float64(df))
	s.total += s.day
}

// hit says what the score of d rests on.
func (s *search) hit(d uint32) Hit {
	near := s.nearby[d]
	h := Hit{Ref: Ref(d), Raw: s.score[d], Own: s.share(s.informed[d]), Share: s.share(near)}
	if s.dated(d) {
		h.Own, h.Share = h.Own+s.day/s.total, h.Share+s.day/s.total
	}
	if s.persons != 0 && near&s.persons == 0 {
		h.Share *= ofOthers
	}
	if s.q.Explain {
		h.Parts = s.parts(d)
	}
	return h
}

// dated reports whether d is from the time that the question names.
func (s *search) dated(d uint32) bool {
	if s.q.Dates == nil || s.q.Off&Dates != 0 {
		return false
	}
	t := s.ix.created(d)
	return t >= s.q.Dates.From.UnixMicro() && t < s.q.Dates.To.UnixMicro()
}

func (s *search) parts(d uint32) Parts {
	f := s.factors(d, s.ix.named(s.q), s.ix.who().user)
	p := Parts{
		"before": s.addend[addBefore][d], "after": s.addend[addAfter][d], "question": 1, "number": 1,
		"talk": f.talk, "speaker": f.speaker, "user": f.user, "date": f.date, "day": f.day, "unit": s.unit,
	}
	for f, name := range [fields]string{tokenize.Word: "word", tokenize.Bigram: "bigram", tokenize.Single: "single", tokenize.Letters: "letters"} {
		p[name] = s.addend[f][d]
	}
	flags, _ := s.ix.attr(d)
	if flags&flagQuestion != 0 && s.q.Off&Questions == 0 {
		p["question"] = asQuestion
	}
	if flags&flagNumber != 0 && s.q.Number && s.q.Off&Numbers == 0 {
		p["number"] = asNumber
	}
	return p
}

// outdone reports whether another piece of d's message is better: of a message
// only the best piece answers, the first of equals.
func (s *search) outdone(d uint32) bool {
	ix, raw := s.ix, s.score[d]
	if s.q.Off&Message != 0 || ix.sessionOf(d) == 0 {
		return false
	}
	for at, p := d, ix.prev(d); p != none && ix.continues(p, at); at, p = p, ix.prev(p) {
		if s.score[p] >= raw {
			return true
		}
	}
	for at, n := d, ix.next(d); n != none && ix.continues(at, n); at, n = n, ix.next(n) {
		if s.score[n] > raw {
			return true
		}
	}
	return false
}
