package index

import (
	"unicode/utf8"

	"plastic/tokenize"
)

// Handles are often Latin where the talk about them is Cyrillic: @vera is asked
// about as Вера, Веру, Веры. A Cyrillic word therefore also looks for the people
// whose name it spells.

// alias adds to the postings of the Cyrillic word t the memories that name somebody
// known whose name t spells, and reports whether there is one.
func (s *search) alias(t *tokenize.QueryTerm, p *postings) bool {
	if t.Field != tokenize.Word || t.Function || !isCyrillic(t.Text) {
		return false
	}
	known := false
	s.spelled = appendLatin(s.spelled[:0], t.Text)
	for n, i := len(s.spelled), 0; i < len(nameEnds); i++ {
		s.spelled = append(s.spelled[:n], nameEnds[i]...)
		if !s.isPerson(t.Field, s.spelled) {
			continue
		}
		name := string(s.spelled)
		if !known {
			s.whole(t.Field, p)
			s.docs2, s.times2 = append(s.docs2[:0], s.read[p.from:p.to]...), append(s.times2[:0], s.readTimes[p.from:p.to]...)
		}
		known = true
		s.list(t.Field, "", name, anyTimes)
		s.union()
	}
	if known {
		s.docs, s.docs2 = s.docs2, s.docs
		s.times, s.times2 = s.times2, s.times
		s.keep(p)
	}
	return known
}

// union adds what is new in the list at hand to the other one.
func (s *search) union() {
	there := make(map[uint32]bool, len(s.docs2))
	for _, d := range s.docs2 {
		there[d] = true
	}
	for i, d := range s.docs {
		if !there[d] {
			s.docs2, s.times2 = append(s.docs2, d), append(s.times2, s.times[i])
		}
	}
}

// nameEnds are what a Russian stem has lost of a name (вер: vera, тон: tonya).
var nameEnds = [...]string{"", "a", "ya", "ia", "y", "ey", "iy", "ei"}

// appendLatin spells Cyrillic letters as handles do.
func appendLatin(dst []byte, word string) []byte {
	for _, r := range word {
		switch i := r - 'а'; {
		case i >= 0 && int(i) < len(spelling):
			dst = append(dst, spelling[i]...)
		case r == 'ё':
			dst = append(dst, 'e')
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

var spelling = [...]string{"a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p",
	"r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "sch", "", "y", "", "e", "yu", "ya"}
