package index_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/internal/index"
	"plastic/memory"
	"plastic/tokenize"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// words are enough to collide often, in three scripts.
var words = []string{"tea", "cats", "cat", "Lena", "кошка", "кошек", "переехала", "大肥魚", "花生", "過敏",
	"the", "is", "?", "when", "QX-77", "🦊", "Казань", "7", "yesterday", "说"}

func text() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := ""
		for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words") {
			s += w + " "
		}
		if rapid.IntRange(0, 5).Draw(t, "long") == 0 {
			s += fmt.Sprintf("%0200d", 0)
		}
		return s
	})
}

func aMemory(id string) *rapid.Generator[memory.Memory] {
	return rapid.Custom(func(t *rapid.T) memory.Memory {
		m := memory.Memory{
			ID:          id,
			Content:     text().Draw(t, "content"),
			Kind:        rapid.SampledFrom([]memory.Kind{memory.Fact, memory.Event, memory.Core, "odd"}).Draw(t, "kind"),
			Importance:  rapid.Float64Range(0, 1).Draw(t, "importance"),
			Session:     rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "session"),
			Speaker:     rapid.SampledFrom([]string{"", "user", "Lena", "Ann Lee"}).Draw(t, "speaker"),
			RecallCount: rapid.IntRange(0, 4).Draw(t, "recalls"),
			Pinned:      rapid.Bool().Draw(t, "pinned"),
			Private:     rapid.IntRange(0, 7).Draw(t, "private") == 0,
			CreatedAt:   day.Add(time.Duration(rapid.IntRange(-9, 9).Draw(t, "created")) * time.Hour),
		}
		switch rapid.IntRange(0, 9).Draw(t, "ends") {
		case 0:
			m.ValidTo = day.Add(-time.Hour)
		case 1:
			m.ValidTo = day.Add(time.Hour)
		case 2:
			m.SupersededBy = "x"
		}
		return m
	})
}

func aStore(t *rapid.T) map[string]memory.Memory {
	s := map[string]memory.Memory{}
	for i := range rapid.IntRange(0, 30).Draw(t, "size") {
		id := fmt.Sprintf("m%02d", i)
		s[id] = aMemory(id).Draw(t, id)
	}
	return s
}

// anEdit changes and removes some memories of s, and says how.
func anEdit(t *rapid.T, s map[string]memory.Memory) (changed []memory.Memory, removed []string) {
	for range rapid.IntRange(0, 6).Draw(t, "edits") {
		id := fmt.Sprintf("m%02d", rapid.IntRange(0, 40).Draw(t, "id"))
		if slices.Contains(removed, id) || slices.ContainsFunc(changed, func(m memory.Memory) bool { return m.ID == id }) {
			continue
		}
		m, known := s[id]
		switch what := rapid.IntRange(0, 3).Draw(t, "what"); {
		case what == 0:
			removed = append(removed, id)
			delete(s, id)
			continue
		case what == 1 && known:
			m.RecallCount++
			m.LastRecalledAt = day
			m.Kind = rapid.SampledFrom([]memory.Kind{m.Kind, memory.Core, "new"}).Draw(t, "kind")
		default:
			m = aMemory(id).Draw(t, id)
		}
		s[id] = m
		changed = append(changed, m)
	}
	return changed, removed
}

func list(s map[string]memory.Memory) []memory.Memory {
	var ms []memory.Memory
	for _, m := range s {
		ms = append(ms, m)
	}
	slices.SortFunc(ms, func(a, b memory.Memory) int { return a.Compare(&b) })
	return ms
}

// TestEditedIndexEqualsFreshBuild holds after any chain of edits, for the last
// value and for every value before it.
func TestEditedIndexEqualsFreshBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := aStore(t)
		ix := index.Build(list(s), day)
		type moment struct {
			ix *index.Index
			ms []memory.Memory
		}
		moments := []moment{{ix, list(s)}}
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			changed, removed := anEdit(t, s)
			ix = ix.With(changed, removed)
			moments = append(moments, moment{ix, list(s)})
		}
		at := rapid.IntRange(0, len(moments)-1).Draw(t, "branch")
		other := map[string]memory.Memory{}
		for _, m := range moments[at].ms {
			other[m.ID] = m
		}
		changed, removed := anEdit(t, other)
		moments = append(moments, moment{moments[at].ix.With(changed, removed), list(other)})
		for i, m := range moments {
			fresh := index.Build(m.ms, day)
			sameIndex(t, fmt.Sprint("moment ", i), m.ix, fresh)
			changed, removed := moments[0].ix.Differs(m.ms)
			sameIndex(t, fmt.Sprint("the first made to moment ", i), moments[0].ix.With(changed, removed), fresh)
			if changed, removed := m.ix.Differs(m.ms); len(changed)+len(removed) > 0 {
				t.Fatalf("moment %d differs from its own memories: %v %v", i, changed, removed)
			}
			merged := m.ix.Merged(nil)
			sameIndex(t, fmt.Sprint("merged moment ", i), merged, fresh)
			if !slices.Equal(merged.Block()[index.Counts:], fresh.Block()[index.Counts:]) {
				t.Fatalf("moment %d: merging gives another block than building", i)
			}
		}
	})
}

// sameIndex fails unless both answer alike.
func sameIndex(t *rapid.T, what string, got, want *index.Index) {
	if got.Len() != want.Len() {
		t.Fatalf("%s: %d memories, a fresh build has %d", what, got.Len(), want.Len())
	}
	if got.Private() != want.Private() {
		t.Fatalf("%s: private ones %v, a fresh build has %v", what, got.Private(), want.Private())
	}
	for n := range 4 {
		if g, w := ids(got, got.Earliest(n*7)), ids(want, want.Earliest(n*7)); !slices.Equal(g, w) {
			t.Fatalf("%s: earliest %v, want %v", what, g, w)
		}
		if g, w := ids(got, got.Newest(n*7)), ids(want, want.Newest(n*7)); !slices.Equal(g, w) {
			t.Fatalf("%s: newest %v, want %v", what, g, w)
		}
	}
	if g, w := ids(got, got.Firm(0.7, 3)), ids(want, want.Firm(0.7, 3)); !sameSet(g, w) {
		t.Fatalf("%s: firm %v, want %v", what, g, w)
	}
	for _, q := range []string{"does Lena keep cats", "кошка 大肥魚", "when is tea?", "Ann Lee", "yesterday 花生 QX-77 🦊"} {
		sameHits(t, what+" "+q, got, want, index.Ask(q, day))
		sameMatches(t, what+" "+q, got.Overlaps(tokenize.Stems(q), 0.2), want.Overlaps(tokenize.Stems(q), 0.2), got, want)
	}
}

func sameHits(t *rapid.T, what string, got, want *index.Index, q index.Query) {
	q.Explain = true
	g, w := byID(got, got.Search(q)), byID(want, want.Search(q))
	if len(g) != len(w) {
		t.Fatalf("%s: %d hits, want %d", what, len(g), len(w))
	}
	for id, h := range w {
		o, ok := g[id]
		if !ok || !near(o.Raw, h.Raw) || !near(o.Own, h.Own) || !near(o.Share, h.Share) {
			t.Fatalf("%s: %s is %+v, want %+v", what, id, o, h)
		}
		a, _ := got.Find(id)
		b, _ := want.Find(id)
		if got.Signals(a) != want.Signals(b) {
			t.Fatalf("%s: signals %+v, want %+v", what, got.Signals(a), want.Signals(b))
		}
	}
}

func sameMatches(t *rapid.T, what string, g, w []index.Match, got, want *index.Index) {
	if len(g) != len(w) {
		t.Fatalf("%s: %d overlaps, want %d", what, len(g), len(w))
	}
	for i := range g {
		if got.Signals(g[i].Ref).ID != want.Signals(w[i].Ref).ID || g[i].Jaccard != w[i].Jaccard {
			t.Fatalf("%s: overlap %d is %+v, want %+v", what, i, g[i], w[i])
		}
	}
}

func byID(ix *index.Index, r index.Result) map[string]index.Hit {
	m := map[string]index.Hit{}
	for _, h := range r.Hits {
		m[ix.Signals(h.Ref).ID] = h
	}
	return m
}

func ids(ix *index.Index, refs []index.Ref) (out []string) {
	for _, r := range refs {
		out = append(out, ix.Signals(r).ID)
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func sameSet(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
