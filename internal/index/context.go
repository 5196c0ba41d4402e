package index

import "plastic/tokenize"

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
// what depends on who and when.
func (s *search) context() {
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

// follow reads conversation t into the chain.
func (s *search) follow(t uint32) {
	ix, c := s.ix, &s.chain
	c.docs, c.message, c.best, c.set = c.docs[:0], c.message[:0], c.best[:0], c.set[:0]
	c.asks = c.asks[:0]
	first := ix.session(t).last
	for d := first; d != none; d = ix.prev(d) {
		first = d
	}
	for d := first; d != none; d = ix.next(d) {
		if n := len(c.docs); n == 0 || !ix.continues(c.docs[n-1], d) || s.q.Off&Message != 0 {
			c.best, c.set, c.asks = append(c.best, 0), append(c.set, 0), append(c.asks, false)
		}
		m := len(c.best) - 1
		c.docs, c.message = append(c.docs, d), append(c.message, int32(m))
		flags, _ := ix.attr(d)
		c.asks[m] = flags&flagAsks != 0
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
	return flags&flagLong != 0 && ix.created(d) == ix.created(next) && ix.speakerOf(d) == ix.speakerOf(next)
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
	q := s.q
	who := s.ix.named(q)
	var best float64
	s.date()
	for d := range s.score {
		if s.score[d] == 0 && !s.dated(uint32(d)) {
			continue
		}
		h, ok := s.hit(uint32(d), who)
		s.score[d] = h.Raw
		if ok {
			s.found = append(s.found, h)
		}
	}
	if q.Off&Message == 0 {
		s.onePerMessage()
	}
	for i := range s.found {
		best = max(best, s.found[i].Raw)
	}
	kept := s.found[:0]
	for _, h := range s.found {
		if h.Raw >= q.Floor*best {
			kept = append(kept, h)
		}
	}
	return Result{Hits: append([]Hit(nil), kept...), Best: best, Total: s.total}
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

// hit finishes the score of d and says what it rests on.
func (s *search) hit(d uint32, who uint32) (Hit, bool) {
	ix, q := s.ix, s.q
	near := s.nearby[d] | s.informed[d]
	dated := s.dated(d)
	if near == 0 && !dated && q.Off&Informing == 0 || ix.isDead(d) {
		return Hit{}, false
	}
	if flags, _ := ix.attr(d); flags&flagCore != 0 {
		return Hit{}, false
	}
	h := Hit{Ref: Ref(d), Own: s.share(s.informed[d]), Share: s.share(near)}
	talk := 0.0
	t := ix.sessionOf(d)
	if t != 0 && s.best > 0 && q.Off&Talk == 0 {
		talk = shareTalk * s.top * s.talk[t] / s.best * s.others(d, t)
	}
	speaker, user, date := s.said(d, who), s.user(d), 1.0
	day := 0.0
	if dated {
		h.Own, h.Share = h.Own+s.day/s.total, h.Share+s.day/s.total
		date, day = asDate, dayWeight*s.day
	}
	h.Raw = s.unit * ((s.score[d]+talk)*speaker*user*date + day)
	if s.persons != 0 && near&s.persons == 0 {
		h.Share *= ofOthers
	}
	if h.Share < q.MinShare {
		return Hit{}, false
	}
	if q.Explain {
		h.Parts = s.parts(d)
		h.Parts["talk"], h.Parts["speaker"], h.Parts["user"], h.Parts["date"], h.Parts["day"] = talk, speaker, user, date, day
		h.Parts["unit"] = s.unit
	}
	return h, true
}

// others is the share of conversation t that is not d: what it lends is theirs.
func (s *search) others(d, t uint32) float64 {
	var own, all float64
	for f, n := range s.ix.lengths(d) {
		own += float64(n)
		all += float64(s.ix.talkLength(t, tokenize.Field(f)))
	}
	return 1 - own/all
}

func (s *search) said(d, who uint32) float64 {
	if who != 0 && s.ix.speakerOf(d) == who && s.q.Off&Speakers == 0 {
		return asSpeaker
	}
	return 1
}

func (s *search) user(d uint32) float64 {
	if s.q.Off&User == 0 && s.ix.isUser(s.ix.speakerOf(d)) {
		return asUser
	}
	return 1
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
	p := Parts{"before": s.addend[addBefore][d], "after": s.addend[addAfter][d]}
	for f, name := range [fields]string{tokenize.Word: "word", tokenize.Bigram: "bigram", tokenize.Single: "single", tokenize.Letters: "letters"} {
		p[name] = s.addend[f][d]
	}
	flags, _ := s.ix.attr(d)
	p["question"], p["number"] = 1, 1
	if flags&flagQuestion != 0 && s.q.Off&Questions == 0 {
		p["question"] = asQuestion
	}
	if flags&flagNumber != 0 && s.q.Number && s.q.Off&Numbers == 0 {
		p["number"] = asNumber
	}
	return p
}

// onePerMessage keeps the best piece of each message, the first of equals. By then
// s.score holds the Raw of each hit and 0 for all others.
func (s *search) onePerMessage() {
	kept := s.found[:0]
	for _, h := range s.found {
		if !s.outdone(uint32(h.Ref), h.Raw) {
			kept = append(kept, h)
		}
	}
	s.found = kept
}

// outdone reports whether another piece of d's message is better.
func (s *search) outdone(d uint32, raw float64) bool {
	ix := s.ix
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
