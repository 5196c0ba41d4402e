// Package memory says what a memory is: its fields, the words for its kinds,
// and who may see it. It imports the standard library only and touches no file.
//
//	m := memory.Memory{ID: "k3v9x2", Content: "Ann keeps two cats", Kind: memory.Fact, Importance: 0.5}
//	if memory.Public.Sees(&m) { … }
package memory

import (
	"encoding/json"
	"time"
)

// Kind says what sort of thing a memory is about. Any word is kept as it was
// written; a kind that is none of the constants behaves like Fact.
type Kind string

// The kinds plastic knows.
const (
	Fact     Kind = "fact"     // something that holds; the default
	Event    Kind = "event"    // something that happened; fades faster
	Core     Kind = "core"     // stands in every prompt, passes no scoring
	Identity Kind = "identity" // who the bot is; an anchor
)

// Memory is one thing the bot knows. The zero time means "not set" in every
// time field. Times are UTC and whole seconds on disk.
type Memory struct {
	ID             string
	Content        string
	Kind           Kind
	Importance     float64 // 0…1, 0.5 unless said otherwise
	Pinned         bool
	Private        bool
	CreatedAt      time.Time
	UpdatedAt      time.Time // last change on purpose of content, kind, importance, pinned or private
	RecallCount    int
	LastRecalledAt time.Time
	ConsolidatedAt time.Time
	ValidTo        time.Time // it was true until then
	SupersededBy   string    // id of the memory that took its place
	Source         string    // what[:detail]: tool, turn, import:…
	Session        string    // the conversation it came from
	Speaker        string    // who said it

	// Extra holds the fields plastic does not know, as they were written.
	Extra map[string]json.RawMessage
}

// DefaultImportance is what a memory weighs when nobody said otherwise.
const DefaultImportance = 0.5

// Live reports whether m still holds at now: nothing superseded it and its
// validTo, if any, has not come.
func (m *Memory) Live(now time.Time) bool {
	return m.SupersededBy == "" && (m.ValidTo.IsZero() || m.ValidTo.After(now))
}

// Touched is the later of CreatedAt and LastRecalledAt, from which age counts.
func (m *Memory) Touched() time.Time {
	if m.LastRecalledAt.After(m.CreatedAt) {
		return m.LastRecalledAt
	}
	return m.CreatedAt
}

// Before orders memories as memory.json does: by CreatedAt, then ID.
func (m *Memory) Before(o *Memory) bool { return m.Compare(o) < 0 }

// Compare is the three-way form of Before.
func (m *Memory) Compare(o *Memory) int {
	if c := m.CreatedAt.Compare(o.CreatedAt); c != 0 {
		return c
	}
	switch {
	case m.ID < o.ID:
		return -1
	case m.ID > o.ID:
		return 1
	}
	return 0
}

// Archived is a memory that left: forgotten, pruned, replaced or removed.
type Archived struct {
	Memory     Memory
	ArchivedAt time.Time
	As         As
	By         string // which door or stage did it: cli, mcp, http, night, sleep …
	Why        string

	// RestoredAt marks an entry without text that cancels older tombstones of
	// the same id; such an entry is never shown.
	RestoredAt time.Time

	Extra map[string]json.RawMessage // members of the entry that plastic does not know, kept as they were
}

// As says how a memory came into the archive.
type As string

// The ways into the archive. Forgotten and Pruned are tombstones: an older copy
// of the memory that comes back through git or an import stays out.
const (
	Forgotten As = "forgotten"
	Pruned    As = "pruned"
	Version   As = "version" // an old wording, or the original of a merge
	Removed   As = "removed" // taken out of memory.json by another hand
)

// Without gives the memories of ms whose ids are not among those of others.
func Without(ms, others []Memory) []Memory {
	known := make(map[string]bool, len(others))
	for i := range others {
		known[others[i].ID] = true
	}
	var left []Memory
	for i := range ms {
		if !known[ms[i].ID] {
			left = append(left, ms[i])
		}
	}
	return left
}
