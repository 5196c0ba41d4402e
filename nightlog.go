package plastic

import (
	"encoding/json"
	"slices"
)

// NightRecord is one line of nights.jsonl: what a night did and why, or that one
// was undone. What a line lacks is empty.
type NightRecord struct {
	Date     string          `json:"date"` // local date
	Started  Time            `json:"started"`
	Ended    Time            `json:"ended"`
	DryRun   bool            `json:"dryRun"`
	Phases   []Phase         `json:"phases"`
	Compress *NightCompress  `json:"compress"`
	After    bool            `json:"after"`    // the line tells that the command of sleep.after failed, behind that of its night
	Undo     bool            `json:"undo"`     // the line tells of an undo of Date's night
	Restored []string        `json:"restored"` // … which brought these back
	Lowered  []string        `json:"lowered"`  // … and gave these their importance again
	Reverted []int           `json:"reverted"` // … and took these operations back
	Seen     string          `json:"seen"`     // what the overview was last asked about
	Next     string          `json:"next"`     // the id behind which its rotation goes on
	Rejected []string        `json:"rejected"` // keys of operations that a person did not want
	Raw      json.RawMessage `json:"-"`        // the line as it stands
}

// NightCompress is the compression of a NightRecord.
type NightCompress struct {
	Before   int         `json:"before"`
	After    int         `json:"after"`
	Pruned   int         `json:"pruned"`
	Promoted int         `json:"promoted"`
	Archived []NightItem `json:"archived"`
	Raised   []NightItem `json:"raised"`
}

// NightItem is one memory that a night touched, and why.
type NightItem struct {
	ID  string   `json:"id"`
	Why string   `json:"why"`
	Was *float64 `json:"was,omitempty"` // the importance before it was raised
}

// At is when what the record tells of was done.
func (r NightRecord) At() Time {
	if r.Ended.IsZero() {
		return r.Started
	}
	return r.Ended
}

// Total is the compression in figures.
func (c NightCompress) Total() Compressed {
	return Compressed{Before: c.Before, After: c.After, Pruned: c.Pruned, Promoted: c.Promoted}
}

// NightTold is a line of nights.jsonl in the shape of every answer about a night,
// with what the line tells beside it.
type NightTold struct {
	Night
	After    bool     `json:"after"`
	Undo     bool     `json:"undo"`
	Restored []string `json:"restored"`
	Lowered  []string `json:"lowered"`
	Reverted []int    `json:"reverted"`
	Seen     string   `json:"seen,omitempty"`
	Next     string   `json:"next,omitempty"`
	Rejected []string `json:"rejected,omitempty"`
}

// Told is the record in the shape of a Night. Where the line has no compression, as
// that of an undo or of a night that ended before its time, Compress is not Done.
func (r NightRecord) Told() NightTold {
	if r.Date == "" {
		var l struct {
			Date string `json:"date"`
		}
		if json.Unmarshal(r.Raw, &l) == nil {
			r.Date = l.Date
		}
	}
	t := NightTold{
		Night: uncompressed(r.Date, r.Started, r.At()),
		After: r.After, Undo: r.Undo, Restored: list(r.Restored), Lowered: list(r.Lowered), Reverted: list(r.Reverted),
		Seen: r.Seen, Next: r.Next, Rejected: r.Rejected,
	}
	t.DryRun, t.Compress.DryRun = r.DryRun, r.DryRun
	for _, ph := range r.Phases {
		ph.Ops = slices.Clone(list(ph.Ops))
		for i := range ph.Ops {
			ph.Ops[i].IDs = list(ph.Ops[i].IDs)
		}
		t.Phases = append(t.Phases, ph)
	}
	if c := r.Compress; c != nil {
		to := &t.Compress
		to.Before, to.After, to.Pruned, to.Promoted, to.Done = c.Before, c.After, c.Pruned, c.Promoted, !r.DryRun
		for _, it := range c.Archived {
			to.Archived = append(to.Archived, it.ID)
		}
		for _, it := range c.Raised {
			to.Raised = append(to.Raised, it.ID)
		}
		to.Reasons = append(append(to.Reasons, c.Archived...), c.Raised...)
	}
	return t
}

// uncompressed is a night that did nothing.
func uncompressed(date string, started, ended Time) Night {
	return Night{Date: date, Started: started, Ended: ended, Phases: []Phase{},
		Compress: Compressed{Date: date, Archived: []string{}, Raised: []string{}, Reasons: []NightItem{}}}
}

// list is l, which is empty where it was nil.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// NightRecords is Nights, read. A line that is none of plastic's keeps its Raw
// alone. It exists for the owner alone.
func (b *Bank) NightRecords() ([]NightRecord, error) {
	lines, err := b.Nights()
	if err != nil {
		return nil, err
	}
	out := make([]NightRecord, 0, len(lines))
	for _, raw := range lines {
		r := NightRecord{}
		if json.Unmarshal(raw, &r) != nil {
			r = NightRecord{}
		}
		r.Raw = raw
		out = append(out, r)
	}
	return out, nil
}
