package index

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"

	"plastic/tokenize"
)

// Merged gives the same memories in one block, without a delta, and cuts no text.
// line tells where a memory's line begins in memory.json, -1 if that is not known;
// nil leaves it as it was.
func (ix *Index) Merged(line func(id string) int64) *Index {
	g := merger{ix: ix, to: make([]uint32, ix.refs())}
	w := new(writer)
	w.hidden.list = ix.hidden
	for n, d := range g.order() {
		g.to[d] = uint32(n)
		r := ix.row(d)
		if line != nil {
			r.line = line(r.id)
		}
		w.add(&r)
	}
	g.out = *w.dictionary()
	return opened(w.bytes(g.dictionary(), ix.span, time.UnixMicro(ix.builtAt)))
}

// merger numbers the living memories anew: to gives the new ref of an old one.
type merger struct {
	ix   *Index
	to   []uint32
	kept bool // those of base keep their refs
	out  dictionaryWriter
}

// order gives the living refs by createdAt then id.
func (g *merger) order() []uint32 {
	ix := g.ix
	var more []uint32
	for i := range ix.added {
		if d := ix.base.n + uint32(i); !ix.isDead(d) {
			more = append(more, d)
		}
	}
	slices.SortFunc(more, func(a, b uint32) int {
		if ix.before(a, b) {
			return -1
		}
		return 1
	})
	order := make([]uint32, 0, ix.live)
	g.kept = true
	for d := range g.to {
		g.to[d] = none
	}
	for d := range ix.base.n {
		if ix.isDead(d) {
			g.kept = false
			continue
		}
		for len(more) > 0 && ix.before(more[0], d) {
			order, more, g.kept = append(order, more[0]), more[1:], false
		}
		order = append(order, d)
	}
	return append(order, more...)
}

// row gives all that is kept of a memory but its postings.
func (ix *Index) row(d uint32) row {
	s := ix.state(d)
	return row{
		id: ix.id(d), session: ix.sessionName(ix.sessionOf(d)), speaker: ix.speakerName(ix.speakerOf(d)), kind: ix.kindName(s.kind),
		created: ix.created(d), updated: s.updated, recalledAt: s.recalledAt, ends: ix.endsAt(d), line: ix.line(d),
		importance: s.importance, recalls: s.recalls, flags: s.flags, stems: ix.stems(d), sketch: ix.sketch(d), length: ix.lengths(d), hash: ix.hash(d),
	}
}

// dictionary merges the terms of base and delta.
func (g *merger) dictionary() *dictionaryWriter {
	delta := g.ix.delta
	delta.mu.RLock()
	defer delta.mu.RUnlock()
	terms := &delta.counter.terms
	more := terms.sorted()
	g.ix.base.all(func(key, list []byte, n counts) {
		for len(more) > 0 && bytes.Compare(terms.key(more[0]), key) < 0 {
			g.term(terms.key(more[0]), nil, g.added(more[0]), counts{})
			more = more[1:]
		}
		var added []entry
		if len(more) > 0 && bytes.Equal(terms.key(more[0]), key) {
			added, more = g.added(more[0]), more[1:]
		}
		g.term(key, list, added, n)
	})
	for _, id := range more {
		g.term(terms.key(id), nil, g.added(id), counts{})
	}
	return &g.out
}

// added gives the entries of a list of the delta that this Index sees.
func (g *merger) added(id uint32) []entry {
	list := g.ix.delta.lists
	if int(id) >= len(list) {
		return nil
	}
	end := len(list[id])
	for end > 0 && list[id][end-1].ref >= g.ix.refs() {
		end--
	}
	return list[id][:end]
}

// term writes one term with the entries of base, counted n, and of the delta that live.
func (g *merger) term(key, list []byte, added []entry, n counts) {
	from := len(g.out.posts)
	if len(added) == 0 && g.kept {
		g.out.posts = append(g.out.posts, list...)
	} else {
		g.join(tokenize.Field(key[0]), list, g.renumbered(added))
		n = counts{}
	}
	if len(g.out.posts) > from {
		g.out.add(key, from, n)
	}
}

// renumbered gives living entries of the delta by their new refs.
func (g *merger) renumbered(added []entry) []entry {
	var out []entry
	for _, e := range added {
		if e.ref = g.to[e.ref]; e.ref == none {
			continue
		}
		k := len(out)
		out = append(out, e)
		for ; k > 0 && out[k-1].ref > e.ref; k-- {
			out[k] = out[k-1]
		}
		out[k] = e
	}
	return out
}

// join appends one list of both.
func (g *merger) join(f tokenize.Field, list []byte, added []entry) {
	last := uint32(0)
	put := func(ref, times uint32, stem bool) {
		g.out.posts = appendPosting(g.out.posts, f, ref-last, &termCount{times: times, stem: stem})
		last = ref + 1
	}
	r := postingReader{rest: list, marked: marksStems(f), limit: g.ix.base.n}
	for r.next() {
		ref := g.to[r.ref]
		if ref == none {
			continue
		}
		for len(added) > 0 && added[0].ref < ref {
			put(added[0].ref, added[0].times>>1, added[0].times&1 != 0)
			added = added[1:]
		}
		put(ref, r.times, r.stem)
	}
	for _, e := range added {
		put(e.ref, e.times>>1, e.times&1 != 0)
	}
}

// postingReader goes through a posting list. One that is not well formed ends
// where it stops making sense.
type postingReader struct {
	rest   []byte
	marked bool
	limit  uint32 // refs are below it
	after  uint32 // ref after the last one

	ref, times uint32
	stem       bool
}

func (r *postingReader) next() bool {
	x, ok := r.number()
	if !ok {
		return false
	}
	bits, more := 1, x&1 != 0
	r.stem = false
	if r.marked {
		bits, more, r.stem = 2, x&2 != 0, x&1 != 0
	}
	r.times = 1
	if more {
		t, ok := r.number()
		if !ok {
			return false
		}
		if r.marked {
			r.stem = t&1 != 0
			t >>= 1
		}
		r.times = uint32(t)
	}
	gap := x >> bits
	if gap >= uint64(r.limit) || r.after+uint32(gap) >= r.limit {
		return false
	}
	r.ref = r.after + uint32(gap)
	r.after = r.ref + 1
	return true
}

func (r *postingReader) number() (uint64, bool) {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 {
		return 0, false
	}
	r.rest = r.rest[n:]
	return x, true
}
