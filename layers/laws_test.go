package layers_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/layers"
	"plastic/memory"
)

// anyTime draws from the zero time to the end of year 9999 and beyond, most often near now.
func anyTime() *rapid.Generator[time.Time] {
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) time.Time {
			return now.Add(time.Duration(rapid.Int64Range(-400*24*3600, 10*24*3600).Draw(t, "seconds")) * time.Second)
		}),
		rapid.SampledFrom([]time.Time{{}, time.Unix(0, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
			time.Date(-200000, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1<<55, 0), time.Unix(-1<<55, 0)}),
	)
}

func anyMemory() *rapid.Generator[memory.Memory] {
	return rapid.Custom(func(t *rapid.T) memory.Memory {
		m := memory.Memory{
			ID:             rapid.StringMatching(`[a-z0-9]{1,4}`).Draw(t, "id"),
			Kind:           rapid.SampledFrom([]memory.Kind{"", memory.Fact, memory.Event, memory.Core, memory.Identity, "dream"}).Draw(t, "kind"),
			Importance:     rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64()).Draw(t, "importance"),
			Pinned:         rapid.IntRange(0, 9).Draw(t, "pinned") == 0,
			RecallCount:    rapid.IntRange(-1, 5).Draw(t, "recalls"),
			CreatedAt:      anyTime().Draw(t, "created"),
			LastRecalledAt: anyTime().Draw(t, "recalled"),
		}
		if rapid.IntRange(0, 5).Draw(t, "superseded") == 0 {
			m.SupersededBy = "x"
		}
		return m
	})
}

func anyParams() *rapid.Generator[layers.Params] {
	return rapid.Custom(func(t *rapid.T) layers.Params {
		return layers.Params{
			AnchorCount:          rapid.IntRange(0, 10).Draw(t, "anchors"),
			RecentCount:          rapid.IntRange(0, 14).Draw(t, "recents"),
			ImportanceThreshold:  rapid.Float64Range(0, 1.2).Draw(t, "threshold"),
			RecallPromotionCount: rapid.IntRange(0, 4).Draw(t, "promotion"),
			HalfLifeDays:         rapid.OneOf(rapid.Float64Range(0.1, 1000), rapid.SampledFrom([]float64{0, -1, math.NaN(), math.Inf(1)})).Draw(t, "half-life"),
			AgeFromCreated:       rapid.Bool().Draw(t, "from created"),
			Fade:                 map[memory.Kind]float64{memory.Event: rapid.OneOf(rapid.Float64Range(0, 10), rapid.Just(math.NaN())).Draw(t, "fade")},
		}
	})
}

func TestClarityIsAlwaysANumberFrom0To1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, p := anyMemory().Draw(t, "memory"), anyParams().Draw(t, "params")
		if age := layers.AgeDays(&m, p, now); !(age >= 0) {
			t.Fatalf("age is %v", age)
		}
		s := layers.Of(&m, rapid.Bool().Draw(t, "earliest"), rapid.Bool().Draw(t, "newest"), p, now)
		if !(s.Clarity >= 0 && s.Clarity <= 1) {
			t.Fatalf("clarity is %v", s.Clarity)
		}
		if s.Layer == layers.None && s.Clarity != 0 {
			t.Fatalf("a superseded memory has clarity %v", s.Clarity)
		}
	})
}

func TestNothingGrowsClearerByWaiting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, p := anyMemory().Draw(t, "memory"), anyParams().Draw(t, "params")
		earliest, newest := rapid.Bool().Draw(t, "earliest"), rapid.Bool().Draw(t, "newest")
		later := now.Add(time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "wait")) * time.Second)
		a, b := layers.Of(&m, earliest, newest, p, now), layers.Of(&m, earliest, newest, p, later)
		if b.Clarity > a.Clarity {
			t.Fatalf("clarity rose from %v to %v", a.Clarity, b.Clarity)
		}
		if (a.Layer == layers.Anchor || a.Layer == layers.Important) && a != b {
			t.Fatalf("%s changed from %v to %v by waiting", a.Layer, a, b)
		}
	})
}

func TestStandPlacesWhatItIsTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := rapid.SliceOfN(anyMemory(), 0, 40).Draw(t, "memories"), anyParams().Draw(t, "params")
		slices.SortFunc(ms, func(a, b memory.Memory) int { return a.Compare(&b) })
		got := layers.Stand(ms, p, now)
		live, recents := 0, 0
		for i := range ms {
			if ms[i].Live(now) {
				live++
			}
			if got[i].Layer == layers.Recent {
				recents++
			}
			if (got[i].Layer == layers.None) == ms[i].Live(now) {
				t.Fatalf("live %v, layer %q", ms[i].Live(now), got[i].Layer)
			}
			if ms[i].Live(now) && live <= p.AnchorCount && got[i].Layer != layers.Anchor {
				t.Fatalf("live memory number %d lies in %q", live, got[i].Layer)
			}
		}
		if recents > p.RecentCount {
			t.Fatalf("%d are recent, at most %d may be", recents, p.RecentCount)
		}
	})
}
