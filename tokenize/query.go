package tokenize

import "unicode/utf8"

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

// Query gives the terms of a question or a message, each once, in order of
// appearance. Question words, pronouns and other function words (English,
// Russian, Chinese, Cantonese, Japanese, Korean) weigh less and are marked. Each
// term says what it names, see Thing. A query without terms gives none.
func Query(text string) []QueryTerm {
	type key struct {
		field Field
		text  string
	}
	var out []QueryTerm
	at := map[key]int{}
	t := Tokenizer{asking: true}
	t.Terms(text, func(f Field, term []byte) {
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
		k := key{f, string(term)}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, QueryTerm{Field: f, Text: k.text, Function: true, Light: true, Sentence: t.sentence})
		}
		out[i].Weight += w
		out[i].Function = out[i].Function && t.function
		out[i].Light = out[i].Light && t.light
		if thing != 0 && (out[i].Thing == 0 || out[i].Parts > 0 && t.need == 0) {
			out[i].Thing, out[i].Parts = thing, t.need
		}
	})
	for i := range out {
		out[i].Parts = min(out[i].Parts, partsOf(out, out[i].Thing))
	}
	return out
}

// partsOf counts the different parts of a thing: 10.0.0.7 has three.
func partsOf(terms []QueryTerm, thing int) (n int) {
	for i := range terms {
		if terms[i].Thing == thing && terms[i].Parts > 0 {
			n++
		}
	}
	return n
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
