package index

import (
	"slices"
	"strings"

	"plastic/tokenize"
)

// Handles are often Latin where the talk about them is Cyrillic: @vera is asked
// about as Вера, Веру, Веры. A Cyrillic word therefore also looks for the people
// whose name it spells.

// alias adds to the list at hand, that of the Cyrillic word t, the memories that
// name somebody known whose name t spells, and reports whether there is one.
func (s *search) alias(t *tokenize.QueryTerm) bool {
	if t.Field != tokenize.Word || t.Function || !isCyrillic(t.Text) {
		return false
	}
	docs, times, known := slices.Clone(s.docs), slices.Clone(s.times), false
	for _, end := range nameEnds {
		name := tokenize.QueryTerm{Field: tokenize.Word, Text: latin(t.Text) + end}
		if !s.isPerson(&name) {
			continue
		}
		known = true
		there := map[uint32]bool{}
		for _, d := range docs {
			there[d] = true
		}
		s.list(&name, anyTimes)
		for i, d := range s.docs {
			if !there[d] {
				docs, times = append(docs, d), append(times, s.times[i])
			}
		}
	}
	s.docs, s.times = docs, times
	return known
}

// nameEnds are what a Russian stem has lost of a name (вер: vera, тон: tonya).
var nameEnds = [...]string{"", "a", "ya", "ia", "y", "ey", "iy", "ei"}

// latin spells Cyrillic letters as handles do.
func latin(word string) string {
	var out strings.Builder
	for _, r := range word {
		switch i := r - 'а'; {
		case i >= 0 && int(i) < len(spelling):
			out.WriteString(spelling[i])
		case r == 'ё':
			out.WriteString("e")
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

var spelling = [...]string{"a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p",
	"r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "sch", "", "y", "", "e", "yu", "ya"}
