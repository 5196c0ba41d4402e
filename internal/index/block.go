package index

import (
	"encoding/binary"
	"hash/crc32"

	"plastic/memory"
)

// The block: base of an Index, one run of bytes that is used as it lies, in
// memory or mapped from a file. All numbers are little-endian, all places are
// offsets from the start of their section.
//
//	magic "plastix2" · version u32 · sections u32 · header CRC-32 u32 · body CRC-32 u32 · length u64
//	per section: offset u64, length u64
//	the sections, each at a multiple of 8
//
// Sections are packed columns (column.go), a few plain ones that every search
// reads, blobs (strings, cut by a column of n+1 offsets), hash tables of u32 (0
// empty, else 1 + the entry's number; linear probing from the hash of the key,
// scaled to the number of slots) and the dictionary (dictionary.go).
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
//
// What a damaged block says may be wrong, but reading it ends, and never reads
// outside.
const (
	magic   = "plastix2"
	version = 4 // of the format, and of what tokenize makes of a text

	headLen = 8 + 4*4 + 8
	bodyAt  = headLen + 16*numSections
)

// Sections of the block, in order.
const (
	secMeta      = iota // the counts; first, for the header's checksum covers them
	secFlags            // u8
	secSession          // u32
	secLength           // fields × u16
	secSketch           // four u64
	secCreated          // i64, microseconds since 1970
	secSpeakerOf        // u32, its number, from 1
	secPrev             // u32, how many refs back the one before it in its conversation is
	secNext             // u32, … ahead the one after it
	secEnds             // memories with a validTo to come: ref u64, time i64
	secID
	secIDTable
	secTalk
	secTalkTable
	secSpeaker
	secSpeakerTable
	secKind
	secHidden // ids of private memories that are not live
	secTerms
	secHeads
	secPosts
	secColumns // from here on: the packed columns
)

// The packed columns.
const (
	colUpdated = iota // microseconds since 1970
	colRecalledAt
	colImportance // its bits, or hundredths
	colRecalls
	colKind
	colStems
	colHash
	colLine     // where its line begins in memory.json, −1 unknown
	colID       // offsets
	colTalkDocs // by conversation from here on
	colTalkLast
	colTalkLength                           // fields of them
	colTalk        = colTalkLength + fields // offsets
	colSpeakerName = colTalk + 1            // offsets
	colSpeakerDocs = colTalk + 2
	colKindName    = colTalk + 3 // offsets
	colHidden      = colTalk + 4 // offsets
	colTermsAt     = colTalk + 5
	colPostsAt     = colTalk + 6
	numColumns     = colTalk + 7

	numSections = secColumns + numColumns
)

// Bits of a memory's flags.
const (
	flagPinned = 1 << iota
	flagPrivate
	flagQuestion // nothing but a question
	flagNumber   // holds a number or a time word
	flagLong     // long enough to be a piece of a message that was cut
	flagAsks     // ends with a question
	flagCore     // of kind core
)

// longest is the greatest length of a field that counts: more is as much.
const longest = 1<<16 - 1

// block is an opened block.
type block struct {
	raw []byte
	sec [secColumns][]byte
	col [numColumns]column
	dictionary
	n uint32 // memories
	meta
}

// meta is section secMeta.
type meta struct {
	talks      uint32 // conversations, numbered from 1
	speaker    uint32 // speakers, numbered from 1
	kinds      uint32
	hidden     uint32 // private memories that are not live
	private    uint32 // private ones that are
	loners     uint32
	hundredths bool // importance is kept so
	talked     [fields]int64
	length     [fields]int64
	span       validity
	builtAt    int64
}

// openBlock checks the header of b and gives the block in it. The body is not
// read; its checksum is looked at by verify.
func openBlock(b []byte) (*block, error) {
	if len(b) < bodyAt+metaLen || string(b[:8]) != magic {
		return nil, memory.Errorf(memory.ErrCorrupt, "not a search index")
	}
	if v, s := u32(b, 2), u32(b, 3); v != version || s != uint32(numSections) {
		return nil, memory.Errorf(memory.ErrCorrupt, "search index of version %d (%d sections)", v, s)
	}
	if u64(b, 3) != uint64(len(b)) {
		return nil, memory.Errorf(memory.ErrCorrupt, "search index of %d bytes, not %d", len(b), u64(b, 3))
	}
	if headSum(b) != u32(b, 4) {
		return nil, memory.Errorf(memory.ErrCorrupt, "header of the search index")
	}
	k := &block{raw: b}
	var packed [numColumns][]byte
	for i := range numSections {
		off, n := u64(b, uint32(headLen/8+2*i)), u64(b, uint32(headLen/8+2*i+1))
		if off > uint64(len(b)) || n > uint64(len(b))-off {
			return nil, memory.Errorf(memory.ErrCorrupt, "section %d of the search index lies outside", i)
		}
		if s := b[off : off+n : off+n]; i < secColumns {
			k.sec[i] = s
		} else {
			packed[i-secColumns] = s
		}
	}
	if err := k.readMeta(); err != nil {
		return nil, err
	}
	if k.hidden > uint32(len(k.sec[secHidden])) || k.kinds > 1<<16 {
		return nil, memory.Errorf(memory.ErrCorrupt, "the counts of the search index make no sense")
	}
	return k, k.openColumns(&packed)
}

// headSum is the checksum of all of the header but itself, and of the counts, which
// stand right behind it.
func headSum(b []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(b[:16]), crc32.IEEETable, b[20:bodyAt+metaLen])
}

// verify checks the checksum of the whole body.
func (k *block) verify() error {
	if crc32.ChecksumIEEE(k.raw[bodyAt:]) != u32(k.raw, 5) {
		return memory.Errorf(memory.ErrCorrupt, "body of the search index")
	}
	return nil
}

func (k *block) openColumns(packed *[numColumns][]byte) (err error) {
	k.dictionary = dictionary{terms: k.sec[secTerms], heads: k.sec[secHeads], posts: k.sec[secPosts]}
	k.groups = uint32(len(k.heads) / 8)
	for i := range packed {
		if k.col[i], err = openColumn(packed[i], k.entries(i)); err != nil {
			return err
		}
	}
	k.termsAt, k.postsAt = k.col[colTermsAt], k.col[colPostsAt]
	if n := int(k.n); len(k.sec[secFlags]) != n || len(k.sec[secSession]) != 4*n || len(k.sec[secLength]) != 2*fields*n || len(k.sec[secSketch]) != 32*n ||
		len(k.sec[secCreated]) != 8*n || len(k.sec[secSpeakerOf]) != 4*n || len(k.sec[secPrev]) != 4*n || len(k.sec[secNext]) != 4*n {
		return memory.Errorf(memory.ErrCorrupt, "a plain column of the search index is cut off")
	}
	return nil
}

// entries is how many a column has.
func (k *block) entries(col int) uint32 {
	switch {
	case col == colID:
		return k.n + 1
	case col < colTalkDocs:
		return k.n
	case col < colTalk:
		return k.talks
	}
	switch col {
	case colTalk:
		return k.talks + 1
	case colSpeakerName:
		return k.speaker + 1
	case colSpeakerDocs:
		return k.speaker
	case colKindName:
		return k.kinds + 1
	case colHidden:
		return k.hidden + 1
	}
	return k.groups
}

func (k *block) readMeta() error {
	s := k.sec[secMeta]
	if len(s) != metaLen {
		return memory.Errorf(memory.ErrCorrupt, "search index without its counts")
	}
	next := func() (x int64) {
		x = int64(binary.LittleEndian.Uint64(s))
		s = s[8:]
		return x
	}
	k.n = uint32(next())
	k.talks, k.speaker, k.kinds = uint32(next()), uint32(next()), uint32(next())
	k.hidden, k.private, k.loners = uint32(next()), uint32(next()), uint32(next())
	k.hundredths = next() != 0
	for f := range k.length {
		k.length[f] = next()
		k.talked[f] = next()
	}
	k.span.from, k.span.to, k.builtAt = next(), next(), next()
	return nil
}

const metaLen = 8 * (8 + 2*fields + 3)

func (m *meta) bytes(n uint32) []byte {
	var out []byte
	put := func(xs ...int64) {
		for _, x := range xs {
			out = binary.LittleEndian.AppendUint64(out, uint64(x))
		}
	}
	put(int64(n), int64(m.talks), int64(m.speaker), int64(m.kinds), int64(m.hidden), int64(m.private), int64(m.loners))
	if m.hundredths {
		put(1)
	} else {
		put(0)
	}
	for f := range m.length {
		put(m.length[f], m.talked[f])
	}
	put(m.span.from, m.span.to, m.builtAt)
	return out
}
