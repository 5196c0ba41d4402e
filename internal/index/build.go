package index

import (
	"runtime"

	"plastic/memory"
	"plastic/tokenize"
)

// Counting words is most of a build, so it is done in batches by several
// goroutines, each with a counter of its own; the writer takes the batches in
// order and joins their numbers of terms. The block is the same however many.
const batchSize = 256

// batch is what a counter made of some memories in a row.
type batch struct {
	docs []document
	keys [][]byte // terms that are new to the counter, in the order of its numbers
}

// count gives n memories to w in order.
func count(w *writer, n int, at func(i int) (*memory.Memory, Span)) {
	batches := (n + batchSize - 1) / batchSize
	workers := max(1, min(runtime.GOMAXPROCS(0), batches))
	out := make([]chan batch, workers)
	for k := range out {
		out[k] = make(chan batch, 1)
		go func() {
			c := newCounter(tokenize.New())
			for i := k; i < batches; i += workers {
				out[k] <- c.batch(i*batchSize, min(n, (i+1)*batchSize), at)
			}
		}()
	}
	numbers := make([][]uint32, workers)
	for i := range batches {
		k := i % workers
		b := <-out[k]
		for _, key := range b.keys {
			numbers[k] = append(numbers[k], w.number(key))
		}
		for j := range b.docs {
			m, span := at(i*batchSize + j)
			w.add(m, &b.docs[j], numbers[k], span)
		}
	}
}

// batch counts memories from to before to.
func (c *counter) batch(from, to int, at func(i int) (*memory.Memory, Span)) batch {
	known := c.terms.len()
	b := batch{docs: make([]document, 0, to-from)}
	for i := from; i < to; i++ {
		m, _ := at(i)
		doc := *c.count(m)
		doc.terms = append([]termCount(nil), doc.terms...)
		b.docs = append(b.docs, doc)
	}
	for i := known; i < c.terms.len(); i++ {
		b.keys = append(b.keys, append([]byte(nil), c.terms.key(i)...))
	}
	return b
}
