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
}

// Query gives the terms of a question or a message, each once, in order of
// appearance. Question words, pronouns and other function words (English,
// Russian, Chinese, Cantonese, Japanese, Korean) weigh less and are marked. A
// query without terms gives none.
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
		k := key{f, string(term)}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, QueryTerm{Field: f, Text: k.text, Function: true})
		}
		out[i].Weight += w
		out[i].Function = out[i].Function && t.function
	})
	return out
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
