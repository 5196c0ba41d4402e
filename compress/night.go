// Package compress plans the nightly compression: what was recalled often is
// made important for good, and of each day's fading memories only the clearest
// stay. It proposes a Plan and changes nothing; that a night runs once a local
// date is for the caller to see to.
//
//	plan := compress.Night(ms, compress.Default(), now)
//	fmt.Println(plan) // sleep compression: 412 → 289 memories (pruned 123, promoted 2)
package compress

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"plastic/layers"
	"plastic/memory"
)

// Params are the numbers of a night.
type Params struct {
	layers.Params
	KeepFraction float64        // 0…1: of n fading memories of one date, ceil(n·KeepFraction) stay
	Location     *time.Location // whose dates count; nil is now's own
	Hour         int            // 0…23, the local hour of the scheduled night; Forecast steps by it

	// SupersededTTL is how long a superseded memory stays in memory.json before
	// a night moves it to the archive. 0 or less: it stays.
	SupersededTTL time.Duration

	// Protected holds ids that no night prunes: memories an undo brought back
	// and nobody has touched since. They are ranked with the others of their
	// date, and stay wherever they stand.
	Protected map[string]bool

	// Done is the local date (YYYY-MM-DD) of the last night that ran, or empty;
	// Forecast plans no second night for it.
	Done string
}

// Default gives the numbers of an empty configuration.
func Default() Params {
	return Params{
		Params:        layers.Default(),
		KeepFraction:  0.35,
		Hour:          3,
		SupersededTTL: 90 * 24 * time.Hour,
	}
}

// Plan is what a night would do. Before and After count all entries, superseded
// ones too, so that Before − After = len(Prune). Promote and Prune are in the
// order of memory.json; no id is in both.
type Plan struct {
	Date    string // the night's local date, YYYY-MM-DD
	Before  int
	After   int
	Promote []Item // importance to be raised to the threshold
	Prune   []Item // to be moved to the archive
}

// Item is one memory of a plan and the reason in words, which never quotes the
// memory's text.
type Item struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// String is the log line of a night.
func (p Plan) String() string {
	return fmt.Sprintf("sleep compression: %d → %d memories (pruned %d, promoted %d)",
		p.Before, p.After, len(p.Prune), len(p.Promote))
}

// Night plans the night of now's local date over all entries of memory.json, in
// any order. Promotion comes first and layers are computed on the promoted
// state; then fading memories are grouped by local creation date and the
// clearest of each group stay (of equals the newer, then the lower id), and of
// the others all but the protected are pruned; superseded ones go when their time
// is over. ms is not changed.
func Night(ms []memory.Memory, p Params, now time.Time) Plan {
	plan, _ := night(ms, p, now)
	return plan
}

// night is Night, and whether a protected memory stayed only for that while others
// of its date can go: as clarity falls these may come to stand behind it.
func night(ms []memory.Memory, p Params, now time.Time) (plan Plan, spared bool) {
	loc := p.location(now)
	plan = Plan{Date: now.In(loc).Format(time.DateOnly), Before: len(ms)}
	reasons := make([]string, len(ms)) // why each memory goes; empty: it stays

	order := inOrder(ms)
	live := 0
	for _, i := range order {
		if ms[i].Live(now) {
			live++
		} else if expired(&ms[i], p.SupersededTTL, now) && !p.Protected[ms[i].ID] {
			reasons[i] = "superseded since " + since(&ms[i]).In(loc).Format(time.DateOnly)
		}
	}

	groups := make(map[day][]standing)
	rank := 0
	for _, i := range order {
		m := &ms[i]
		if !m.Live(now) {
			continue
		}
		if raised, why, ok := promote(m, p.Params); ok {
			plan.Promote = append(plan.Promote, Item{m.ID, why})
			m = raised
		}
		s := layers.Of(m, rank < p.AnchorCount, rank >= live-p.RecentCount, p.Params, now)
		rank++
		if s.Layer == layers.Fading {
			d := dayOf(m.CreatedAt, loc)
			groups[d] = append(groups[d], standing{i, s.Clarity, p.Protected[m.ID]})
		}
	}
	for d, g := range groups {
		if prune(ms, d, g, p.KeepFraction, reasons) {
			spared = true
		}
	}

	for _, i := range order {
		if reasons[i] != "" {
			plan.Prune = append(plan.Prune, Item{ms[i].ID, reasons[i]})
		}
	}
	plan.After = plan.Before - len(plan.Prune)
	return plan, spared
}

// standing is a fading memory, by its index, and its clarity.
type standing struct {
	i         int
	clarity   float64
	protected bool
}

// prune notes in reasons what of one date's fading memories goes, and reports whether
// it spared a protected one while others of the date, not protected, stay.
func prune(ms []memory.Memory, d day, g []standing, keepFraction float64, reasons []string) (spared bool) {
	stay := keep(len(g), keepFraction)
	if stay >= len(g) {
		return false
	}
	slices.SortFunc(g, func(a, b standing) int {
		ma, mb := &ms[a.i], &ms[b.i]
		return cmp.Or(cmp.Compare(b.clarity, a.clarity), mb.CreatedAt.Compare(ma.CreatedAt), cmp.Compare(ma.ID, mb.ID))
	})
	kept := 0
	for _, s := range g[stay:] {
		if s.protected {
			kept++
		}
	}
	place := fmt.Sprintf(" of the %d fading of %s, %d stay", len(g), d, stay)
	if kept > 0 {
		place += fmt.Sprintf(" and %d that an undo brought back", kept)
	}
	for n, s := range g[stay:] {
		if s.protected {
			continue
		}
		reasons[s.i] = "fading, clarity " + strconv.FormatFloat(s.clarity, 'f', 2, 64) + ": number " + strconv.Itoa(stay+n+1) + place
	}
	return kept > 0 && slices.ContainsFunc(g[:stay], func(s standing) bool { return !s.protected })
}

// keep is ceil(n·fraction) within 0…n. The hair taken off undoes the binary
// fraction's own error: 100 · 0.07 is 7.000000000000001, and 7 must stay, not 8.
func keep(n int, fraction float64) int {
	if !(fraction > 0) {
		return 0
	}
	return min(n, int(math.Ceil(float64(n)*min(fraction, 1)-1e-9)))
}

// promote gives m with its importance raised to the threshold, if recalls have
// earned that and it is not there yet.
func promote(m *memory.Memory, p layers.Params) (*memory.Memory, string, bool) {
	if !layers.Promoted(m, p) || m.Importance >= p.ImportanceThreshold {
		return nil, "", false
	}
	raised := *m
	raised.Importance = p.ImportanceThreshold
	why := fmt.Sprintf("recalled %d times: importance %.2f → %.2f", m.RecallCount, m.Importance, raised.Importance)
	return &raised, why, true
}

// inOrder gives the indices of ms by createdAt, then id.
func inOrder(ms []memory.Memory) []int {
	order := make([]int, len(ms))
	for i := range order {
		order[i] = i
	}
	byPlace := func(a, b int) int { return ms[a].Compare(&ms[b]) }
	if !slices.IsSortedFunc(order, byPlace) {
		slices.SortFunc(order, byPlace)
	}
	return order
}

func (p *Params) location(now time.Time) *time.Location {
	if p.Location != nil {
		return p.Location
	}
	return now.Location()
}

// day is a calendar date; cheaper to make and to compare than its text.
type day struct {
	year  int
	month time.Month
	day   int
}

func dayOf(t time.Time, loc *time.Location) day {
	var d day
	d.year, d.month, d.day = t.In(loc).Date()
	return d
}

func (d day) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day) }
