package index_test

import (
	"testing"

	"pgregory.net/rapid"

	"plastic/internal/index"
	"plastic/memory"
	"plastic/tokenize"
)

func TestWhatOverlapsMayOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := memory.Memory{ID: "a", Content: text().Draw(t, "a")}, memory.Memory{ID: "b", Content: text().Draw(t, "b")}
		if rapid.Bool().Draw(t, "alike") {
			b.Content = a.Content + text().Draw(t, "more")
		}
		ix := index.Build([]memory.Memory{a}, day).With([]memory.Memory{b}, nil)
		ra, _ := ix.Find("a")
		rb, _ := ix.Find("b")
		least := rapid.Float64Range(0.05, 1).Draw(t, "least")
		for _, m := range ix.Overlaps(tokenize.Stems(a.Content), least) {
			if m.Ref == rb && (!ix.MayOverlap(ra, rb, least) || !ix.MayOverlap(rb, ra, least)) {
				t.Fatalf("%q and %q overlap by %v and may not by %v", a.Content, b.Content, m.Jaccard, least)
			}
		}
	})
}

func TestTextsOfOtherWordsMayNotOverlap(t *testing.T) {
	ix := index.Build(invented(300), day)
	may := 0
	for a := range index.Ref(300) {
		for b := range a {
			if ix.MayOverlap(a, b, 0.7) {
				may++
			}
		}
	}
	if may > 300*299/2/20 {
		t.Errorf("%d of %d pairs may overlap", may, 300*299/2)
	}
}
