package index

import (
	"math/bits"
	"runtime"
)

// sketch has a bit for each stem of a content, several stems to a bit: enough to
// see that two texts have too little in common, without reading them.
type sketch [4]uint64

// sketchBit is the bit of a stem.
func sketchBit(stem []byte) uint8 { return uint8(hashOf(stem)) }

func (s *sketch) set(bit uint8) { s[bit>>6] |= 1 << (bit & 63) }

// without counts the bits of s that o does not have.
func (s sketch) without(o sketch) int {
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] &^ o[i])
	}
	return n
}

func (ix *Index) sketch(d uint32) (s sketch) {
	if d >= ix.base.n {
		return ix.added[d-ix.base.n].sketch
	}
	for i := range s {
		s[i] = u64(ix.base.sec[secSketch], uint32(len(s))*d+uint32(i))
	}
	return s
}

// MayOverlap reports whether the contents of two memories can have a Jaccard of
// stems of at least least, as Overlaps counts it. False is certain.
func (ix *Index) MayOverlap(a, b Ref, least float64) bool {
	defer runtime.KeepAlive(ix)
	x, y := uint32(a), uint32(b)
	n, m := float64(ix.stems(x)), float64(ix.stems(y))
	shared := least / (1 + least) * (n + m) // |A∩B| of |A| and |B| at that Jaccard
	shared -= 1e-9
	s, t := ix.sketch(x), ix.sketch(y)
	return shared <= min(n, m) && float64(s.without(t)) <= n-shared && float64(t.without(s)) <= m-shared
}
