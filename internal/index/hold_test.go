package index_test

import (
	"testing"

	"pgregory.net/rapid"

	"plastic/internal/index"
)

func TestHoldingGivesTheHitsThatHoldSoMuch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := aStore(t)
		ix := index.Build(list(s), day)
		for range rapid.IntRange(0, 2).Draw(t, "edits") {
			ix = ix.With(anEdit(t, s))
		}
		q := index.Ask(text().Draw(t, "query"), day).Informing(0)
		q.Off |= index.Message // of a message in pieces Holding gives each
		least := rapid.Float64Range(0.01, 1).Draw(t, "least")
		want := map[index.Ref]float64{}
		for _, h := range ix.Search(q).Hits {
			if h.Own >= least {
				want[h.Ref] = h.Own
			}
		}
		got := ix.Holding(q, least)
		for i, h := range got {
			if own, ok := want[h.Ref]; !ok || own != h.Own {
				t.Fatalf("%s holds %v, of Search %v", ix.Signals(h.Ref).ID, h.Own, own)
			}
			if i > 0 && h.Own > got[i-1].Own {
				t.Fatal("not the fullest first")
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d hits, Search has %d", len(got), len(want))
		}
		q.Head = 2
		if some := ix.Holding(q, least); len(some) != min(2, len(want)) {
			t.Fatalf("%d hits of %d where 2 are wanted", len(some), len(want))
		}
	})
}
