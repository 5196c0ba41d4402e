package tokenize

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names gives what a text and the name of a speaker share if the text speaks of
// them: Names(speaker) and Names(query) have an element in common. These are
// folded words without 's, Russian ones in their stem too (Лену meets Лена),
// runs of Han, kana or Hangul up to twelve characters, and their parts of two to
// four characters (小明 in 小明去哪了). Function words are no names unless the text
// is that one word or writes it with a capital behind its first word (Will).
// Each element once, in order of appearance.
func Names(text string) []string { return new(Asker).Names(text) }

// Names is Names.
func (a *Asker) Names(text string) []string {
	n := &a.names
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	clear(n.seen)
	n.t, n.found = &a.t, nil
	words := 0
	for rest := text; ; {
		from := strings.IndexFunc(rest, inName)
		if from < 0 {
			break
		}
		rest = rest[from:]
		end := strings.IndexFunc(rest, notInName)
		if end < 0 {
			end = len(rest)
		}
		w := rest[:end]
		rest = rest[end:]
		words++
		alone := words == 1 && strings.IndexFunc(rest, inName) < 0
		n.capital = alone || words > 1 && strings.IndexFunc(w, unicode.IsUpper) == 0
		n.folded = appendFolded(n.folded[:0], w)
		n.addWord(n.folded)
	}
	return n.found
}

func inName(r rune) bool    { return inWord(r) || r == '\'' || r == '’' }
func notInName(r rune) bool { return !inName(r) }

type names struct {
	t       *Tokenizer
	found   []string
	seen    map[string]bool
	capital bool // the word at hand is written as a name
	folded  []byte
	run     []byte
	at      []int // where the characters of run begin
}

func (n *names) add(b []byte) {
	if len(b) > 0 && !n.seen[string(b)] {
		n.addNew(string(b))
	}
}

func (n *names) addNew(s string) {
	if s != "" && !n.seen[s] {
		n.seen[s] = true
		n.found = append(n.found, s)
	}
}

// addWord cuts a word where its script changes.
func (n *names) addWord(w []byte) {
	for i := 0; i < len(w); {
		r, size := decode(w[i:])
		kind, j := classOf(r), i+size
		for j < len(w) {
			r, size := decode(w[j:])
			if c := classOf(r); c != kind && c != mark && c != nothing && (kind != letter || r != '\'' && r != '’') {
				break
			}
			j += size
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

func (n *names) addLetters(w []byte) {
	if bytes.Contains(w, []byte("’")) {
		w = bytes.ReplaceAll(w, []byte("’"), []byte("'"))
	}
	b, _ := bare(w)
	if len(b) == 0 || functionWord(b) && !n.capital {
		return
	}
	n.add(b)
	if first, _ := decode(b); first >= 0x400 && first <= 0x52F {
		stem, _ := n.t.stem(b)
		n.add(stem)
	}
}

func (n *names) addRun(w []byte) {
	n.run, n.at = n.run[:0], n.at[:0]
	for i := 0; i < len(w); {
		r, size := decode(w[i:])
		i += size
		n.at = append(n.at, len(n.run))
		n.run = utf8.AppendRune(n.run, simplified(r))
	}
	n.at = append(n.at, len(n.run))
	all, chars := string(n.run), len(n.at)-1 // its parts share its bytes
	if chars <= 12 {
		n.addNew(all)
	}
	for i := range chars {
		for l := 2; l <= 4 && i+l <= chars; l++ {
			n.addNew(all[n.at[i]:n.at[i+l]])
		}
	}
}
