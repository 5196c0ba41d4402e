package distill

import (
	"strings"
	"unicode"
)

// script is a family of letters.
type script string

// leastLetters is how many letters tell a script.
const leastLetters = 6

// scriptOf is what most letters of a text are, "" for a text of too few.
func scriptOf(text string) script {
	counts := map[script]int{}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r), unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r):
			counts["Han"] += 3 // a character is about half a word
		case unicode.Is(unicode.Hangul, r):
			counts["Hangul"] += 2
		case unicode.Is(unicode.Cyrillic, r):
			counts["Cyrillic"]++
		case unicode.Is(unicode.Latin, r):
			counts["Latin"]++
		case unicode.IsLetter(r):
			counts["other"]++
		}
	}
	best, all := script(""), 0
	for _, s := range []script{"Han", "Hangul", "Cyrillic", "Latin", "other"} {
		all += counts[s]
		if counts[s] > counts[best] {
			best = s
		}
	}
	if counts[best] < leastLetters || 10*counts[best] < 6*all {
		return ""
	}
	return best
}

// otherScript reports whether a fact is written in another script than the user writes.
// A long paste in one does not hide a sentence in the other.
func otherScript(fact, user string) bool {
	a, b := scriptOf(fact), scriptOf(user)
	if a == "" || b == "" || a == b {
		return false
	}
	for sentence := range strings.FieldsFuncSeq(user, endsSentence) {
		if scriptOf(sentence) == a {
			return false
		}
	}
	return true
}

func endsSentence(r rune) bool { return strings.ContainsRune("\n.!?:;。！？：；", r) }
