package index

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"plastic/tokenize"
)

// thing is one thing that the question asks for, by whatever terms.
type thing struct {
	number int     // of QueryTerm.Thing
	weight float64 // how often it is asked for
	bit    uint64  // in informed; 0 beyond maxInforming
	docs   int     // memories that name it
	named  bool    // it is the name of somebody known, or a code
	light  bool    // it tells little of what is meant
	single bool    // it is one character
	part   int     // sentence of the message
}

// name notes which memories have t, which carries information and is read whole.
func (s *search) name(t *tokenize.QueryTerm, p *postings, person bool) {
	g := s.thing(t.Thing)
	g.single, g.part = t.Field == tokenize.Single, t.Sentence
	g.weight, g.light = max(g.weight, t.Weight), g.light && t.Light
	if t.Parts > 1 {
		g.named = g.named || t.Field == tokenize.Word && !tokenize.HasNumber(t.Text)
		s.partial = append(s.partial, t)
		return
	}
	for _, d := range s.read[p.from:p.to] {
		s.note(g, d)
	}
	g.named = g.named || p.df > 0 && (person || s.isPerson(t.Field, []byte(t.Text)))
}

func (s *search) thing(number int) *thing {
	for i := len(s.things) - 1; i >= 0; i-- {
		if s.things[i].number == number {
			return &s.things[i]
		}
	}
	g := thing{number: number, light: true}
	if n := len(s.things); n < maxInforming {
		g.bit = 1 << n
	}
	s.things = append(s.things, g)
	return &s.things[len(s.things)-1]
}

// note says that d names g.
func (s *search) note(g *thing, d uint32) {
	s.reachMemory(d)
	if s.informed[d]&g.bit == 0 {
		s.informed[d] |= g.bit
		g.docs++
	}
}

// sentence is what one sentence of the question asks for.
type sentence struct {
	number, count  int
	set            uint64
	known, unknown float64
	total          float64 // the information that must be covered; see tempered
}

// inform weighs the things. One that no memory names tells as much as one that a
// single memory does.
func (s *search) inform() {
	s.sentences = append(s.sentences[:0], sentence{number: -1})
	s.trust = ofNothing
	for i := range s.things {
		g := &s.things[i]
		s.join(g)
		mass := s.massOfThing(g)
		s.mass = append(s.mass, mass)
		s.sentences[0].add(g, mass)
		s.sentence(g.part).add(g, mass)
		if g.named {
			s.named |= g.bit
		}
		if !g.light {
			s.solid |= g.bit
			s.trust = 1
		}
	}
	if s.bare() {
		s.trust = 1
	}
	for i := range s.sentences {
		x := &s.sentences[i]
		x.total = s.tempered(x.known) + s.tempered(x.unknown)
	}
}

// sentence gives the one with that number.
func (s *search) sentence(number int) *sentence {
	for i := range s.sentences {
		if s.sentences[i].number == number {
			return &s.sentences[i]
		}
	}
	s.sentences = append(s.sentences, sentence{number: number})
	return &s.sentences[len(s.sentences)-1]
}

func (s *search) massOfThing(g *thing) float64 {
	mass := s.ix.information(float64(min(max(g.docs, 1), s.ix.live))) * g.weight
	if g.light {
		mass *= lightMass
	}
	if g.docs == 0 && g.single {
		mass *= halfWord
	}
	return mass
}

func (x *sentence) add(g *thing, mass float64) {
	x.set |= g.bit
	x.count++
	if g.docs > 0 {
		x.known += mass
	} else {
		x.unknown += mass
	}
}

// bare reports a question that is a single word, which is meant.
func (s *search) bare() bool {
	if len(s.things) != 1 {
		return false
	}
	for i := range s.q.Terms {
		if t := &s.q.Terms[i]; t.Function && t.Field != tokenize.Letters {
			return false
		}
	}
	return true
}

// tempered is a sum of information that grows slower beyond that of one thing: of a
// long message less must be covered than of a short question.
func (s *search) tempered(mass float64) float64 {
	if one := s.ix.information(1); mass > one {
		return one * math.Pow(mass/one, temper)
	}
	return mass
}

// join notes the memories that have enough of the parts of g.
func (s *search) join(g *thing) {
	s.together = s.together[:0]
	for _, t := range s.partial {
		if t.Thing != g.number {
			continue
		}
		if len(s.together) == 0 {
			s.together = zeroed(s.together, int(s.ix.refs()))
		}
		s.list(t.Field, "", t.Text, anyTimes)
		for _, d := range s.docs {
			if s.together[d]++; int(s.together[d]) == t.Parts {
				s.note(g, d)
			}
		}
	}
}

// information is what a term that df memories have tells of which is meant: its IDF
// as if smallStore more memories were there without it. In a store of two, a word
// that both have is no function word yet.
func (ix *Index) information(df float64) float64 {
	return inverse(float64(ix.live)+smallStore, df)
}

// informs reports whether t, which df memories have, carries information: no
// function word, no letter piece, no part of the time named, which informs as a
// whole. A pair of characters that stands nowhere (often the end of one word and
// the beginning of the next) says what its characters say; a character says
// something only where no pair that is known says it better.
func (s *search) informs(t *tokenize.QueryTerm, df int) bool {
	if s.q.Dates != nil && t.Field != tokenize.Letters && tokenize.HasNumber(t.Text) {
		s.pairs = append(s.pairs, t.Text)
		return false
	}
	if t.Thing == 0 {
		return false
	}
	switch {
	case t.Field == tokenize.Bigram && t.Parts == 0 && (df == 0 || utf8.RuneCountInString(t.Text) == 1):
		return false
	case t.Field == tokenize.Bigram:
		s.pairs = append(s.pairs, t.Text)
	case t.Field == tokenize.Single:
		return !slices.ContainsFunc(s.pairs, func(pair string) bool { return strings.Contains(pair, t.Text) })
	}
	return true
}

// isPerson reports whether a term is the name of somebody the store knows: one who
// speaks in it, or one whom it mentions with an @. The list at hand is lost.
func (s *search) isPerson(f tokenize.Field, name []byte) bool {
	who := s.ix.who()
	for _, p := range who.called[string(name)] {
		if s.ix.said(p) > 0 {
			return true
		}
	}
	if f != tokenize.Word || !who.handles && len(s.ix.added) == 0 {
		return false
	}
	s.list(f, "@", string(name), anyTimes)
	return len(s.docs) > 0
}

// massOf is the information of a set of things.
func (s *search) massOf(set uint64) (sum float64) {
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			sum += s.mass[i]
		}
	}
	return sum
}

// ownMass is the information that d has by itself. What frames the question is not
// what it asks for.
func (s *search) ownMass(d uint32) (sum float64) {
	if set := s.informed[d]; s.solid == 0 || set&s.solid != 0 {
		sum = s.trust * s.massOf(set)
	}
	if s.dated(d) {
		sum += s.dayMass
	}
	return sum
}

// asked is the information that the question asks for, in nats.
func (s *search) asked() float64 { return s.sentences[0].known + s.sentences[0].unknown + s.dayMass }

// own is the share of it that d has by itself.
func (s *search) own(d uint32) float64 {
	if whole := s.asked(); whole > 0 {
		return min(1, s.ownMass(d)*(1+1e-9)/whole)
	}
	return 0
}

// evidence gives the shares of the question's information that d has: by itself, of
// all that is asked for; and with its neighbours, of what a message of this length
// must have covered, in all or in one of its sentences.
func (s *search) evidence(d uint32) (own, share float64) {
	day, near := 0.0, s.nearby[d]
	if s.dated(d) {
		day = s.dayMass
	}
	own = s.own(d)
	for i := range s.sentences {
		x := &s.sentences[i]
		if total := x.total + s.dayMass; total > 0 {
			covered := min(1, (s.trust*s.massOf(near&x.set)+day)/total)
			covered /= 1 + fewWords*(1-covered)/float64(max(x.count, 1))
			if i > 0 && len(s.sentences) > 2 {
				covered *= oneSentence
			}
			share = max(share, covered)
		}
	}
	if s.named != 0 && near&s.named == 0 {
		share *= ofOthers
	}
	return own, share
}
