// Package layers says which of four layers a memory lies in and how clear it
// is: the beginning, what matters, the recent, and the rest that fades. It is
// arithmetic over the fields of memories; it reads no clock and changes nothing.
// Strength is derived from dates each time, so nothing fades faster for being
// looked at more often.
//
//	for i, s := range layers.Stand(ms, layers.Default(), now) {
//		fmt.Printf("%s %s %.2f\n", ms[i].ID, s.Layer, s.Clarity)
//	}
package layers

import (
	"math"
	"time"

	"plastic/memory"
)

// Layer names where a memory lies. The empty layer is that of a memory that no
// longer holds.
type Layer string

// The layers; the first rule that fits wins, in this order.
const (
	Anchor    Layer = "anchor"    // pinned, identity, core, and the earliest: never fades
	Important Layer = "important" // weighty, or recalled often enough: never fades
	Recent    Layer = "recent"    // the newest: in view, slowly paling
	Fading    Layer = "fading"    // all others
	None      Layer = ""          // superseded: it was true once
)

// All lists the four layers a live memory can lie in, from the most lasting.
func All() [4]Layer { return [4]Layer{Anchor, Important, Recent, Fading} }

// Params are the numbers of the model. Start from Default: a zero Params has no
// anchors by age, no recent ones, and calls everything important.
type Params struct {
	AnchorCount          int     // how many of the earliest live memories are anchors
	RecentCount          int     // how many of the newest are recent
	ImportanceThreshold  float64 // 0…1; at or above it a memory is important
	RecallPromotionCount int     // recalled this often it is important; below 1: never by recalls
	HalfLifeDays         float64 // days in which clarity falls to 1/e
	AgeFromCreated       bool    // age from createdAt only, not from the last touch

	// Fade holds, for a kind, how many times faster than HalfLifeDays it fades.
	// A kind that is not in it fades like Fact; Fact, if not in it, 1 time.
	Fade map[memory.Kind]float64
}

// Default gives the second seed's numbers and the first seed's fourfold fading
// of events.
func Default() Params {
	return Params{
		AnchorCount:          8,
		RecentCount:          12,
		ImportanceThreshold:  0.75,
		RecallPromotionCount: 3,
		HalfLifeDays:         21,
		Fade:                 map[memory.Kind]float64{memory.Event: 4},
	}
}

// Standing is where a memory stands: its layer, and its clarity in 0…1.
type Standing struct {
	Layer   Layer
	Clarity float64
}

// Stand gives the standing of each memory of ms, which must be sorted by
// createdAt, then id, as memory.json is. Earliest and newest count over the live
// ones only; one that no longer holds at now has layer None and clarity 0.
func Stand(ms []memory.Memory, p Params, now time.Time) []Standing {
	live := 0
	for i := range ms {
		if ms[i].Live(now) {
			live++
		}
	}
	out := make([]Standing, len(ms))
	rank := 0
	for i := range ms {
		if !ms[i].Live(now) {
			continue
		}
		out[i] = Of(&ms[i], rank < p.AnchorCount, rank >= live-p.RecentCount, p, now)
		rank++
	}
	return out
}

// Of gives the standing of one memory whose place is known: earliest, that it is
// among the first AnchorCount live memories; newest, among the last RecentCount.
func Of(m *memory.Memory, earliest, newest bool, p Params, now time.Time) Standing {
	w := weight(m.Importance)
	switch {
	case !m.Live(now):
		return Standing{}
	case m.Pinned, m.Kind == memory.Identity, m.Kind == memory.Core, earliest:
		return Standing{Anchor, 0.95 + 0.05*w}
	case w >= p.ImportanceThreshold, Promoted(m, p):
		return Standing{Important, 0.80 + 0.12*w}
	}
	age := AgeDays(m, p, now)
	faded := fade(age, m.Kind, p) * (0.35 + 0.65*w)
	if newest {
		return Standing{Recent, max(0.92-0.01*age, faded)}
	}
	return Standing{Fading, faded}
}

// Promoted reports whether m was recalled often enough to be important whatever
// it weighs.
func Promoted(m *memory.Memory, p Params) bool {
	return p.RecallPromotionCount >= 1 && m.RecallCount >= p.RecallPromotionCount
}

// AgeDays is the age of m in days of 24 hours since its last touch, the later of
// createdAt and lastRecalledAt (since createdAt with AgeFromCreated). It is never
// negative and never NaN: a time ahead of now is age 0, whatever year it is in.
func AgeDays(m *memory.Memory, p Params, now time.Time) float64 {
	from := m.Touched()
	if p.AgeFromCreated {
		from = m.CreatedAt
	}
	// Not now.Sub: a Duration ends after 292 years and hand-written dates do not.
	s := float64(now.Unix()) - float64(from.Unix()) + float64(now.Nanosecond()-from.Nanosecond())/1e9
	return max(s, 0) / 86400
}

// fade is exp(−age·times/halfLife). A half-life that is no positive number lets
// everything but the present fade at once.
func fade(age float64, k memory.Kind, p Params) float64 {
	times, ok := p.Fade[k]
	if !ok {
		times, ok = p.Fade[memory.Fact]
	}
	if !ok || !(times >= 0) {
		times = 1
	}
	switch {
	case age == 0 || times == 0:
		return 1
	case !(p.HalfLifeDays > 0):
		return 0
	}
	return math.Exp(-age * times / p.HalfLifeDays)
}

// weight is the importance within 0…1, whatever a hand or a caller wrote.
func weight(importance float64) float64 {
	if math.IsNaN(importance) {
		return memory.DefaultImportance
	}
	return min(max(importance, 0), 1)
}
