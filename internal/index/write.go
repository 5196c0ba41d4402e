package index

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"

	"plastic/memory"
	"plastic/tokenize"
)

// writer collects memories, which must come by createdAt then id, and gives the
// block over them.
type writer struct {
	sec  [numSections][]byte
	n    uint32
	meta meta

	terms    table
	postings []posting // by term
	talks    dict
	talkDocs []session // by conversation
	speakers dict
	said     []uint32 // memories by speaker
	kinds    dict
	ids      dict // its list only: one entry a memory
	next     []uint32
}

// posting is one term's list while it grows.
type posting struct {
	buf   []byte
	last  uint32 // ref after the last one
	df    uint32
	field tokenize.Field
}

func newWriter(n int) *writer { return &writer{next: make([]uint32, 0, n)} }

// number gives the writer's number of a term that a counter knows by another.
func (w *writer) number(key []byte) uint32 {
	i := w.terms.put(key)
	if int(i) == len(w.postings) {
		w.postings = append(w.postings, posting{field: tokenize.Field(key[0])})
	}
	return i
}

// add indexes m, of which doc was counted, as the next memory; numbers gives the
// writer's number of each term in doc.
func (w *writer) add(m *memory.Memory, doc *document, numbers []uint32, at Span) {
	d := w.n
	w.n++
	for i := range doc.terms {
		t := &doc.terms[i]
		w.postings[numbers[t.id]].add(d, t)
	}
	w.ids.list = append(w.ids.list, m.ID)
	w.column64(secCreated, uint64(m.CreatedAt.UnixMicro()))
	w.column64(secUpdated, uint64(m.UpdatedAt.UnixMicro()))
	w.column64(secRecalledAt, uint64(m.LastRecalledAt.UnixMicro()))
	w.column64(secImportance, math.Float64bits(m.Importance))
	w.column64(secHash, doc.hash)
	w.column64(secSpanOff, at.Off)
	w.column32(secSpanLen, at.Len)
	w.column32(secRecalls, uint32(max(m.RecallCount, 0)))
	w.column32(secAttr, uint32(doc.flags)|w.kinds.put(string(m.Kind))<<16)
	w.column32(secStems, doc.stems)
	w.say(m.Speaker)
	for f, n := range doc.length {
		w.column32(secLength, n)
		w.meta.length[f] += int64(n)
	}
	w.join(d, m.Session, doc)
	if !m.ValidTo.IsZero() {
		w.column32(secEnds, d)
		w.column32(secEnds, 0)
		w.column64(secEnds, uint64(m.ValidTo.UnixMicro()))
	}
}

// join puts memory d at the end of its conversation.
func (w *writer) join(d uint32, name string, doc *document) {
	s, prev := w.numbered(&w.talks, name), none
	w.column32(secSession, s)
	w.next = append(w.next, none)
	if s == 0 {
		w.meta.loners++
	} else {
		if int(s) > len(w.talkDocs) {
			w.talkDocs = append(w.talkDocs, session{last: none})
		}
		t := &w.talkDocs[s-1]
		if prev = t.last; prev != none {
			w.next[prev] = d
		}
		t.last = d
		t.docs++
		for f, n := range doc.length {
			t.length[f] += n
			w.meta.talked[f] += int64(n)
		}
	}
	w.column32(secPrev, prev)
}

// say notes who said the memory at hand.
func (w *writer) say(name string) {
	s := w.numbered(&w.speakers, name)
	w.column32(secSpeaker, s)
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

func (p *posting) add(d uint32, t *termCount) {
	p.buf = appendPosting(p.buf, p.field, d-p.last, t)
	p.last = d + 1
	if t.times > 0 {
		p.df++
	}
}

// appendPosting writes one entry of a posting list (the forms stand in block.go).
func appendPosting(b []byte, f tokenize.Field, gap uint32, t *termCount) []byte {
	g, times := uint64(gap), uint64(t.times)
	if !marksStems(f) {
		if times == 1 {
			return binary.AppendUvarint(b, g<<1)
		}
		return binary.AppendUvarint(binary.AppendUvarint(b, g<<1|1), times)
	}
	stem := uint64(0)
	if t.stem {
		stem = 1
	}
	if times == 1 {
		return binary.AppendUvarint(b, g<<2|stem)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, g<<2|2), times<<1|stem)
}

func (w *writer) column32(s int, x uint32) {
	w.sec[s] = binary.LittleEndian.AppendUint32(w.sec[s], x)
}

func (w *writer) column64(s int, x uint64) {
	w.sec[s] = binary.LittleEndian.AppendUint64(w.sec[s], x)
}

// bytes finishes the block.
func (w *writer) bytes(v validity, now time.Time) []byte {
	for _, d := range w.next {
		w.column32(secNext, d)
	}
	for i := range w.talkDocs {
		t := &w.talkDocs[i]
		w.column32(secTalkDocs, t.docs)
		w.column32(secTalkLast, t.last)
		for _, n := range t.length {
			w.column32(secTalkLength, n)
		}
	}
	for _, n := range w.said {
		w.column32(secSpeakerDocs, n)
	}
	w.column64(secPostOff, 0)
	for i := range w.postings {
		p := &w.postings[i]
		w.column32(secTermCount, p.df)
		w.sec[secPost] = append(w.sec[secPost], p.buf...)
		w.column64(secPostOff, uint64(len(w.sec[secPost])))
	}
	w.strings(&w.ids, secIDOff, secID, secIDTable)
	w.strings(&w.talks, secTalkOff, secTalk, secTalkTable)
	w.strings(&w.speakers, secSpeakerOff, secSpeakerName, secSpeakerTable)
	w.strings(&w.kinds, secKindOff, secKindName, -1)
	w.sec[secTermTable], w.sec[secTermOff] = w.terms.bytes()
	w.sec[secTerm] = w.terms.blob
	w.meta.talks = uint32(len(w.talkDocs))
	w.meta.speaker = uint32(len(w.speakers.list))
	w.meta.kinds = uint32(len(w.kinds.list))
	w.meta.terms = uint32(len(w.postings))
	w.meta.span, w.meta.builtAt = v, now.UnixMicro()
	w.sec[secMeta] = w.meta.bytes(w.n)
	return assemble(&w.sec)
}

// strings writes a dictionary: offsets, blob and, unless table is -1, the hash table.
func (w *writer) strings(d *dict, off, blob, table int) {
	w.column32(off, 0)
	for _, s := range d.list {
		w.sec[blob] = append(w.sec[blob], s...)
		w.column32(off, uint32(len(w.sec[blob])))
	}
	if table >= 0 {
		w.sec[table] = hashTable(d.list)
	}
}

// hashTable lays out the table that find reads, at most two thirds full.
func hashTable(keys []string) []byte {
	slots := 1
	for slots*2 < len(keys)*3 {
		slots *= 2
	}
	t := make([]byte, 4*slots)
	for k, key := range keys {
		i := hash([]byte(key)) & uint32(slots-1)
		for u32(t, i) != 0 {
			i = (i + 1) & uint32(slots-1)
		}
		binary.LittleEndian.PutUint32(t[4*i:], uint32(k)+1)
	}
	return t
}

func assemble(sec *[numSections][]byte) []byte {
	size := headLen + 16*numSections
	for _, s := range sec {
		size += (len(s) + 7) &^ 7
	}
	b := make([]byte, headLen+16*numSections, size)
	for i, s := range sec {
		binary.LittleEndian.PutUint64(b[headLen+16*i:], uint64(len(b)))
		binary.LittleEndian.PutUint64(b[headLen+16*i+8:], uint64(len(s)))
		b = append(b, s...)
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
	}
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], version)
	binary.LittleEndian.PutUint32(b[12:], numSections)
	binary.LittleEndian.PutUint32(b[16:], crc32.Checksum(b[headLen:headLen+16*numSections], castagnoli))
	binary.LittleEndian.PutUint32(b[20:], crc32.Checksum(b[headLen+16*numSections:], castagnoli))
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
