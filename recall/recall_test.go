package recall_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/recall"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clear is evidence that passes any bar of the tests.
var clear = recall.Evidence{Own: 1, Share: 1}

func ids(r recall.Ranking) (out []string) {
	for _, s := range r.Kept {
		out = append(out, s.ID)
	}
	return out
}

func TestFormulasGiveTheSeedsNumbers(t *testing.T) {
	strong := recall.Candidate{ID: "strong", Raw: 4, Evidence: clear, Importance: 0.5, Clarity: 0.2}
	weak := recall.Candidate{ID: "weak", Raw: 3, Evidence: clear, Importance: 1, Clarity: 0.9, RecallCount: 3, Anchor: true, AgeDays: 21}
	for _, c := range []struct {
		formula      recall.Formula
		strong, weak float64
	}{
		// p = .44·.2 + .32·.5 = .248; 1·(1 + .2·(.496 − 1)) = .8992
		// p = .44·.9 + .32·1 + .14·3/(3+3) + .10 = .886; .75·(1 + .2·(1.772 − 1)) = .8658
		{recall.Bounded, 0.8992, 0.8658},
		// .50/(1+0) + .22·.2 + .16·.5 = .624
		// .50/(1+.1) + .22·.9 + .16·1 + .07·.5 + .05 = .8975454545
		{recall.Mixture, 0.624, 0.50/1.1 + 0.443},
		// 1 × (.35 + .65·1) × (3/3) × 1 = 1
		// .75 × (.35 + .65·.5) × (5/3) × (1 + .1·ln 4) = .84375 × 1.1386294361
		{recall.Product, 1, 0.84375 * (1 + 0.1*math.Log(4))},
	} {
		r := recall.Rank([]recall.Candidate{weak, strong}, recall.Params{Formula: c.formula, PromotionCount: 3, HalfLifeDays: 21})
		for _, s := range r.Kept {
			want := map[string]float64{"strong": c.strong, "weak": c.weak}[s.ID]
			if math.Abs(s.Score-want) > 1e-9 {
				t.Errorf("%s gives %s %.10f, want %.10f", c.formula, s.ID, s.Score, want)
			}
		}
	}
}

func TestEventsAgeFasterInTheProduct(t *testing.T) {
	// A quarter of the half-life at four times the speed is one half-life.
	r := recall.Rank([]recall.Candidate{{Raw: 1, Evidence: clear, Importance: 0.5, AgeDays: 5.25, Fade: 4}},
		recall.Params{Formula: recall.Product, HalfLifeDays: 21})
	if got := r.Kept[0].Score; math.Abs(got-0.675) > 1e-9 { // .35 + .65/2
		t.Errorf("score %v, want 0.675", got)
	}
}

func TestOfEqualsTheNewerComesFirstThenTheSmallerID(t *testing.T) {
	c := []recall.Candidate{
		{ID: "b", Raw: 1, Evidence: clear, CreatedAt: day}, {ID: "a", Raw: 1, Evidence: clear, CreatedAt: day},
		{ID: "c", Raw: 1, Evidence: clear, CreatedAt: day.Add(time.Hour)},
	}
	if got := ids(recall.Rank(c, recall.Params{})); !slices.Equal(got, []string{"c", "a", "b"}) {
		t.Errorf("order %v", got)
	}
}

func TestWhatIsDroppedSaysWhy(t *testing.T) {
	c := []recall.Candidate{
		{Ref: 0, ID: "best", Raw: 10, Evidence: clear}, {Ref: 1, ID: "twin", Raw: 9, Evidence: clear},
		{Ref: 2, ID: "second", Raw: 8, Evidence: clear}, {Ref: 3, ID: "third", Raw: 7, Evidence: clear},
		{Ref: 4, ID: "faint", Raw: 1.49, Evidence: clear}, {Ref: 5, ID: "words", Raw: 20},
	}
	r := recall.Rank(c, recall.Params{Floor: 0.15, Limit: 2, Explain: true,
		Same: func(a, b int) bool { return a == 0 && b == 1 }})
	if got := ids(r); !slices.Equal(got, []string{"best", "second"}) {
		t.Fatalf("kept %v", got)
	}
	want := []recall.Dropped{
		{Ref: 1, ID: "twin", Relevance: 0.9, Reason: recall.Repeats, Of: "best"},
		{Ref: 3, ID: "third", Relevance: 0.7, Reason: recall.OverLimit},
		{Ref: 4, ID: "faint", Relevance: 0.149, Reason: recall.OverLimit},
		{Ref: 5, ID: "words", Reason: recall.NoEvidence},
	}
	if !slices.Equal(r.Dropped, want) {
		t.Errorf("dropped %+v", r.Dropped)
	}
	if r.Kept[0].Parts.Get("relevance") != 1 || r.Kept[0].Parts.Get("proof") != 10 {
		t.Errorf("parts %v", r.Kept[0].Parts)
	}
}

func TestTheFloorCutsLast(t *testing.T) {
	// The faint one is under the floor although its importance lifts it over the other.
	c := []recall.Candidate{{ID: "best", Raw: 10, Evidence: clear}, {ID: "faint", Raw: 1.4, Evidence: clear, Importance: 1, Clarity: 1, Anchor: true}}
	for _, f := range []recall.Formula{recall.Bounded, recall.Mixture, recall.Product} {
		if got := ids(recall.Rank(c, recall.Params{Formula: f, Floor: 0.15})); !slices.Equal(got, []string{"best"}) {
			t.Errorf("%s keeps %v", f, got)
		}
	}
}

func TestNothingIsSaidWhereLittleSpeaksForIt(t *testing.T) {
	thin := []recall.Candidate{{ID: "a", Raw: 2, Evidence: recall.Evidence{Own: 0.1, Share: 0.22}}}
	if got := ids(recall.Rank(thin, recall.Params{})); got != nil { // 2 × 0.22 < 0.45
		t.Errorf("a thin match answers: %v", got)
	}
	if got := ids(recall.Rank(thin, recall.Params{Bar: recall.Bar{Proof: 0.3}})); len(got) != 1 {
		t.Errorf("a lower bar does not let it pass: %v", got)
	}
	// One that passes the bar opens the door for the others that share something.
	if got := ids(recall.Rank(append(thin, recall.Candidate{ID: "b", Raw: 2, Evidence: clear}), recall.Params{})); len(got) != 2 {
		t.Errorf("kept %v", got)
	}
}

func TestWhatHasAllThatIsAskedForAnswersHoweverCommonTheWords(t *testing.T) {
	c := []recall.Candidate{{ID: "a", Raw: 0.05, Evidence: recall.Evidence{Own: 1, Share: 1}}}
	if got := ids(recall.Rank(c, recall.Params{})); len(got) != 1 {
		t.Errorf("kept %v", got)
	}
}

func TestNeighboursAloneMustSayMore(t *testing.T) {
	c := []recall.Candidate{
		{ID: "best", Raw: 10, Evidence: clear},
		{ID: "near", Raw: 3.1, Evidence: recall.Evidence{Share: 1}},
		{ID: "beside", Raw: 2.9, Evidence: recall.Evidence{Share: 1}},
		{ID: "own", Raw: 2, Evidence: recall.Evidence{Own: 0.1, Share: 1}},
	}
	r := recall.Rank(c, recall.Params{Floor: 0.15, Explain: true})
	if got := ids(r); !slices.Equal(got, []string{"best", "near", "own"}) {
		t.Errorf("kept %v", got)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Reason != recall.Borrowed {
		t.Errorf("dropped %+v", r.Dropped)
	}
}

// anyCandidates draws candidates with ids a, b, c …
func anyCandidates(t *rapid.T) []recall.Candidate {
	c := make([]recall.Candidate, rapid.IntRange(0, 60).Draw(t, "n"))
	for i := range c {
		c[i] = recall.Candidate{
			Ref: i, ID: string(rune('a' + i)), CreatedAt: day.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "created")) * time.Hour),
			Raw:        float64(rapid.IntRange(0, 20).Draw(t, "raw")),
			Evidence:   recall.Evidence{Own: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "own"), Share: rapid.SampledFrom([]float64{0, 0.1, 0.5, 1}).Draw(t, "share")},
			Importance: rapid.Float64Range(0, 1).Draw(t, "importance"), Clarity: rapid.Float64Range(0, 1).Draw(t, "clarity"),
			RecallCount: rapid.IntRange(0, 9).Draw(t, "recalls"), Anchor: rapid.Bool().Draw(t, "anchor"),
			AgeDays: rapid.Float64Range(0, 400).Draw(t, "age"),
		}
	}
	return c
}

func anyParams(t *rapid.T) recall.Params {
	return recall.Params{
		Formula: rapid.SampledFrom([]recall.Formula{recall.Bounded, recall.Mixture, recall.Product}).Draw(t, "formula"),
		Floor:   0.15, Limit: rapid.IntRange(0, 12).Draw(t, "limit"), PromotionCount: 3, HalfLifeDays: 21,
	}
}

func TestOrderOfCandidatesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p := anyCandidates(t), anyParams(t)
		want := ids(recall.Rank(c, p))
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		if got := ids(recall.Rank(c, p)); !slices.Equal(got, want) {
			t.Fatalf("%v, before shuffling %v", got, want)
		}
	})
}

func TestReachLeavesNothingOutThatCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p := anyCandidates(t), anyParams(t)
		head, within := p.Reach()
		if head == 0 {
			return
		}
		var raws []float64
		for _, x := range c {
			if x.Evidence.Share > 0 && x.Evidence.Own > 0 {
				raws = append(raws, x.Raw)
			}
		}
		slices.SortFunc(raws, func(a, b float64) int { return int(b - a) })
		if len(raws) < head {
			return
		}
		var kept []recall.Candidate
		for _, x := range c {
			if x.Raw >= within*raws[head-1] {
				kept = append(kept, x)
			}
		}
		if got, want := ids(recall.Rank(kept, p)), ids(recall.Rank(c, p)); !slices.Equal(got, want) {
			t.Fatalf("%v, with all %v", got, want)
		}
	})
}

func TestEnoughIsWhatAllWouldGive(t *testing.T) {
	enough := 0
	rapid.Check(t, func(t *rapid.T) {
		c, p := anyCandidates(t), anyParams(t)
		slices.SortFunc(c, func(a, b recall.Candidate) int { return cmp.Compare(b.Raw, a.Raw) })
		if len(c) < 2 {
			return
		}
		n := rapid.IntRange(1, len(c)-1).Draw(t, "looked at")
		part := recall.Rank(c[:n], p)
		if !p.Enough(part, c[n].Raw) {
			return
		}
		enough++
		all := recall.Rank(c, p)
		if !slices.Equal(ids(part), ids(all)) {
			t.Fatalf("%v of %d, with all %v", ids(part), n, ids(all))
		}
		for i := range all.Kept {
			if all.Kept[i].Score != part.Kept[i].Score {
				t.Fatalf("%+v, with all %+v", part.Kept[i], all.Kept[i])
			}
		}
	})
	if enough < 3 {
		t.Errorf("it was enough %d times only", enough)
	}
}

func TestScoresStayInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p := anyCandidates(t), anyParams(t)
		p.Explain = true
		r := recall.Rank(c, p)
		if len(r.Kept)+len(r.Dropped) != len(c) {
			t.Fatalf("%d kept, %d dropped of %d", len(r.Kept), len(r.Dropped), len(c))
		}
		for i, s := range r.Kept {
			if s.Relevance < 0.15 || s.Relevance > 1 || math.IsNaN(s.Score) || s.Score <= 0 || s.Score > 3 {
				t.Fatalf("%+v", s)
			}
			if i > 0 && s.Score > r.Kept[i-1].Score {
				t.Fatalf("not in order at %d", i)
			}
		}
	})
}
