package index

import (
	"slices"
	"time"

	"plastic/memory"
)

// With gives the Index after an edit: changed memories, known by id or new, are as
// given, removed ids are gone. A changed memory that is not live counts as
// removed; an unknown removed id is ignored. It costs what the edit costs, not
// what the Index holds. ix itself stays as it is.
func (ix *Index) With(changed []memory.Memory, removed []string) *Index {
	w := ix.edit()
	defer w.ix.delta.mu.Unlock()
	for _, id := range removed {
		if ref, ok := w.ref(id); ok {
			w.kill(ref)
		}
		w.hide(id, false)
	}
	now := time.UnixMicro(ix.builtAt)
	for i := range changed {
		w.ix.span.include(&changed[i], now)
		live := changed[i].Live(now)
		w.change(&changed[i], live)
		w.hide(changed[i].ID, !live && changed[i].Private)
	}
	return w.ix
}

// editor carries out one With; it holds the lock of its delta.
type editor struct {
	ix   *Index
	edit *edit
}

func (ix *Index) edit() *editor {
	n := *ix
	n.states, n.sessions, n.speakers = ix.states.fork(), ix.sessions.fork(), ix.speakers.fork()
	n.delta.mu.Lock()
	if len(n.delta.docs) != len(n.added) {
		n.delta.mu.Unlock()
		n.delta = ix.delta.until(ix.base, len(ix.added))
		n.added = n.delta.docs
		n.delta.mu.Lock()
	}
	return &editor{ix: &n, edit: &edit{}}
}

// ref gives the living memory with that id.
func (w *editor) ref(id string) (uint32, bool) {
	if ref, ok := w.ix.delta.ids[id]; ok {
		return ref, !w.ix.isDead(ref)
	}
	ref, ok := w.ix.base.find(id)
	return ref, ok && !w.ix.isDead(ref)
}

// change makes m as given; the text is counted anew only if it is another one.
func (w *editor) change(m *memory.Memory, live bool) {
	ref, known := w.ref(m.ID)
	if known && live && w.sameText(ref, m) {
		w.signals(ref, m)
		return
	}
	if known {
		w.kill(ref)
	}
	if live {
		w.add(m)
	}
}

// sameText reports whether the memory at ref has m's place and words.
func (w *editor) sameText(ref uint32, m *memory.Memory) bool {
	ix := w.ix
	return ix.hash(ref) == textHash(m) && ix.created(ref) == m.CreatedAt.UnixMicro() &&
		ix.endsAt(ref) == endOf(m)
}

// signals writes what may change about a memory while its text stays.
func (w *editor) signals(ref uint32, m *memory.Memory) {
	s := w.state(ref)
	const kept = flagAsks | flagQuestion | flagNumber | flagLong
	w.ix.private -= one(s.flags & flagPrivate)
	s.flags = s.flags&kept | ownFlags(m)
	w.ix.private += one(s.flags & flagPrivate)
	s.kind = w.kind(m.Kind)
	s.recalls = uint32(max(m.RecallCount, 0))
	s.recalledAt = m.LastRecalledAt.UnixMicro()
	s.updated = m.UpdatedAt.UnixMicro()
	s.importance = m.Importance
}

// add indexes m as a new memory at the end of the delta.
func (w *editor) add(m *memory.Memory) {
	ix, d := w.ix, w.ix.delta
	doc := d.counter.count(m)
	ref := ix.base.n + uint32(len(d.docs))
	a := added{
		id: m.ID, created: m.CreatedAt.UnixMicro(), ends: endOf(m),
		session: w.talk(m.Session), speaker: w.speaker(m.Speaker),
		stems: doc.stems, sketch: doc.sketch, length: doc.length, hash: doc.hash, line: -1,
	}
	d.docs = append(d.docs, a)
	d.ids[m.ID] = ref
	ix.added = d.docs
	d.lists = append(d.lists, make([][]entry, int(d.counter.terms.len())-len(d.lists))...)
	for i := range doc.terms {
		t := &doc.terms[i]
		e := entry{ref, t.times << 1}
		if t.stem {
			e.times |= 1
		}
		d.lists[t.id] = append(d.lists[t.id], e)
	}
	*w.state(ref) = state{prev: none, next: none, flags: doc.flags &^ flagPrivate}
	w.signals(ref, m)
	ix.live++
	w.say(a.speaker, 1)
	for f, n := range doc.length {
		ix.length[f] += int64(n)
	}
	w.link(ref, &a)
}

// link puts a new memory into its conversation by createdAt, then id.
func (w *editor) link(ref uint32, a *added) {
	ix := w.ix
	if a.session == 0 {
		ix.loners++
		return
	}
	t := w.session(a.session)
	if t.docs == 0 {
		ix.talks++
	}
	t.docs++
	for f, n := range a.length {
		t.length[f] += n
		ix.talked[f] += int64(n)
	}
	prev, next := none, none
	if t.docs > 1 {
		prev = t.last
	}
	for prev != none && ix.before(ref, prev) {
		prev, next = ix.prev(prev), prev
	}
	if next == none {
		t.last = ref
	}
	w.join(prev, ref)
	w.join(ref, next)
}

// join makes a and b neighbours; either may be none.
func (w *editor) join(a, b uint32) {
	if a != none {
		w.state(a).next = b
	}
	if b != none {
		w.state(b).prev = a
	}
}

// kill takes a living memory out of all counts.
func (w *editor) kill(ref uint32) {
	ix := w.ix
	s := w.state(ref)
	s.dead = true
	ix.private -= one(s.flags & flagPrivate)
	prev, next := s.prev, s.next
	ix.dead++
	ix.live--
	w.say(ix.speakerOf(ref), -1)
	length := ix.lengths(ref)
	for f, n := range length {
		ix.length[f] -= int64(n)
	}
	id := ix.sessionOf(ref)
	if id == 0 {
		ix.loners--
		return
	}
	t := w.session(id)
	t.docs--
	if t.docs == 0 {
		ix.talks--
	}
	for f, n := range length {
		t.length[f] -= n
		ix.talked[f] -= int64(n)
	}
	if t.last == ref {
		t.last = prev
	}
	w.join(prev, next)
}

// say counts n more memories by speaker s.
func (w *editor) say(s uint32, n int) {
	if s != 0 {
		p := w.ix.speakers.edit(w.edit, s, w.ix.base.said)
		*p = uint32(int(*p) + n)
	}
}

func (w *editor) state(ref uint32) *state {
	return w.ix.states.edit(w.edit, ref, w.ix.base.state)
}

func (w *editor) session(s uint32) *session {
	return w.ix.sessions.edit(w.edit, s, w.ix.base.session)
}

// talk, speaker and kind give the number of a name, in base or delta.
func (w *editor) talk(name string) uint32 {
	if name == "" {
		return 0
	}
	k := w.ix.base
	if i, ok := find(k.sec[secTalkTable], &k.col[colTalk], k.sec[secTalk], name); ok {
		return i + 1
	}
	n := w.ix.delta.talks.put(name)
	w.ix.newTalks = max(w.ix.newTalks, n-k.talks)
	return n
}

func (w *editor) speaker(name string) uint32 {
	if name == "" {
		return 0
	}
	k := w.ix.base
	if i, ok := find(k.sec[secSpeakerTable], &k.col[colSpeakerName], k.sec[secSpeaker], name); ok {
		return i + 1
	}
	n := w.ix.delta.speakers.put(name)
	if s := n - k.speaker; s > w.ix.newSpeakers {
		w.ix.newSpeakers, w.ix.people = s, new(people)
	}
	return n
}

func (w *editor) kind(name memory.Kind) uint16 {
	k := w.ix.base
	for i := range k.kinds {
		if string(k.kindName(i)) == string(name) {
			return uint16(i)
		}
	}
	return uint16(w.ix.delta.kinds.put(string(name)))
}

// one is 1 if a flag is set, else 0.
func one(flag uint16) int {
	if flag != 0 {
		return 1
	}
	return 0
}

func endOf(m *memory.Memory) int64 {
	if m.ValidTo.IsZero() {
		return 0
	}
	return m.ValidTo.UnixMicro()
}

// Counted is how often, and when last, a memory was recalled.
type Counted struct {
	ID    string
	Count int
	At    time.Time
}

// Recalled gives the Index after recalls, which change nothing but these counts:
// neither count nor time is ever lowered, and unknown ids are ignored.
func (ix *Index) Recalled(list []Counted) *Index {
	w := ix.edit()
	defer w.ix.delta.mu.Unlock()
	for _, c := range list {
		if ref, ok := w.ref(c.ID); ok {
			s := w.state(ref)
			s.recalls = max(s.recalls, uint32(max(c.Count, 0)))
			s.recalledAt = max(s.recalledAt, c.At.UnixMicro())
		}
	}
	return w.ix
}

// Private reports whether any memory of the scope is private, also one that is no
// longer live.
func (ix *Index) Private() bool { return ix.private > 0 || len(ix.hidden) > 0 }

// hide notes that m, which is not live, is private or gone.
func (w *editor) hide(id string, hidden bool) {
	list := w.ix.hidden
	i, there := slices.BinarySearch(list, id)
	switch {
	case there == hidden:
	case hidden:
		w.ix.hidden = slices.Insert(slices.Clone(list), i, id)
	default:
		w.ix.hidden = slices.Delete(slices.Clone(list), i, i+1)
	}
}
