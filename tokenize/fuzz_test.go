package tokenize_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plastic/tokenize"
)

var seeds = []string{
	"", "Lena keeps 2 cats", "держит двух кошек, ёж и за́мок", "我對花生過敏，去年三月", "猫が好き ﾌﾟﾘﾝ か\u3099", "한국어 수업은", "ออกไปกินข้าว",
	"QX-77 C++ node.js v2.1 10.0.0.7 @name #tag 50% don't", "👨‍👩‍👧 👍🏽 🇩🇪", "Zoë Malmo\u0308 straße J\u030c İ ς", "a\u00ad\u200bb\ufe0f\u034f",
	"three days ago", "10月5日 三天前", "7-го мая 2022", "\xff\xfe\x80", "a'b''c'", "....", "'", "++--//", "1,000,000", "ё\u0300", "\u1100\u1161\u11a8",
}

func all(text string) []string {
	var out []string
	tokenize.Terms(text, func(f tokenize.Field, term []byte) { out = append(out, fmt.Sprint(f, " ", string(term))) })
	return out
}

// Terms are valid and bounded, and the same whatever the normal form.
func FuzzTermsDoNotDependOnTheNormalForm(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokenize.Terms(text, func(f tokenize.Field, term []byte) {
			if len(term) == 0 || len(term) > 64 || !utf8.Valid(term) || f >= tokenize.Fields {
				t.Fatalf("field %d, term %q", f, term)
			}
		})
		want := all(text)
		if again := all(text); !slices.Equal(want, again) {
			t.Fatalf("twice: %q, then %q", want, again)
		}
		if !utf8.ValidString(text) {
			return
		}
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if got := all(form.String(text)); !slices.Equal(got, want) {
				t.Fatalf("form %d gives %q, as written %q", form, got, want)
			}
		}
	})
}

// Folding twice is folding once, and does not depend on the normal form.
func FuzzFoldTwiceIsFoldOnce(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := tokenize.Fold(text)
		if twice := tokenize.Fold(once); twice != once {
			t.Fatalf("%q folds to %q, then to %q", text, once, twice)
		}
		if !utf8.ValidString(once) {
			t.Fatalf("%q folds to invalid %q", text, once)
		}
		if utf8.ValidString(text) && tokenize.Fold(norm.NFD.String(text)) != once {
			t.Fatalf("%q folds to %q, decomposed to %q", text, once, tokenize.Fold(norm.NFD.String(text)))
		}
	})
}

// A text is found by itself: every term of it is asked for. Nothing panics, and
// weights, spans and counts are sane.
func FuzzAQueryAsksForItsOwnTerms(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		asked := map[string]bool{}
		for _, q := range tokenize.Query(text) {
			k := fmt.Sprint(q.Field, " ", q.Text)
			if asked[k] || q.Weight < 0.3 {
				t.Fatalf("query term %+v", q)
			}
			asked[k] = true
		}
		have := map[string]bool{}
		for _, k := range all(text) {
			if have[k] = true; !asked[k] {
				t.Fatalf("%q is not asked for", k)
			}
		}
		if len(have) != len(asked) {
			t.Fatalf("%d terms, %d asked for", len(have), len(asked))
		}
		if s, ok := tokenize.Dates(text, now); ok != s.From.Before(s.To) {
			t.Fatalf("span %v, %v", s, ok)
		}
		if n := tokenize.Count(text); n < 0 || n == 0 && text != "" {
			t.Fatalf("%d tokens", n)
		}
		tokenize.Stems(text)
		tokenize.Names(text)
		tokenize.AsksNumber(text)
		tokenize.HasNumber(text)
		tokenize.Question(text)
	})
}
