package tokenize

import (
	"hash/maphash"
	"unicode/utf8"
)

// Weights of query terms. Function words are never left out (that costs one to
// two points of recall) and never count as much as what is asked about.
const (
	contentWeight  = 1.0
	functionWeight = 0.3
	variantWeight  = 0.5 // of a looser form, on top of what it is a form of
)

// A QueryTerm is one term to look for.
type QueryTerm struct {
	Field    Field
	Text     string
	Weight   float64 // times it is asked for × 1, or × 0.3 for function words, × 0.5 for looser forms
	Function bool    // says nothing about the subject: can not be evidence

	// Light marks a word that frames the question (type, favourite, спасибо, 喜欢): it
	// is evidence, but little.
	Light bool

	// Thing numbers what is asked for from 1 on: terms with the same number are
	// forms of one word or identifier, any of which names it. 0 is a term that names
	// nothing by itself: function words, letter pieces, single kana, the C of C++.
	Thing int
	// Parts is 0 for a term that names its thing alone. A part of an identifier with
	// digits (qx and 77 of QX-77) or a pair of characters of a longer katakana word
	// names it only where so many different parts of the thing stand together.
	Parts int
	// Sentence numbers the sentences of the text, rising; that of the first time.
	Sentence int
}

// Query is Asker.Query for a single text.
func Query(text string) []QueryTerm { return new(Asker).Query(text) }

// Query gives the terms of a question or a message, each once, in order of
// appearance. Question words, pronouns and other function words (English,
// Russian, Chinese, Cantonese, Japanese, Korean) weigh less and are marked. Each
// term says what it names, see Thing. A query without terms gives none.
func (a *Asker) Query(text string) []QueryTerm {
	a.read(text)
	a.begin()
	a.t.scan(a.folded)
	out := a.terms
	a.countParts()
	a.terms, a.texts = nil, nil // they are the caller's
	return out
}

// termKey is a term of a question.
type termKey struct {
	field Field
	text  string
}

// begin prepares for the terms of a text.
func (a *Asker) begin() {
	t := &a.t
	if t.yield == nil {
		t.asking, t.yield, a.at = true, a.term, map[termKey]int{}
	} else if t.cache == nil {
		t.cache, t.seed = make([]stemmed, askedCache), maphash.MakeSeed()
	}
	t.function, t.light, t.variant, t.within = false, false, false, false
	t.thing, t.things, t.need, t.sentence = 0, 0, 0, 0
	clear(a.at)
	n := len(a.folded)
	a.terms, a.texts = make([]QueryTerm, 0, min(8+n, 256)), make([]byte, 0, min(8*n, 4<<10))
}

// term takes the next term of a question.
func (a *Asker) term(f Field, term []byte) {
	t := &a.t
	w := contentWeight
	if t.variant {
		w = variantWeight
	}
	if t.function {
		w = functionWeight
	}
	thing := t.thing
	if t.function || f == Letters || t.variant && t.need > 0 {
		thing = 0
	}
	i, ok := a.at[termKey{f, string(term)}]
	if !ok {
		i = len(a.terms)
		from := len(a.texts)
		a.texts = append(a.texts, term...)
		text := view(a.texts[from:])
		a.at[termKey{f, text}] = i
		a.terms = append(a.terms, QueryTerm{Field: f, Text: text, Function: true, Light: true, Sentence: t.sentence})
	}
	q := &a.terms[i]
	q.Weight += w
	q.Function = q.Function && t.function
	q.Light = q.Light && t.light
	if thing != 0 && (q.Thing == 0 || q.Parts > 0 && t.need == 0) {
		q.Thing, q.Parts = thing, t.need
	}
}

// countParts lowers the parts that a thing needs to the different ones it has:
// 10.0.0.7 has three.
func (a *Asker) countParts() {
	a.parts = append(a.parts[:0], make([]int, a.t.things+1)...)
	for i := range a.terms {
		if q := &a.terms[i]; q.Parts > 0 {
			a.parts[q.Thing]++
		}
	}
	for i := range a.terms {
		if q := &a.terms[i]; q.Parts > 0 {
			q.Parts = min(q.Parts, a.parts[q.Thing])
		}
	}
}

// Functional reports whether a term (of Word, Bigram or Single) is a function
// word, or made of such.
func Functional(term string) bool {
	if term == "" {
		return false
	}
	w := []byte(term)
	if r, _ := utf8.DecodeRune(w); classOf(r) != han {
		return functionWord(w) || functionStem(term)
	}
	at := make([]int, 0, len(w)/2)
	for i := range term {
		at = append(at, i)
	}
	for _, content := range contentHan(w, at, nil) {
		if content {
			return false
		}
	}
	return true
}
