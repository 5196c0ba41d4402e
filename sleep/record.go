package sleep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"plastic/memory"
)

// Done is an operation and what became of it. Applied or not, it holds all that a
// person needs to judge it; applied, all that an undo needs: the memories it named
// exactly as they were, and those it left. What is in Before and not in After went
// to the archive.
type Done struct {
	Op
	Applied bool     `json:"applied"`
	Refused string   `json:"refused"` // why it was not applied, or ""
	Before  Memories `json:"before,omitempty"`
	After   Memories `json:"after,omitempty"`

	Capped bool `json:"-"` // refused because the night has done enough
	Early  bool `json:"-"` // refused because a memory is too young

	scope Scope
	shown []memory.Memory
}

// Memories are memories in JSON as memory.json has them.
type Memories []memory.Memory

// MarshalJSON writes every field as memory.json would.
func (ms Memories) MarshalJSON() ([]byte, error) {
	raw := make([]json.RawMessage, len(ms))
	for i := range ms {
		raw[i] = memory.AppendJSON(nil, &ms[i])
	}
	return json.Marshal(raw)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (ms *Memories) UnmarshalJSON(b []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*ms = make(Memories, 0, len(raw))
	for _, r := range raw {
		m, err := memory.ParseJSON(r)
		if err != nil {
			return fmt.Errorf("a memory of an operation: %w", err)
		}
		*ms = append(*ms, m)
	}
	return nil
}

// Key names an operation on certain texts: what a person took back is not done
// again while the memories say the same, whatever new wording a model finds.
func Key(op Op, old []memory.Memory) string {
	texts := make([]string, 0, len(old))
	for i := range old {
		texts = append(texts, old[i].ID+"\x00"+Sum(&old[i]))
	}
	slices.Sort(texts)
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%q", op.Op, texts)
	if op.Op == Set {
		fmt.Fprintf(h, "\x00%s", op.Kind)
		if op.Importance != nil {
			fmt.Fprintf(h, "\x00%v", *op.Importance)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Sum names the text of a memory.
func Sum(m *memory.Memory) string {
	sum := sha256.Sum256([]byte(m.Content))
	return hex.EncodeToString(sum[:8])
}

// Reversal is what takes an applied operation back.
type Reversal struct {
	Put  []memory.Memory // as they were, with the counts they gained since
	Drop []string        // what the operation made
	Back []string        // ids in Put that are not there now
}

// Reverse says how to take d back, or why not: a memory it left was edited since, or
// is gone. With force these are no reasons.
func (d *Done) Reverse(get func(id string) (memory.Memory, bool), force bool) (Reversal, string) {
	var r Reversal
	left := map[string]memory.Memory{}
	for _, m := range d.After {
		left[m.ID] = m
	}
	for _, m := range d.Before {
		cur, there := get(m.ID)
		after, kept := left[m.ID]
		delete(left, m.ID)
		switch {
		case kept && untouched(&m, &after):
			continue // evidence
		case !there && kept && !force:
			return r, m.ID + " is not there any more"
		case there && kept && !sameText(&cur, &after) && !force:
			return r, m.ID + " was edited since"
		case there && !kept && !sameText(&cur, &m) && !force:
			return r, m.ID + " is there again with another text"
		}
		if there {
			gained(&m, &cur, &after, kept)
		} else {
			r.Back = append(r.Back, m.ID)
		}
		r.Put = append(r.Put, m)
	}
	for _, m := range d.After { // in their order: what the operation made
		if _, made := left[m.ID]; !made {
			continue
		}
		cur, there := get(m.ID)
		if there && !sameText(&cur, &m) && !force {
			return r, m.ID + " was edited since"
		}
		if there {
			r.Drop = append(r.Drop, m.ID)
		}
	}
	return r, ""
}

// untouched reports whether an operation left m exactly as it was.
func untouched(m, after *memory.Memory) bool {
	return bytes.Equal(memory.AppendJSON(nil, m), memory.AppendJSON(nil, after))
}

// Changed are the memories that the operation left otherwise than they were, or
// made, and Gone those it took away.
func (d *Done) Changed() (changed []memory.Memory, gone []string) {
	after := map[string]bool{}
	for i := range d.After {
		m := &d.After[i]
		after[m.ID] = true
		j := slices.IndexFunc(d.Before, func(b memory.Memory) bool { return b.ID == m.ID })
		if j < 0 || !untouched(&d.Before[j], m) {
			changed = append(changed, *m)
		}
	}
	for i := range d.Before {
		if id := d.Before[i].ID; !after[id] {
			gone = append(gone, id)
		}
	}
	return changed, gone
}

// gained gives m the counts that the memory has won since the operation.
func gained(m, cur, after *memory.Memory, kept bool) {
	base := m.RecallCount
	if kept {
		base = after.RecallCount
	}
	if n := cur.RecallCount - base; n > 0 {
		m.RecallCount += n
		if cur.LastRecalledAt.After(m.LastRecalledAt) {
			m.LastRecalledAt = cur.LastRecalledAt
		}
	}
}
