package plastic

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"

	"plastic/memory"
	"plastic/store"
)

// importMark holds what the last import here did, for one undo. It is this
// machine's own: without it the import can not be undone in one go, and nothing
// else is lost.
const importMark = "import.json"

type importNote struct {
	Taken  map[string]Time   `json:"taken"`  // anew: id → updatedAt as it came
	Former []json.RawMessage `json:"former"` // as they were before the import
}

func (b *Bank) noteImport(in *intake) {
	if len(in.taken) == 0 {
		return
	}
	note := importNote{Taken: map[string]Time{}, Former: []json.RawMessage{}}
	was := map[string]bool{}
	for i := range in.former {
		was[in.former[i].ID] = true
		note.Former = append(note.Former, memory.AppendJSON(nil, &in.former[i]))
	}
	for i := range in.taken {
		if !was[in.taken[i].ID] {
			note.Taken[in.taken[i].ID] = Time{in.taken[i].UpdatedAt}
		}
	}
	if text, err := json.Marshal(note); err == nil {
		_ = b.store.SetLocal(importMark, text)
	}
}

// UndoImport takes back the last import on this machine: what it brought goes to
// the archive, from where an import takes it again, and what it replaced is as it
// was. What was edited since stays and is not among the answer's ids. It fails
// with memory.ErrNotFound when there is none to undo.
func (b *Bank) UndoImport(ctx context.Context) (Forgotten, error) {
	if err := b.mayDump("import undo"); err != nil {
		return Forgotten{}, err
	}
	path := b.store.Local(importMark)
	var note importNote
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &note) != nil {
		return Forgotten{}, Hint(memory.ErrNotFound, "no import on this machine is left to undo", "`plastic forget ID…` takes back single memories")
	}
	now := b.opts.Now()
	out := Forgotten{}
	_, err = b.store.Update(ctx, func(tx *store.Tx) error {
		out.IDs = []string{}
		for _, id := range slices.Sorted(maps.Keys(note.Taken)) {
			if m, ok := tx.Get(id); ok && m.UpdatedAt.Equal(note.Taken[id].Time) {
				tx.Archive(id, memory.Archived{ArchivedAt: whole(now), As: memory.Removed, By: b.by, Why: "the import was undone"})
				out.IDs = append(out.IDs, id)
			}
		}
		for _, raw := range note.Former {
			old, err := memory.ParseJSON(raw)
			if err != nil {
				continue
			}
			if m, ok := tx.Get(old.ID); ok {
				tx.Keep(memory.Archived{Memory: m, ArchivedAt: whole(now), As: memory.Version, By: b.by, Why: "the import was undone"})
				old.UpdatedAt = whole(now)
				tx.Put(old)
				out.IDs = append(out.IDs, old.ID)
			}
		}
		return nil
	})
	if err != nil {
		return Forgotten{}, err
	}
	_ = os.Remove(path)
	return out, nil
}
