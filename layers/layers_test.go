package layers_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"plastic/layers"
	"plastic/memory"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func days(n float64) time.Time { return now.Add(-time.Duration(n * 24 * float64(time.Hour))) }

// Each row is worked out by hand from the formulas of the second seed.
func TestClarityFollowsTheFormulas(t *testing.T) {
	year9999 := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	rows := []struct {
		name     string
		m        memory.Memory
		earliest bool
		newest   bool
		layer    layers.Layer
		clarity  float64
	}{
		// anchor: 0.95 + 0.05·importance
		{"pinned", memory.Memory{Pinned: true, Importance: 0.5, CreatedAt: days(365)}, false, false, layers.Anchor, 0.975},         // 0.95 + 0.025
		{"identity", memory.Memory{Kind: memory.Identity, CreatedAt: days(365)}, false, false, layers.Anchor, 0.95},                // 0.95 + 0
		{"core", memory.Memory{Kind: memory.Core, Importance: 1, CreatedAt: days(3650)}, false, false, layers.Anchor, 1},           // 0.95 + 0.05
		{"earliest", memory.Memory{Importance: 0.3, CreatedAt: days(900)}, true, false, layers.Anchor, 0.965},                      // 0.95 + 0.015
		{"earliest and newest is an anchor", memory.Memory{Importance: 0.5, CreatedAt: now}, true, true, layers.Anchor, 0.975},     // first rule wins
		{"an anchor before important", memory.Memory{Pinned: true, Importance: 0.9, CreatedAt: now}, false, true, "anchor", 0.995}, // 0.95 + 0.045

		// important: 0.80 + 0.12·importance
		{"exactly at the threshold", memory.Memory{Importance: 0.75, CreatedAt: days(365)}, false, false, layers.Important, 0.89},                      // 0.80 + 0.09
		{"of full weight", memory.Memory{Importance: 1, CreatedAt: days(365)}, false, false, layers.Important, 0.92},                                   // 0.80 + 0.12
		{"recalled exactly often enough", memory.Memory{Importance: 0.2, RecallCount: 3, CreatedAt: days(365)}, false, false, layers.Important, 0.824}, // 0.80 + 0.024
		{"important before recent", memory.Memory{Importance: 0.75, CreatedAt: now}, false, true, layers.Important, 0.89},
		{"a weight above 1 counts as 1", memory.Memory{Importance: 7, CreatedAt: now}, false, false, layers.Important, 0.92},

		// recent: 0.92 − 0.01 a day, never under fading
		{"recent, new", memory.Memory{Importance: 0.5, CreatedAt: now}, false, true, layers.Recent, 0.92},
		{"recent, half a day", memory.Memory{Importance: 0.5, CreatedAt: days(0.5)}, false, true, layers.Recent, 0.915}, // 0.92 − 0.005
		{"recent, 21 days", memory.Memory{Importance: 0.5, CreatedAt: days(21)}, false, true, layers.Recent, 0.71},      // 0.92 − 0.21
		// 0.92 − 3.65 is below; exp(−365/21)·0.675 = exp(−17.380952)·0.675 = 2.8284486e−8·0.675
		{"recent, a year", memory.Memory{Importance: 0.5, CreatedAt: days(365)}, false, true, layers.Recent, 1.9092028e-8},
		{"recent, ahead of now", memory.Memory{Importance: 0.5, CreatedAt: days(-10)}, false, true, layers.Recent, 0.92},

		// fading: exp(−age/21)·(0.35 + 0.65·importance)
		{"just under the threshold", memory.Memory{Importance: 0.74, CreatedAt: now}, false, false, layers.Fading, 0.831},         // 0.35 + 0.481
		{"one recall too few", memory.Memory{Importance: 0.2, RecallCount: 2, CreatedAt: now}, false, false, layers.Fading, 0.48}, // 0.35 + 0.13
		{"fading, new", memory.Memory{Importance: 0.5, CreatedAt: now}, false, false, layers.Fading, 0.675},                       // 0.35 + 0.325
		{"fading, weightless", memory.Memory{CreatedAt: days(21)}, false, false, layers.Fading, 0.128757804},                      // e⁻¹·0.35
		{"fading, 21 days", memory.Memory{Importance: 0.5, CreatedAt: days(21)}, false, false, layers.Fading, 0.248318623},        // e⁻¹·0.675
		{"fading, a year", memory.Memory{Importance: 0.5, CreatedAt: days(365)}, false, false, layers.Fading, 1.9092028e-8},       // as above
		{"ahead of now is new", memory.Memory{Importance: 0.5, CreatedAt: days(-365)}, false, false, layers.Fading, 0.675},        // age 0
		{"year 9999 is new", memory.Memory{Importance: 0.5, CreatedAt: year9999}, false, false, layers.Fading, 0.675},             // age 0
		{"recalled in year 9999 is new", memory.Memory{Importance: 0.5, CreatedAt: days(365), LastRecalledAt: year9999}, false, false, layers.Fading, 0.675},
		{"age from the last recall", memory.Memory{Importance: 0.5, CreatedAt: days(365), LastRecalledAt: days(21)}, false, false, layers.Fading, 0.248318623},
		{"a recall before creation is none", memory.Memory{Importance: 0.5, CreatedAt: days(21), LastRecalledAt: days(365)}, false, false, layers.Fading, 0.248318623},
		{"no date at all is long ago", memory.Memory{Importance: 0.5}, false, false, layers.Fading, 0},
		{"an event, 21 days", memory.Memory{Kind: memory.Event, Importance: 0.5, CreatedAt: days(21)}, false, false, layers.Fading, 0.012363056}, // e⁻⁴·0.675
		{"an event, new", memory.Memory{Kind: memory.Event, Importance: 0.5, CreatedAt: now}, false, false, layers.Fading, 0.675},
		{"an unknown kind is a fact", memory.Memory{Kind: "dream", Importance: 0.5, CreatedAt: days(21)}, false, false, layers.Fading, 0.248318623},

		{"superseded", memory.Memory{Pinned: true, Importance: 1, SupersededBy: "b", CreatedAt: now}, true, true, layers.None, 0},
		{"over since yesterday", memory.Memory{Importance: 1, ValidTo: days(1), CreatedAt: days(2)}, true, true, layers.None, 0},
		{"over from tomorrow", memory.Memory{Importance: 1, ValidTo: days(-1), CreatedAt: days(2)}, false, false, layers.Important, 0.92},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := layers.Of(&r.m, r.earliest, r.newest, layers.Default(), now)
			if got.Layer != r.layer || math.Abs(got.Clarity-r.clarity) > 1e-7*r.clarity {
				t.Errorf("got %s %.12g, want %s %.12g", got.Layer, got.Clarity, r.layer, r.clarity)
			}
		})
	}
}

func TestRecentIsNeverUnderWhatFadingWouldGive(t *testing.T) {
	p := layers.Default()
	p.HalfLifeDays = 365
	m := memory.Memory{Importance: 0.5, CreatedAt: days(60)}
	// 0.92 − 0.60 = 0.32, but exp(−60/365)·0.675 = 0.8484166·0.675 = 0.5726812
	if got := layers.Of(&m, false, true, p, now).Clarity; math.Abs(got-0.5726812) > 1e-7 {
		t.Errorf("got %.6f, want 0.5726812", got)
	}
}

func TestAgeFromCreatedIgnoresRecalls(t *testing.T) {
	p := layers.Default()
	m := memory.Memory{CreatedAt: days(30), LastRecalledAt: days(2)}
	if got := layers.AgeDays(&m, p, now); got != 2 {
		t.Errorf("age from the last touch is %v, want 2", got)
	}
	p.AgeFromCreated = true
	if got := layers.AgeDays(&m, p, now); got != 30 {
		t.Errorf("age from creation is %v, want 30", got)
	}
}

func TestFadeOfFactHoldsForKindsThatHaveNone(t *testing.T) {
	p := layers.Default()
	p.Fade = map[memory.Kind]float64{memory.Fact: 2, "dream": 0}
	at21 := func(k memory.Kind) float64 {
		return layers.Of(&memory.Memory{Kind: k, Importance: 0.5, CreatedAt: days(21)}, false, false, p, now).Clarity
	}
	if got, want := at21("rumour"), at21(memory.Fact); got != want || math.Abs(got-0.675*math.Exp(-2)) > 1e-12 {
		t.Errorf("a rumour has %v, a fact %v, want e⁻²·0.675 for both", got, want)
	}
	if got := at21("dream"); got != 0.675 {
		t.Errorf("a kind that fades 0 times has %v, want 0.675", got)
	}
}

// 30 live memories a day apart, with superseded ones at both ends and in the
// middle, which take no place.
func TestPlacesCountLiveMemoriesOnly(t *testing.T) {
	var ms []memory.Memory
	for i := range 33 {
		ms = append(ms, memory.Memory{ID: fmt.Sprintf("m%02d", i), Importance: 0.5, CreatedAt: days(float64(40 - i))})
	}
	for _, i := range []int{0, 16, 32} {
		ms[i].SupersededBy = "other"
	}
	got := layers.Stand(ms, layers.Default(), now)
	want := func(i int) layers.Layer {
		switch {
		case i == 0, i == 16, i == 32:
			return layers.None
		case i <= 8: // the 8th live one is m08, the 9th m09
			return layers.Anchor
		case i >= 20: // the newest is m31, the 12th newest m20, the 13th m19
			return layers.Recent
		}
		return layers.Fading
	}
	for i := range ms {
		if got[i].Layer != want(i) {
			t.Errorf("%s lies in %q, want %q", ms[i].ID, got[i].Layer, want(i))
		}
	}
}

func TestFewMemoriesAreAllAnchors(t *testing.T) {
	ms := []memory.Memory{{ID: "a", CreatedAt: days(2)}, {ID: "b", CreatedAt: days(1)}}
	for i, s := range layers.Stand(ms, layers.Default(), now) {
		if s.Layer != layers.Anchor {
			t.Errorf("%s lies in %q, want anchor", ms[i].ID, s.Layer)
		}
	}
	if got := layers.Stand(nil, layers.Default(), now); len(got) != 0 {
		t.Errorf("no memories have %d standings", len(got))
	}
}

func TestNobodyIsPromotedWhenPromotionIsOff(t *testing.T) {
	p := layers.Default()
	p.RecallPromotionCount = 0
	m := memory.Memory{Importance: 0.5, RecallCount: 100, CreatedAt: now}
	if got := layers.Of(&m, false, false, p, now).Layer; got != layers.Fading {
		t.Errorf("lies in %q, want fading", got)
	}
}
