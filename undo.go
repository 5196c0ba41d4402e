package plastic

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"plastic/compress"
	"plastic/memory"
	"plastic/sleep"
	"plastic/store"
)

// Undone answers UndoNight.
type Undone struct {
	Night             // the undo itself: Date is that of the undone night
	Undo     bool     `json:"undo"`     // true
	Restored []string `json:"restored"` // back from the archive, as they were
	Lowered  []string `json:"lowered"`  // back at the importance they had
	Reverted []int    `json:"reverted"` // numbers of the operations of a model that were taken back
	Left     []Kept   `json:"left"`     // not undone, and why
}

// Kept is one thing an undo left as it is.
type Kept struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// UndoNight brings a night back: what it moved to the archive is as it was before,
// what it raised has its importance again, and what a model's operations changed is
// as they found it, with the counts it gained since. What was edited since is left
// and listed, unless force. What comes back is not pruned again until somebody
// touches it, and the operations are not done again on the same texts. It exists for
// the owner alone and fails with memory.ErrNotFound where nights.jsonl knows no such
// night.
func (b *Bank) UndoNight(ctx context.Context, date string, force bool) (Undone, error) {
	return b.undoNight(ctx, date, 0, force)
}

// UndoOperation is UndoNight for one operation of the night: the n-th, from 1, in the
// order in which nights.jsonl tells of them. It fails with memory.ErrNotFound where
// the night has no such operation, or did not apply it.
func (b *Bank) UndoOperation(ctx context.Context, date string, n int, force bool) (Undone, error) {
	if n < 1 {
		return Undone{}, Hint(memory.ErrUsage, "operations are counted from 1", "`plastic nights show DATE` numbers them")
	}
	return b.undoNight(ctx, date, n, force)
}

func (b *Bank) undoNight(ctx context.Context, date string, op int, force bool) (Undone, error) {
	if err := b.mayDump("nights undo"); err != nil {
		return Undone{}, err
	}
	if err := b.recoverNight(ctx); err != nil {
		return Undone{}, err
	}
	now := b.opts.Now()
	var out Undone
	_, err := b.store.Update(ctx, func(tx *store.Tx) error {
		lines, err := b.linesOf(date)
		if err != nil {
			return err
		}
		before, err := b.undoneOf(date)
		if err != nil {
			return err
		}
		u := undoing{tx: tx, before: before, now: now, force: force, threshold: b.settings().Memory.ImportanceThreshold,
			out: Undone{Night: uncompressed(date, Time{now}, Time{now}), Undo: true, Restored: []string{}, Lowered: []string{}, Reverted: []int{}, Left: []Kept{}}}
		if op > 0 {
			err = u.one(lines, op)
		} else {
			u.all(lines)
		}
		out = u.out
		did := len(out.Restored)+len(out.Lowered)+len(out.Reverted)+u.settled > 0
		if op == 0 && before != nil && !did && len(out.Left) == 0 {
			return Hint(memory.ErrNotFound, "the night of "+date+" is undone already", "")
		}
		if did {
			tx.Night(undoLine{Date: date, Started: Time{now}, Undo: true, Restored: out.Restored, Lowered: out.Lowered, Reverted: out.Reverted, Rejected: u.rejected})
		}
		return err
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
	Reverted []int    `json:"reverted,omitempty"` // numbers of operations of the date
	Rejected []string `json:"rejected,omitempty"` // … and their keys
}

// pastNight is one line of a date, the number of its first operation, and which
// operations of the date were taken back before.
type pastNight struct {
	nightLine
	first  int
	undone map[int]bool
}

// next is the number of the first operation behind those of the night.
func (p *pastNight) next() int {
	n := p.first
	for _, ph := range p.Phases {
		n += len(ph.Ops)
	}
	return n
}

// linesOf are the nights of date, oldest first: one, or more where a night was woken
// or run again.
func (b *Bank) linesOf(date string) ([]pastNight, error) {
	raws, err := b.store.Nights()
	if err != nil {
		return nil, err
	}
	var out []pastNight
	undone, number := map[int]bool{}, 1
	for _, raw := range raws {
		var line nightLine
		var undo undoLine
		if json.Unmarshal(raw, &undo) != nil || json.Unmarshal(raw, &line) != nil || undo.Date != date || line.DryRun || line.After {
			continue
		}
		if undo.Undo {
			for _, n := range undo.Reverted {
				undone[n] = true
			}
			continue
		}
		if line.Compress == nil && len(line.Phases) == 0 {
			continue
		}
		out = append(out, pastNight{nightLine: line, first: number, undone: undone})
		number = out[len(out)-1].next()
	}
	if len(out) == 0 {
		return nil, Hint(memory.ErrNotFound, fmt.Sprintf("no night of %s is in nights.jsonl", clip(date, 20)), "`plastic nights` lists them")
	}
	return out, nil
}

// undoneOf are the memories that earlier undoes of date brought back; nil where there
// was none.
func (b *Bank) undoneOf(date string) (map[string]bool, error) {
	raws, err := b.store.Nights()
	if err != nil {
		return nil, err
	}
	var ids map[string]bool
	for _, raw := range raws {
		var l undoLine
		if json.Unmarshal(raw, &l) != nil || !l.Undo || l.Date != date {
			continue
		}
		if ids == nil {
			ids = map[string]bool{}
		}
		for _, id := range l.Restored {
			ids[id] = true
		}
	}
	return ids, nil
}

// undoing is an undo under way.
type undoing struct {
	tx        *store.Tx
	before    map[string]bool // what earlier undoes of the date brought back
	now       time.Time
	force     bool
	threshold float64
	out       Undone
	rejected  []string
	settled   int
	have      map[string]bool // see texts
	taken     map[string]bool // see takenSince
}

// all takes the lines of a date back, the last first, and in each what was done last.
func (u *undoing) all(lines []pastNight) {
	for _, l := range slices.Backward(lines) {
		if l.Compress != nil {
			for _, it := range l.Compress.Archived {
				u.bringBack(it)
			}
			for _, it := range l.Compress.Raised {
				u.lower(it)
			}
		}
		n := l.next()
		for _, ph := range slices.Backward(l.Phases) {
			for i := len(ph.Ops) - 1; i >= 0; i-- {
				if n--; ph.Ops[i].Applied && !l.undone[n] {
					u.revert(&ph.Ops[i], n, nil)
				}
			}
			u.unsettle(ph.Settled, l.Started.Time)
		}
	}
}

// one takes the n-th operation of the date back.
func (u *undoing) one(lines []pastNight, n int) error {
	for _, l := range lines {
		at := n - l.first
		for _, ph := range l.Phases {
			if at >= 0 && at < len(ph.Ops) {
				switch op := &ph.Ops[at]; {
				case !op.Applied:
					return Hint(memory.ErrNotFound, fmt.Sprintf("operation %d was not applied: %s", n, op.Refused), "")
				case l.undone[n]:
					return Hint(memory.ErrNotFound, fmt.Sprintf("operation %d is undone already", n), "")
				default:
					u.revert(op, n, l.Compress)
					return nil
				}
			}
			at -= len(ph.Ops)
		}
	}
	return Hint(memory.ErrNotFound, fmt.Sprintf("the night has no operation %d", n), "`plastic nights show DATE` numbers them")
}

// revert takes an operation back, or lists it. What the compression of the same night
// raised after it counts as no edit.
func (u *undoing) revert(op *Op, n int, later *nightCompress) {
	d, err := op.done()
	if err != nil || len(d.Before) == 0 {
		u.out.Left = append(u.out.Left, Kept{ID: strings.Join(op.IDs, " "), Why: "what it was is not in nights.jsonl any more"})
		return
	}
	r, why := d.Reverse(func(id string) (memory.Memory, bool) {
		m, ok := u.tx.Get(id)
		if later != nil && m.Importance == u.threshold {
			for _, it := range later.Raised {
				if it.ID == id && it.Was != nil {
					m.Importance = *it.Was
				}
			}
		}
		return m, ok
	}, u.force)
	for _, id := range r.Back {
		if why == "" && u.takenSince(id) {
			why = id + " was forgotten since"
		}
	}
	if why != "" {
		u.out.Left = append(u.out.Left, Kept{ID: strings.Join(op.IDs, " "), Why: why})
		return
	}
	entry := memory.Archived{ArchivedAt: whole(u.now), As: memory.Version, By: "undo", Why: "the night's operation was undone"}
	for _, id := range r.Drop {
		u.tx.Archive(id, entry)
	}
	for _, m := range r.Put {
		if cur, ok := u.tx.Get(m.ID); ok && cur.Content != m.Content {
			was := entry
			was.Memory = cur
			u.tx.Keep(was)
		}
		u.tx.Put(m)
	}
	u.out.Restored = append(u.out.Restored, r.Back...)
	u.out.Reverted = append(u.out.Reverted, n)
	u.rejected = append(u.rejected, sleep.Key(d.Op, d.Before))
}

// unsettle gives back the marks of what a night looked at and left.
func (u *undoing) unsettle(marks []sleep.Mark, started time.Time) {
	for _, mark := range marks {
		if m, ok := u.tx.Get(mark.ID); ok && m.ConsolidatedAt.Equal(whole(started)) {
			m.ConsolidatedAt = mark.Was
			u.tx.Put(m)
			u.settled++
		}
	}
}

func (u *undoing) bringBack(it nightItem) {
	if _, there := u.tx.Get(it.ID); there {
		if !u.before[it.ID] {
			u.out.Left = append(u.out.Left, Kept{it.ID, "it is there already"})
		}
		return
	}
	if !u.texts()[it.ID] {
		u.out.Left = append(u.out.Left, Kept{it.ID, "its text is gone from the archive"})
		return
	}
	if u.takenSince(it.ID) {
		u.out.Left = append(u.out.Left, Kept{it.ID, "it was forgotten since"})
		return
	}
	if m, err := u.tx.Restore(it.ID); err == nil {
		u.out.Restored = append(u.out.Restored, m.ID)
	}
}

// texts are the ids whose text the archive still has.
func (u *undoing) texts() map[string]bool {
	if u.have == nil {
		u.have = map[string]bool{}
		for _, e := range u.tx.State().Archive() {
			if !e.Textless() {
				u.have[e.Memory.ID] = true
			}
		}
	}
	return u.have
}

// takenSince reports whether it was somebody other than a night who took the memory away
// last, as one does with what had come back: that is an edit. By force it is none.
func (u *undoing) takenSince(id string) bool {
	if u.taken == nil {
		u.taken = map[string]bool{}
		last := map[string]time.Time{}
		entries := u.tx.State().Archive()
		for i := range entries {
			e := &entries[i]
			if e.As == memory.Version || e.ArchivedAt.Before(last[e.Memory.ID]) {
				continue
			}
			last[e.Memory.ID] = e.ArchivedAt
			u.taken[e.Memory.ID] = e.As != memory.Pruned && e.By != sleptBy
		}
	}
	return !u.force && u.taken[id]
}

func (u *undoing) lower(it nightItem) {
	m, there := u.tx.Get(it.ID)
	switch {
	case !there || it.Was == nil:
		u.out.Left = append(u.out.Left, Kept{it.ID, "it is not there any more"})
	case m.Importance == *it.Was:
	case m.Importance != u.threshold && !u.force:
		u.out.Left = append(u.out.Left, Kept{it.ID, "its importance was changed since"})
	default:
		m.Importance = *it.Was
		u.tx.Put(m)
		u.out.Lowered = append(u.out.Lowered, m.ID)
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
