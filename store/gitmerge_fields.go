package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"plastic/memory"
)

// mergeFields merges two versions of a memory from base, and gives the versions
// of which something that was told did not stand.
func mergeFields(base, ours, theirs *memory.Memory) (m memory.Memory, lost []memory.Memory) {
	b, _ := textTime(base)
	o, oursAt := textTime(ours)
	t, theirsAt := textTime(theirs)
	m = o
	text, textAt := &o, oursAt
	switch newer := cmp.Or(theirsAt.Compare(oursAt), cmp.Compare(t.Content, o.Content)) > 0; {
	case o.Content == t.Content:
		textAt = later(oursAt, theirsAt)
	case t.Content != b.Content && (o.Content == b.Content || newer):
		text, textAt = &t, theirsAt
	}
	m.Content = text.Content
	m.Kind = pick(b.Kind, o.Kind, t.Kind, longerLived)
	m.Importance = pick(b.Importance, o.Importance, t.Importance, maxOf[float64])
	m.Pinned = pick(b.Pinned, o.Pinned, t.Pinned, or)
	m.Private = mergePrivate(&b, &o, &t)
	m.UpdatedAt = later(o.UpdatedAt, t.UpdatedAt)
	m.RecallCount = max(0, o.RecallCount+t.RecallCount-b.RecallCount)
	m.LastRecalledAt = later(o.LastRecalledAt, t.LastRecalledAt)
	m.ConsolidatedAt = later(o.ConsolidatedAt, t.ConsolidatedAt)
	m.ValidTo = pick(b.ValidTo, o.ValidTo, t.ValidTo, earlierSet)
	m.SupersededBy = pick(b.SupersededBy, o.SupersededBy, t.SupersededBy, maxOf[string])
	m.Source = pick(b.Source, o.Source, t.Source, maxOf[string])
	m.Session = pick(b.Session, o.Session, t.Session, maxOf[string])
	m.Speaker = pick(b.Speaker, o.Speaker, t.Speaker, maxOf[string])
	m.Extra = mergeExtra(b.Extra, o.Extra, t.Extra)
	o.UpdatedAt, t.UpdatedAt = oursAt, theirsAt
	for _, side := range []*memory.Memory{&o, &t} {
		if !stands(&b, side, &m) {
			lost = append(lost, *side)
		}
	}
	return withTextTime(m, textAt), lost
}

// mergePrivate lets a memory become public only when the other side did not write
// a text that nobody has looked at with that in mind.
func mergePrivate(b, o, t *memory.Memory) bool {
	switch {
	case o.Private == t.Private:
		return o.Private
	case !b.Private:
		return true
	case o.Private:
		return o.Content != b.Content
	}
	return t.Content != b.Content
}

// longerLived decides between two kinds: what fades least stays.
func longerLived(a, b memory.Kind) memory.Kind {
	rank := func(k memory.Kind) int {
		return slices.Index([]memory.Kind{memory.Event, memory.Fact, memory.Identity, memory.Core}, k) // an unknown one is -1
	}
	if cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) < 0 {
		return b
	}
	return a
}

func mergeExtra(b, o, t map[string]json.RawMessage) map[string]json.RawMessage {
	extra := make(map[string]json.RawMessage)
	for _, side := range []map[string]json.RawMessage{o, t} {
		for k := range side {
			if v := pick(string(b[k]), string(o[k]), string(t[k]), maxOf[string]); v != "" {
				extra[k] = json.RawMessage(v)
			}
		}
	}
	if len(extra) == 0 {
		return nil
	}
	return extra
}

// stands reports whether all that side told anew is in m.
func stands(base, side, m *memory.Memory) bool {
	for i := range tellings {
		if t := &tellings[i]; !t.equal(side, base) && !t.equal(side, m) {
			return false
		}
	}
	for k, v := range side.Extra {
		if !bytes.Equal(v, base.Extra[k]) && !bytes.Equal(v, m.Extra[k]) {
			return false
		}
	}
	return true
}

// tellings are the fields that a lost version is kept for.
var tellings = []trait{
	traitOf(func(m *memory.Memory) *string { return &m.Content }),
	traitOf(func(m *memory.Memory) *memory.Kind { return &m.Kind }),
	traitOf(func(m *memory.Memory) *string { return &m.Source }),
	traitOf(func(m *memory.Memory) *string { return &m.Session }),
	traitOf(func(m *memory.Memory) *string { return &m.Speaker }),
}

// textTime gives m without its mark, and when its text was written as far as is
// known.
func textTime(m *memory.Memory) (bare memory.Memory, at time.Time) {
	raw, ok := m.Extra[textTimeKey]
	if !ok {
		return *m, m.UpdatedAt
	}
	var from, in time.Time
	memory.Members(string(raw), func(key, raw string) {
		switch at, _ := memory.ParseTime(raw); key {
		case "from":
			from = at
		case "in":
			in = at
		}
	})
	bare = *m
	if in.IsZero() {
		return bare, m.UpdatedAt // not a mark of ours
	}
	bare.Extra = maps.Clone(m.Extra)
	if delete(bare.Extra, textTimeKey); len(bare.Extra) == 0 {
		bare.Extra = nil
	}
	if !in.Equal(m.UpdatedAt) {
		from = m.UpdatedAt
	}
	return bare, from
}

func withTextTime(m memory.Memory, at time.Time) memory.Memory {
	if at.Equal(m.UpdatedAt) {
		return m
	}
	extra := maps.Clone(m.Extra)
	if extra == nil {
		extra = make(map[string]json.RawMessage, 1)
	}
	extra[textTimeKey] = fmt.Appendf(nil, `{"from":%s,"in":%s}`, memory.AppendTime(nil, at), memory.AppendTime(nil, m.UpdatedAt))
	m.Extra = extra
	return m
}
