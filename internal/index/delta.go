package index

import (
	"cmp"
	"slices"
	"sync"
)

// delta holds what came after the base block. It only ever grows, and each Index
// looks at no more of it than there was when that Index was made; an edit of an
// Index that is no longer the newest gets a copy of its own.
type delta struct {
	mu       sync.RWMutex // guards all below
	docs     []added
	counter  *counter          // numbers the terms of the delta
	lists    [][]entry         // by term: by rising ref
	ids      map[string]uint32 // newest ref of an id
	talks    names
	speakers names
	kinds    names
}

// added is one memory of the delta: the columns of the block as a value.
type added struct {
	id      string
	created int64
	ends    int64 // validTo, 0 for none
	session uint32
	speaker uint32
	stems   uint32
	sketch  sketch
	length  [fields]uint32
	hash    uint64
	line    int64
}

// entry is one place of a posting list: times<<1 | stem.
type entry struct{ ref, times uint32 }

// names numbers strings that base does not have, from first.
type names struct {
	first uint32
	at    map[string]uint32
	list  []string
}

func (n *names) put(s string) uint32 {
	i, ok := n.at[s]
	if !ok {
		if n.at == nil {
			n.at = map[string]uint32{}
		}
		i = n.first + uint32(len(n.list))
		n.at[s] = i
		n.list = append(n.list, s)
	}
	return i
}

// name gives string i of n, one of d's.
func (d *delta) name(n *names, i uint32) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if i -= n.first; int(i) < len(n.list) {
		return n.list[i]
	}
	return "" // only a damaged block asks for it
}

func newDelta(k *block) *delta {
	d := &delta{counter: newCounter(), ids: map[string]uint32{}}
	d.talks.first = k.talks + 1
	d.speakers.first = k.speaker + 1
	d.kinds.first = k.kinds
	return d
}

// until gives a copy of what an Index that sees n memories sees.
func (d *delta) until(k *block, n int) *delta {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c := newDelta(k)
	c.docs = slices.Clone(d.docs[:n])
	for i := range c.docs {
		c.ids[c.docs[i].id] = k.n + uint32(i)
	}
	c.counter.terms = d.counter.terms.clone(uint32(len(d.lists)))
	c.counter.marks = slices.Clone(d.counter.marks[:len(d.lists)])
	c.counter.round = d.counter.round
	for _, list := range d.lists {
		end, _ := slices.BinarySearchFunc(list, k.n+uint32(n), func(e entry, ref uint32) int { return cmp.Compare(e.ref, ref) })
		c.lists = append(c.lists, slices.Clone(list[:end]))
	}
	for _, x := range []struct{ to, from *names }{{&c.talks, &d.talks}, {&c.speakers, &d.speakers}, {&c.kinds, &d.kinds}} {
		for _, s := range x.from.list {
			x.to.put(s)
		}
	}
	return c
}
