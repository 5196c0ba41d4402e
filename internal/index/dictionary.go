package index

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"plastic/tokenize"
)

// The dictionary: all terms of a block in the order of their keys, in groups of
// groupSize. A term is written as
//
//	shared, rest: bytes it has in common with the one before it in its group, and bytes that follow
//	the bytes that follow
//	varint length of its posting list<<1 | counted
//	if counted: varint memories that have it, varint conversations of them
//
// where shared and rest are four bits each, or 15 and a varint behind. The lists
// follow each other in the order of the terms. A column tells where each group
// begins, one where the list of its first term does, and heads holds the first
// eight bytes of the first key of each group, so that a search of them finds the
// group.
const groupSize = 16

// countedFrom is the length in bytes from which a list is counted: a shorter one is
// read as fast.
const countedFrom = 12

// counts are how many memories have a term at least once, and how many conversations
// these are in.
type counts struct{ memories, talks int }

// dictionary reads it.
type dictionary struct {
	terms, heads, posts []byte
	termsAt, postsAt    column // by group
	groups              uint32
}

// headOf is the beginning of a key as a number that sorts like it.
func headOf(key []byte) uint64 {
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

func (d *dictionary) head(g uint32) uint64 { return binary.LittleEndian.Uint64(d.heads[8*int(g):]) }

// find gives the posting list of a key and its counts, both zero if there is no such
// term, and no counts if it is short.
func (d *dictionary) find(key []byte) ([]byte, counts) {
	head := headOf(key)
	lo, hi := uint32(0), d.groups
	for lo < hi {
		if mid := (lo + hi) / 2; d.head(mid) <= head {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	// Several groups may begin alike: of these the last one that begins no later.
	for ; lo > 0; lo-- {
		r := d.group(lo - 1)
		if !r.next() {
			return nil, counts{}
		}
		if d.head(lo-1) == head && bytes.Compare(r.key(), key) > 0 {
			continue
		}
		for more := true; more; more = r.next() {
			switch bytes.Compare(r.key(), key) {
			case 0:
				return r.list, r.counts
			case 1:
				return nil, counts{}
			}
		}
		return nil, counts{}
	}
	return nil, counts{}
}

// has reports whether there is a term whose key begins so, with at most eight bytes.
func (d *dictionary) has(beginning []byte) bool {
	first := uint32(sort.Search(int(d.groups), func(g int) bool { return d.head(uint32(g)) >= headOf(beginning) }))
	for g := max(first, 1) - 1; g <= first && g < d.groups; g++ {
		for r := d.group(g); r.next(); {
			if bytes.HasPrefix(r.key(), beginning) {
				return true
			}
		}
	}
	return false
}

// group gives a reader of one group.
func (d *dictionary) group(g uint32) termReader {
	terms := from(d.terms, d.termsAt.at(g))
	if g+1 < d.groups {
		terms = terms[:min(len(terms), int(max(0, d.termsAt.at(g+1)-d.termsAt.at(g))))]
	}
	return termReader{terms: terms, posts: from(d.posts, d.postsAt.at(g))}
}

// from gives b from at on, nothing if that is outside.
func from(b []byte, at int64) []byte {
	if at < 0 || at > int64(len(b)) {
		return nil
	}
	return b[at:]
}

// termReader goes through the terms of a group. It ends where they make no sense.
type termReader struct {
	terms, posts []byte
	list         []byte // of the term at hand
	counts       counts // … 0 if it is short
	buf          [128]byte
	n            int // its key is buf[:n]
}

func (r *termReader) key() []byte { return r.buf[:r.n] }

func (r *termReader) next() bool {
	if len(r.terms) == 0 {
		return false
	}
	shared, rest := uint64(r.terms[0]>>4), uint64(r.terms[0]&15)
	r.terms = r.terms[1:]
	if shared == 15 && !r.number(&shared) || rest == 15 && !r.number(&rest) {
		return false
	}
	if n := shared + rest; n == 0 || shared > uint64(r.n) || rest > uint64(len(r.terms)) || n > uint64(len(r.buf)) {
		return false
	}
	copy(r.buf[shared:], r.terms[:rest])
	r.n, r.terms = int(shared+rest), r.terms[rest:]
	var n, memories, talks uint64
	if !r.number(&n) || n>>1 > uint64(len(r.posts)) {
		return false
	}
	if n&1 != 0 && (!r.number(&memories) || !r.number(&talks)) {
		return false
	}
	r.counts = counts{int(memories & math.MaxInt32), int(talks & math.MaxInt32)} // whatever a damaged block says
	r.list, r.posts = r.posts[:n>>1], r.posts[n>>1:]
	return true
}

func (r *termReader) number(x *uint64) bool {
	v, n := binary.Uvarint(r.terms)
	if n <= 0 {
		return false
	}
	*x, r.terms = v, r.terms[n:]
	return true
}

// all calls fn with each term, its list and its counts, in order.
func (d *dictionary) all(fn func(key, list []byte, n counts)) {
	for g := range d.groups {
		r := d.group(g)
		for r.next() {
			fn(r.key(), r.list, r.counts)
		}
	}
}

// dictionaryWriter takes terms in the order of their keys.
type dictionaryWriter struct {
	terms, heads, posts []byte
	termsAt, postsAt    []int64
	count               uint32
	last                []byte

	sessionOf []uint32 // by memory: its conversation
	met       []uint32 // by conversation: the last term that it was counted for
}

// counted gives the counts of a list.
func (d *dictionaryWriter) counted(f tokenize.Field, list []byte) (n counts) {
	if len(list) < countedFrom {
		return counts{}
	}
	r := postingReader{rest: list, marked: marksStems(f), limit: uint32(len(d.sessionOf))}
	for r.next() {
		if r.times == 0 {
			continue
		}
		n.memories++
		if t := d.sessionOf[r.ref]; t != 0 && d.met[t] != d.count+1 {
			d.met[t] = d.count + 1
			n.talks++
		}
	}
	return n
}

// add writes a term whose list, from on, stands at the end of posts already. A list
// without counts is counted.
func (d *dictionaryWriter) add(key []byte, from int, n counts) {
	if n.memories == 0 {
		n = d.counted(tokenize.Field(key[0]), d.posts[from:])
	}
	shared := 0
	if d.count%groupSize == 0 {
		d.termsAt = append(d.termsAt, int64(len(d.terms)))
		d.postsAt = append(d.postsAt, int64(from))
		d.heads = binary.LittleEndian.AppendUint64(d.heads, headOf(key))
	} else {
		for shared < min(len(key), len(d.last)) && key[shared] == d.last[shared] {
			shared++
		}
	}
	d.count++
	rest := key[shared:]
	d.terms = append(d.terms, byte(min(shared, 15)<<4|min(len(rest), 15)))
	for _, n := range [...]int{shared, len(rest)} {
		if n >= 15 {
			d.terms = binary.AppendUvarint(d.terms, uint64(n))
		}
	}
	d.terms = append(d.terms, rest...)
	size := uint64(len(d.posts)-from) << 1
	if n.memories == 0 {
		d.terms = binary.AppendUvarint(d.terms, size)
	} else {
		d.terms = binary.AppendUvarint(d.terms, size|1)
		d.terms = binary.AppendUvarint(d.terms, uint64(n.memories))
		d.terms = binary.AppendUvarint(d.terms, uint64(n.talks))
	}
	d.last = append(d.last[:0], key...)
}

// sorted gives the numbers of a table's keys in the order of the keys.
func (t *table) sorted() []uint32 {
	type entry struct {
		head uint64
		id   uint32
	}
	list := make([]entry, t.len())
	for i := range list {
		list[i] = entry{headOf(t.key(uint32(i))), uint32(i)}
	}
	slices.SortFunc(list, func(a, b entry) int {
		switch {
		case a.head < b.head:
			return -1
		case a.head > b.head:
			return 1
		}
		return bytes.Compare(t.key(a.id), t.key(b.id))
	})
	ids := make([]uint32, len(list))
	for i := range list {
		ids[i] = list[i].id
	}
	return ids
}
