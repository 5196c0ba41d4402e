package index_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plastic/internal/index"
	"plastic/tokenize"
)

func different(stems []string) []string {
	stems = slices.Clone(stems)
	slices.Sort(stems)
	return slices.Compact(stems)
}

func TestOverlapsAreThoseOfACountOverAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := aStore(t)
		ix := index.Build(list(s), day).With(anEdit(t, s))
		stems := different(tokenize.Stems(text().Draw(t, "text")))
		least := rapid.Float64Range(0.05, 1).Draw(t, "least")
		want := map[string]float64{}
		for id, m := range s {
			both, own := 0, different(tokenize.Stems(m.Content))
			for _, stem := range own {
				if slices.Contains(stems, stem) {
					both++
				}
			}
			if j := float64(both) / float64(len(own)+len(stems)-both); m.Live(day) && j >= least {
				want[id] = j
			}
		}
		got := ix.Overlaps(stems, least)
		for _, m := range got {
			if id := ix.Signals(m.Ref).ID; want[id] != m.Jaccard {
				t.Fatalf("%s has %v, counted %v", id, m.Jaccard, want[id])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d overlap, counted %d", len(got), len(want))
		}
	})
}
