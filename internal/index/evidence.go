package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"plastic/tokenize"
)

// inform notes which memories have t, which carries information.
func (s *search) inform(t *tokenize.QueryTerm, information float64, person bool) {
	mass := information * t.Weight
	s.total += mass
	s.count++
	if len(s.docs) == 0 || len(s.mass) == maxInforming {
		return
	}
	bit := uint64(1) << len(s.mass)
	s.mass = append(s.mass, mass)
	for _, d := range s.docs {
		s.informed[d] |= bit
		s.talkInformed[s.ix.sessionOf(d)] = true
	}
	if person || s.isPerson(t.Field, t.Text) {
		s.persons |= bit
	}
}

// information is what a term that df memories have tells of which is meant: its IDF
// as if smallStore more memories were there without it. In a store of two, a word
// that both have is no function word yet.
func (ix *Index) information(df float64) float64 {
	return inverse(float64(ix.live)+smallStore, df)
}

// informs reports whether t, whose list is at hand, carries information: no
// function word, no letter piece, no part of the time named, which informs as a
// whole. A pair of characters that stands nowhere (often the end of one word and
// the beginning of the next) says what its characters say; a character says
// something only where no pair that is known says it better.
func (s *search) informs(t *tokenize.QueryTerm) bool {
	if s.q.Dates != nil && t.Field != tokenize.Letters && tokenize.HasNumber(t.Text) {
		s.pairs = append(s.pairs, t.Text)
		return false
	}
	if t.Function || t.Field == tokenize.Letters {
		return false
	}
	switch {
	case t.Field == tokenize.Bigram && (len(s.docs) == 0 || utf8.RuneCountInString(t.Text) == 1):
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
func (s *search) isPerson(f tokenize.Field, name string) bool {
	for _, p := range s.ix.who().called[name] {
		if s.ix.said(p) > 0 {
			return true
		}
	}
	if f != tokenize.Word {
		return false
	}
	s.list(f, "@", name, anyTimes)
	return len(s.docs) > 0
}

// share is the part of the query's information that a set of informing terms has.
func (s *search) share(set uint64) float64 {
	if set == 0 {
		return 0
	}
	sum := 0.0
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			sum += s.mass[i]
		}
	}
	return sum / s.total
}
