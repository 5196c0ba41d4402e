package index

import (
	"encoding/binary"
	"math"
	"slices"

	"plastic/tokenize"
)

// which entries of a posting list count.
type which bool

const (
	anyTimes  which = false // those where the term stands at least once
	stemsOnly which = true  // those where it is a stem of the content
)

// postings are what the index has of one term of a question.
type postings struct {
	base      []byte  // its list in the base block
	more      []entry // its entries in the delta
	weight    float64 // of the term in its field; 0: it is left out
	df, talks int     // living memories that have it, and conversations of them
	isRead    bool    // it was read whole: from and to are places in search.read
	from, to  int
}

// look finds the postings of the question's terms. How many memories have a term the
// block knows; it is counted where memories were taken out since, or put into
// conversations.
func (s *search) look() {
	s.postings = sized(s.postings, len(s.q.Terms))
	for i := range s.q.Terms {
		t, p := &s.q.Terms[i], &s.postings[i]
		*p = postings{weight: s.weight(t)}
		if p.weight == 0 {
			continue
		}
		var counts counts
		p.base, p.more, counts = s.find(t.Field, "", t.Text)
		p.df, p.talks = counts.memories, counts.talks
		if len(p.base) > 0 && counts.memories == 0 || s.ix.dead > 0 || !s.addLoners(p) {
			s.whole(t.Field, p)
		}
	}
}

// addLoners counts the entries of the delta, if none of them is in a conversation.
func (s *search) addLoners(p *postings) bool {
	for _, e := range p.more {
		if e.times <= 1 {
			continue
		}
		if s.ix.sessionOf(e.ref) != 0 {
			return false
		}
		p.df++
	}
	return true
}

// whole reads all postings of a term.
func (s *search) whole(f tokenize.Field, p *postings) {
	if p.isRead {
		return
	}
	s.docs, s.times = s.docs[:0], s.times[:0]
	s.readList(f, p.base, anyTimes)
	s.readMore(p.more, anyTimes)
	s.keep(p)
}

// keep keeps the list at hand as the postings of a term, and counts it.
func (s *search) keep(p *postings) {
	p.isRead, p.from = true, len(s.read)
	s.read, s.readTimes = append(s.read, s.docs...), append(s.readTimes, s.times...)
	p.to, p.df, p.talks = len(s.read), len(s.docs), 0
	for _, d := range s.docs {
		if t := s.ix.sessionOf(d); t != 0 && s.inTalk[t] == 0 {
			s.inTalk[t] = 1
			p.talks++
		}
	}
	for _, d := range s.docs {
		s.inTalk[s.ix.sessionOf(d)] = 0
	}
}

// within makes the postings of a term the list at hand, as far as their scores count.
func (s *search) within(f tokenize.Field, p *postings) {
	s.docs, s.times = s.docs[:0], s.times[:0]
	if !p.isRead {
		s.readList(f, p.base, anyTimes)
		s.readMore(p.more, anyTimes)
		return
	}
	for i, d := range s.read[p.from:p.to] {
		if s.in[d/64]&(1<<(d%64)) != 0 {
			s.docs, s.times = append(s.docs, d), append(s.times, s.readTimes[p.from+i])
		}
	}
}

// list reads the posting list of before+term: the living memories that have it.
func (s *search) list(f tokenize.Field, before, term string, w which) {
	s.docs, s.times = s.docs[:0], s.times[:0]
	base, more, _ := s.find(f, before, term)
	s.readList(f, base, w)
	s.readMore(more, w)
}

// find gives what the base block and the delta have of before+term.
func (s *search) find(f tokenize.Field, before, term string) (base []byte, more []entry, n counts) {
	s.key = append(append(append(s.key[:0], byte(f)), before...), term...)
	ix := s.ix
	base, n = ix.base.dictionary.find(s.key)
	if len(ix.added) > 0 {
		ix.delta.mu.RLock()
		more = ix.delta.list(s.key)
		ix.delta.mu.RUnlock()
		for len(more) > 0 && more[len(more)-1].ref >= ix.refs() {
			more = more[:len(more)-1]
		}
	}
	return base, more, n
}

// readList adds a list of the base block to the list at hand: the living memories, or
// of these only those whose scores count.
func (s *search) readList(f tokenize.Field, p []byte, w which) {
	from := len(s.docs)
	s.docs, s.times = slices.Grow(s.docs, len(p)), slices.Grow(s.times, len(p))
	docs, times := s.docs[from:from+len(p)], s.times[from:from+len(p)]
	in := s.in
	if !s.onlyWithin {
		in = nil
	}
	n := 0
	if marksStems(f) {
		n = readMarked(p, s.ix.base.n, w, in, docs, times)
	} else {
		n = readPlain(p, s.ix.base.n, in, docs, times)
	}
	s.docs, s.times = s.docs[:from+n], s.times[:from+n]
	if s.ix.dead > 0 {
		s.bury(from)
	}
}

// bury takes the dead out of the list at hand.
func (s *search) bury(from int) {
	n := from
	for i := from; i < len(s.docs); i++ {
		if d := s.docs[i]; !s.ix.isDead(d) {
			s.docs[n], s.times[n] = d, s.times[i]
			n++
		}
	}
	s.docs, s.times = s.docs[:n], s.times[:n]
}

// readMarked and readPlain decode a list, with and without marks of stems, into docs
// and times, each as long as the list at least, and give how many there are. Those
// that are not in the set in are left out, unless it is nil. A list that is not well
// formed ends where it stops making sense.
func readMarked(p []byte, limit uint32, w which, in []uint64, docs, times []uint32) (k int) {
	for i, d := 0, uint32(0); i < len(p); d++ {
		x := uint32(p[i])
		if i++; x >= 0x80 {
			if x, i = longVarint(p, i-1); i == 0 {
				return k
			}
		}
		n, stem := uint32(1), x&1
		if x&2 != 0 {
			if i == len(p) {
				return k
			}
			if n, i = longVarint(p, i); i == 0 {
				return k
			}
			n, stem = n>>1, n&1
		}
		if d += x >> 2; d >= limit {
			return k
		}
		if w == stemsOnly {
			n = stem
		}
		if n > 0 && (in == nil || in[d/64]&(1<<(d%64)) != 0) {
			docs[k], times[k] = d, n
			k++
		}
	}
	return k
}

func readPlain(p []byte, limit uint32, in []uint64, docs, times []uint32) (k int) {
	for i, d := 0, uint32(0); i < len(p); d++ {
		x := uint32(p[i])
		if i++; x >= 0x80 {
			if x, i = longVarint(p, i-1); i == 0 {
				return k
			}
		}
		n := uint32(1)
		if x&1 != 0 {
			if i == len(p) {
				return k
			}
			if n, i = longVarint(p, i); i == 0 {
				return k
			}
		}
		if d += x >> 1; d >= limit {
			return k
		}
		docs[k], times[k] = d, n
		if in == nil {
			k++
		} else {
			k += int(in[d/64] >> (d % 64) & 1)
		}
	}
	return k
}

// longVarint is binary.Uvarint at p[i:], with its commonest case first; next is 0 if
// there is none, or a number too large.
func longVarint(p []byte, i int) (x uint32, next int) {
	if p[i] < 0x80 {
		return uint32(p[i]), i + 1
	}
	v, n := binary.Uvarint(p[i:])
	if n <= 0 || v > math.MaxUint32 {
		return 0, 0
	}
	return uint32(v), i + n
}

// see puts a memory into the list at hand if it is alive and counts.
func (s *search) see(d, times uint32) {
	if s.onlyWithin && s.in[d/64]&(1<<(d%64)) == 0 || s.ix.dead > 0 && s.ix.isDead(d) {
		return
	}
	s.docs, s.times = append(s.docs, d), append(s.times, times)
}

func (s *search) readMore(list []entry, w which) {
	for _, e := range list {
		if counts := e.times > 1 && w == anyTimes || e.times&1 != 0 && w == stemsOnly; counts {
			s.see(e.ref, e.times>>1)
		}
	}
}

// list gives the posting list of a key; the caller holds the lock.
func (d *delta) list(key []byte) []entry {
	if i, ok := d.counter.terms.find(key); ok {
		return d.lists[i]
	}
	return nil
}
