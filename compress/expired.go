package compress

import (
	"time"

	"plastic/memory"
)

// Expired gives the ids of the superseded memories of ms whose time in
// memory.json is over: they stopped holding ttl or longer before now. A ttl of 0
// or less lets all stay. Night plans the same ones by Params.SupersededTTL.
func Expired(ms []memory.Memory, ttl time.Duration, now time.Time) []string {
	var ids []string
	for i := range ms {
		if expired(&ms[i], ttl, now) {
			ids = append(ids, ms[i].ID)
		}
	}
	return ids
}

func expired(m *memory.Memory, ttl time.Duration, now time.Time) bool {
	return ttl > 0 && !m.Live(now) && !since(m).Add(ttl).After(now)
}

// since is when m stopped holding. A hand may have written supersededBy without
// validTo; then the last sign of life counts, so that it leaves too late rather
// than too early.
func since(m *memory.Memory) time.Time {
	if !m.ValidTo.IsZero() {
		return m.ValidTo
	}
	if t := m.Touched(); t.After(m.UpdatedAt) {
		return t
	}
	return m.UpdatedAt
}
