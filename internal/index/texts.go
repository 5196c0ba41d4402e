package index

import (
	"iter"
	"runtime"

	"plastic/memory"
)

// privateText is beside the 48 bits of a text's hash where the memory is private.
const privateText = 1 << 63

// TextHash names the text of m, with who said it and in which conversation: two
// memories with one hash say the same. A private memory and a shared one never have
// one hash, so that what is known of the one says nothing of the other.
func TextHash(m *memory.Memory) uint64 {
	if m.Private {
		return textHash(m) | privateText
	}
	return textHash(m)
}

// Living gives every living memory with the TextHash of it, in no order.
func (ix *Index) Living() iter.Seq2[Ref, uint64] {
	return func(yield func(Ref, uint64) bool) {
		defer runtime.KeepAlive(ix)
		for d := range ix.refs() {
			if ix.isDead(d) {
				continue
			}
			hash := ix.hash(d)
			if ix.state(d).flags&flagPrivate != 0 {
				hash |= privateText
			}
			if !yield(Ref(d), hash) {
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
