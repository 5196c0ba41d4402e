package index

import (
	"runtime"
	"strings"
	"time"
	"unsafe"

	"plastic/memory"
)

// Signals is what the index knows of a memory beside its words: enough to rank it
// and to find its layer without its text.
type Signals struct {
	ID             string
	Kind           memory.Kind
	Importance     float64 // 0…1
	Pinned         bool
	Private        bool
	CreatedAt      time.Time
	UpdatedAt      time.Time
	RecallCount    int
	LastRecalledAt time.Time
	ValidTo        time.Time
	Line           int64 // where its line begins in memory.json, as far as it was known: -1 if not
}

// Memory gives s as a memory without its texts, which is what layers reads.
func (s *Signals) Memory() memory.Memory {
	return memory.Memory{
		ID: s.ID, Kind: s.Kind, Importance: s.Importance, Pinned: s.Pinned, Private: s.Private,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, RecallCount: s.RecallCount,
		LastRecalledAt: s.LastRecalledAt, ValidTo: s.ValidTo,
	}
}

// Signals gives the signals of the memory at r, which must come from ix.
func (ix *Index) Signals(r Ref) Signals {
	s := ix.Peek(r)
	s.ID = strings.Clone(s.ID)
	runtime.KeepAlive(ix)
	return s
}

// Peek is Signals without a copy of the id, which may only be used as long as ix is:
// for the many memories that are looked at in passing.
func (ix *Index) Peek(r Ref) Signals {
	d := uint32(r)
	st := ix.state(d)
	s := Signals{
		ID:             ix.peekID(d),
		Kind:           ix.kindName(st.kind),
		Importance:     st.importance,
		Pinned:         st.flags&flagPinned != 0,
		Private:        st.flags&flagPrivate != 0,
		CreatedAt:      instant(ix.created(d)),
		UpdatedAt:      instant(st.updated),
		RecallCount:    int(st.recalls),
		LastRecalledAt: instant(st.recalledAt),
		Line:           ix.line(d),
	}
	if end := ix.endsAt(d); end != 0 {
		s.ValidTo = instant(end)
	}
	runtime.KeepAlive(ix)
	return s
}

// Find gives the memory with that id.
func (ix *Index) Find(id string) (Ref, bool) {
	defer runtime.KeepAlive(ix)
	ix.delta.mu.RLock()
	d, ok := ix.delta.ids[id]
	ix.delta.mu.RUnlock()
	if ok && d < ix.refs() {
		return Ref(d), !ix.isDead(d)
	}
	if ok { // a later edit changed it: look for what it was here
		for i := len(ix.added) - 1; i >= 0; i-- {
			if d := ix.base.n + uint32(i); ix.added[i].id == id {
				return Ref(d), !ix.isDead(d)
			}
		}
	}
	d, ok = ix.base.find(id)
	return Ref(d), ok && !ix.isDead(d)
}

// refs is one more than the highest ref.
func (ix *Index) refs() uint32 { return ix.base.n + uint32(len(ix.added)) }

// instant is the time of a column; the zero time comes back as zero.
func instant(micro int64) time.Time { return time.UnixMicro(micro).UTC() }

func (ix *Index) state(d uint32) state {
	if s := ix.states.at(d); s != nil {
		return *s
	}
	return ix.base.state(d)
}

func (ix *Index) isDead(d uint32) bool {
	s := ix.states.at(d)
	return s != nil && s.dead
}

func (ix *Index) prev(d uint32) uint32 {
	if s := ix.states.at(d); s != nil {
		return s.prev
	}
	return ix.base.prev(d)
}

func (ix *Index) next(d uint32) uint32 {
	if s := ix.states.at(d); s != nil {
		return s.next
	}
	return ix.base.next(d)
}

// attr gives flags and kind.
func (ix *Index) attr(d uint32) (flags, kind uint16) {
	if s := ix.states.at(d); s != nil {
		return s.flags, s.kind
	}
	return uint16(ix.base.sec[secFlags][d]), ix.base.kindOf(d)
}

func (ix *Index) session(s uint32) session {
	if t := ix.sessions.at(s); t != nil {
		return *t
	}
	return ix.base.session(s)
}

func (ix *Index) peekID(d uint32) string {
	if d < ix.base.n {
		id := ix.base.id(d)
		return unsafe.String(unsafe.SliceData(id), len(id))
	}
	return ix.added[d-ix.base.n].id
}

func (ix *Index) id(d uint32) string {
	if d < ix.base.n {
		return string(ix.base.id(d))
	}
	return ix.added[d-ix.base.n].id
}

func (ix *Index) created(d uint32) int64 {
	if d < ix.base.n {
		return int64(u64(ix.base.sec[secCreated], d))
	}
	return ix.added[d-ix.base.n].created
}

func (ix *Index) sessionOf(d uint32) uint32 {
	if d < ix.base.n {
		return ix.base.sessionOf(d)
	}
	return ix.added[d-ix.base.n].session
}

func (ix *Index) speakerOf(d uint32) uint32 {
	if d < ix.base.n {
		return ix.base.speakerOf(d)
	}
	return ix.added[d-ix.base.n].speaker
}

func (ix *Index) hash(d uint32) uint64 {
	if d < ix.base.n {
		return uint64(ix.base.col[colHash].at(d))
	}
	return ix.added[d-ix.base.n].hash
}

func (ix *Index) stems(d uint32) uint32 {
	if d < ix.base.n {
		return uint32(ix.base.col[colStems].at(d))
	}
	return ix.added[d-ix.base.n].stems
}

func (ix *Index) lengths(d uint32) (n [fields]uint32) {
	if d >= ix.base.n {
		return ix.added[d-ix.base.n].length
	}
	for f := range n {
		n[f] = ix.base.lengthOf(d, f)
	}
	return n
}

// Line gives where the line of a living memory begins in memory.json, as far as it
// was known, -1 where it was not.
func (ix *Index) Line(id string) int64 {
	defer runtime.KeepAlive(ix)
	if r, ok := ix.Find(id); ok {
		return ix.line(uint32(r))
	}
	return -1
}

// line is where its line begins in memory.json, -1 where that is not known.
func (ix *Index) line(d uint32) int64 {
	if d < ix.base.n {
		return ix.base.col[colLine].at(d)
	}
	return ix.added[d-ix.base.n].line
}

// endsAt is the validTo to come, 0 for none.
func (ix *Index) endsAt(d uint32) int64 {
	if d >= ix.base.n {
		return ix.added[d-ix.base.n].ends
	}
	ends := ix.base.sec[secEnds]
	lo, hi := uint32(0), uint32(len(ends)/16)
	for lo < hi {
		if mid := (lo + hi) / 2; u64(ends, 2*mid) < uint64(d) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if int(lo) < len(ends)/16 && u64(ends, 2*lo) == uint64(d) {
		return int64(u64(ends, 2*lo+1))
	}
	return 0
}

// before orders two memories as memory.json does.
func (ix *Index) before(a, b uint32) bool {
	if x, y := ix.created(a), ix.created(b); x != y {
		return x < y
	}
	return ix.id(a) < ix.id(b)
}

func (ix *Index) sessionName(s uint32) string {
	if s == 0 {
		return ""
	}
	if s <= ix.base.talks {
		return string(ix.base.talk(s))
	}
	return ix.delta.name(&ix.delta.talks, s)
}

func (ix *Index) speakerName(s uint32) string {
	if s == 0 {
		return ""
	}
	if s <= ix.base.speaker {
		return string(ix.base.speakerName(s))
	}
	return ix.delta.name(&ix.delta.speakers, s)
}

func (ix *Index) kindName(i uint16) memory.Kind {
	if int(i) < len(ix.kinds) {
		return ix.kinds[i]
	}
	return memory.Kind(ix.delta.name(&ix.delta.kinds, uint32(i)))
}
