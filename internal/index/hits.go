package index

import (
	"cmp"
	"math"
	"slices"

	"plastic/tokenize"
)

// hits makes the result of the scores.
func (s *search) hits() Result {
	best := s.finish()
	least := max(s.q.Floor*best, s.q.Within*s.nth(s.q.Head))
	for _, d := range s.may {
		if raw := s.score[d]; raw > 0 && raw >= least && !s.outdone(d) {
			s.found = append(s.found, s.hit(d))
		}
	}
	return Result{Hits: slices.Clone(s.found), Best: best, Total: s.sentences[0].known + s.sentences[0].unknown + s.dayMass}
}

// nth gives the n-th best Raw among the hits that have something of the question
// themselves, 0 if there are fewer or n is 0.
func (s *search) nth(n int) float64 {
	s.head = s.head[:0]
	for _, d := range s.may {
		raw, k := s.score[d], len(s.head)
		if n <= 0 || k == n && raw <= s.head[n-1] || s.ownMass(d) == 0 || s.outdone(d) {
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
	s.scaleTalks()
	people := s.gains(who, user)
	talks, dates := s.ix.talks > 0, s.day > 0
	var first uint32
	for _, d := range s.may {
		raw := s.score[d]
		if talks {
			raw += s.lent[s.ix.sessionOf(d)]
		}
		if people {
			raw *= s.gain[s.ix.speakerOf(d)]
		}
		if dates && s.dated(d) {
			raw = raw*asDate + dayWeight*s.day
		}
		raw *= s.unit
		if s.score[d] = raw; raw > best {
			best, first = raw, d
		}
	}
	if best > 0 && s.q.Off&Length == 0 {
		s.shorten(first)
	}
	return best
}

// gains notes what a memory gains by who said it, and reports whether anyone counts.
func (s *search) gains(who, user uint32) bool {
	if who == 0 && user == 0 {
		return false
	}
	s.gain = s.gain[:0]
	for range s.ix.base.speaker + s.ix.newSpeakers + 1 {
		s.gain = append(s.gain, 1)
	}
	for _, one := range [...]uint32{who, user} {
		named, byUser := s.saidBy(one, who, user)
		s.gain[one] = named * byUser
	}
	return true
}

// scaleTalks turns what conversations lend into addends: a share of the best score
// for the best conversation.
func (s *search) scaleTalks() {
	scale := 0.0
	if s.best > 0 && s.q.Off&Talk == 0 {
		scale = shareTalk * s.top / s.best
	}
	for t := range s.lent {
		s.lent[t] *= scale
	}
}

// shorten lowers the long memories that have nothing of the question that the first
// one does not have as well: a diary day names everything once, and answers nothing
// that has a note of its own.
func (s *search) shorten(first uint32) {
	usual := max(mean(s.ix.length[tokenize.Word], s.ix.live)+mean(s.ix.length[tokenize.Bigram], s.ix.live), usualLength)
	least := noticed * s.score[first]
	for _, d := range s.may {
		if s.score[d] < least || d == first || s.informed[d]&^s.informed[first] != 0 {
			continue
		}
		n := s.ix.lengths(d)
		if long := float64(n[tokenize.Word]+n[tokenize.Bigram]) / usual; long > muchLonger {
			s.score[d] *= math.Pow(muchLonger/long, 1.5)
		}
	}
}

// factors are what a score gains by conversation, person and time.
type factors struct{ talk, speaker, user, date, day float64 }

func (s *search) factors(d, who, user uint32) factors {
	f := factors{date: 1}
	if s.ix.talks > 0 {
		f.talk = s.lent[s.ix.sessionOf(d)]
	}
	f.speaker, f.user = s.saidBy(s.ix.speakerOf(d), who, user)
	if s.dated(d) {
		f.date, f.day = asDate, dayWeight*s.day
	}
	return f
}

// saidBy is what a memory by speaker gains if who is named.
func (s *search) saidBy(speaker, who, user uint32) (named, byUser float64) {
	named, byUser = 1, 1
	if speaker != 0 && speaker == who && s.q.Off&Speakers == 0 {
		named = asSpeaker
	}
	if speaker != 0 && speaker == user && s.q.Off&User == 0 {
		byUser = asUser
	}
	return named, byUser
}

// date counts the memories from the time that the question names, which is a term
// like others: the fewer have it, the more it says.
func (s *search) date() {
	if s.q.Dates == nil || s.q.Off&Dates != 0 {
		return
	}
	df := 0
	for d := range s.ix.refs() {
		if s.dated(d) && !s.ix.isDead(d) {
			df++
			s.reachMemory(d)
		}
	}
	s.day = s.ix.information(float64(df))
	s.dayMass = dayMass * s.day
	s.sentences[0].count++
}

// hit says what the score of d rests on.
func (s *search) hit(d uint32) Hit {
	h := Hit{Ref: Ref(d), Raw: s.score[d]}
	h.Own, h.Share = s.evidence(d)
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

// Lead brings the n hits with the highest Raw to the front, in falling order; the
// others may stand in any order behind.
func Lead(hits []Hit, n int) {
	n = min(n, len(hits))
	for part := hits; len(part) > 1 && n > len(hits)-len(part); {
		// Of part, what is above the pivot comes first.
		pivot, k := middle(part[0].Raw, part[len(part)/2].Raw, part[len(part)-1].Raw), 0
		equal := 0
		for i := range part {
			if part[i].Raw < pivot {
				continue
			}
			part[i], part[k+equal] = part[k+equal], part[i]
			if part[k+equal].Raw > pivot {
				part[k], part[k+equal] = part[k+equal], part[k]
				k++
			} else {
				equal++
			}
		}
		switch before := len(hits) - len(part); {
		case n < before+k:
			hits, part = hits[:before+k], part[:k]
		case n <= before+k+equal:
			part = nil
		default:
			part = part[k+equal:]
		}
	}
	slices.SortFunc(hits[:n], func(a, b Hit) int { return cmp.Compare(b.Raw, a.Raw) })
}

// middle is the median of three.
func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
