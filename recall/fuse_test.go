package recall_test

import (
	"math"
	"slices"
	"testing"

	"plastic/recall"
)

func TestScaleTakesTheRangeOfCosinesToZeroToOne(t *testing.T) {
	for _, c := range []struct{ cos, zero, one, want float64 }{
		{0.4, 0.4, 1, 0}, {1, 0.4, 1, 1}, {0.7, 0.4, 1, 0.5}, {0.1, 0.4, 1, 0}, {-1, 0.4, 1, 0}, {1.2, 0.4, 1, 1},
		{0.5, 0.6, 0.6, 0}, {0.7, 0.6, 0.6, 1}, {math.NaN(), 0.4, 1, 0},
	} {
		if got := recall.Scale(c.cos, c.zero, c.one); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Scale(%v, %v, %v) = %v, want %v", c.cos, c.zero, c.one, got, c.want)
		}
	}
}

// three answers: by words alone, by vectors alone, by both a little.
func three() []recall.Candidate {
	return []recall.Candidate{
		{Ref: 0, ID: "words", Raw: 2, Evidence: clear, HasVector: true, Closeness: 0},
		{Ref: 1, ID: "vector", HasVector: true, Closeness: 0.8},
		{Ref: 2, ID: "both", Raw: 1.6, Evidence: clear, HasVector: true, Closeness: 0.6},
		{Ref: 3, ID: "neither", HasVector: true, Closeness: 0.29},
		{Ref: 4, ID: "unread", Raw: 1, Evidence: clear},
	}
}

func relevances(r recall.Ranking) map[string]float64 {
	out := map[string]float64{}
	for _, k := range r.Kept {
		out[k.ID] = k.Relevance
	}
	return out
}

func TestBlendIsHalfWordsHalfCloseness(t *testing.T) {
	r := recall.Rank(three(), recall.Params{Semantic: true, Floor: 0.15})
	want := map[string]float64{"words": 0.5, "vector": 0.4, "both": 0.7, "unread": 0.5}
	got := relevances(r)
	if len(got) != len(want) {
		t.Fatalf("answers %v, want %v", got, want)
	}
	for id, x := range want {
		if math.Abs(got[id]-x) > 1e-12 {
			t.Errorf("%s has relevance %v, want %v", id, got[id], x)
		}
	}
	if r.Kept[0].ID != "both" {
		t.Errorf("the first is %s, want the one that words and vectors agree on", r.Kept[0].ID)
	}
}

func TestClosenessAloneMustReachThirty(t *testing.T) {
	for _, c := range []struct {
		close float64
		want  int
	}{{0.29, 0}, {0.3, 1}} {
		r := recall.Rank([]recall.Candidate{{ID: "a", HasVector: true, Closeness: c.close}}, recall.Params{Semantic: true, Floor: 0.15})
		if len(r.Kept) != c.want {
			t.Errorf("closeness %v gives %d answers, want %d", c.close, len(r.Kept), c.want)
		}
	}
	r := recall.Rank([]recall.Candidate{{ID: "a", HasVector: true, Closeness: 0.9}}, recall.Params{})
	if len(r.Kept) != 0 {
		t.Error("closeness counts although the question was not embedded")
	}
}

func TestFloorIsMeasuredByTheBestBlend(t *testing.T) {
	cs := []recall.Candidate{
		{ID: "best", HasVector: true, Closeness: 0.4},                                            // .2
		{ID: "near", Raw: 1, Evidence: clear, HasVector: true, Closeness: 0.0},                   // .5
		{ID: "far", Raw: 0.1, Evidence: recall.Evidence{Own: 0.1, Share: 0.1}, HasVector: true},  // .05
		{ID: "over", Raw: 0.2, Evidence: recall.Evidence{Own: 0.1, Share: 0.1}, HasVector: true}, // .1
	}
	r := recall.Rank(cs, recall.Params{Semantic: true, Floor: 0.15})
	if got := ids(r); !slices.Equal(got, []string{"near", "best", "over"}) {
		t.Errorf("answers %v: under .15 × .5 is only far", got)
	}
}

func TestWhatIsDroppedTellsHowNearItIs(t *testing.T) {
	r := recall.Rank([]recall.Candidate{
		{ID: "near", HasVector: true, Closeness: 0.9}, {ID: "far", HasVector: true, Closeness: 0.2}, {ID: "unread"},
	}, recall.Params{Semantic: true, Floor: 0.15, Explain: true})
	near := map[string]float64{}
	for _, d := range r.Dropped {
		near[d.ID] = d.Closeness
	}
	if len(near) != 2 || near["far"] != 0.2 || near["unread"] != 0 {
		t.Errorf("dropped %+v", r.Dropped)
	}
}

func TestRRFOrdersByRanksInBothLists(t *testing.T) {
	r := recall.Rank(three(), recall.Params{Semantic: true, Fusion: recall.RRF, Floor: 0.15})
	// words: words 1, both 2, unread 3; vectors: vector 1, both 2 (words has none: 0).
	if got := ids(r); got[0] != "both" {
		t.Errorf("order %v, want both first: 1/62 + 1/62 is most", got)
	}
	if got := relevances(r)["both"]; math.Abs(got-0.7) > 1e-12 {
		t.Errorf("relevance %v, want the blend 0.7", got)
	}
	if parts := r.Kept[0].Parts; math.Abs(parts.Get("relevance")-0.7) > 1e-12 || parts.Get("order") != 1 {
		t.Errorf("parts %v, want the blend as relevance and the order beside it", parts)
	}
}

func TestRerankerOrdersTheHead(t *testing.T) {
	cs := []recall.Candidate{
		{Ref: 0, ID: "a", Raw: 3, Evidence: clear}, {Ref: 1, ID: "b", Raw: 2, Evidence: clear}, {Ref: 2, ID: "c", Raw: 1, Evidence: clear},
	}
	by := func(s ...float64) func([]int) []float64 {
		return func(refs []int) []float64 {
			var out []float64
			for _, r := range refs {
				out = append(out, s[r])
			}
			return out
		}
	}
	for _, c := range []struct {
		name string
		f    func([]int) []float64
		want []string
	}{
		{"scores of 0…1", by(0.2, 0.4, 0.9), []string{"c", "b", "a"}},
		{"logits", by(-3, -1, 2), []string{"c", "b"}},                      // σ: .047, .27, .88: a is under .15 of it
		{"all logits negative", by(-2, -1.5, -1), []string{"c", "b", "a"}}, // σ: .12 .18 .27
		{"one is no answer", by(0.9, 0.01, 0.8), []string{"a", "c"}},
		{"one not judged", by(math.NaN(), 1, 0.2), []string{"a", "b", "c"}},
		{"no number", by(math.Inf(1), 1, 2), []string{"a", "b", "c"}},
		{"nothing", func([]int) []float64 { return nil }, []string{"a", "b", "c"}},
		{"all zero", by(0, 0, 0), []string{"a", "b", "c"}},
	} {
		r := recall.Rank(cs, recall.Params{Floor: 0.15, Rerank: c.f})
		if got := ids(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWhatTheRerankerWasNotGivenStaysBehind(t *testing.T) {
	var cs []recall.Candidate
	for i := range 40 {
		cs = append(cs, recall.Candidate{Ref: i, ID: string(rune('A' + i)), Raw: 100 - float64(i), Evidence: clear})
	}
	given := 0
	r := recall.Rank(cs, recall.Params{Rerank: func(refs []int) []float64 {
		given = len(refs)
		out := make([]float64, len(refs))
		for i, ref := range refs {
			out[i] = float64(ref + 1)
		}
		return out
	}})
	if given != 30 || r.Kept[0].Ref != 29 || r.Kept[29].Ref != 0 || r.Kept[30].Ref != 30 {
		t.Errorf("%d were given; order %v", given, ids(r))
	}
}
