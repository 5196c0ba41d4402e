package index

import "runtime"

// Earliest gives the first n memories by createdAt then id, Newest the last n, the
// very last first: what layers counts anchors and recent ones by. It costs the
// delta and n.
func (ix *Index) Earliest(n int) []Ref {
	return ix.pick(n, func(i uint32) uint32 { return i }, ix.before)
}

// Newest gives the last n memories by createdAt then id, the very last first.
func (ix *Index) Newest(n int) []Ref {
	last := ix.base.n - 1
	return ix.pick(n, func(i uint32) uint32 { return last - i }, func(a, b uint32) bool { return ix.before(b, a) })
}

// pick gives the first n living memories in an order: base has them sorted so, the
// i-th at at(i); those of the delta are put in their places.
func (ix *Index) pick(n int, at func(i uint32) uint32, before func(a, b uint32) bool) []Ref {
	n = min(n, ix.live)
	if n <= 0 {
		return nil
	}
	out := make([]Ref, 0, n+1)
	for i := uint32(0); i < ix.base.n && len(out) < n; i++ {
		if d := at(i); !ix.isDead(d) {
			out = append(out, Ref(d))
		}
	}
	for i := range ix.added {
		d := ix.base.n + uint32(i)
		if ix.isDead(d) || len(out) == n && before(uint32(out[n-1]), d) {
			continue
		}
		k := len(out)
		for k > 0 && before(d, uint32(out[k-1])) {
			k--
		}
		out = append(out, 0)
		copy(out[k+1:], out[k:])
		out[k] = Ref(d)
		out = out[:min(len(out), n)]
	}
	runtime.KeepAlive(ix)
	return out
}
