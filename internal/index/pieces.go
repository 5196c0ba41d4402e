package index

import (
	"encoding/binary"
	"hash/maphash"
)

// pieces numbers what texts are cut into (tokenize.Pieces) and remembers for each
// what it is counted as, so that a word met a thousand times is stemmed and taken
// apart once. It lives in memory only, and is laid out so that an occurrence
// touches as few places of it as may be: a large memory's pieces fit no cache.
type pieces struct {
	slots []pieceSlot // a power of two of them
	of    []piece     // by number
	long  [][]byte    // by number: the bytes of a piece that does not fit into a sum
	more  []uint32    // terms of pieces, one's after the other's, its stems behind
	seed  maphash.Seed
}

// pieceSlot is a place of the table; number 0 is an empty one, else it is one more
// than the piece's.
type pieceSlot struct {
	sum    uint64
	number uint32
}

// piece is what is known of one.
type piece struct {
	seen
	from         uint32 // where its terms begin in more
	terms, stems uint32 // how many it has, with repeats
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
func (p *pieces) number(text []byte) (n uint32, known bool) {
	if len(p.slots) <= len(p.of)*3/2 {
		p.grow()
	}
	sum := p.sumOf(text)
	i := p.home(sum)
	for ; p.slots[i].number != 0; i = (i + 1) & (len(p.slots) - 1) {
		if n := p.slots[i].number - 1; p.slots[i].sum == sum && (sum>>63 == 0 || string(p.long[n]) == string(text)) {
			return n, true
		}
	}
	n = uint32(len(p.of))
	p.slots[i] = pieceSlot{sum, n + 1}
	p.of = append(p.of, piece{from: uint32(len(p.more))})
	var bytes []byte
	if sum>>63 != 0 {
		bytes = append(bytes, text...)
	}
	p.long = append(p.long, bytes)
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
	p.slots = make([]pieceSlot, max(1<<8, 4*len(old)))
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

// addTerm and addStem give the newest piece another of its terms; its stems come
// last.
func (p *pieces) addTerm(id uint32) {
	p.more = append(p.more, id)
	p.of[len(p.of)-1].terms++
}

func (p *pieces) addStem(id uint32) {
	p.more = append(p.more, id)
	p.of[len(p.of)-1].stems++
}

// termsOf and stemsOf give the numbers of a piece's terms and stems, with repeats.
func (p *pieces) termsOf(n uint32) []uint32 {
	x := &p.of[n]
	return p.more[x.from:][:x.terms]
}

func (p *pieces) stemsOf(n uint32) []uint32 {
	x := &p.of[n]
	return p.more[x.from+x.terms:][:x.stems]
}
