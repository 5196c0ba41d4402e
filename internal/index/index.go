// Package index finds the memories whose words fit a query, in any of the
// languages tokenize knows, and says what each find rests on. It holds postings
// and statistics (one BM25 for each kind of term), the order of every
// conversation, and the few columns that rank and layer a memory without reading
// its text. It reads its own file and writes none, and never decides what an answer
// is: that is recall's.
//
//	ix := index.Build(memories, now)
//	res := ix.Search(index.Ask("where does Lena live?", now))
//	for _, h := range res.Hits { fmt.Println(ix.Signals(h.Ref).ID, h.Raw) }
//
// An Index is a value that does not change: With gives a new one that shares what
// is the same, and both may be searched at once by any number of goroutines. The
// larger part of it is one immutable block of bytes (see block.go), which may lie
// in a file (file.go), the rest a small delta. Whatever the split, ids and scores are those of a fresh Build over
// the same memories.
package index

import (
	"sync"
	"time"

	"plastic/memory"
)

// Ref names a memory within an Index and those made from it by With. A memory
// whose text changed gets a new one.
type Ref uint32

// none stands where there is no memory.
const none = ^uint32(0)

// Index is an inverted index over the live memories of one audience.
type Index struct {
	base  *block
	delta *delta
	added []added // the memories of delta that this value sees

	states      paged[state]   // what changes about a memory; absent page: as in base
	sessions    paged[session] // … about a conversation
	speakers    paged[uint32]  // … and about a speaker: living memories by them
	newTalks    uint32         // conversations that only delta knows
	newSpeakers uint32
	people      *people

	pool *sync.Pool // of *search

	kinds   []memory.Kind // those of base
	hidden  []string      // ids of private memories that are not live, sorted
	private int           // private ones that are
	live    int           // memories that can be found
	length  [fields]int64 // sum of their lengths
	talks   int           // conversations with at least one of them
	talked  [fields]int64 // sum of the lengths of memories in a conversation
	dead    int           // refs that are dead
	loners  int           // live memories without a conversation
	span    validity
	builtAt int64
}

// state is what may change about an indexed memory while its text stays.
type state struct {
	prev, next uint32 // neighbours in its conversation, by createdAt then id
	recalls    uint32
	flags      uint16
	kind       uint16
	recalledAt int64
	updated    int64
	importance float64
	dead       bool
}

// session is one conversation.
type session struct {
	docs   uint32 // live memories in it
	last   uint32 // the newest of them
	length [fields]uint32
}

// validity is the time within which the set of live memories is the same.
type validity struct{ from, to int64 }

// Open gives the Index over a block that Block gave before, on this or another
// machine. It reads the header only and keeps b, which must not change. Anything
// but a block of this version fails with memory.ErrCorrupt; whether its body is what
// was written only Verify tells.
func Open(b []byte) (*Index, error) {
	k, err := openBlock(b)
	if err != nil {
		return nil, err
	}
	kinds := make([]memory.Kind, k.kinds)
	for i := range kinds {
		kinds[i] = memory.Kind(k.kindName(uint32(i)))
	}
	hidden := make([]string, k.hidden)
	for i := range hidden {
		hidden[i] = string(cut(&k.col[colHidden], k.sec[secHidden], uint32(i)))
	}
	return &Index{
		kinds: kinds, hidden: hidden, private: int(k.private),
		base: k, delta: newDelta(k),
		live: int(k.n), length: k.length, talks: int(k.talks), talked: k.talked,
		people: new(people), pool: new(sync.Pool),
		loners: int(k.loners), span: k.span, builtAt: k.builtAt,
	}, nil
}

// Block gives the bytes of an Index as Build made it; what With added is not in it.
func (ix *Index) Block() []byte { return ix.base.raw }

// Verify checks the whole block against its checksum.
func (ix *Index) Verify() error { return ix.base.verify() }

// Len is the number of memories that can be found.
func (ix *Index) Len() int { return ix.live }

// Holds reports whether the memories live at now are those this Index was built
// over. When it does not, a validTo has come (or the clock went back): build anew.
func (ix *Index) Holds(now time.Time) bool {
	t := now.UnixMicro()
	return t >= ix.span.from && t < ix.span.to
}

// Stale reports whether the delta has grown past a fifth of the whole, so that
// Merged pays.
func (ix *Index) Stale() bool {
	changed := ix.Behind()
	return changed > 64 && changed > int(ix.base.n)/5
}

func validityOf(ms []memory.Memory, now time.Time) validity {
	v := always
	for i := range ms {
		v.include(&ms[i], now)
	}
	return v
}

var always = validity{from: -1 << 63, to: 1<<63 - 1}

// include narrows v to the time around now in which m stays what it is.
func (v *validity) include(m *memory.Memory, now time.Time) {
	if m.SupersededBy != "" || m.ValidTo.IsZero() {
		return
	}
	// Live means validTo is after now; times count in whole microseconds.
	if end := m.ValidTo.UnixMicro(); m.ValidTo.After(now) {
		v.to = min(v.to, end)
	} else {
		v.from = max(v.from, end)
	}
}
