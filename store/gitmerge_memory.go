package store

import (
	"bytes"
	"cmp"
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
	text := told(&m)
	if had, ok := v.lost[text]; !ok || m.UpdatedAt.After(had.UpdatedAt) {
		v.lost[text] = m
	}
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
		if c := a.Compare(&b); c != 0 {
			return c
		}
		return bytes.Compare(memory.AppendJSON(nil, &a), memory.AppendJSON(nil, &b))
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
	if len(v.lost) == 0 {
		return out
	}
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
