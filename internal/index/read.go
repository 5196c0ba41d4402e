package index

import (
	"encoding/binary"
	"math"
)

// u32 and its like read entry i of a plain column.
func u32(s []byte, i uint32) uint32 { return binary.LittleEndian.Uint32(s[4*int(i):]) }
func u64(s []byte, i uint32) uint64 { return binary.LittleEndian.Uint64(s[8*int(i):]) }

// cut gives string i of a blob.
func cut(off *column, blob []byte, i uint32) []byte {
	from, to := off.at(i), off.at(i+1)
	if i+1 >= off.n || from < 0 || from > to || to > int64(len(blob)) {
		return nil
	}
	return blob[from:to]
}

func (k *block) id(d uint32) []byte   { return cut(&k.col[colID], k.sec[secID], d) }
func (k *block) talk(s uint32) []byte { return cut(&k.col[colTalk], k.sec[secTalk], s-1) }
func (k *block) speakerName(s uint32) []byte {
	return cut(&k.col[colSpeakerName], k.sec[secSpeaker], s-1)
}
func (k *block) kindName(i uint32) []byte { return cut(&k.col[colKindName], k.sec[secKind], i) }

// find gives the memory with that id.
func (k *block) find(id string) (uint32, bool) {
	return find(k.sec[secIDTable], &k.col[colID], k.sec[secID], id)
}

// sessionOf gives the number of a memory's conversation, 0 for none.
func (k *block) sessionOf(d uint32) uint32 {
	if s := u32(k.sec[secSession], d); s <= k.talks {
		return s
	}
	return 0
}

// lengthOf gives how many terms of a field a memory has.
func (k *block) lengthOf(d uint32, f int) uint32 {
	return uint32(binary.LittleEndian.Uint16(k.sec[secLength][2*(int(d)*fields+f):]))
}

// speakerOf gives the number of a memory's speaker, 0 for none.
func (k *block) speakerOf(d uint32) uint32 {
	if s := u32(k.sec[secSpeakerOf], d); s <= k.speaker {
		return s
	}
	return 0
}

// kindOf gives the number of a memory's kind.
func (k *block) kindOf(d uint32) uint16 {
	if x := uint32(k.col[colKind].at(d)); x < k.kinds {
		return uint16(x)
	}
	return 0
}

// prev and next give the neighbours of a memory in its conversation. Whatever the
// columns say, prev goes back and next goes ahead.
func (k *block) prev(d uint32) uint32 {
	if back := u32(k.sec[secPrev], d); back != 0 && back <= d {
		return d - back
	}
	return none
}

func (k *block) next(d uint32) uint32 {
	if ahead := u32(k.sec[secNext], d); ahead != 0 && ahead < k.n-d {
		return d + ahead
	}
	return none
}

func (k *block) importance(d uint32) float64 {
	x := k.col[colImportance].at(d)
	if k.hundredths {
		return float64(x) / 100
	}
	return math.Float64frombits(uint64(x))
}

// state and session give what stands in the block, the zero value beyond it.
func (k *block) state(d uint32) state {
	if d >= k.n {
		return state{}
	}
	return state{
		prev: k.prev(d), next: k.next(d),
		recalls: uint32(k.col[colRecalls].at(d)), flags: uint16(k.sec[secFlags][d]), kind: k.kindOf(d),
		recalledAt: k.col[colRecalledAt].at(d), updated: k.col[colUpdated].at(d),
		importance: k.importance(d),
	}
}

func (k *block) session(s uint32) session {
	if s == 0 || s > k.talks {
		return session{last: none}
	}
	t := session{docs: uint32(k.col[colTalkDocs].at(s - 1)), last: uint32(k.col[colTalkLast].at(s - 1))}
	if t.last >= k.n {
		t.last = none
	}
	for f := range t.length {
		t.length[f] = k.talkLength(s, f)
	}
	return t
}

// talkLength gives how many terms of a field conversation s has.
func (k *block) talkLength(s uint32, f int) uint32 { return uint32(k.col[colTalkLength+f].at(s - 1)) }

// said is the number of memories by speaker s, 0 beyond the block.
func (k *block) said(s uint32) uint32 {
	if s == 0 || s > k.speaker {
		return 0
	}
	return uint32(k.col[colSpeakerDocs].at(s - 1))
}

// find looks key up in a hash table over the strings of a blob.
func find(table []byte, off *column, blob []byte, key string) (uint32, bool) {
	slots := uint32(len(table) / 4)
	i := slotOf(key, slots)
	for range slots {
		e := u32(table, i)
		if e == 0 {
			return 0, false
		}
		if string(cut(off, blob, e-1)) == key {
			return e - 1, true
		}
		if i++; i == slots {
			i = 0
		}
	}
	return 0, false
}

// slotOf gives where the search for key begins in a table of so many slots.
func slotOf(key string, slots uint32) uint32 {
	return uint32(mix(hashInto(hashStart, key)) >> 32 * uint64(slots) >> 32)
}

// The hash is FNV-1a with a final mix; it is part of the format.
const (
	hashStart = 14695981039346656037
	hashPrime = 1099511628211
)

func hashInto(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return h
}

func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
