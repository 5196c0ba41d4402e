package index

import (
	"encoding/binary"

	"plastic/tokenize"
)

// which entries of a posting list count.
type which bool

const (
	anyTimes  which = false // those where the term stands at least once
	stemsOnly which = true  // those where it is a stem of the content
)

// list reads the posting list of before+term: the living memories that have it.
func (s *search) list(f tokenize.Field, before, term string, w which) {
	s.docs, s.times = s.docs[:0], s.times[:0]
	s.key = append(append(append(s.key[:0], byte(f)), before...), term...)
	ix := s.ix
	if p := ix.base.dictionary.find(s.key); p != nil {
		if marksStems(f) {
			s.readMarked(p, w)
		} else {
			s.readPlain(p)
		}
	}
	if len(ix.added) > 0 {
		s.readDelta(w)
	}
}

// readMarked and readPlain decode a list of the base block, with and without marks
// of stems. A list that is not well formed ends where it stops making sense.
func (s *search) readMarked(p []byte, w which) {
	d := uint32(0)
	for len(p) > 0 {
		x, n := varint(p)
		if n <= 0 {
			return
		}
		p = p[n:]
		d += uint32(x >> 2)
		times, stem := uint64(1), x&1 != 0
		if x&2 != 0 {
			if len(p) == 0 {
				return
			}
			if times, n = varint(p); n <= 0 {
				return
			}
			p = p[n:]
			times, stem = times>>1, times&1 != 0
		}
		if d >= s.ix.base.n {
			return
		}
		if counts := times > 0 && w == anyTimes || stem && w == stemsOnly; counts {
			s.see(d, uint32(times))
		}
		d++
	}
}

func (s *search) readPlain(p []byte) {
	d := uint32(0)
	for len(p) > 0 {
		x, n := varint(p)
		if n <= 0 {
			return
		}
		p = p[n:]
		d += uint32(x >> 1)
		times := uint64(1)
		if x&1 != 0 {
			if len(p) == 0 {
				return
			}
			if times, n = varint(p); n <= 0 {
				return
			}
			p = p[n:]
		}
		if d >= s.ix.base.n {
			return
		}
		s.see(d, uint32(times))
		d++
	}
}

// see puts a memory into the list at hand if it is alive.
func (s *search) see(d, times uint32) {
	if !s.edited || !s.ix.isDead(d) {
		s.docs, s.times = append(s.docs, d), append(s.times, times)
	}
}

// varint is binary.Uvarint with its commonest case first.
func varint(p []byte) (uint64, int) {
	if p[0] < 0x80 {
		return uint64(p[0]), 1
	}
	return binary.Uvarint(p)
}

func (s *search) readDelta(w which) {
	ix := s.ix
	ix.delta.mu.RLock()
	list := ix.delta.list(s.key)
	ix.delta.mu.RUnlock()
	for _, e := range list {
		if e.ref >= ix.refs() {
			return
		}
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
