package tokenize

import (
	"hash/maphash"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
)

const (
	cacheSize = 1 << 13 // a power of two; a store's everyday vocabulary
	cacheWord = 32      // longest word and stem kept, in bytes

	// longestStemmed is the longest word that is stemmed, in bytes: of a longer one a term
	// is cut off long before the endings that a stem is without. Stemming takes the square
	// of a word's length, and what is pasted may be one word.
	longestStemmed = 2 * maxTerm
)

// stemmed is a word and its stems, in place so that a full cache is one block.
type stemmed struct {
	n, m, k           uint8 // lengths; n = 0 is an empty entry
	word, stem, short [cacheWord]byte
}

// stem gives a word's stem, and short, if it has one: the form of a Russian stem
// without its fleeting vowel (кошек → кошк), or the stem of an English form's other
// reading (lives → live, life).
func (t *Tokenizer) stem(w []byte) (stem, short []byte) {
	if len(w) > longestStemmed {
		return w, nil
	}
	if len(t.cache) == 0 || len(w) > cacheWord {
		return t.stemAnew(w)
	}
	e := &t.cache[maphash.Bytes(t.seed, w)&uint64(len(t.cache)-1)]
	if e.n == uint8(len(w)) && string(e.word[:e.n]) == string(w) {
		return e.stem[:e.m], e.short[:e.k]
	}
	stem, short = t.stemAnew(w)
	if len(stem) <= cacheWord {
		e.n, e.m, e.k = uint8(len(w)), uint8(len(stem)), uint8(len(short))
		copy(e.word[:], w)
		copy(e.stem[:], stem)
		copy(e.short[:], short)
	}
	return stem, short
}

func (t *Tokenizer) stemAnew(w []byte) (stem, short []byte) {
	r, _ := utf8.DecodeRune(w)
	switch {
	case r >= 'a' && r <= 'z', r >= 0xE0 && r <= 0x24F:
		if other := also(string(w)); other != "" {
			t.env.SetCurrent(other)
			english.Stem(&t.env)
			short = []byte(t.env.Current())
		}
		t.env.SetCurrent(base(string(w)))
		english.Stem(&t.env)
		return []byte(t.env.Current()), short
	case r >= 0x400 && r <= 0x52F:
		t.env.SetCurrent(russianBase(string(w)))
		russian.Stem(&t.env)
		s := t.env.Current()
		return []byte(s), withoutVowel(s)
	default:
		return w, nil
	}
}

// withoutVowel drops the fleeting о or е of a Russian stem before its last
// consonant, nil if it has none. The consonants are those before which vowels
// flee (-ок, -ек, -ец, -ен, -ол, -ер, -ов); a vowel must be left,
// else a short word would lose itself: стол is no стл.
func withoutVowel(stem string) []byte {
	r := []rune(stem)
	n := len(r)
	if n < 4 || r[n-2] != 'о' && r[n-2] != 'е' || !fleeting(r[n-1]) || !consonant(r[n-3]) {
		return nil
	}
	left := false
	for _, v := range r[:n-3] {
		left = left || vowel(v)
	}
	if !left {
		return nil
	}
	return []byte(string(r[:n-2]) + string(r[n-1]))
}

func fleeting(r rune) bool {
	switch r {
	case 'к', 'ц', 'н', 'л', 'р', 'в':
		return true
	}
	return false
}

func vowel(r rune) bool {
	switch r {
	case 'а', 'е', 'и', 'о', 'у', 'ы', 'э', 'ю', 'я':
		return true
	}
	return false
}

func consonant(r rune) bool {
	return r >= 'а' && r <= 'я' && !vowel(r) && r != 'ъ' && r != 'ь' && r != 'й'
}
