package plastic

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"plastic/memory"
	"plastic/store"
)

// importMark holds what the last import here did, for one undo. It is this
// machine's own: without it the import can not be undone in one go, and nothing
// else is lost.
const importMark = "import.json"

type importNote struct {
	Taken  map[string]Time   `json:"taken"`  // id → updatedAt as it came
	Former []json.RawMessage `json:"former"` // as they were before the import
	Gone   map[string]gone   `json:"gone"`   // of taken ones that had been forgotten or pruned
	Queued []string          `json:"queued"` // sources of turns
}

// gone is what a tombstone says beside its memory.
type gone struct {
	As  memory.As `json:"as"`
	By  string    `json:"by"`
	Why string    `json:"why"`
}

func (b *Bank) noteImport(in *intake) {
	if len(in.taken) == 0 && len(in.queued) == 0 {
		return
	}
	note := importNote{Taken: map[string]Time{}, Former: []json.RawMessage{}, Gone: map[string]gone{}, Queued: in.queued}
	for i := range in.former {
		note.Former = append(note.Former, memory.AppendJSON(nil, &in.former[i]))
	}
	for i := range in.taken {
		note.Taken[in.taken[i].ID] = Time{in.taken[i].UpdatedAt}
	}
	for _, a := range in.brought {
		note.Gone[a.Memory.ID] = gone{a.As, a.By, a.Why}
	}
	if text, err := json.Marshal(note); err == nil {
		_ = b.store.SetLocal(importMark, text)
	}
}

// UndoImport takes back the last import on this machine: what it brought goes to
// the archive, from where an import takes it again, and what it replaced is as it
// was; what had been forgotten before the import is forgotten again, and turns of it
// that wait leave the queue. What was edited since stays and is not among the answer's ids. It fails
// with memory.ErrNotFound when there is none to undo.
func (b *Bank) UndoImport(ctx context.Context) (Forgotten, error) {
	if err := b.mayDump("import undo"); err != nil {
		return Forgotten{}, err
	}
	path := b.store.Local(importMark)
	var note importNote
	text, err := b.store.ReadLocal(importMark)
	if err != nil || json.Unmarshal(text, &note) != nil {
		return Forgotten{}, Hint(memory.ErrNotFound, "no import on this machine is left to undo", "`plastic forget ID…` takes back single memories")
	}
	now := b.opts.Now()
	out := Forgotten{}
	_, err = b.store.Update(ctx, func(tx *store.Tx) error {
		out.IDs = note.undo(tx, b.by, whole(now))
		return nil
	})
	if err != nil {
		return Forgotten{}, err
	}
	aside, err := b.unqueue(ctx, note.Queued)
	if err != nil {
		return Forgotten{}, err
	}
	if aside > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s of conversations taken out of the queue; the same import would put them in again", turns(aside)))
	}
	_ = os.Remove(path)
	return out, nil
}

// undo takes back in tx what note tells of, and gives the ids of that.
func (note *importNote) undo(tx *store.Tx, by string, now time.Time) []string {
	ids := []string{}
	former := map[string]memory.Memory{}
	for _, raw := range note.Former {
		if old, err := memory.ParseJSON(raw); err == nil {
			former[old.ID] = old
		}
	}
	for _, id := range slices.Sorted(maps.Keys(note.Taken)) {
		m, ok := tx.Get(id)
		if !ok || !m.UpdatedAt.Equal(note.Taken[id].Time) {
			continue // it is gone, or was edited since
		}
		ids = append(ids, id)
		if old, was := former[id]; was {
			tx.Keep(memory.Archived{Memory: m, ArchivedAt: now, As: memory.Version, By: by, Why: "the import was undone"})
			tx.Put(old)
			continue
		}
		left := gone{memory.Removed, by, "the import was undone"}
		if g, ok := note.Gone[id]; ok {
			left = g
		}
		tx.Archive(id, memory.Archived{ArchivedAt: now, As: left.As, By: left.By, Why: left.Why})
	}
	return ids
}
