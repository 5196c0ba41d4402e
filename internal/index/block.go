package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"plastic/memory"
)

// The block: base of an Index, one run of bytes that is used as it lies, in
// memory or mapped from a file. All numbers are little-endian, all places are
// offsets from the start of their section.
//
//	magic "plastix1" · version u32 · sections u32 · header CRC-32C u32 · body CRC-32C u32
//	per section: offset u64, length u64
//	the sections, each at a multiple of 8
//
// Sections are columns (one fixed-size entry for each memory, conversation or
// term), blobs (strings, cut by a column of n+1 offsets) and hash tables of u32
// (a power of two of slots, 0 empty, else 1 + the entry's number; linear probing
// from hash of the key).
//
// A posting list is, for each memory that has the term, by rising ref: a varint
// gap<<2 | form, where gap counts from the ref before plus one, and form is
//
//	0  once, not a stem of the content   2  a varint follows: times<<1 | stem
//	1  once, and a stem
//
// "times" is 0 where the term counts for Overlaps only. In the single and letters
// fields there is no stem and the forms are 1 bit: gap<<1 | (0 once, 1 a varint of
// times follows).
const (
	magic   = "plastix1"
	version = 1

	headLen = 8 + 4*4
)

// Sections of the block, in order.
const (
	secMeta = iota
	secCreated
	secUpdated
	secRecalledAt
	secImportance
	secRecalls
	secAttr // flags u16, kind u16
	secSession
	secSpeaker
	secLength // fields × u32
	secStems
	secHash
	secSpanOff
	secSpanLen
	secPrev
	secNext
	secIDOff
	secID
	secIDTable
	secTalkDocs
	secTalkLast
	secTalkLength // fields × u32
	secTalkOff
	secTalk
	secTalkTable
	secSpeakerOff
	secSpeakerName
	secSpeakerTable
	secSpeakerDocs
	secKindOff
	secKindName
	secTermOff
	secTerm
	secTermTable
	secTermCount // df u32: memories with the term at least once
	secPostOff   // u64
	secPost
	secEnds // memories with a validTo to come: ref u32, 0 u32, time i64
	numSections
)

// Bits of an attribute.
const (
	flagPinned = 1 << iota
	flagPrivate
	flagQuestion // nothing but a question
	flagNumber   // holds a number or a time word
	flagLong     // long enough to be a piece of a message that was cut
	flagAsks     // ends with a question
	flagCore     // of kind core
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// block is an opened block.
type block struct {
	raw []byte
	sec [numSections][]byte
	n   uint32 // memories
	meta
}

// meta is section secMeta.
type meta struct {
	talks   uint32 // conversations, numbered from 1
	speaker uint32 // speakers, numbered from 1
	kinds   uint32
	terms   uint32
	loners  uint32
	talked  [fields]int64
	length  [fields]int64
	span    validity
	builtAt int64
}

// open checks the header of b and gives the block in it. The body is trusted; its
// checksum is looked at by verify.
func openBlock(b []byte) (*block, error) {
	if len(b) < headLen+16*numSections || string(b[:8]) != magic {
		return nil, fmt.Errorf("not a search index: %w", memory.ErrCorrupt)
	}
	if v, s := u32(b, 2), u32(b, 3); v != version || s != numSections {
		return nil, fmt.Errorf("search index of version %d (%d sections): %w", v, s, memory.ErrCorrupt)
	}
	if crc32.Checksum(b[headLen:headLen+16*numSections], castagnoli) != u32(b, 4) {
		return nil, fmt.Errorf("header of the search index: %w", memory.ErrCorrupt)
	}
	k := &block{raw: b}
	for i := range k.sec {
		at := headLen + 16*i
		off, n := binary.LittleEndian.Uint64(b[at:]), binary.LittleEndian.Uint64(b[at+8:])
		if off > uint64(len(b)) || n > uint64(len(b))-off {
			return nil, fmt.Errorf("section %d of the search index lies outside: %w", i, memory.ErrCorrupt)
		}
		k.sec[i] = b[off : off+n : off+n]
	}
	return k, k.readMeta()
}

// verify checks the checksum of the whole body.
func (k *block) verify() error {
	if crc32.Checksum(k.raw[headLen+16*numSections:], castagnoli) != u32(k.raw, 5) {
		return fmt.Errorf("body of the search index: %w", memory.ErrCorrupt)
	}
	return nil
}

func (k *block) readMeta() error {
	s := k.sec[secMeta]
	if len(s) != metaLen {
		return fmt.Errorf("search index without its counts: %w", memory.ErrCorrupt)
	}
	next := func() (x int64) {
		x = int64(binary.LittleEndian.Uint64(s))
		s = s[8:]
		return x
	}
	k.n = uint32(next())
	k.talks, k.speaker, k.kinds = uint32(next()), uint32(next()), uint32(next())
	k.terms, k.loners = uint32(next()), uint32(next())
	for f := range k.length {
		k.length[f] = next()
		k.talked[f] = next()
	}
	k.span.from, k.span.to, k.builtAt = next(), next(), next()
	return nil
}

const metaLen = 8 * (6 + 2*fields + 3)

func (m *meta) bytes(n uint32) []byte {
	var out []byte
	put := func(xs ...int64) {
		for _, x := range xs {
			out = binary.LittleEndian.AppendUint64(out, uint64(x))
		}
	}
	put(int64(n), int64(m.talks), int64(m.speaker), int64(m.kinds), int64(m.terms), int64(m.loners))
	for f := range m.length {
		put(m.length[f], m.talked[f])
	}
	put(m.span.from, m.span.to, m.builtAt)
	return out
}

// u32 and its like read entry i of a column.
func u32(s []byte, i uint32) uint32 { return binary.LittleEndian.Uint32(s[4*int(i):]) }
func u64(s []byte, i uint32) uint64 { return binary.LittleEndian.Uint64(s[8*int(i):]) }
func i64(s []byte, i uint32) int64  { return int64(u64(s, i)) }
func f64(s []byte, i uint32) float64 {
	return math.Float64frombits(u64(s, i))
}

// cut gives string i of a blob.
func cut(off, blob []byte, i uint32) []byte { return blob[u32(off, i):u32(off, i+1)] }

func (k *block) id(d uint32) []byte   { return cut(k.sec[secIDOff], k.sec[secID], d) }
func (k *block) talk(s uint32) []byte { return cut(k.sec[secTalkOff], k.sec[secTalk], s-1) }
func (k *block) speakerName(s uint32) []byte {
	return cut(k.sec[secSpeakerOff], k.sec[secSpeakerName], s-1)
}
func (k *block) kindName(i uint32) []byte { return cut(k.sec[secKindOff], k.sec[secKindName], i) }

// find gives the memory with that id.
func (k *block) find(id string) (uint32, bool) {
	return find(k.sec[secIDTable], k.sec[secIDOff], k.sec[secID], []byte(id))
}

// state and session give what stands in the block, the zero value beyond it.
func (k *block) state(d uint32) state {
	if d >= k.n {
		return state{}
	}
	a := u32(k.sec[secAttr], d)
	return state{
		prev: u32(k.sec[secPrev], d), next: u32(k.sec[secNext], d),
		recalls: u32(k.sec[secRecalls], d), flags: uint16(a), kind: uint16(a >> 16),
		recalledAt: i64(k.sec[secRecalledAt], d), updated: i64(k.sec[secUpdated], d),
		importance: f64(k.sec[secImportance], d),
	}
}

func (k *block) session(s uint32) session {
	if s == 0 || s > k.talks {
		return session{last: none}
	}
	t := session{docs: u32(k.sec[secTalkDocs], s-1), last: u32(k.sec[secTalkLast], s-1)}
	for f := range t.length {
		t.length[f] = u32(k.sec[secTalkLength], (s-1)*uint32(fields)+uint32(f))
	}
	return t
}

// said is the number of memories by speaker s, 0 beyond the block.
func (k *block) said(s uint32) uint32 {
	if s == 0 || s > k.speaker {
		return 0
	}
	return u32(k.sec[secSpeakerDocs], s-1)
}

// find looks key up in a hash table over the strings of a blob.
func find(table, off, blob []byte, key []byte) (uint32, bool) {
	slots := uint32(len(table) / 4)
	if slots == 0 {
		return 0, false
	}
	for i := hash(key) & (slots - 1); ; i = (i + 1) & (slots - 1) {
		e := u32(table, i)
		if e == 0 {
			return 0, false
		}
		if string(cut(off, blob, e-1)) == string(key) {
			return e - 1, true
		}
	}
}

// hash is FNV-1a with a final mix; it is part of the format.
func hash(key []byte) uint32 { return uint32(hash64(key)) }

func hash64(key []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range key {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
