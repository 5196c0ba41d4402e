package plastic

import (
	"context"

	"plastic/memory"
	"plastic/store"
)

// Change says which fields of a memory become what; nil leaves a field alone.
type Change struct {
	Content     *string
	Kind        *memory.Kind
	Importance  *float64
	Pinned      *bool
	Private     *bool
	AllowSecret bool
}

// Update changes the memory with the given id (or a unique beginning of it).
// A former wording goes to the archive as a version. It answers with the
// memory and its similar ones. It fails with memory.ErrInvalid when nothing or
// something impossible is asked for, memory.ErrNotFound and
// memory.ErrAmbiguous.
func (b *Bank) Update(ctx context.Context, id string, c Change) (Updated, error) {
	if err := b.mayWrite("update"); err != nil {
		return Updated{}, err
	}
	if c == (Change{AllowSecret: c.AllowSecret}) {
		return Updated{}, Hint(memory.ErrUsage, "nothing to change was given", "name at least one of content, kind, importance, pin and private")
	}
	now := b.opts.Now()
	if c.Content != nil {
		text, err := b.content(*c.Content, c.AllowSecret)
		if err != nil {
			return Updated{}, err
		}
		c.Content = &text
	}
	var m memory.Memory
	var similar []Similar
	st, err := b.store.Update(ctx, func(tx *store.Tx) error {
		s := b.scene(tx.State(), now)
		old, err := s.resolve(id)
		if err != nil {
			return err
		}
		m = c.apply(old)
		if err := check(&m); err != nil {
			return err
		}
		if c.Kind != nil {
			if err := noSecret("the kind", string(m.Kind)); err != nil {
				return err
			}
		}
		similar = s.similar(&m)
		if unchanged(&old, &m) {
			return nil
		}
		if m.Content != old.Content {
			tx.Keep(memory.Archived{Memory: old, ArchivedAt: whole(now), As: memory.Version, By: b.by, Why: "updated"})
		}
		m.UpdatedAt = whole(now)
		tx.Put(m)
		return nil
	})
	if err != nil {
		return Updated{}, err
	}
	b.used(now)
	return Updated{Memory: b.scene(st, now).answer(&m), Similar: similar}, nil
}

func (c Change) apply(m memory.Memory) memory.Memory {
	if c.Content != nil {
		m.Content = *c.Content
	}
	if c.Kind != nil && *c.Kind != "" {
		m.Kind = *c.Kind
	}
	if c.Importance != nil {
		m.Importance = *c.Importance
	}
	if c.Pinned != nil {
		m.Pinned = *c.Pinned
	}
	if c.Private != nil {
		m.Private = *c.Private
	}
	return m
}

// unchanged compares what an update may touch.
func unchanged(a, b *memory.Memory) bool {
	return a.Content == b.Content && a.Kind == b.Kind && a.Importance == b.Importance && a.Pinned == b.Pinned && a.Private == b.Private
}
