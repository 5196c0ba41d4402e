package same

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plastic/tokenize"
)

// signs are the characters of a folded text that stems do not have and that make
// another number or relation of it: currencies, percent, < > = ≠ ±, and a minus
// before a number.
func signs(folded string) string {
	var out strings.Builder
	before := ' '
	for i, r := range folded {
		switch {
		case r == '-' || r == '−':
			next, _ := utf8.DecodeRuneInString(folded[i+utf8.RuneLen(r):])
			if unicode.IsDigit(next) && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				out.WriteByte('-')
			}
		case unicode.Is(unicode.Sc, r), strings.ContainsRune("%‰<>≤≥=≠≈±×÷", r):
			out.WriteRune(r)
		}
		before = r
	}
	return out.String()
}

// inflected reports whether two folded texts have words of one stem in forms
// that say different things: works and worked, is and was, universe and
// university, работает and работала, 好き and 好きだった.
func inflected(a, b string) bool {
	if japaneseEnd(a) != japaneseEnd(b) {
		return true
	}
	wa, wb := words(a), words(b)
	for _, x := range wa {
		if slices.Contains(wb, x) {
			continue
		}
		stem := tokenize.Stems(x)
		for _, y := range wb {
			if !slices.Contains(wa, y) && otherForm(x, y) && slices.Equal(stem, tokenize.Stems(y)) {
				return true
			}
		}
	}
	return false
}

// words are the words of a folded text as they stand, without a possessive 's.
func words(folded string) []string {
	list := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' })
	for i, w := range list {
		w = strings.Trim(w, "'’")
		list[i] = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	}
	return list
}

// otherForm reports whether two words of one stem differ by more than number,
// person or case.
func otherForm(a, b string) bool {
	r, _ := utf8.DecodeRuneInString(a)
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		return russianPast(a, b) != russianPast(b, a)
	case unicode.Is(unicode.Latin, r):
		return plainForm(a) != plainForm(b)
	}
	return false
}

// plainForm is an English word without the endings of number and person, which
// change no truth; the past and all other forms keep theirs.
func plainForm(w string) string {
	switch w {
	case "am", "is", "are", "being":
		return "be"
	case "has", "having":
		return "have"
	}
	for _, end := range []string{"ing", "ies", "es", "s", "e", "y"} {
		if s, ok := strings.CutSuffix(w, end); ok && len(s) > 1 {
			return s
		}
	}
	return w
}

// russianPast reports whether w is a past form beside other: it ends in -л, -ла,
// -ло, -ли (-ся, -сь), and the л is not one that both words have (школа, школу).
func russianPast(w, other string) bool {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "ся"), "сь")
	stem := strings.TrimRight(w, "аои")
	if len(w)-len(stem) > len("а") {
		return false
	}
	stem, ok := strings.CutSuffix(stem, "л")
	return ok && !strings.HasPrefix(other, stem+"л")
}

// japaneseEnd is the run of kana a text ends with, where its verb says whether it
// is, was or is not so; empty for other texts.
func japaneseEnd(folded string) string {
	s := strings.TrimRightFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	i := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) })
	if i < 0 {
		return s
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return s[i+n:]
}
