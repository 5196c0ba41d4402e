package index

import (
	"math/bits"
	"runtime"
)

// sketch has a bit for each stem of a content, several stems to a bit: enough to
// see that two texts have too little in common, without reading them.
type sketch [2]uint64

// sketchBit is the bit of a stem.
func sketchBit(stem []byte) uint8 { return uint8(hashOf(stem) & 127) }

func (s *sketch) set(bit uint8) { s[bit>>6] |= 1 << (bit & 63) }

// without counts the bits of s that o does not have.
func (s sketch) without(o sketch) int {
	return bits.OnesCount64(s[0]&^o[0]) + bits.OnesCount64(s[1]&^o[1])
}

func (ix *Index) sketch(d uint32) sketch {
	if d < ix.base.n {
		s := ix.base.sec[secSketch]
		return sketch{u64(s, 2*d), u64(s, 2*d+1)}
	}
	return ix.added[d-ix.base.n].sketch
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
