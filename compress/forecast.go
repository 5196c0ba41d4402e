package compress

import (
	"slices"
	"time"

	"plastic/memory"
)

// Outlook is what coming nights would leave.
type Outlook struct {
	Days []Day
	// Gone holds what will have left, in the order of leaving: first the
	// Days[0].Pruned ones of the first night, then those of the second, …
	Gone []memory.Memory
}

// Day is one coming night.
type Day struct {
	Date     string `json:"date"`
	Before   int    `json:"before"`
	After    int    `json:"after"`
	Pruned   int    `json:"pruned"`
	Promoted int    `json:"promoted"`
}

// Forecast simulates the next nights after now, one a day at p.Hour, on a copy
// of ms: the memory is in daily use (so every night runs) and nothing new comes
// and nothing is recalled. days below 1 gives an empty outlook.
func Forecast(ms []memory.Memory, p Params, now time.Time, days int) Outlook {
	var out Outlook
	left := slices.Clone(ms)
	slices.SortStableFunc(left, func(a, b memory.Memory) int { return a.Compare(&b) })
	at, done := now, p.Done
	var quiet time.Time // before it no night can do anything
	for len(out.Days) < days {
		at = p.next(at, done)
		done = at.Format(time.DateOnly)
		if at.Before(quiet) {
			out.Days = append(out.Days, Day{Date: done, Before: len(left), After: len(left)})
			continue
		}
		plan, spared := night(left, p, at)
		var gone []memory.Memory
		left, gone = apply(left, plan, p)
		out.Gone = append(out.Gone, gone...)
		out.Days = append(out.Days, Day{plan.Date, plan.Before, plan.After, len(plan.Prune), len(plan.Promote)})
		if len(plan.Prune)+len(plan.Promote) == 0 && !spared {
			quiet = nextChange(left, p, at)
		}
	}
	return out
}

// nextChange is when, after a night that did nothing, one may do something
// again. Where it spared nobody, what is pruned depends on the sizes of groups alone,
// and without recalls they change only when a memory stops holding or its time in
// memory.json ends.
func nextChange(ms []memory.Memory, p Params, night time.Time) time.Time {
	next := time.Unix(1<<40, 0) // never, for a forecast
	for i := range ms {
		switch m := &ms[i]; {
		case m.Live(night):
			if m.ValidTo.After(night) && m.ValidTo.Before(next) {
				next = m.ValidTo
			}
		case p.SupersededTTL > 0 && !p.Protected[m.ID]:
			if end := since(m).Add(p.SupersededTTL); end.Before(next) {
				next = end
			}
		}
	}
	return next
}

// Differ compares two outlooks over the same memories: what leaves only in a,
// and what leaves only in b, each in the order of leaving.
func Differ(a, b Outlook) (onlyA, onlyB []memory.Memory) {
	return memory.Without(a.Gone, b.Gone), memory.Without(b.Gone, a.Gone)
}

// apply does to ms, in place, what plan says; both are in the order of
// memory.json, so one pass meets every item.
func apply(ms []memory.Memory, plan Plan, p Params) (left, gone []memory.Memory) {
	raise, prune := plan.Promote, plan.Prune
	left = ms[:0]
	for _, m := range ms {
		if len(prune) > 0 && prune[0].ID == m.ID {
			prune = prune[1:]
			gone = append(gone, m)
			continue
		}
		if len(raise) > 0 && raise[0].ID == m.ID {
			raise = raise[1:]
			m.Importance = p.ImportanceThreshold
		}
		left = append(left, m)
	}
	return left, gone
}

// next is the first scheduled night after t, which is not the date done.
func (p *Params) next(t time.Time, done string) time.Time {
	y, m, d := t.In(p.location(t)).Date()
	for n := 0; ; n++ {
		night := p.hourOf(y, m, d+n, p.location(t))
		if night.After(t) && night.Format(time.DateOnly) != done {
			return night
		}
	}
}

// hourOf is p.Hour on a date. Where daylight saving swallows midnight, time.Date
// may fall back into the day before; the night belongs to the date asked for.
func (p *Params) hourOf(y int, m time.Month, d int, loc *time.Location) time.Time {
	night := time.Date(y, m, d, p.Hour, 0, 0, 0, loc)
	if noon := time.Date(y, m, d, 12, 0, 0, 0, loc); dayOf(night, loc) != dayOf(noon, loc) {
		return night.Add(time.Hour)
	}
	return night
}
