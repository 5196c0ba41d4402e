package index

// table numbers byte strings in the order they come.
type table struct {
	slots []uint32 // 0 empty, else number + 1
	sums  []uint32 // hash by number
	off   []uint32 // n+1 offsets into blob
	blob  []byte
}

func (t *table) len() uint32 {
	if len(t.off) == 0 {
		return 0
	}
	return uint32(len(t.off) - 1)
}

func (t *table) key(i uint32) []byte { return t.blob[t.off[i]:t.off[i+1]] }

// find gives the number of key, if it has one.
func (t *table) find(key []byte) (uint32, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	e := t.slots[t.slot(key, hashOf(key))]
	return e - 1, e != 0
}

// put gives the number of key, a new one if it has none.
func (t *table) put(key []byte) uint32 {
	if uint32(len(t.slots)) <= t.len()*3/2+1 {
		t.grow()
	}
	h := hashOf(key)
	s := t.slot(key, h)
	if e := t.slots[s]; e != 0 {
		return e - 1
	}
	n := t.len()
	t.sums = append(t.sums, h)
	t.slots[s] = n + 1
	t.blob = append(t.blob, key...)
	t.off = append(t.off, uint32(len(t.blob)))
	return n
}

// slot gives the place of key in slots, or the empty one where it belongs.
func (t *table) slot(key []byte, h uint32) uint32 {
	last := uint32(len(t.slots) - 1)
	for i := h & last; ; i = (i + 1) & last {
		e := t.slots[i]
		if e == 0 || t.sums[e-1] == h && string(t.key(e-1)) == string(key) {
			return i
		}
	}
}

func (t *table) grow() {
	if t.off == nil {
		t.off = []uint32{0}
	}
	t.slots = make([]uint32, max(64, 2*len(t.slots)))
	last := uint32(len(t.slots) - 1)
	for n, h := range t.sums {
		i := h & last
		for t.slots[i] != 0 {
			i = (i + 1) & last
		}
		t.slots[i] = uint32(n) + 1
	}
}

// clone copies the first n entries.
func (t *table) clone(n uint32) (c table) {
	for i := range n {
		c.put(t.key(i))
	}
	return c
}

func hashOf(key []byte) uint32 {
	h := uint64(hashStart)
	for _, c := range key {
		h = (h ^ uint64(c)) * hashPrime
	}
	return uint32(mix(h))
}
