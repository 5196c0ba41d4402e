package index

import (
	"slices"
	"time"

	"plastic/memory"
)

// Build indexes the memories of ms that are live at now.
func Build(ms []memory.Memory, now time.Time) *Index { return new(Builder).Build(ms, now) }

// A Builder builds with more said. The zero value does what Build does.
type Builder struct {
	Line     func(id string) int64 // where a memory's line begins in memory.json, -1 where that is not known
	Progress func(done int)        // told now and then how many are done
}

// progressEvery is after how many memories Progress is told.
const progressEvery = 4096

// Build indexes the memories of ms that are live at now.
func (b *Builder) Build(ms []memory.Memory, now time.Time) *Index {
	order := make([]int, 0, len(ms))
	w := new(writer)
	for i := range ms {
		switch m := &ms[i]; {
		case m.Live(now):
			order = append(order, i)
		case m.Private:
			w.hidden.list = append(w.hidden.list, m.ID)
		}
	}
	slices.Sort(w.hidden.list)
	slices.SortStableFunc(order, func(a, b int) int { return ms[a].Compare(&ms[b]) })
	size := 0
	for _, i := range order {
		size += len(ms[i].Content)
	}
	c, ls := newCounter(), lists{arena: make([]byte, 0, 2*size)}
	for d, i := range order {
		doc := c.count(&ms[i])
		for k := range doc.terms {
			m := &c.marks[doc.terms[k].id]
			ls.add(&m.list, uint32(d), m.field, &doc.terms[k])
		}
		at := int64(-1)
		if b.Line != nil {
			at = b.Line(ms[i].ID)
		}
		if b.Progress != nil && d%progressEvery == progressEvery-1 {
			b.Progress(d + 1)
		}
		r := rowOf(&ms[i], doc, at)
		w.add(&r)
	}
	if n := len(order); b.Progress != nil && n >= progressEvery {
		b.Progress(n)
	}
	dw := w.dictionary()
	for _, id := range c.terms.sorted() {
		l := &c.marks[id].list
		if l.size == 0 {
			continue // a stem that always counted as its twin
		}
		from := len(dw.posts)
		dw.posts = ls.append(dw.posts, l)
		dw.add(c.terms.key(id), from, counts{})
	}
	return opened(w.bytes(dw, validityOf(ms, now), now))
}

// opened opens a block that was just made.
func opened(b []byte) *Index {
	ix, err := Open(b)
	if err != nil {
		panic("index: a block just built does not open: " + err.Error())
	}
	return ix
}
