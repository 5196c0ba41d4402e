package store

// Where the lines of single memories stand in a memory.json that is known to be in
// order. What a checkpoint wrote and took out is known from it; the rest is found
// when it is asked for.

// locate finds the lines of ids by going through the file once, and notes which of
// them have none.
func (b *base) locate(ids map[string]bool) {
	if !b.plain || b.absent || b.decoded.Load() {
		return // found by decoding, or not at all
	}
	text, err := b.raw()
	if err != nil {
		return
	}
	lines, _, _ := splitLines(text)
	b.muLines.Lock()
	defer b.muLines.Unlock()
	there := make(map[string]bool, len(ids))
	for _, l := range lines {
		if id := lineID(l.of(text)); ids[id] {
			there[id] = true
			if _, known := b.lines[id]; !known {
				b.putLine(id, foundLine{offset: int64(l.start) + 1})
			}
		}
	}
	for id := range ids {
		if !there[id] {
			b.putLine(id, foundLine{offset: Gone})
		}
	}
}

// moved notes where a checkpoint put the memories it changed, those that have no
// line any more as well. at has the offsets of the new lines; nil: not known.
func (b *base) moved(changed map[string]bool, at map[string]int64) {
	if at == nil || !b.plain {
		return
	}
	b.muLines.Lock()
	defer b.muLines.Unlock()
	for id := range changed {
		offset, there := at[id]
		if !there {
			offset = Gone
		}
		b.putLine(id, foundLine{offset: offset})
	}
}

// Located reports whether Get finds each of ids without a search of the file.
func (st *State) Located(ids []string) bool {
	if st.base.decoded.Load() {
		return true
	}
	for _, id := range ids {
		if _, ok := st.base.found(id); ok {
			continue
		}
		if _, ok := st.foldWithoutBase(st.opsOf(id)); !ok {
			return false
		}
	}
	return true
}
