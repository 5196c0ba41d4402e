package tokenize

import "unsafe"

// An Asker reads questions, and keeps its working memory from one to the next. It
// must not be used by two goroutines at once. The zero Asker is ready; from its
// second question on it remembers stems.
type Asker struct {
	t      Tokenizer
	text   string // the question at hand …
	folded []byte // … after folding

	terms []QueryTerm
	texts []byte // of terms
	at    map[termKey]int
	parts []int // by thing

	words, runs []byte // what AsksNumber looks at
	spelled     []byte // words of a date
	dates       []dateWord
	names       names
}

// askedCache is how many stems an Asker remembers; a power of two.
const askedCache = 1 << 10

// read folds a question once for all that look at it.
func (a *Asker) read(text string) {
	if a.text != text || len(a.folded) == 0 {
		a.text, a.folded = text, appendFolded(a.folded[:0], text)
	}
}

// view gives bytes that will not change, or not as long as it is used, as a string.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
