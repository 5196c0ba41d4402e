package distill

import (
	"strings"
	"unicode"
)

// script is a family of letters.
type script string

// leastLetters is how many letters tell a script.
const leastLetters = 6

// foreigner is how much more a letter of another script weighs than a Latin one: Latin
// stands in texts of every script, as names of things, and others hardly in Latin ones.
const foreigner = 2

// scriptOf is what most letters of a text are, "" for a text of too few or of both. Texts
// with more than a sign of kana are Japanese, however many of their characters are Chinese.
func scriptOf(text string) script {
	letters := map[script]int{}
	for _, r := range text {
		switch {
		case isKana(r):
			letters["kana"] += 3
		case unicode.Is(unicode.Han, r):
			letters["Han"] += 3 // a character is about half a word
		case unicode.Is(unicode.Hangul, r):
			letters["Hangul"] += 2
		case unicode.Is(unicode.Cyrillic, r):
			letters["Cyrillic"]++
		case unicode.Is(unicode.Latin, r):
			letters["Latin"]++
		case unicode.IsLetter(r):
			letters["other"]++
		}
	}
	if both := letters["kana"] + letters["Han"]; 5*letters["kana"] > both {
		letters["kana"], letters["Han"] = both, 0
	} else {
		letters["kana"], letters["Han"] = 0, both
	}
	best, most, all := script(""), 0, 0
	for _, s := range []script{"kana", "Han", "Hangul", "Cyrillic", "Latin", "other"} {
		weight := letters[s]
		if s == "Cyrillic" || s == "other" {
			weight *= foreigner
		}
		all += weight
		if weight > most {
			best, most = s, weight
		}
	}
	if letters[best] < leastLetters || 10*most < 6*all {
		return ""
	}
	return best
}

// otherScript reports whether a fact is written in another script than the user writes in
// this turn. A long paste in one does not hide a sentence in the other; where the user says
// a few words only, what he answers tells it as well.
func otherScript(fact string, t Turn) bool {
	said := unquoted(t.User)
	a, b := scriptOf(fact), scriptOf(said)
	switch {
	case a == "" || b == "" || a == b:
		return false
	case a == "Han" && b == "kana" && (runes(fact) < leastKana || strings.ContainsFunc(fact, isKana)):
		return false
	case a == "kana" && b == "Han" && strings.ContainsFunc(t.User, isKana):
		return false
	case runes(t.User) <= mostShort && scriptOf(t.Assistant) == a:
		return false
	}
	for sentence := range strings.FieldsFuncSeq(said, endsSentence) {
		if scriptOf(sentence) == a {
			return false
		}
	}
	return true
}

// unquoted is a text without what it quotes on a line: that may be of another language.
// A text that is nothing but a quotation stays as it is.
func unquoted(text string) string {
	if out := quotation().ReplaceAllString(text, " "); strings.TrimSpace(out) != "" {
		return out
	}
	return text
}

var quotation = lazily("\"[^\"\n]+\"|“[^”\n]+”|«[^»\n]+»|「[^」\n]+」|`[^`\n]+`|(^|[\\s(])'[^'\n]+'($|[\\s),.?!])")

const (
	leastKana = 6  // so many characters of Japanese, but for names, have kana among them
	mostShort = 16 // so many letters are a few words
)

func isKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

func endsSentence(r rune) bool { return strings.ContainsRune("\n.!?:;。！？：；", r) }
