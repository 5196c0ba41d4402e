package store

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"plastic/memory"
)

// settle makes of what stands in the file what the memory is: ids and times
// given where they are missing, versions of one memory merged, different
// memories of one id told apart, forgotten ones kept out, and what a damage took
// brought back from the last good copy. Nothing is written; what is left over
// waits in adopt for the next write of content.
func (b *base) settle() {
	c := b.content
	defer b.note(c)
	if c.foreign {
		return
	}
	mems := b.untangle(c.mems, b.give(c.mems))
	mems = b.keepOut(mems)
	if b.hurt() {
		mems = b.bringBack(mems)
	}
	if !slices.IsSortedFunc(mems, compare) {
		slices.SortFunc(mems, compare)
		b.given = true
	}
	b.mems = mems
}

// hurt reports whether the file, once decoded, does not hold all it did.
func (b *base) hurt() bool {
	return b.content.damage != "" || (b.absent || b.content.blank) && b.past()
}

func compare(a, b memory.Memory) int { return a.Compare(&b) }

// give sets missing creation times to the file's, and missing ids to what the
// content makes of them, so that they are the same at each reading. It tells
// which memories had no creation time, nil when all had.
func (b *base) give(mems []memory.Memory) (timeless []bool) {
	var taken map[string]bool
	for i := range mems {
		m := &mems[i]
		if m.CreatedAt.IsZero() {
			m.CreatedAt = b.mtime.UTC().Truncate(time.Second)
			b.setAside(m, "createdAt", "the time of the file stands in its place")
			b.given = true
			if timeless == nil {
				timeless = make([]bool, len(mems))
			}
			timeless[i] = true
		}
		if m.ID != "" {
			continue
		}
		if taken == nil {
			taken = make(map[string]bool, len(mems))
			for j := range mems {
				taken[mems[j].ID] = true
			}
		}
		m.ID = derive(taken, m.Content)
		b.setAside(m, "id", "another was given")
		b.given = true
	}
	return timeless
}

// setAside keeps a value that made no sense under another name, now that the
// field has one that does, and says so.
func (b *base) setAside(m *memory.Memory, key, instead string) {
	raw, ok := m.Extra[key]
	if !ok {
		return
	}
	extra := make(map[string]json.RawMessage, len(m.Extra))
	for k, v := range m.Extra {
		extra[k] = v
	}
	delete(extra, key)
	if _, ok := extra[key+"Was"]; !ok {
		extra[key+"Was"] = raw
	}
	m.Extra = extra
	b.problem(CodeOddField, fmt.Sprintf("%s: %s was %s, which makes no sense; it is kept as %sWas, and %s", m.ID, key, shorten(string(raw)), key, instead), "mend it in the file, or plastic doctor --fix writes it so")
}

// derive gives a free id that depends on seed only, and takes it.
func derive(taken map[string]bool, seed string) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", n, seed))
		id := spell(sum[:derivedLength])
		if !taken[id] {
			taken[id] = true
			return id
		}
	}
}

// untangle leaves one memory for each id. The same id with the same createdAt
// are versions of one memory; with another, or with none of their own and other
// words, they are different memories, of which all but the earliest get an id
// that both clones would give.
func (b *base) untangle(mems []memory.Memory, timeless []bool) []memory.Memory {
	first := make(map[string]int, len(mems))
	clash := false
	for i := range mems {
		if _, ok := first[mems[i].ID]; ok {
			clash = true
			break
		}
		first[mems[i].ID] = i
	}
	if !clash {
		return mems
	}
	groups := make(map[string][]memory.Memory, len(mems))
	taken := make(map[string]bool, len(mems))
	var order []string
	for i := range mems {
		id := mems[i].ID
		if !taken[id] {
			order = append(order, id)
		}
		taken[id] = true
		groups[id] = b.join(groups[id], mems[i], timeless == nil || !timeless[i])
	}
	out := make([]memory.Memory, 0, len(mems))
	for _, id := range order {
		out = append(out, b.tellApart(groups[id], taken)...)
	}
	b.given = true
	return out
}

// join merges m into the memory of the group that it is a version of, or adds it. dated
// says that its creation time is its own.
func (b *base) join(group []memory.Memory, m memory.Memory, dated bool) []memory.Memory {
	for i := range group {
		g := &group[i]
		if !g.CreatedAt.Equal(m.CreatedAt) || !dated && g.Content != m.Content {
			continue
		}
		winner, loser := Merge(g, &m)
		if loser != nil {
			b.adopt = append(b.adopt, memory.Archived{Memory: *loser, As: memory.Version, By: "merge", Why: "both sides had changed it"})
		}
		group[i] = winner
		return group
	}
	return append(group, m)
}

func (b *base) tellApart(group []memory.Memory, taken map[string]bool) []memory.Memory {
	if len(group) == 1 {
		return group
	}
	slices.SortStableFunc(group, func(a, b memory.Memory) int { return a.CreatedAt.Compare(b.CreatedAt) })
	old := group[0].ID
	for i := range group[1:] {
		m := &group[1+i]
		seed := old + "\x00" + m.CreatedAt.Format(time.RFC3339)
		if m.CreatedAt.Equal(group[0].CreatedAt) { // neither has a time of its own
			seed = old + "\x00\x00" + m.Content
		}
		m.ID = derive(taken, seed)
		b.problem(CodeDuplicate, fmt.Sprintf("two memories had the id %s; the later is now %s", old, m.ID), "plastic doctor --fix writes it so")
	}
	return group
}

// keepOut takes out copies of memories that were forgotten and not edited since.
// A wording that the archive does not have is kept there.
func (b *base) keepOut(mems []memory.Memory) []memory.Memory {
	if b.arch == nil {
		return mems
	}
	forgotten := graves(b.arch.read().entries)
	if len(forgotten) == 0 {
		return mems
	}
	return slices.DeleteFunc(mems, func(m memory.Memory) bool {
		e := forgotten[m.ID]
		if e == nil || !edited(&m).Before(e.ArchivedAt) {
			return false
		}
		if !e.Textless() && e.Memory.Content != m.Content {
			b.adopt = append(b.adopt, memory.Archived{Memory: m, As: memory.Version, By: "merge", Why: "an older copy of a forgotten memory"})
		}
		b.given = true
		return true
	})
}

// bringBack adds the memories of the last good copy that a damage took.
func (b *base) bringBack(mems []memory.Memory) []memory.Memory {
	have := make(map[string]bool, len(mems))
	for i := range mems {
		have[mems[i].ID] = true
	}
	for _, m := range b.keepOut(slices.Clone(b.last())) {
		if !have[m.ID] {
			mems = append(mems, m)
		}
	}
	return mems
}

// note says what is not in order.
func (b *base) note(c *content) {
	n := len(b.mems)
	switch {
	case c.foreign:
		b.problem(CodeForeign, "memory.json is the knowledge graph of another tool (server-memory) and is left untouched",
			"plastic import it into another folder")
	case c.version > formatVersion:
		b.problem(CodeNewer, fmt.Sprintf("memory.json has version %d, this plastic knows %d: it is only read", c.version, formatVersion), "use a newer plastic")
	case b.absent && b.past():
		b.problem(CodeMissing, fmt.Sprintf("memory.json is missing; %d memories of the last good copy serve", n), "plastic doctor --fix writes it anew")
	case c.blank && b.past():
		b.problem(CodeMissing, fmt.Sprintf("memory.json is empty; %d memories of the last good copy serve", n), "plastic doctor --fix writes it anew")
	case c.damage != "":
		b.problem(CodeCorrupt, fmt.Sprintf("memory.json is damaged (%s); %d memories were saved, %d lines could not be read", c.damage, n, c.unread),
			"mend the file, or plastic doctor --fix")
	}
	if c.merging {
		b.problem(CodeConflict, "memory.json holds an unfinished merge: both sides work, and the file waits until the markers are gone", "plastic doctor --fix merges both sides")
	}
	if len(c.odd) > 0 {
		b.problem(CodeOdd, fmt.Sprintf("%d entries of memory.json are no memories and stand aside: %s", len(c.odd), shorten(c.odd[0])), "mend them in the file, or plastic doctor --fix puts them away")
	}
}

func (b *base) problem(code, message, hint string) {
	b.problems = append(b.problems, Problem{Code: code, Path: memoryName, Message: message, Hint: hint})
}

func shorten(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
