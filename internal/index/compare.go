package index

import (
	"runtime"
	"slices"

	"plastic/memory"
	"plastic/tokenize"
)

// Differs compares all memories of the scope, also those that are not live, with
// what the Index has, and gives what With needs to make it theirs. No text is cut.
func (ix *Index) Differs(ms []memory.Memory) (changed []memory.Memory, removed []string) {
	defer runtime.KeepAlive(ix)
	there := make([]bool, ix.refs())
	hidden := map[string]bool{}
	for _, id := range ix.hidden {
		hidden[id] = true
	}
	now := instant(ix.builtAt)
	for i := range ms {
		m := &ms[i]
		r, known := ix.Find(m.ID)
		if known {
			there[r] = true
		}
		live := m.Live(now)
		if known == live && hidden[m.ID] == (!live && m.Private) && (!known || ix.has(uint32(r), m)) {
			delete(hidden, m.ID)
			continue
		}
		delete(hidden, m.ID)
		changed = append(changed, *m)
	}
	for d := range there {
		if !there[d] && !ix.isDead(uint32(d)) {
			removed = append(removed, ix.id(uint32(d)))
		}
	}
	for id := range hidden {
		removed = append(removed, id)
	}
	return changed, removed
}

// has reports whether the living memory at d is m in all that is indexed.
func (ix *Index) has(d uint32, m *memory.Memory) bool {
	s := ix.state(d)
	return ix.hash(d) == textHash(m) && ix.created(d) == m.CreatedAt.UnixMicro() && ix.endsAt(d) == endOf(m) &&
		s.flags&(flagPinned|flagPrivate|flagCore) == ownFlags(m) && ix.kindName(s.kind) == m.Kind &&
		s.importance == m.Importance && s.recalls == uint32(max(m.RecallCount, 0)) &&
		s.recalledAt == m.LastRecalledAt.UnixMicro() && s.updated == m.UpdatedAt.UnixMicro()
}

// Firm gives the living memories that are pinned or of kind core or identity, weigh
// at least weight, or were recalled at least so often (never by recalls below 1), in
// no order.
func (ix *Index) Firm(weight float64, recalls int) []Ref {
	defer runtime.KeepAlive(ix)
	least := uint32(max(recalls, 0))
	var out []Ref
	for d := range ix.refs() {
		s := ix.state(d)
		if !s.dead && (s.flags&(flagPinned|flagCore) != 0 || s.importance >= weight || recalls >= 1 && s.recalls >= least || ix.kindName(s.kind) == memory.Identity) {
			out = append(out, Ref(d))
		}
	}
	return out
}

// OfKindCore gives the living memories of kind core, which Search leaves out.
func (ix *Index) OfKindCore() []Ref {
	defer runtime.KeepAlive(ix)
	var out []Ref
	for d := range ix.refs() {
		if flags, _ := ix.attr(d); flags&flagCore != 0 && !ix.isDead(d) {
			out = append(out, Ref(d))
		}
	}
	return out
}

// Before reports whether a comes before b by createdAt then id.
func (ix *Index) Before(a, b Ref) bool { return ix.before(uint32(a), uint32(b)) }

// Behind is the number of memories that the block does not have as they are: those
// that With added, and those it took out.
func (ix *Index) Behind() int { return len(ix.added) + ix.dead }

// Informing gives q for those who look at Own only, of a whole text: without the
// words and pieces that carry no information, without what a conversation lends, and
// for the n best alone.
func (q Query) Informing(n int) Query {
	q.Off |= Context | Talk
	q.Head, q.Within = n, 1
	q.Terms = slices.DeleteFunc(slices.Clone(q.Terms), func(t tokenize.QueryTerm) bool {
		return t.Function || t.Field == tokenize.Letters || t.Field == tokenize.Single && len(q.Terms) > longQuery
	})
	return q
}

// longQuery is a number of terms from which single characters tell nothing beside
// the pairs.
const longQuery = 40
