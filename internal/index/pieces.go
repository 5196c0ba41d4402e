package index

import (
	"encoding/binary"
	"hash/maphash"
)

// pieces numbers what texts are cut into (tokenize.Pieces) and remembers for each
// what it is counted as, so that a word met a thousand times is stemmed and taken
// apart once. It lives in memory only.
type pieces struct {
	slots []pieceSlot // a power of two of them
	long  [][]byte    // by number: the bytes of a piece that does not fit into a sum
	seed  maphash.Seed

	terms, stems       []uint32 // numbers of terms, one piece's after the other's
	termsFrom, stemsAt []uint32 // by piece: where its own begin
	seen               []seen   // by piece
}

// pieceSlot is a place of the table; number 0 is an empty one, else it is one more
// than the piece's.
type pieceSlot struct {
	sum    uint64
	number uint32
}

// shortPiece is the longest piece that its sum holds: a pair of Han characters, an
// everyday English word.
const shortPiece = 7

// sumOf gives a short piece as a number, and of a longer one a hash with the
// highest bit set.
func (p *pieces) sumOf(piece []byte) uint64 {
	if len(piece) > shortPiece || piece[len(piece)-1] == 0 {
		return maphash.Bytes(p.seed, piece) | 1<<63
	}
	var b [8]byte
	copy(b[:], piece)
	return binary.LittleEndian.Uint64(b[:])
}

// number gives the number of a piece, and whether it had one before.
func (p *pieces) number(piece []byte) (n uint32, known bool) {
	if len(p.slots) <= len(p.seen)*3/2 {
		p.grow()
	}
	sum := p.sumOf(piece)
	i := p.home(sum)
	for ; p.slots[i].number != 0; i = (i + 1) & (len(p.slots) - 1) {
		if n := p.slots[i].number - 1; p.slots[i].sum == sum && (sum>>63 == 0 || string(p.long[n]) == string(piece)) {
			return n, true
		}
	}
	n = uint32(len(p.seen))
	p.slots[i] = pieceSlot{sum, n + 1}
	p.seen = append(p.seen, seen{})
	p.termsFrom = append(p.termsFrom, uint32(len(p.terms)))
	p.stemsAt = append(p.stemsAt, uint32(len(p.stems)))
	if sum>>63 == 0 {
		p.long = append(p.long, nil)
	} else {
		p.long = append(p.long, append([]byte(nil), piece...))
	}
	return n, false
}

func (p *pieces) home(sum uint64) int {
	return int((sum * 0x9e3779b97f4a7c15) >> 32 & uint64(len(p.slots)-1))
}

func (p *pieces) grow() {
	if p.slots == nil {
		p.seed = maphash.MakeSeed()
	}
	old := p.slots
	p.slots = make([]pieceSlot, max(1<<8, 2*len(old)))
	for _, s := range old {
		if s.number != 0 {
			i := p.home(s.sum)
			for p.slots[i].number != 0 {
				i = (i + 1) & (len(p.slots) - 1)
			}
			p.slots[i] = s
		}
	}
}

// termsOf and stemsOf give the numbers of a piece's terms and stems, with repeats.
func (p *pieces) termsOf(n uint32) []uint32 { return part(p.terms, p.termsFrom, n) }
func (p *pieces) stemsOf(n uint32) []uint32 { return part(p.stems, p.stemsAt, n) }

func part(list, from []uint32, n uint32) []uint32 {
	if int(n)+1 < len(from) {
		return list[from[n]:from[n+1]]
	}
	return list[from[n]:]
}
