package tokenize

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// yieldWord yields what one word is found by: its stem, the looser forms of it
// and its letter pieces.
func (t *Tokenizer) yieldWord(w []byte) {
	w, tail := bare(w)
	if len(w) == 0 {
		return
	}
	t.function = t.asking && functionWord(w)
	t.light = t.asking && lightWord(w)
	if !t.within {
		t.next()
	}
	stem, short := t.stem(w)
	if t.plain && len(short) > 0 && stem[0] >= 0x80 {
		stem, short = short, nil
	}
	t.emit(Word, stem)
	if t.plain {
		return
	}
	t.variant = true
	if len(short) > 0 {
		t.emit(Word, short)
	}
	if len(tail) > 0 {
		s, _ := t.stem(tail)
		t.emit(Word, s)
	}
	if p := t.unaccented(w); len(p) > 0 {
		s, _ := t.stem(p)
		t.emit(Word, s)
	}
	t.variant = false
	t.yieldLetters(w)
}

// next begins the next thing that is asked for.
func (t *Tokenizer) next() {
	t.things++
	t.thing, t.need = t.things, 0
}

// bare takes the English endings off a word with an apostrophe (ann's → ann) and
// the apostrophe out of any other (don't → dont, o'brien → obrien); tail is the
// word behind a short beginning, as in l'amour. The bytes of w are used.
func bare(w []byte) (word, tail []byte) {
	i := bytes.IndexByte(w, '\'')
	if i < 0 {
		return w, nil
	}
	switch string(w[i+1:]) {
	case "s", "ve", "re", "ll", "d", "m":
		return w[:i], nil
	}
	word = w[:i]
	for _, c := range w[i+1:] {
		if c != '\'' {
			word = append(word, c)
		}
	}
	if i <= 2 && len(word) == len(w)-1 && len(word)-i > 2 {
		tail = word[i:]
	}
	return word, tail
}

// unaccented gives a Latin or Greek word without its diacritics, nil if it has
// none: Zoë is also found by zoe.
func (t *Tokenizer) unaccented(w []byte) []byte {
	i := 0
	for i < len(w) && w[i] < utf8.RuneSelf {
		i++
	}
	if i == len(w) || w[i] >= 0xD0 && w[i] <= 0xE0 { // ASCII, or Cyrillic to Thai
		return nil
	}
	out := t.gram[:0]
	changed := false
	for len(w) > 0 {
		r, n := decode(w)
		b := r
		switch {
		case r < utf8.RuneSelf:
		case r == 'ø':
			b = 'o'
		case r == 'ł':
			b = 'l'
		case r == 'đ' || r == 'ð':
			b = 'd'
		case r == 'ı':
			b = 'i'
		case r == 'æ':
			out = append(out, 'a')
			b = 'e'
		case r == 'œ':
			out = append(out, 'o')
			b = 'e'
		case unicode.Is(unicode.Latin, r) || unicode.Is(unicode.Greek, r):
			if d := norm.NFD.Properties(w).Decomposition(); d != nil {
				b, _ = utf8.DecodeRune(d)
			}
		default:
			return nil
		}
		changed = changed || b != r
		out = utf8.AppendRune(out, b)
		w = w[n:]
	}
	t.gram = out
	if !changed {
		return nil
	}
	return out
}

// yieldLetters yields every run of four letters of ^word$, so that other forms
// and misspellings of a word share some. Words with digits have none.
func (t *Tokenizer) yieldLetters(w []byte) {
	if hasDigit(w) {
		return
	}
	t.gram = append(append(append(t.gram[:0], '^'), w...), '$')
	g := t.gram
	t.at = t.at[:0]
	for i := range g {
		if utf8.RuneStart(g[i]) {
			t.at = append(t.at, i)
		}
	}
	t.at = append(t.at, len(g))
	if len(t.at) <= 4 {
		t.emit(Letters, g)
	}
	for i := 0; i+4 < len(t.at); i++ {
		t.emit(Letters, g[t.at[i]:t.at[i+4]])
	}
}
