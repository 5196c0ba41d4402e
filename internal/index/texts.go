package index

import (
	"iter"
	"runtime"

	"plastic/memory"
)

// TextHash names the text of m, with who said it and in which conversation, in 48
// bits: two memories with one hash say the same.
func TextHash(m *memory.Memory) uint64 { return textHash(m) }

// Living gives every living memory with the hash of its text, in no order.
func (ix *Index) Living() iter.Seq2[Ref, uint64] {
	return func(yield func(Ref, uint64) bool) {
		defer runtime.KeepAlive(ix)
		for d := range ix.refs() {
			if !ix.isDead(d) && !yield(Ref(d), ix.hash(d)) {
				return
			}
		}
	}
}

// Core reports whether the memory at r is of kind core.
func (ix *Index) Core(r Ref) bool {
	defer runtime.KeepAlive(ix)
	return ix.state(uint32(r)).flags&flagCore != 0
}
