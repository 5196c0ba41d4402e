package index

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"

	"plastic/memory"
)

// writer takes memories by createdAt then id and gives the block over them. Their
// posting lists come separately, as a dictionary.
type writer struct {
	n    uint32
	meta meta
	sec  [secColumns][]byte
	col  [numColumns][]int64

	ids, talks, speakers, kinds, hidden dict
	talkDocs                            []session // by conversation
	said                                []uint32  // memories by speaker
}

// row is all the block holds of one memory beside its postings.
type row struct {
	id, session, speaker         string
	kind                         memory.Kind
	created, updated, recalledAt int64 // microseconds
	ends                         int64 // validTo, 0 for none
	line                         int64 // where its line begins in memory.json, −1 unknown
	importance                   float64
	recalls                      uint32
	flags                        uint16
	stems                        uint32
	sketch                       sketch
	length                       [fields]uint32
	hash                         uint64
}

func rowOf(m *memory.Memory, doc *document, line int64) row {
	return row{
		id: m.ID, session: m.Session, speaker: m.Speaker, kind: m.Kind,
		created: m.CreatedAt.UnixMicro(), updated: m.UpdatedAt.UnixMicro(), recalledAt: m.LastRecalledAt.UnixMicro(),
		ends: endOf(m), line: line, importance: m.Importance, recalls: uint32(max(m.RecallCount, 0)),
		flags: doc.flags, stems: doc.stems, sketch: doc.sketch, length: doc.length, hash: doc.hash,
	}
}

// add takes the next memory.
func (w *writer) add(r *row) {
	d := w.n
	w.n++
	w.ids.list = append(w.ids.list, r.id)
	w.put(colUpdated, r.updated)
	w.put(colRecalledAt, r.recalledAt)
	w.put(colImportance, int64(math.Float64bits(r.importance)))
	w.put(colRecalls, int64(r.recalls))
	w.put(colKind, int64(w.kinds.put(string(r.kind))))
	w.put(colStems, int64(r.stems))
	w.put(colHash, int64(r.hash))
	w.put(colLine, r.line)
	w.sec[secCreated] = binary.LittleEndian.AppendUint64(w.sec[secCreated], uint64(r.created))
	w.sec[secFlags] = append(w.sec[secFlags], byte(r.flags))
	if r.flags&flagPrivate != 0 {
		w.meta.private++
	}
	for _, bits := range r.sketch {
		w.sec[secSketch] = binary.LittleEndian.AppendUint64(w.sec[secSketch], bits)
	}
	w.say(r.speaker)
	for f, n := range r.length {
		w.sec[secLength] = binary.LittleEndian.AppendUint16(w.sec[secLength], uint16(n))
		w.meta.length[f] += int64(n)
	}
	w.join(d, r)
	if r.ends != 0 {
		b := binary.LittleEndian.AppendUint64(w.sec[secEnds], uint64(d))
		w.sec[secEnds] = binary.LittleEndian.AppendUint64(b, uint64(r.ends))
	}
}

// plain adds an entry to a plain column of u32.
func (w *writer) plain(sec int, x uint32) {
	w.sec[sec] = binary.LittleEndian.AppendUint32(w.sec[sec], x)
}

func (w *writer) put(col int, x int64) { w.col[col] = append(w.col[col], x) }

// join puts memory d at the end of its conversation.
func (w *writer) join(d uint32, r *row) {
	s := w.numbered(&w.talks, r.session)
	w.plain(secSession, s)
	w.plain(secPrev, 0)
	w.plain(secNext, 0)
	if s == 0 {
		w.meta.loners++
		return
	}
	if int(s) > len(w.talkDocs) {
		w.talkDocs = append(w.talkDocs, session{last: none})
	}
	t := &w.talkDocs[s-1]
	if t.last != none {
		binary.LittleEndian.PutUint32(w.sec[secPrev][4*d:], d-t.last)
		binary.LittleEndian.PutUint32(w.sec[secNext][4*t.last:], d-t.last)
	}
	t.last = d
	t.docs++
	for f, n := range r.length {
		t.length[f] += n
		w.meta.talked[f] += int64(n)
	}
}

// dictionary gives a writer of the terms of the memories that were added.
func (w *writer) dictionary() *dictionaryWriter {
	d := &dictionaryWriter{sessionOf: make([]uint32, w.n), met: make([]uint32, len(w.talkDocs)+1)}
	for i := range d.sessionOf {
		d.sessionOf[i] = u32(w.sec[secSession], uint32(i))
	}
	return d
}

// say notes who said the memory at hand.
func (w *writer) say(name string) {
	s := w.numbered(&w.speakers, name)
	w.plain(secSpeakerOf, s)
	if s == 0 {
		return
	}
	if int(s) > len(w.said) {
		w.said = append(w.said, 0)
	}
	w.said[s-1]++
}

// numbered gives the number of name from 1, 0 for the empty name.
func (w *writer) numbered(d *dict, name string) uint32 {
	if name == "" {
		return 0
	}
	return d.put(name) + 1
}

// bytes finishes the block.
func (w *writer) bytes(d *dictionaryWriter, v validity, now time.Time) []byte {
	for i := range w.talkDocs {
		t := &w.talkDocs[i]
		w.put(colTalkDocs, int64(t.docs))
		w.put(colTalkLast, int64(t.last))
		for f, n := range t.length {
			w.put(colTalkLength+f, int64(n))
		}
	}
	for _, n := range w.said {
		w.put(colSpeakerDocs, int64(n))
	}
	w.hundredths()
	w.strings(&w.ids, colID, secID, secIDTable)
	w.strings(&w.talks, colTalk, secTalk, secTalkTable)
	w.strings(&w.speakers, colSpeakerName, secSpeaker, secSpeakerTable)
	w.strings(&w.kinds, colKindName, secKind, -1)
	w.strings(&w.hidden, colHidden, secHidden, -1)
	w.sec[secTerms], w.sec[secHeads], w.sec[secPosts] = d.terms, d.heads, d.posts
	w.col[colTermsAt], w.col[colPostsAt] = d.termsAt, d.postsAt
	w.meta.talks = uint32(len(w.talkDocs))
	w.meta.speaker = uint32(len(w.speakers.list))
	w.meta.kinds = uint32(len(w.kinds.list))
	w.meta.hidden = uint32(len(w.hidden.list))
	w.meta.span, w.meta.builtAt = v, now.UnixMicro()
	w.sec[secMeta] = w.meta.bytes(w.n)
	return w.assemble()
}

// hundredths turns the importances into hundredths, if they all are such.
func (w *writer) hundredths() {
	list := w.col[colImportance]
	round := make([]int64, len(list))
	for i, bits := range list {
		x := math.Float64frombits(uint64(bits))
		round[i] = int64(math.Round(x * 100))
		if math.Float64bits(float64(round[i])/100) != uint64(bits) {
			return
		}
	}
	w.col[colImportance], w.meta.hundredths = round, true
}

// strings writes a list of names: offsets, blob and, unless table is -1, the hash
// table.
func (w *writer) strings(d *dict, off, blob, table int) {
	w.put(off, 0)
	for _, s := range d.list {
		w.sec[blob] = append(w.sec[blob], s...)
		w.put(off, int64(len(w.sec[blob])))
	}
	if table >= 0 {
		w.sec[table] = hashTable(d.list)
	}
}

// hashTable lays out the table that find reads, at most four fifths full.
func hashTable(keys []string) []byte {
	slots := uint32(len(keys) + len(keys)/4 + 1)
	t := make([]byte, 4*slots)
	for k, key := range keys {
		i := slotOf(key, slots)
		for u32(t, i) != 0 {
			if i++; i == slots {
				i = 0
			}
		}
		binary.LittleEndian.PutUint32(t[4*i:], uint32(k)+1)
	}
	return t
}

// packings of the columns that are not packed plainly.
var packings = map[int]packing{
	colUpdated: {absents: true, absent: zeroTime}, colRecalledAt: {absents: true, absent: zeroTime},
	colLine: {absents: true, absent: -1, linear: true}, colID: {linear: true}, colTalk: {linear: true},
	colTermsAt: {linear: true}, colPostsAt: {linear: true}, colTalkLast: {linear: true},
}

// zeroTime is the zero time in microseconds since 1970.
const zeroTime = -62135596800 * 1e6

func (w *writer) assemble() []byte {
	size := bodyAt
	for _, s := range w.sec {
		size += len(s) + 7
	}
	for i := range w.col {
		size += 8*len(w.col[i]) + columnHead + 7
	}
	b := make([]byte, bodyAt, size)
	for i := range numSections {
		from := len(b)
		if i < secColumns {
			b = append(b, w.sec[i]...)
		} else {
			b = packings[i-secColumns].pack(b, w.col[i-secColumns])
		}
		binary.LittleEndian.PutUint64(b[headLen+16*i:], uint64(from))
		binary.LittleEndian.PutUint64(b[headLen+16*i+8:], uint64(len(b)-from))
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
	}
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], version)
	binary.LittleEndian.PutUint32(b[12:], uint32(numSections))
	binary.LittleEndian.PutUint32(b[20:], crc32.ChecksumIEEE(b[bodyAt:]))
	binary.LittleEndian.PutUint64(b[24:], uint64(len(b)))
	binary.LittleEndian.PutUint32(b[16:], headSum(b))
	return b
}

// dict numbers strings in the order they come.
type dict struct {
	at   map[string]uint32
	list []string
}

func (d *dict) put(s string) uint32 {
	i, ok := d.at[s]
	if !ok {
		if d.at == nil {
			d.at = map[string]uint32{}
		}
		i = uint32(len(d.list))
		d.at[s] = i
		d.list = append(d.list, s)
	}
	return i
}
