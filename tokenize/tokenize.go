// Package tokenize turns text into the terms plastic finds memories by. The same
// functions serve store, query, dedupe and clustering, so that what was written
// one way is found when asked another way: case, width, composed and decomposed
// letters, ё and е, traditional and simplified characters, word forms of English
// and Russian meet. It reads no file, keeps no state between calls and knows
// nothing of memories.
//
//	t := tokenize.New()
//	t.Terms("Lena keeps 2 cats, 大肥魚", func(f tokenize.Field, term []byte) { … })
//	for _, q := range tokenize.Query("who keeps cats?") { … }
//
// A text is folded (NFKC, lower case) and cut where the script changes.
//
//   - Words of alphabetic scripts give their stem (Field Word) and their letter
//     4-grams with edges (Field Letters): cats → cat; ^cat cats ats$.
//   - What holds together without blanks is a term as a whole and in parts, a
//     code of letters and digits without its hyphen too: QX-77 → qx-77, qx77, qx, 77.
//   - Han and kana, Thai, Lao, Khmer and Myanmar give pairs of neighbouring
//     characters (Field Bigram) and the characters alone (Field Single);
//     Hangul gives these and its words.
//   - An emoji is a word, a joined sequence is one.
package tokenize

import (
	"hash/maphash"

	"github.com/blevesearch/snowballstem"
)

// Field tells the kinds of terms apart. Each field is a BM25 of its own, and the
// scores are added with the fields' weights.
type Field uint8

// The fields. Fields is their number.
const (
	Word    Field = iota // stems, identifiers, numbers, emoji
	Bigram               // pairs of characters where words have no borders
	Single               // the characters of those scripts alone
	Letters              // letter 4-grams of words with their edges ^ and $
	Fields
)

// Weight is what a field's score counts, 0…1. Measured on public conversations
// in three languages: single characters and letter pieces help to rank what is
// found anyway, and must not outvote whole words.
func (f Field) Weight() float64 {
	switch f {
	case Single:
		return 0.4
	case Letters:
		return 0.2
	}
	return 1
}

// maxTerm is the longest term in bytes; longer words are cut there and longer
// identifiers are found by their parts only.
const maxTerm = 64

// A Tokenizer cuts texts into terms and remembers the stems of the words it met
// last, which more than doubles the speed of a long series of texts. It must not
// be used by two goroutines at once. The zero Tokenizer works and remembers
// nothing.
type Tokenizer struct {
	folded []byte // the text after folding
	run    []byte // the piece at hand, cleaned
	parts  []part // the words of an identifier at hand
	at     []int  // where the characters of the piece at hand begin
	gram   []byte // ^word$
	cache  []stemmed
	seed   maphash.Seed // of cache
	env    snowballstem.Env

	yield    func(f Field, term []byte)
	asking   bool // the text is a query: function words are looked for
	function bool // the term at hand says nothing about the subject
	light    bool // … tells little of it
	variant  bool // the term at hand is a looser form of the one before
	thing    int  // what the term at hand asks for, 0: nothing by itself; see QueryTerm
	things   int  // how many of them there were
	need     int  // … and with how many other terms of it
	sentence int  // how many ended before
	within   bool // the word at hand is part of an identifier
	plain    bool // no looser forms, no parts of identifiers, no letters: for Stems
	keep     []bool

	known        func(piece []byte) bool // of Pieces
	term, stemOf func(f Field, term []byte)
	piece        []byte // the piece at hand as known gets it
	whole        []byte // run as it was before its terms were made
}

// New gives a Tokenizer that remembers stems, about half a megabyte.
func New() *Tokenizer {
	return &Tokenizer{cache: make([]stemmed, cacheSize), seed: maphash.MakeSeed()}
}

// Terms calls yield for every term of a stored text, in the text's order,
// repeated ones too. The bytes belong to the Tokenizer and are valid during the
// call only; they are valid UTF-8, never empty, at most 64 bytes.
func (t *Tokenizer) Terms(text string, yield func(f Field, term []byte)) {
	t.yield = yield
	t.folded = appendFolded(t.folded[:0], text)
	t.scan(t.folded)
	t.yield = nil
}

// Terms is Tokenizer.Terms for a single text.
func Terms(text string, yield func(f Field, term []byte)) {
	var t Tokenizer
	t.Terms(text, yield)
}

// Stems lists the word stems and character bigrams of a text in order of
// appearance, with repeats and with function words: what Jaccard, order and
// containment of two texts are counted on. An identifier is one stem (so C++ is
// not C and v2.1 not v2.2), a compound of letters is its words.
func Stems(text string) []string {
	t := Tokenizer{plain: true}
	var out []string
	t.Terms(text, func(f Field, term []byte) {
		if f == Word || f == Bigram {
			out = append(out, string(term))
		}
	})
	return out
}
