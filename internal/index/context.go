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
// conversations; after it, s.score holds all but the conversation's own share and
// what depends on who and when, and s.nearby what each may owe its evidence to.
func (s *search) context() {
	copy(s.nearby, s.informed)
	for t := range s.talk {
		if s.talk[t] > 0 {
			s.follow(uint32(t))
			s.lend()
		}
	}
	for d, x := range s.score {
		if x > 0 {
			s.score[d] = x * s.ask(uint32(d))
			s.top = max(s.top, s.score[d])
		}
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
	return ix.created(a) == ix.created(b) && ix.speakerOf(a) == ix.speakerOf(b)
}

// ask is what a memory's form is worth for the question.
func (s *search) ask(d uint32) float64 {
	flags, _ := s.ix.attr(d)
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
	for d, raw := range s.score {
		if raw > 0 && raw >= s.q.Floor*best && (s.q.Off&Message != 0 || !s.outdone(uint32(d))) {
			s.found = append(s.found, s.hit(uint32(d)))
		}
	}
	return Result{Hits: slices.Clone(s.found), Best: best, Total: s.total}
}

// finish turns s.score into Raw, 0 for what may not answer, and gives the best.
func (s *search) finish() (best float64) {
	s.date()
	who := s.ix.named(s.q)
	user := s.ix.who().user
	for d := range s.score {
		r := uint32(d)
		dated := s.dated(r)
		if s.score[d] == 0 && !dated || !s.mayAnswer(r, dated) {
			s.score[d] = 0
			continue
		}
		f := s.factors(r, who, user, dated)
		s.score[d] = s.unit * ((s.score[d]+f.talk)*f.speaker*f.user*f.date + f.day)
		best = max(best, s.score[d])
	}
	return best
}

// mayAnswer reports whether d, or what is near it, has something to do with the
// question.
func (s *search) mayAnswer(d uint32, dated bool) bool {
	if s.nearby[d] == 0 && !dated && s.q.Off&Informing == 0 || s.ix.isDead(d) {
		return false
	}
	flags, _ := s.ix.attr(d)
	return flags&flagCore == 0
}

// factors are what a score gains by conversation, person and time.
type factors struct{ talk, speaker, user, date, day float64 }

func (s *search) factors(d, who, user uint32, dated bool) factors {
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
	if dated {
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
	near, dated := s.nearby[d], s.dated(d)
	h := Hit{Ref: Ref(d), Raw: s.score[d], Own: s.share(s.informed[d]), Share: s.share(near)}
	if dated {
		h.Own, h.Share = h.Own+s.day/s.total, h.Share+s.day/s.total
	}
	if s.persons != 0 && near&s.persons == 0 {
		h.Share *= ofOthers
	}
	if s.q.Explain {
		h.Parts = s.parts(d, dated)
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

func (s *search) parts(d uint32, dated bool) Parts {
	f := s.factors(d, s.ix.named(s.q), s.ix.who().user, dated)
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
	if ix.sessionOf(d) == 0 {
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
