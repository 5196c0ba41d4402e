package tokenize_test

import (
	"fmt"
	"maps"
	"testing"

	"plastic/tokenize"
)

// made is what pieces were made of, by piece.
type made struct {
	terms, stems map[string][]string
	t            tokenize.Tokenizer
}

// count gives the terms and stems of a text, each with how often it is there,
// and makes those of a piece once.
func (m *made) count(text string) (terms, stems map[string]int) {
	terms, stems = map[string]int{}, map[string]int{}
	var pieces []string
	at := ""
	m.t.Pieces(text, func(piece []byte) bool {
		at = string(piece)
		pieces = append(pieces, at)
		_, known := m.terms[at]
		if !known {
			m.terms[at], m.stems[at] = nil, nil
		}
		return known
	}, func(f tokenize.Field, term []byte) {
		m.terms[at] = append(m.terms[at], fmt.Sprint(f, string(term)))
	}, func(_ tokenize.Field, term []byte) {
		m.stems[at] = append(m.stems[at], string(term))
	})
	for _, p := range pieces {
		for _, s := range m.terms[p] {
			terms[s]++
		}
		for _, s := range m.stems[p] {
			stems[s]++
		}
	}
	return terms, stems
}

func samePieces(t *testing.T, m *made, text string) {
	terms, stems := m.count(text)
	wantTerms, wantStems := map[string]int{}, map[string]int{}
	tokenize.Terms(text, func(f tokenize.Field, term []byte) { wantTerms[fmt.Sprint(f, string(term))]++ })
	for _, s := range tokenize.Stems(text) {
		wantStems[s]++
	}
	if !maps.Equal(terms, wantTerms) {
		t.Errorf("%q in pieces has the terms %v, want %v", text, terms, wantTerms)
	}
	if !maps.Equal(stems, wantStems) {
		t.Errorf("%q in pieces has the stems %v, want %v", text, stems, wantStems)
	}
}

func TestPiecesHaveTheTermsAndStemsOfTheText(t *testing.T) {
	m := &made{terms: map[string][]string{}, stems: map[string][]string{}}
	for range 2 { // the second time every piece is known
		for _, c := range corpora {
			samePieces(t, m, c.text)
		}
		for _, text := range []string{"don't l'amour ann's O'Brien", "5\u200d's 5's", "C++17 c++ A+ 50% 1,000 v2.1 U.S.A. @name/#tag", "가나다 가 나", "ゐ゛が", "大肥魚 魚 大", "👍🏽👨‍👩‍👧", "ก็ำ", ""} {
			samePieces(t, m, text)
		}
	}
}

// FuzzPieces states that a text's terms and stems are those of its pieces, also
// where the piece was met in another text before.
func FuzzPieces(f *testing.F) {
	f.Add("don't e-mail", "don't mail 大肥魚")
	f.Add("5\u200d's", "5's")
	f.Fuzz(func(t *testing.T, a, b string) {
		m := &made{terms: map[string][]string{}, stems: map[string][]string{}}
		samePieces(t, m, a)
		samePieces(t, m, b)
		samePieces(t, m, a)
	})
}
