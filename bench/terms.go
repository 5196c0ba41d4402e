package main

import (
	"strings"
	"unicode"
)

// language is a place in functionWords and the generator's tongues: by the
// first letter that tells.
func language(s string) int {
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			return 0
		case unicode.Is(unicode.Cyrillic, r):
			return 2
		case unicode.IsLetter(r):
			return 1
		}
	}
	return 1
}

// words cuts a text for the peers that know nothing of Chinese: words in lower
// case, and runs of Han characters whole.
func words(s string) []string {
	var out []string
	start, han := -1, false
	flush := func(end int) {
		if start >= 0 {
			out = append(out, strings.ToLower(s[start:end]))
		}
		start = -1
	}
	for i, r := range s {
		letter, isHan := unicode.IsLetter(r) || unicode.IsNumber(r), unicode.Is(unicode.Han, r)
		if start >= 0 && (!letter || isHan != han) {
			flush(i)
		}
		if letter && start < 0 {
			start, han = i, isHan
		}
	}
	flush(len(s))
	return out
}

// grams cuts the Han runs among words into pieces of n characters; a shorter run
// stays whole.
func grams(list []string, n int) []string {
	var out []string
	for _, w := range list {
		r := []rune(w)
		if !unicode.Is(unicode.Han, r[0]) || len(r) <= n {
			out = append(out, w)
			continue
		}
		for i := 0; i+n <= len(r); i++ {
			out = append(out, string(r[i:i+n]))
		}
	}
	return out
}

// meaning leaves the function words out of a query's terms, as who builds a
// search on a plain full-text index would.
func meaning(list []string) []string {
	var out []string
	for _, w := range list {
		if !isFunctionWord(w) {
			out = append(out, w)
		}
	}
	return out
}

func isFunctionWord(w string) bool {
	for _, f := range functionWords[language(w)] {
		if f == w {
			return true
		}
	}
	return false
}
