package plastic

import (
	"encoding/json"
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
	Was *float64 `json:"was"` // the importance before it was raised
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
