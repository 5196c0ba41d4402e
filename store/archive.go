package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

const archiveKey = "archive"

// tombstoneLife is how long the id of a forgotten memory is remembered, so that
// an older copy of it that comes back through git stays out.
const tombstoneLife = 365 * 24 * time.Hour

// archive is what stands in archive.json.
type archive struct {
	doc
	entries []memory.Archived
	odd     []string
}

func readArchive(text string) *archive {
	ours, theirs, merging := sides(text)
	a := readArchiveSide(ours)
	a.damage = cmp.Or(a.damage, noText(text))
	if !merging {
		return a
	}
	other := readArchiveSide(theirs)
	a.merging, a.lined = true, false
	a.entries = append(a.entries, other.entries...) // tidy keeps equal ones once
	for _, o := range other.odd {
		if !slices.Contains(a.odd, o) {
			a.odd = append(a.odd, o)
		}
	}
	a.version = max(a.version, other.version)
	a.damage = cmp.Or(a.damage, other.damage)
	return a
}

// leastEntry is about the least that an entry has, in bytes.
const leastEntry = 64

func readArchiveSide(text string) *archive {
	a := &archive{}
	a.doc = readDoc(text, archiveKey, func(text string, i int) (int, bool) {
		var e memory.Archived
		n, known := 0, false
		if text[i] == '{' {
			var err error
			e, n, err = memory.ParseArchivedPrefix(text[i:])
			if known = err == nil; known && !e.Textless() && e.Memory.CreatedAt.IsZero() {
				e.Memory.CreatedAt = e.ArchivedAt // nobody knows better
			}
		} else {
			n = memory.SkipValue(text[i:])
		}
		switch {
		case known:
			if a.entries == nil {
				a.entries = make([]memory.Archived, 0, 1+min(strings.Count(text[i:], "\n"), len(text)/leastEntry)) // one a line
			}
			a.entries = append(a.entries, e)
		case n > 0 && swallows(text[i:i+n]):
			return 0, false // it would hide them
		case n > 0:
			a.odd = append(a.odd, string(memory.CleanValue(text[i:i+n])))
		}
		return n, known
	}, func() { a.entries, a.odd = nil, nil })
	return a
}

func appendArchive(dst []byte, d *doc, entries []memory.Archived, odd []string) []byte {
	const around = 384 // what stands around a text
	size := around
	for i := range entries {
		size += around + len(entries[i].Memory.Content) + len(entries[i].Why)
	}
	dst = slices.Grow(dst, size)
	nl := lineEnd(d.crlf)
	dst = append(appendHead(dst, archiveKey, d.head), nl...)
	sep := byte(' ')
	for i := range entries {
		dst = append(memory.AppendArchived(append(dst, sep), &entries[i]), nl...)
		sep = ','
	}
	for _, o := range odd {
		dst = append(append(append(dst, sep), o...), nl...)
		sep = ','
	}
	return append(append(dst, docFoot...), nl...)
}

// emptied tells of a file of what was, which can be made from nothing else.
func emptied(name, how string) Problem {
	return Problem{Code: CodeMissing, Path: name, Message: name + " is " + how + ": what stood in it is not there any more",
		Hint: "bring it back from git or a backup, or plastic doctor --fix goes on without it"}
}

// lifeEnd is before what the tombstones and marks must be made to end now.
func lifeEnd(now time.Time) time.Time { return now.Add(-tombstoneLife) }

func isMark(a *memory.Archived) bool { return !a.RestoredAt.IsZero() && a.ArchivedAt.IsZero() }

// isTombstone reports whether the entry keeps older copies of its memory out, or
// would if no copy were living.
func isTombstone(a *memory.Archived) bool {
	return a.As == memory.Forgotten || a.As == memory.Pruned
}

func stamp(a *memory.Archived) time.Time {
	if isMark(a) {
		return a.RestoredAt
	}
	return a.ArchivedAt
}

// marks gives the latest restoredAt of each id.
func marks(entries []memory.Archived) map[string]time.Time {
	var at map[string]time.Time
	for i := range entries {
		if e := &entries[i]; isMark(e) && e.RestoredAt.After(at[e.Memory.ID]) {
			if at == nil {
				at = make(map[string]time.Time)
			}
			at[e.Memory.ID] = e.RestoredAt
		}
	}
	return at
}

// graves gives the newest forgotten entry of each id that no mark cancels.
func graves(entries []memory.Archived) map[string]*memory.Archived {
	restored := marks(entries)
	g := make(map[string]*memory.Archived)
	for i := range entries {
		e := &entries[i]
		if e.As != memory.Forgotten || isMark(e) || !restored[e.Memory.ID].Before(e.ArchivedAt) {
			continue
		}
		if old := g[e.Memory.ID]; old == nil || !e.ArchivedAt.Before(old.ArchivedAt) {
			g[e.Memory.ID] = e
		}
	}
	return g
}

// edited is when the wording of m was last set.
func edited(m *memory.Memory) time.Time { return later(m.CreatedAt, m.UpdatedAt) }

// tidy gives the entries sorted, each once, without what says nothing any more:
// all but the latest mark of an id, texts that a later textless tombstone has
// taken away, tombstones of the same wording but the latest (two clones have
// pruned it), and what is living again (a wording that differs stays, as a
// version). living gives the memory that has an id now, if any.
func tidy(entries []memory.Archived, living func(id string) (memory.Memory, bool)) []memory.Archived {
	restored := marks(entries)
	emptied := make(map[string]time.Time) // by the latest textless tombstone
	for i := range entries {
		if e := &entries[i]; isTombstone(e) && e.Textless() && e.ArchivedAt.After(emptied[e.Memory.ID]) {
			emptied[e.Memory.ID] = e.ArchivedAt
		}
	}
	several := repeated(entries)
	last := latestGraves(entries, several)
	out := make([]memory.Archived, 0, len(entries))
	for i, e := range entries {
		id := e.Memory.ID
		if at, ok := last[i]; ok && at != i {
			continue
		}
		if isMark(&e) {
			if e.RestoredAt.Before(restored[id]) {
				continue
			}
		} else if gone, ok := emptied[id]; ok && !e.ArchivedAt.After(gone) && !(e.Textless() && isTombstone(&e)) {
			continue
		} else if m, ok := living(id); ok && !stays(&e, &m) {
			continue
		}
		out = append(out, e)
	}
	sortArchive(out)
	return slices.CompactFunc(out, func(a, b memory.Archived) bool { return compareEntries(&a, &b) == 0 })
}

// repeated gives the ids of which there is more than one entry. What is said of
// the others needs no comparing.
func repeated(entries []memory.Archived) map[string]bool {
	seen := make(map[string]bool, len(entries))
	var several map[string]bool
	for i := range entries {
		id := entries[i].Memory.ID
		if !seen[id] {
			seen[id] = true
			continue
		}
		if several == nil {
			several = make(map[string]bool)
		}
		several[id] = true
	}
	return several
}

// latestGraves gives for each tombstone whose id has several the latest of those
// with its wording, by their places. several are the ids with more than one entry.
func latestGraves(entries []memory.Archived, several map[string]bool) map[int]int {
	double := make(map[string][]int, len(several))
	for i := range entries {
		e := &entries[i]
		if several[e.Memory.ID] && !isMark(e) && isTombstone(e) && !e.Textless() {
			double[e.Memory.ID] = append(double[e.Memory.ID], i)
		}
	}
	last := make(map[int]int)
	for _, places := range double {
		for _, i := range places {
			last[i] = i
			for _, j := range places {
				a, b := &entries[last[i]], &entries[j]
				if a.As == b.As && sameTelling(&a.Memory, &b.Memory) && compareEntries(b, a) > 0 {
					last[i] = j
				}
			}
		}
	}
	return last
}

// stays reports whether an entry still says something beside the living memory m
// of the same id, and makes it a version of it.
func stays(e *memory.Archived, m *memory.Memory) bool {
	if e.Textless() || sameTelling(&e.Memory, m) {
		return false
	}
	e.As = memory.Version
	return true
}

// sortArchive sorts places, not entries: these are large, and most are in order.
func sortArchive(entries []memory.Archived) {
	order := make([]*memory.Archived, len(entries))
	for i := range entries {
		order[i] = &entries[i]
	}
	if slices.IsSortedFunc(order, compareEntries) {
		return
	}
	slices.SortStableFunc(order, compareEntries)
	sorted := make([]memory.Archived, len(entries))
	for i, e := range order {
		sorted[i] = *e
	}
	copy(entries, sorted)
}

// compareEntries orders entries by time and id, of one second the versions before what
// took the memory away with its last text, and then so that two clones come to the same
// order. It is 0 for entries of the same line.
func compareEntries(a, b *memory.Archived) int {
	if c := cmp.Or(stamp(a).Compare(stamp(b)), strings.Compare(a.Memory.ID, b.Memory.ID), cmp.Compare(rank(a), rank(b))); c != 0 {
		return c
	}
	return bytes.Compare(memory.AppendArchived(nil, a), memory.AppendArchived(nil, b))
}

// rank is the place of an entry among those of its memory and second.
func rank(a *memory.Archived) int {
	switch {
	case isMark(a):
		return 2
	case a.As == memory.Version:
		return 0
	}
	return 1
}

// expire takes the texts of entries archived before cutoff, and after their life
// the tombstones and marks.
func expire(entries []memory.Archived, cutoff, lifeEnd time.Time) []memory.Archived {
	out := entries[:0:0]
	for _, e := range entries {
		if !isMark(&e) && e.ArchivedAt.Before(cutoff) {
			if !isTombstone(&e) {
				continue
			}
			e = tombstone(e)
		}
		if (isMark(&e) || e.Textless()) && stamp(&e).Before(lifeEnd) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// expires reports whether expire would change or take out an entry.
func expires(e *memory.Archived, cutoff, lifeEnd time.Time) bool {
	if isMark(e) || e.Textless() {
		return stamp(e).Before(lifeEnd)
	}
	return e.ArchivedAt.Before(cutoff)
}

// tombstone is the entry without its text.
func tombstone(e memory.Archived) memory.Archived {
	return memory.Archived{Memory: memory.Memory{ID: e.Memory.ID}, ArchivedAt: e.ArchivedAt, As: e.As, By: e.By}
}

// purged gives the entries without any of id but a textless tombstone.
func purged(entries []memory.Archived, id string, at time.Time) []memory.Archived {
	out := slices.DeleteFunc(slices.Clone(entries), func(e memory.Archived) bool { return e.Memory.ID == id })
	return append(out, memory.Archived{Memory: memory.Memory{ID: id}, ArchivedAt: at, As: memory.Forgotten, By: "purge"})
}
