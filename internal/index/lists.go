package index

import (
	"encoding/binary"

	"plastic/tokenize"
)

// lists are the posting lists of a build while they grow, all in one arena: a list
// is a chain of pieces, each as long as all before it up to longPiece, with the place
// of the next in its last four bytes.
type lists struct{ arena []byte }

type list struct {
	first, at, end uint32 // first piece; where the next byte goes; where its piece ends
	last           uint32 // ref after the last one
	size           uint32 // bytes
}

const (
	firstPiece = 8
	longPiece  = 256
)

// add appends memory d, with a term of it, to the list of that term.
func (ls *lists) add(l *list, d uint32, f tokenize.Field, t *termCount) {
	var b [2 * binary.MaxVarintLen64]byte
	for _, c := range appendPosting(b[:0], f, d-l.last, t) {
		if l.at == l.end {
			ls.extend(l)
		}
		ls.arena[l.at] = c
		l.at++
		l.size++
	}
	l.last = d + 1
}

// extend gives l another piece.
func (ls *lists) extend(l *list) {
	size := firstPiece
	if l.size > 0 {
		size = min(2*int(l.size), longPiece)
	}
	at := uint32(len(ls.arena))
	ls.arena = append(ls.arena, make([]byte, size+4)...)
	if l.size == 0 {
		l.first = at
	} else {
		binary.LittleEndian.PutUint32(ls.arena[l.end:], at)
	}
	l.at, l.end = at, at+uint32(size)
}

// append appends the bytes of a list.
func (ls *lists) append(dst []byte, l *list) []byte {
	piece, at, left := firstPiece, l.first, int(l.size)
	for had := 0; left > 0; {
		n := min(piece, left)
		dst = append(dst, ls.arena[at:at+uint32(n)]...)
		had, left = had+n, left-n
		if left > 0 {
			at = binary.LittleEndian.Uint32(ls.arena[at+uint32(piece):])
			piece = min(2*had, longPiece)
		}
	}
	return dst
}

// appendPosting writes one entry of a posting list (the forms stand in block.go).
func appendPosting(b []byte, f tokenize.Field, gap uint32, t *termCount) []byte {
	g, times := uint64(gap), uint64(t.times)
	if !marksStems(f) {
		if times == 1 {
			return appendVarint(b, g<<1)
		}
		return appendVarint(appendVarint(b, g<<1|1), times)
	}
	stem := uint64(0)
	if t.stem {
		stem = 1
	}
	if times == 1 {
		return appendVarint(b, g<<2|stem)
	}
	return appendVarint(appendVarint(b, g<<2|2), times<<1|stem)
}

// appendVarint is binary.AppendUvarint, short enough to be inlined.
func appendVarint(b []byte, x uint64) []byte {
	for x >= 0x80 {
		b = append(b, byte(x)|0x80)
		x >>= 7
	}
	return append(b, byte(x))
}
