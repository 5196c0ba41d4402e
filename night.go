package plastic

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"plastic/compress"
	"plastic/config"
	"plastic/memory"
	"plastic/store"
)

// Nightly says how a night by hand runs.
type Nightly struct {
	DryRun bool   // plan only
	Again  bool   // run although the night of this date is done
	Plan   *Night // what a dry run gave, to be done in place of asking a model; nil: ask. Sleep only
}

// nightLine is one line of nights.jsonl.
type nightLine struct {
	Date     string         `json:"date"`
	Started  Time           `json:"started"`
	Ended    Time           `json:"ended"`
	DryRun   bool           `json:"dryRun"`
	Phases   []Phase        `json:"phases"`
	Compress *nightCompress `json:"compress,omitempty"`
	Seen     string         `json:"seen,omitempty"`     // what the overview was last asked about
	Next     string         `json:"next,omitempty"`     // the id behind which its rotation goes on
	After    bool           `json:"after,omitempty"`    // the line tells that the command of sleep.after failed, after the night
	Rejected []string       `json:"rejected,omitempty"` // keys of operations of a plan that a person did not want
}

type nightCompress struct {
	Before   int         `json:"before"`
	After    int         `json:"after"`
	Pruned   int         `json:"pruned"`
	Promoted int         `json:"promoted"`
	Archived []nightItem `json:"archived"`
	Raised   []nightItem `json:"raised"`
}

type nightItem struct {
	ID  string   `json:"id"`
	Why string   `json:"why"`
	Was *float64 `json:"was,omitempty"` // importance before it was raised
}

// Compress runs the compression of the night of today's local date: it raises
// what was recalled often to the importance threshold for good, and moves to
// the archive all but the clearest of each day's fading memories. A night runs
// once a date; a second call changes nothing unless Again. It exists for the
// owner alone.
func (b *Bank) Compress(ctx context.Context, n Nightly) (Compressed, error) {
	if err := b.mayDump("compress"); err != nil {
		return Compressed{}, err
	}
	now := b.opts.Now()
	c := b.settings()
	p := nightParams(c)
	if n.DryRun {
		s, err := b.look()
		if err != nil {
			return Compressed{}, err
		}
		out := compressed(compress.Night(s.memories(), b.sparing(p, s.memories()), now))
		out.DryRun, out.Done = true, b.nightDone(now, c)
		return out, nil
	}
	var out Compressed
	ran := false
	_, err := b.store.Update(ctx, func(tx *store.Tx) error {
		if ran = !b.nightDone(now, c) || n.Again; !ran {
			out = still(localDate(now, c), len(tx.State().Memories()))
			return nil
		}
		plan := compress.Night(tx.State().Memories(), b.sparing(p, tx.State().Memories()), now)
		out = b.compress(tx, c, now, plan, nightLine{Started: Time{now}, Phases: []Phase{}})
		return nil
	})
	if err != nil {
		return Compressed{}, err
	}
	b.markNight(out.Date)
	if ran {
		b.commitNight(ctx, out)
	}
	return out, nil
}

// compress applies the plan of a night to the state under the lock, and writes the
// night's line.
func (b *Bank) compress(tx *store.Tx, c *config.Config, now time.Time, plan compress.Plan, night nightLine) Compressed {
	line := &nightCompress{Before: plan.Before, After: plan.After, Pruned: len(plan.Prune), Promoted: len(plan.Promote), Archived: []nightItem{}, Raised: []nightItem{}}
	for _, it := range plan.Promote {
		m, ok := tx.Get(it.ID)
		if !ok {
			continue
		}
		was := m.Importance
		line.Raised = append(line.Raised, nightItem{it.ID, it.Why, &was})
		m.Importance = max(was, c.Memory.ImportanceThreshold)
		tx.Put(m)
	}
	for _, it := range plan.Prune {
		m, ok := tx.Get(it.ID)
		if !ok {
			continue
		}
		as := memory.Pruned
		if !m.Live(now) {
			as = memory.Version // the timeline still reads it
		}
		line.Archived = append(line.Archived, nightItem{ID: it.ID, Why: it.Why})
		tx.Archive(it.ID, memory.Archived{ArchivedAt: whole(now), As: as, By: "night", Why: it.Why})
	}
	tx.ExpireArchive(c.Memory.ArchiveTTL.Std())
	night.Date, night.Ended, night.Compress = plan.Date, Time{b.opts.Now()}, line
	tx.Night(night)
	out := compressed(plan)
	out.Done = true
	for i, it := range line.Raised {
		if n := len(plan.Prune) + i; n < len(out.Reasons) && out.Reasons[n].ID == it.ID {
			out.Reasons[n].Was = it.Was
		}
	}
	return out
}

func compressed(p compress.Plan) Compressed {
	out := Compressed{Date: p.Date, Before: p.Before, After: p.After, Pruned: len(p.Prune), Promoted: len(p.Promote), Archived: make([]string, 0, len(p.Prune)),
		Raised: make([]string, 0, len(p.Promote)), Reasons: make([]NightItem, 0, len(p.Prune)+len(p.Promote))}
	for _, it := range p.Prune {
		out.Archived = append(out.Archived, it.ID)
		out.Reasons = append(out.Reasons, NightItem{ID: it.ID, Why: it.Why})
	}
	for _, it := range p.Promote {
		out.Raised = append(out.Raised, it.ID)
		out.Reasons = append(out.Reasons, NightItem{ID: it.ID, Why: it.Why})
	}
	return out
}

// still is a night that had been done before and changed nothing now.
func still(date string, all int) Compressed {
	return Compressed{Date: date, Before: all, After: all, Archived: []string{}, Raised: []string{}, Reasons: []NightItem{}, Done: true}
}

// String is the night's log line.
func (c Compressed) String() string {
	return fmt.Sprintf("sleep compression: %d → %d memories (pruned %d, promoted %d)", c.Before, c.After, c.Pruned, c.Promoted)
}

func nightParams(c *config.Config) compress.Params {
	return compress.Params{
		Params:        layerParams(c),
		KeepFraction:  c.Memory.KeepFraction,
		Location:      c.Memory.Location(),
		Hour:          c.Memory.ConsolidateHour,
		SupersededTTL: c.Memory.ArchiveTTL.Std(),
	}
}

func localDate(t time.Time, c *config.Config) string {
	return t.In(c.Memory.Location()).Format(time.DateOnly)
}

// lastNight is the local date of the last night, or "": the later of what
// nights.jsonl and this machine's own mark say. A date after today is a clock
// that was set back and counts as unknown.
func (b *Bank) lastNight(now time.Time, c *config.Config) string {
	today := localDate(now, c)
	last := ""
	take := func(date string) {
		if _, err := time.Parse(time.DateOnly, date); err == nil && date <= today && date > last {
			last = date
		}
	}
	if take(b.mark(nightMark)); last == today {
		return last
	}
	lines, _ := b.store.Nights()
	for _, raw := range lines {
		var l struct {
			Date     string          `json:"date"`
			DryRun   bool            `json:"dryRun"`
			Compress json.RawMessage `json:"compress"`
		}
		if json.Unmarshal(raw, &l) == nil && !l.DryRun && l.Compress != nil {
			take(l.Date)
		}
	}
	return last
}

func (b *Bank) nightDone(now time.Time, c *config.Config) bool {
	return b.lastNight(now, c) == localDate(now, c)
}

// Forecast simulates the coming nights on a copy: the memory in daily use,
// nothing new. set holds settings by their name in config.yaml; with any of
// them the answer compares. It exists for the owner alone and fails with
// memory.ErrInvalid for a setting that can not be.
func (b *Bank) Forecast(days int, set map[string]string) (Forecast, error) {
	if err := b.mayDump("forecast"); err != nil {
		return Forecast{}, err
	}
	if days < 1 || days > maxForecast {
		return Forecast{}, Hint(memory.ErrInvalid, fmt.Sprintf("%d days can not be forecast", days), fmt.Sprintf("give 1 to %d", maxForecast))
	}
	s, err := b.look()
	if err != nil {
		return Forecast{}, err
	}
	var changes []config.Change
	for key, value := range set {
		changes = append(changes, config.Change{Key: key, Value: value})
	}
	other, err := s.config.WithAll(changes)
	if err != nil {
		return Forecast{}, err
	}
	nights, gone := s.outlook(s.config, days)
	out := Forecast{Days: nights, Gone: gone}
	if len(set) > 0 {
		nights, gone = s.outlook(other, days)
		out.Compared = &Compared{Set: set, Days: nights, Gone: gone}
	}
	return out, nil
}

// maxForecast bounds a forecast to ten years of nights.
const maxForecast = 3660

func (s *scene) outlook(c *config.Config, days int) ([]ForecastDay, []Memory) {
	p := nightParams(c)
	p.Done = s.bank.lastNight(s.now, c)
	o := compress.Forecast(s.memories(), s.bank.sparing(p, s.memories()), s.now, days)
	nights, gone := []ForecastDay{}, []Memory{}
	for _, d := range o.Days {
		nights = append(nights, ForecastDay(d))
	}
	for i := range o.Gone {
		gone = append(gone, s.answer(&o.Gone[i]))
	}
	return nights, gone
}
