package index

import (
	"encoding/binary"
	"math/bits"

	"plastic/memory"
)

// A column holds one number for each memory, conversation or the like, packed into
// as few bytes as the widest needs. Entry i is
//
//	absent                        where x is 0 and the column has absent ones
//	base + stride·i + scale·x     else; x less one if the column has absent ones
//
// with x of width bytes. In a block it is
//
//	entries, width, base, scale, stride, has absent ones, absent: 8 bytes each
//	entries × width bytes
type column struct {
	data                        []byte
	n                           uint32
	width                       uint8
	absents                     bool
	base, scale, stride, absent int64
}

const columnHead = 7 * 8

// at gives entry i; beyond the end, which only a damaged block asks for, the
// absent value.
func (c *column) at(i uint32) int64 {
	if i >= c.n {
		return c.absent
	}
	x := c.packed(i)
	if c.absents {
		if x == 0 {
			return c.absent
		}
		x--
	}
	return c.base + c.stride*int64(i) + c.scale*int64(x)
}

func (c *column) packed(i uint32) uint64 {
	switch w := int(c.width); w {
	case 0:
		return 0
	case 1:
		return uint64(c.data[i])
	case 2:
		return uint64(binary.LittleEndian.Uint16(c.data[2*int(i):]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(c.data[4*int(i):]))
	default:
		b := c.data[w*int(i):][:w]
		x := uint64(0)
		for k := w - 1; k >= 0; k-- {
			x = x<<8 | uint64(b[k])
		}
		return x
	}
}

// A packing says how a column is packed.
type packing struct {
	absent  int64 // the value of entries that are not there
	absents bool  // there may be such
	linear  bool  // entries grow with their number
}

// pack appends a column of these entries.
func (p packing) pack(dst []byte, entries []int64) []byte {
	c := column{n: uint32(len(entries)), absent: p.absent, absents: p.absents}
	if n := int64(len(entries)); p.linear && n > 1 {
		c.stride = (entries[n-1] - entries[0]) / (n - 1)
	}
	high := c.measure(entries)
	if p.absents {
		high++
	}
	c.width = uint8((bits.Len64(high) + 7) / 8)
	head := [...]uint64{uint64(c.n), uint64(c.width), uint64(c.base), uint64(c.scale), uint64(c.stride), 0, uint64(c.absent)}
	if c.absents {
		head[5] = 1
	}
	for _, x := range head {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	for i, e := range entries {
		x := uint64(0)
		if !p.absents || e != p.absent {
			x = uint64(e-c.stride*int64(i)-c.base) / uint64(c.scale)
			if p.absents {
				x++
			}
		}
		for range c.width {
			dst = append(dst, byte(x))
			x >>= 8
		}
	}
	return dst
}

// measure finds base and scale, and gives the highest x.
func (c *column) measure(entries []int64) (high uint64) {
	first, low, top, common := true, int64(0), int64(0), uint64(0)
	for i, e := range entries {
		if c.absents && e == c.absent {
			continue
		}
		r := e - c.stride*int64(i)
		if first {
			first, low, top = false, r, r
			continue
		}
		if common != 1 {
			common = gcd(common, uint64(max(r, low)-min(r, low)))
		}
		low, top = min(low, r), max(top, r)
	}
	c.base, c.scale = low, int64(max(common, 1))
	return uint64(top-low) / uint64(c.scale)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// openColumn reads a column of n entries.
func openColumn(b []byte, n uint32) (c column, err error) {
	if len(b) < columnHead {
		return c, memory.Errorf(memory.ErrCorrupt, "a column of the search index is cut off")
	}
	u := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	c = column{data: b[columnHead:], n: n, base: int64(u(2)), scale: int64(u(3)), stride: int64(u(4)), absents: u(5) == 1, absent: int64(u(6))}
	if u(0) != uint64(n) || u(1) > 8 || uint64(len(c.data)) != uint64(n)*u(1) {
		return c, memory.Errorf(memory.ErrCorrupt, "a column of the search index does not hold %d entries", n)
	}
	c.width = uint8(u(1))
	return c, nil
}
