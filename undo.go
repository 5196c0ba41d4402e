package plastic

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"plastic/compress"
	"plastic/memory"
	"plastic/store"
)

// Undone answers UndoNight.
type Undone struct {
	Date     string   `json:"date"`
	Restored []string `json:"restored"` // back from the archive, as they were
	Lowered  []string `json:"lowered"`  // back at the importance they had
	Left     []Kept   `json:"left"`     // not undone, and why
}

// Kept is one thing an undo left as it is.
type Kept struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// UndoNight brings a night's compression back: what it moved to the archive is
// as it was before, what it raised has its importance again. What was edited
// since is left and listed, unless force. What comes back is not pruned again
// until somebody touches it. It exists for the owner alone and fails with
// memory.ErrNotFound where nights.jsonl knows no such night.
func (b *Bank) UndoNight(ctx context.Context, date string, force bool) (Undone, error) {
	if err := b.mayDump("nights undo"); err != nil {
		return Undone{}, err
	}
	night, err := b.compressionOf(date)
	if err != nil {
		return Undone{}, err
	}
	now := b.opts.Now()
	var out Undone
	_, err = b.store.Update(ctx, func(tx *store.Tx) error {
		out = Undone{Date: date, Restored: []string{}, Lowered: []string{}, Left: []Kept{}}
		for _, it := range night.Archived {
			b.bringNightBack(tx, it, &out)
		}
		for _, it := range night.Raised {
			b.lowerAgain(tx, it, night.threshold, force, &out)
		}
		if len(out.Restored)+len(out.Lowered) > 0 {
			tx.Night(undoLine{Date: date, Started: Time{now}, Undo: true, Restored: out.Restored, Lowered: out.Lowered})
		}
		return nil
	})
	return out, err
}

// undoLine is the line of nights.jsonl that tells of an undo.
type undoLine struct {
	Date     string   `json:"date"`
	Started  Time     `json:"started"`
	Undo     bool     `json:"undo"`
	Restored []string `json:"restored"`
	Lowered  []string `json:"lowered"`
}

type pastNight struct {
	nightCompress
	threshold float64
}

// compressionOf is the last compression of the night of date.
func (b *Bank) compressionOf(date string) (pastNight, error) {
	lines, err := b.store.Nights()
	if err != nil {
		return pastNight{}, err
	}
	found := pastNight{threshold: b.settings().Memory.ImportanceThreshold}
	ok := false
	for _, raw := range lines {
		var l nightLine
		if json.Unmarshal(raw, &l) == nil && l.Date == date && !l.DryRun && l.Compress != nil {
			found.nightCompress, ok = *l.Compress, true
		}
	}
	if !ok {
		return pastNight{}, Hint(memory.ErrNotFound, fmt.Sprintf("no night of %s is in nights.jsonl", clip(date, 20)), "`plastic nights` lists them")
	}
	return found, nil
}

func (b *Bank) bringNightBack(tx *store.Tx, it nightItem, out *Undone) {
	if _, there := tx.Get(it.ID); there {
		out.Left = append(out.Left, Kept{it.ID, "it is there already"})
		return
	}
	m, err := tx.Restore(it.ID)
	if err != nil {
		out.Left = append(out.Left, Kept{it.ID, "its text is gone from the archive"})
		return
	}
	out.Restored = append(out.Restored, m.ID)
}

func (b *Bank) lowerAgain(tx *store.Tx, it nightItem, threshold float64, force bool, out *Undone) {
	m, there := tx.Get(it.ID)
	switch {
	case !there || it.Was == nil:
		out.Left = append(out.Left, Kept{it.ID, "it is not there any more"})
	case m.Importance == *it.Was:
	case m.Importance != threshold && !force:
		out.Left = append(out.Left, Kept{it.ID, "its importance was changed since"})
	default:
		m.Importance = *it.Was
		tx.Put(m)
		out.Lowered = append(out.Lowered, m.ID)
	}
}

// protected are the memories that an undo brought back and nobody has touched
// since: no night prunes them.
func (b *Bank) protected(ms []memory.Memory) map[string]bool {
	lines, _ := b.store.Nights()
	since := map[string]time.Time{}
	for _, raw := range lines {
		var l undoLine
		if json.Unmarshal(raw, &l) != nil || !l.Undo {
			continue
		}
		for _, id := range l.Restored {
			since[id] = l.Started.Time
		}
	}
	if len(since) == 0 {
		return nil
	}
	out := map[string]bool{}
	for i := range ms {
		m := &ms[i]
		if t, ok := since[m.ID]; ok && !m.LastRecalledAt.After(t) && !m.UpdatedAt.After(t) {
			out[m.ID] = true
		}
	}
	return out
}

// sparing is p with what undo protects among ms.
func (b *Bank) sparing(p compress.Params, ms []memory.Memory) compress.Params {
	p.Protected = b.protected(ms)
	return p
}
