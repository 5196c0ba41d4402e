package index_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plastic/internal/index"
)

func TestLeadGivesTheHighestFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raws := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "raws")
		if rapid.Bool().Draw(t, "few values") {
			for i := range raws {
				raws[i] = float64(int(raws[i] * 4))
			}
		}
		hits := make([]index.Hit, len(raws))
		for i, raw := range raws {
			hits[i] = index.Hit{Ref: index.Ref(i), Raw: raw}
		}
		n := rapid.IntRange(0, len(raws)+2).Draw(t, "n")
		index.Lead(hits, n)
		slices.SortFunc(raws, func(a, b float64) int { return cmp.Compare(b, a) })
		refs := map[index.Ref]bool{}
		for i, h := range hits {
			refs[h.Ref] = true
			if i < n && h.Raw != raws[i] {
				t.Fatalf("hit %d has %v, want %v", i, h.Raw, raws[i])
			}
		}
		if len(refs) != len(raws) {
			t.Fatal("a hit is lost")
		}
	})
}

// What is read for the memories that can answer only is what a scan of all gives.
func TestAHitIsThatOfAScanOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := aStore(t)
		ix := index.Build(list(s), day)
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			ix = ix.With(anEdit(t, s))
		}
		sameAsScan(t, ix, text().Draw(t, "question"))
	})
	ix := index.Build(invented(3000), day)
	edited := ix.With(invented(3050)[2990:], []string{"m0000007", "m0001234"})
	for _, q := range questions(40) {
		sameAsScan(t, ix, q)
		sameAsScan(t, edited, q)
	}
}

func sameAsScan(t rapid.TB, ix *index.Index, question string) {
	q := index.Ask(question, day)
	got := ix.Search(q)
	q.Explain = true
	want := ix.Search(q)
	if len(got.Hits) != len(want.Hits) || got.Best != want.Best || got.Total != want.Total {
		t.Fatalf("%q: %d hits, best %v of %v; a scan finds %d, %v of %v", question, len(got.Hits), got.Best, got.Total, len(want.Hits), want.Best, want.Total)
	}
	for i, h := range got.Hits {
		w := want.Hits[i]
		w.Parts = nil
		if h.Ref != w.Ref || h.Raw != w.Raw || h.Own != w.Own || h.Share != w.Share {
			t.Fatalf("%q: hit %d is %+v, a scan says %+v", question, i, h, w)
		}
	}
}
