package store

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"plastic/memory"
)

// Merge makes one memory of two versions of it (one id, one createdAt), as they
// stand side by side after git has merged two clones:
//
//   - what is told (content, kind, unknown fields, source, session, speaker) is
//     that of the newer updatedAt; at equal times that whose content sorts last;
//   - importance and recallCount are the higher, pinned and private hold if
//     either did, lastRecalledAt, consolidatedAt and updatedAt are the later;
//   - a validTo that is set wins, of two the earlier; a supersededBy likewise, of
//     two the one that sorts last.
//
// The loser is the version whose telling did not stand, for the archive; nil
// when both tell the same. Merge is symmetric, idempotent and associative.
func Merge(a, b *memory.Memory) (winner memory.Memory, loser *memory.Memory) {
	first, second := a, b
	order := compareTelling(a, b)
	if order < 0 {
		first, second = b, a
	}
	m := *first
	m.Importance = max(a.Importance, b.Importance)
	m.RecallCount = max(a.RecallCount, b.RecallCount)
	m.Pinned = a.Pinned || b.Pinned
	m.Private = a.Private || b.Private
	m.LastRecalledAt = later(a.LastRecalledAt, b.LastRecalledAt)
	m.ConsolidatedAt = later(a.ConsolidatedAt, b.ConsolidatedAt)
	m.ValidTo = earlierSet(a.ValidTo, b.ValidTo)
	m.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	m.CreatedAt = earlierSet(a.CreatedAt, b.CreatedAt)
	m.ID = max(a.ID, b.ID)
	if order == 0 || sameTelling(a, b) {
		return m, nil
	}
	lost := *second
	lost.Private = m.Private
	return m, &lost
}

// compareTelling orders versions by updatedAt, then by what they tell.
func compareTelling(a, b *memory.Memory) int {
	return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), cmp.Compare(a.Content, b.Content), cmp.Compare(telling(a), telling(b)))
}

// telling is the line of m without what Merge counts field by field, and behind it
// what a hand wrote there that makes no sense: it is kept, and so is told.
func telling(m *memory.Memory) string {
	t := memory.Memory{Content: m.Content, Kind: m.Kind, Source: m.Source, Session: m.Session, Speaker: m.Speaker, Extra: m.Extra}
	line := memory.AppendJSON(nil, &t)
	for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
		if memory.KnownField(key) {
			line = append(append(line, key...), m.Extra[key]...)
		}
	}
	return string(line)
}

func sameTelling(a, b *memory.Memory) bool {
	return a.Content == b.Content && telling(a) == telling(b)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlierSet(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
