package compress_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/compress"
	"plastic/layers"
	"plastic/memory"
)

// anyMemories draws up to 60 memories of a few dates, some recalled, closed,
// pinned or heavy, in any order, with many ties.
func anyMemories() *rapid.Generator[[]memory.Memory] {
	return rapid.Custom(func(t *rapid.T) []memory.Memory {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		ms := make([]memory.Memory, n)
		for i := range ms {
			m := &ms[i]
			m.ID = fmt.Sprintf("m%02d", i)
			m.Kind = rapid.SampledFrom([]memory.Kind{memory.Fact, memory.Fact, memory.Event, memory.Core, "dream"}).Draw(t, "kind")
			m.Importance = float64(rapid.IntRange(0, 20).Draw(t, "importance")) / 20
			m.RecallCount = rapid.IntRange(0, 4).Draw(t, "recalls")
			m.Pinned = rapid.IntRange(0, 19).Draw(t, "pinned") == 0
			m.CreatedAt = now.Add(-time.Duration(rapid.IntRange(-24, 200).Draw(t, "hours")) * time.Hour)
			if rapid.Bool().Draw(t, "recalled") {
				m.LastRecalledAt = now.Add(-time.Duration(rapid.IntRange(0, 3).Draw(t, "days")) * 24 * time.Hour)
			}
			if rapid.IntRange(0, 5).Draw(t, "closed") == 0 {
				m.ValidTo = now.Add(-time.Duration(rapid.IntRange(-20, 200).Draw(t, "for days")) * 24 * time.Hour)
				if m.ValidTo.Before(now) {
					m.SupersededBy = "x"
				}
			}
		}
		return rapid.Permutation(ms).Draw(t, "order")
	})
}

func anyParams() *rapid.Generator[compress.Params] {
	return rapid.Custom(func(t *rapid.T) compress.Params {
		p := compress.Default()
		p.AnchorCount = rapid.IntRange(0, 10).Draw(t, "anchors")
		p.RecentCount = rapid.IntRange(0, 14).Draw(t, "recents")
		p.KeepFraction = float64(rapid.IntRange(0, 20).Draw(t, "keep")) / 20
		p.SupersededTTL = time.Duration(rapid.IntRange(0, 100).Draw(t, "ttl")) * 24 * time.Hour
		p.Location = time.FixedZone("", rapid.IntRange(-12, 14).Draw(t, "zone")*3600)
		p.Protected = map[string]bool{"m03": true, "m07": true}
		return p
	})
}

func TestBeforeMinusAfterIsPruned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := anyMemories().Draw(t, "memories"), anyParams().Draw(t, "params")
		plan := compress.Night(ms, p, now)
		if plan.Before != len(ms) || plan.Before-plan.After != len(plan.Prune) {
			t.Fatalf("%d memories: %v", len(ms), plan)
		}
		if got := len(apply(ms, plan, p)); got != plan.After {
			t.Fatalf("%d are left, planned were %d", got, plan.After)
		}
		seen := map[string]bool{}
		for _, i := range slices.Concat(plan.Prune, plan.Promote) {
			if seen[i.ID] || i.Why == "" {
				t.Fatalf("%q stands twice or without a reason", i.ID)
			}
			seen[i.ID] = true
		}
	})
}

// Computed here another way: by the layers of the promoted state.
func TestOnlyTheLeastClearFadingOnesOfADateGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := anyMemories().Draw(t, "memories"), anyParams().Draw(t, "params")
		plan := compress.Night(ms, p, now)
		gone := map[string]bool{}
		for _, i := range plan.Prune {
			gone[i.ID] = true
		}
		raised := apply(ms, compress.Plan{Promote: plan.Promote}, p)
		slices.SortFunc(raised, func(a, b memory.Memory) int { return a.Compare(&b) })
		expired := compress.Expired(raised, p.SupersededTTL, now)

		left, went, spared := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
		for i, s := range layers.Stand(raised, p.Params, now) {
			m := &raised[i]
			switch date := m.CreatedAt.In(p.Location).Format(time.DateOnly); {
			case p.Protected[m.ID] && gone[m.ID]:
				t.Fatalf("%s is protected and goes", m.ID)
			case p.Protected[m.ID] && s.Layer == layers.Fading:
				spared[date] = append(spared[date], s.Clarity)
			case p.Protected[m.ID]:
			case s.Layer == layers.None:
				if gone[m.ID] != slices.Contains(expired, m.ID) {
					t.Fatalf("superseded %s: goes %v, expired %v", m.ID, gone[m.ID], !gone[m.ID])
				}
			case s.Layer != layers.Fading:
				if gone[m.ID] {
					t.Fatalf("%s is %s and goes", m.ID, s.Layer)
				}
			case gone[m.ID]:
				went[date] = append(went[date], s.Clarity)
			default:
				left[date] = append(left[date], s.Clarity)
			}
		}
		for date, w := range went {
			l, brought := left[date], spared[date]
			n := len(w) + len(l) + len(brought)
			least := int(math.Ceil(float64(n)*p.KeepFraction - 1e-9))
			if len(l) > least || len(l)+len(brought) < least {
				t.Fatalf("of %d of %s stay %d and %d protected, want %d", n, date, len(l), len(brought), least)
			}
			if len(l) > 0 && slices.Max(w) > slices.Min(l) {
				t.Fatalf("on %s one of clarity %v goes and one of %v stays", date, slices.Max(w), slices.Min(l))
			}
			clearer := 0
			for _, c := range slices.Concat(l, brought) {
				if c >= slices.Max(w) {
					clearer++
				}
			}
			if clearer < least {
				t.Fatalf("on %s one of clarity %v goes, and only %d of %d stand before it", date, slices.Max(w), clearer, least)
			}
		}
	})
}

// A forecast is the nights one after the other, also where an undo brought some back.
func TestAForecastIsItsNightsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := anyMemories().Draw(t, "memories"), anyParams().Draw(t, "params")
		p.Location, p.Hour = time.UTC, now.Hour()
		left := slices.Clone(ms)
		for n, day := range compress.Forecast(ms, p, now, 40).Days {
			plan := compress.Night(left, p, now.AddDate(0, 0, n+1))
			if want := (compress.Day{Date: plan.Date, Before: plan.Before, After: plan.After, Pruned: len(plan.Prune), Promoted: len(plan.Promote)}); day != want {
				t.Fatalf("night %d: forecast %+v, is %+v", n, day, want)
			}
			left = apply(left, plan, p)
		}
	})
}

func TestThePlanDoesNotDependOnTheOrderOfMemories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := anyMemories().Draw(t, "memories"), anyParams().Draw(t, "params")
		plan := compress.Night(ms, p, now)
		before := slices.Clone(ms)
		other := compress.Night(rapid.Permutation(ms).Draw(t, "other order"), p, now)
		if !reflect.DeepEqual(plan, other) {
			t.Fatalf("%+v\n%+v", plan, other)
		}
		if !reflect.DeepEqual(before, ms) {
			t.Fatal("the memories were changed")
		}
	})
}

func TestANightOnItsOwnResultPromotesNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := anyMemories().Draw(t, "memories"), anyParams().Draw(t, "params")
		ms = apply(ms, compress.Night(ms, p, now), p)
		if again := compress.Night(ms, p, now); len(again.Promote) != 0 {
			t.Fatalf("promoted again: %v", again.Promote)
		}
	})
}

func TestAForecastIsTheNightsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, p := anyMemories().Draw(t, "memories"), anyParams().Draw(t, "params")
		p.Hour = rapid.IntRange(0, 23).Draw(t, "hour")
		days := rapid.IntRange(0, 40).Draw(t, "days")
		before := slices.Clone(ms)
		got := compress.Forecast(ms, p, now, days)
		if !reflect.DeepEqual(before, ms) {
			t.Fatal("the memories were changed")
		}
		if len(got.Days) != days {
			t.Fatalf("%d days, want %d", len(got.Days), days)
		}
		gone := got.Gone
		for _, d := range got.Days {
			date, err := time.ParseInLocation(time.DateOnly, d.Date, p.Location)
			if err != nil {
				t.Fatal(err)
			}
			plan := compress.Night(ms, p, date.Add(time.Duration(p.Hour)*time.Hour))
			if (compress.Day{Date: plan.Date, Before: plan.Before, After: plan.After, Pruned: len(plan.Prune), Promoted: len(plan.Promote)}) != d {
				t.Fatalf("forecast %+v, the night itself %v", d, plan)
			}
			for i, item := range plan.Prune {
				if gone[i].ID != item.ID {
					t.Fatalf("%s goes at place %d, want %s", gone[i].ID, i, item.ID)
				}
			}
			gone, ms = gone[d.Pruned:], apply(ms, plan, p)
		}
		if len(gone) != 0 {
			t.Fatalf("%d more are gone than pruned", len(gone))
		}
	})
}
