package plastic

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/store"
)

// Forgetting says how memories are forgotten.
type Forgetting struct {
	Why   string
	Purge bool // erase from every file plastic writes, in place of the archive
}

// Forget moves memories to the archive, all of ids or none of them. Ids may be
// shortened to a unique beginning. It fails with memory.ErrNotFound,
// memory.ErrAmbiguous, and memory.ErrInvalid for a reason that can not be kept. With Purge nothing stays but the id, and a warning says
// what plastic can not reach; Purge finds archived memories too.
func (b *Bank) Forget(ctx context.Context, ids []string, f Forgetting) (Forgotten, error) {
	if err := b.mayWrite("forget"); err != nil {
		return Forgotten{}, err
	}
	if len(ids) == 0 {
		return Forgotten{}, Hint(memory.ErrUsage, "no id was given", "`plastic forget ID…`")
	}
	why, err := reason(f.Why)
	if err != nil {
		return Forgotten{}, err
	}
	now := b.opts.Now()
	out := Forgotten{IDs: []string{}}
	var texts []vectors.Key
	_, err = b.store.Update(ctx, func(tx *store.Tx) error {
		s := b.scene(tx.State(), now)
		out.IDs, texts = []string{}, nil
		for _, short := range ids {
			id, err := s.forgettable(short, f.Purge)
			if err != nil {
				return err
			}
			if !slices.Contains(out.IDs, id) {
				out.IDs = append(out.IDs, id)
			}
			if m, ok := tx.Get(id); ok {
				texts = append(texts, keyOf(&m))
			}
		}
		if f.Purge {
			tx.Purge(out.IDs...)
			return nil
		}
		for _, id := range out.IDs {
			tx.Archive(id, memory.Archived{ArchivedAt: whole(now), As: memory.Forgotten, By: b.by, Why: why})
		}
		return nil
	})
	if err != nil {
		return Forgotten{}, err
	}
	b.unvector(texts, f.Purge)
	b.used(now)
	if f.Purge {
		out.Warnings = []string{"erased from every file plastic writes here; git history, other clones and backups may still hold the text"}
	}
	return out, nil
}

func (s *scene) forgettable(short string, purge bool) (string, error) {
	m, err := s.resolve(short)
	if err == nil || !purge {
		return m.ID, err
	}
	a, archived := s.archived(short)
	if archived != nil {
		return "", err
	}
	return a.Memory.ID, nil
}

// Restore brings memories back from the archive with their history, all of ids
// or none of them, and reopens superseded ones. It counts as a touch. It fails
// with memory.ErrNotFound, memory.ErrAmbiguous, and memory.ErrInvalid for a
// memory that is not away.
func (b *Bank) Restore(ctx context.Context, ids []string) (Restored, error) {
	if err := b.mayWrite("restore"); err != nil {
		return Restored{}, err
	}
	if len(ids) == 0 {
		return Restored{}, Hint(memory.ErrUsage, "no id was given", "`plastic archive` lists what can be restored")
	}
	now := b.opts.Now()
	out := Restored{IDs: []string{}}
	_, err := b.store.Update(ctx, func(tx *store.Tx) error {
		out.IDs = []string{}
		for _, short := range ids {
			m, err := b.scene(tx.State(), now).bringBack(tx, short)
			if err != nil {
				return err
			}
			if slices.Contains(out.IDs, m.ID) {
				continue
			}
			m.ValidTo, m.SupersededBy = time.Time{}, ""
			if t := whole(now); t.After(m.LastRecalledAt) {
				m.LastRecalledAt = t
			}
			tx.Put(m)
			out.IDs = append(out.IDs, m.ID)
		}
		return nil
	})
	if err != nil {
		return Restored{}, err
	}
	b.used(now)
	return out, nil
}

// bringBack finds what short means: a superseded memory, or one in the archive.
func (s *scene) bringBack(tx *store.Tx, short string) (memory.Memory, error) {
	m, err := s.resolve(short)
	switch {
	case err == nil && m.Live(s.now):
		return m, Hint(memory.ErrInvalid, m.ID+" is not away: there is nothing to restore", "")
	case err == nil:
		return m, nil
	}
	a, err := s.archived(short)
	if err != nil {
		return memory.Memory{}, err
	}
	return tx.Restore(a.Memory.ID)
}

// archived finds the newest visible archive entry by id or a unique beginning.
func (s *scene) archived(short string) (memory.Archived, error) {
	found := map[string]memory.Archived{}
	for _, a := range s.archive() {
		id := a.Memory.ID
		if memory.ValidID(short) && strings.HasPrefix(id, short) {
			found[id] = a
		}
	}
	if a, ok := found[short]; ok {
		return a, nil
	}
	switch len(found) {
	case 0:
		return memory.Archived{}, Hint(memory.ErrNotFound, fmt.Sprintf("nothing in the archive has the id %q", clip(short, 80)), "`plastic archive` lists what can be restored")
	case 1:
		for _, a := range found {
			return a, nil
		}
	}
	fits := make([]memory.Memory, 0, len(found))
	for _, a := range found {
		fits = append(fits, a.Memory)
	}
	slices.SortFunc(fits, func(a, b memory.Memory) int { return a.Compare(&b) })
	return memory.Archived{}, s.ambiguous(short, fits)
}
