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

// How the driver merges memory.json. A memory is known by its id and createdAt:
//
//   - changed on one side only, field by field, the change stands;
//   - recallCount adds up from the base: base + (ours − base) + (theirs − base);
//     lastRecalledAt, consolidatedAt and updatedAt are the later;
//   - both changed the content: that of the later text stays (at equal times that
//     which sorts last), the other is lost, see below;
//   - both changed another field: the higher importance, the longer lived kind,
//     validTo as Merge has it, of words the one that sorts last;
//   - what was made public on one side stays private if the other wrote a new text;
//   - taken out on one side: it stays out if the other has the same line still,
//     else it stays in, and the archive, merged beside it, says at the next reading
//     whether it was forgotten after its last edit;
//   - without a base, or standing twice in one side, it is merged by Merge.
//
// A lost text is no other file's business while git merges this one. So it stays
// in memory.json, as a second line of its memory that says the same in all but the
// text and its time: an older version, as git's union merge leaves them. It does
// not count as a memory, and goes to the archive at the next write of content.
//
// When the text is older than a change on the other side, the memory says so in
// a field "mergedContent", so that a third clone's text is compared with the right
// time, in whatever order the three are merged:
//
//	"mergedContent":{"from":"2026-03-01T08:00:00Z","in":"2026-03-02T08:00:00Z"}
//
// It is void as soon as updatedAt is no longer "in".
const textTimeKey = "mergedContent"

// same tells memories of one file apart that are not versions of each other.
type same struct {
	id   string
	born int64
	text string // where the id or the time is missing
}

func sameAs(m *memory.Memory) same {
	k := same{id: m.ID, born: m.CreatedAt.Unix()}
	if m.ID == "" || m.CreatedAt.IsZero() {
		k.text = m.Content
	}
	return k
}

// versions is one memory of a side: as it stands, and the texts that lost.
type versions struct {
	m    memory.Memory
	lost map[string]memory.Memory // by what they tell
}

func (v *versions) lose(m memory.Memory) {
	if v.lost == nil {
		v.lost = make(map[string]memory.Memory)
	}
	v.lost[told(&m)] = m
}

// told is what a text is kept under.
func told(m *memory.Memory) string {
	bare, _ := textTime(m)
	return telling(&bare)
}

func sideOf(c *content) map[same]*versions {
	side := make(map[same]*versions, len(c.mems))
	for i := range c.mems {
		m := c.mems[i]
		v := side[sameAs(&m)]
		if v == nil {
			side[sameAs(&m)] = &versions{m: m}
			continue
		}
		winner, loser := Merge(&v.m, &m)
		v.m = winner
		if loser != nil {
			v.lose(*loser)
		}
	}
	return side
}

func gitMergeMemories(base, ours, theirs string) ([]byte, error) {
	b, o, t := readContent(base), readContent(ours), readContent(theirs)
	if err := cmp.Or(readable("our memory.json", &o.doc), readable("their memory.json", &t.doc)); err != nil {
		return nil, err
	}
	if b.foreign || b.damage != "" || b.version > formatVersion {
		b = &content{doc: doc{blank: true}}
	}
	was, our, their := sideOf(b), sideOf(o), sideOf(t)
	all := maps.Clone(our)
	maps.Copy(all, their)
	var mems []memory.Memory
	for k := range all {
		if v := mergeVersions(was[k], our[k], their[k]); v != nil {
			mems = append(mems, v.lines()...)
		}
	}
	slices.SortFunc(mems, func(a, b memory.Memory) int {
		return cmp.Or(a.Compare(&b), bytes.Compare(memory.AppendJSON(nil, &a), memory.AppendJSON(nil, &b)))
	})
	d := mergeDocs(&b.doc, &o.doc, &t.doc)
	return appendContent(nil, &d, mems, mergeSet(b.odd, o.odd, t.odd)), nil
}

// mergeVersions merges one memory; nil says that it is not there.
func mergeVersions(base, ours, theirs *versions) *versions {
	if ours == nil || theirs == nil {
		there := ours
		if there == nil {
			there = theirs
		}
		if base != nil && there.equal(base) {
			return nil
		}
		out := &versions{m: there.m}
		out.keepLost(base, there, there)
		return out
	}
	out := &versions{}
	var lost []memory.Memory
	if base == nil {
		var loser *memory.Memory
		if out.m, loser = Merge(&ours.m, &theirs.m); loser != nil {
			lost = append(lost, *loser)
		}
	} else {
		out.m, lost = mergeFields(&base.m, &ours.m, &theirs.m)
	}
	out.keepLost(base, ours, theirs)
	for _, m := range lost {
		out.lose(m)
	}
	return out
}

// equal reports whether v says nothing that base does not.
func (v *versions) equal(base *versions) bool {
	if !bytes.Equal(memory.AppendJSON(nil, &v.m), memory.AppendJSON(nil, &base.m)) {
		return false
	}
	for text := range v.lost {
		if _, ok := base.lost[text]; !ok {
			return false
		}
	}
	return true
}

// keepLost keeps the lost texts of both sides, but those that one side has put
// into its archive since.
func (v *versions) keepLost(base, ours, theirs *versions) {
	for _, side := range []*versions{ours, theirs} {
		for text, m := range side.lost {
			_, inOurs := ours.lost[text]
			_, inTheirs := theirs.lost[text]
			had := false
			if base != nil {
				_, had = base.lost[text]
			}
			if inOurs && inTheirs || !had {
				v.lose(m)
			}
		}
	}
}

// lines gives the memory and, beside it, a line for each lost text, which reading
// merges into the memory without a change.
func (v *versions) lines() []memory.Memory {
	out := []memory.Memory{v.m}
	stands := told(&v.m)
	for text, old := range v.lost {
		if text == stands {
			continue
		}
		bare, at := textTime(&old)
		m := v.m
		m.Content, m.Kind, m.Source, m.Session, m.Speaker, m.Extra = bare.Content, bare.Kind, bare.Source, bare.Session, bare.Speaker, bare.Extra
		if m.UpdatedAt = at; !v.m.UpdatedAt.IsZero() && compareTelling(&m, &v.m) >= 0 {
			m.UpdatedAt = v.m.UpdatedAt.Add(-time.Second) // so that reading lets v.m stand
		}
		out = append(out, m)
	}
	return out
}

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
