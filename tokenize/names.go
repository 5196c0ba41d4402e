package tokenize

import (
	"strings"
	"unicode"
)

// Names gives what a text and the name of a speaker share if the text speaks of
// them: Names(speaker) and Names(query) have an element in common. These are
// folded words without 's, Russian ones in their stem too (Лену meets Лена),
// runs of Han, kana or Hangul up to twelve characters, and their parts of two to
// four characters (小明 in 小明去哪了). Function words are no names unless the text
// is that one word or writes it with a capital behind its first word (Will).
// Each element once, in order of appearance.
func Names(text string) []string {
	n := names{seen: map[string]bool{}}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\'' && r != '’'
	})
	for i, w := range words {
		n.capital = len(words) == 1 || i > 0 && strings.IndexFunc(w, unicode.IsUpper) == 0
		n.addWord([]rune(string(appendFolded(nil, w))))
	}
	return n.found
}

type names struct {
	t       Tokenizer
	found   []string
	seen    map[string]bool
	capital bool // the word at hand is written as a name
}

func (n *names) add(s string) {
	if s != "" && !n.seen[s] {
		n.seen[s] = true
		n.found = append(n.found, s)
	}
}

// addWord cuts a word where its script changes.
func (n *names) addWord(w []rune) {
	for i := 0; i < len(w); {
		kind, j := classOf(w[i]), i+1
		for j < len(w) && (classOf(w[j]) == kind || classOf(w[j]) == mark || classOf(w[j]) == nothing || kind == letter && (w[j] == '\'' || w[j] == '’')) {
			j++
		}
		switch kind {
		case letter:
			n.addLetters(w[i:j])
		case han, hangul, sea:
			n.addRun(w[i:j])
		}
		i = j
	}
}

func (n *names) addLetters(w []rune) {
	b, _ := bare([]byte(strings.ReplaceAll(string(w), "’", "'")))
	if len(b) == 0 || functionWord(b) && !n.capital {
		return
	}
	n.add(string(b))
	if first := []rune(string(b))[0]; first >= 0x400 && first <= 0x52F {
		stem, _ := n.t.stem(b)
		n.add(string(stem))
	}
}

func (n *names) addRun(w []rune) {
	for i := range w {
		w[i] = simplified(w[i])
	}
	if len(w) <= 12 {
		n.add(string(w))
	}
	for i := range w {
		for l := 2; l <= 4 && i+l <= len(w); l++ {
			n.add(string(w[i : i+l]))
		}
	}
}
