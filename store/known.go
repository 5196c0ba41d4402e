package store

import (
	"encoding/json"
	"slices"
)

// known is .plastic/state.json: what this machine found out about the files, so
// that it need not look again. Losing it costs one look.
type known struct {
	Memory    FileKey   `json:"memory"`           // a memory.json in order: every memory on its own line, nothing to settle
	Archive   FileKey   `json:"archive"`          // the archive.json it was in order with
	Copied    FileKey   `json:"copied"`           // the memory.json that the last good copy is of
	Whole     FileKey   `json:"whole"`            // the one that last.json alone is a copy of
	Nights    bool      `json:"nights,omitempty"` // nights.jsonl has had some
	Unsettled []Problem `json:"unsettled,omitempty"`
}

func (s *Store) readKnown() known {
	var k known
	if b, err := readFile(s.own(knownName)); err == nil {
		if json.Unmarshal(b, &k) != nil {
			return known{}
		}
	}
	return k
}

// writeKnown keeps k, if it can: nothing depends on it.
func (s *Store) writeKnown(k known) {
	b, err := json.Marshal(k)
	if err != nil {
		return
	}
	if writeLocal(s.own(knownName), b, s.fresh()) == nil {
		s.muKnown.Lock()
		s.known = k
		s.muKnown.Unlock()
	}
}

func (s *Store) lastKnown() known {
	s.muKnown.Lock()
	defer s.muKnown.Unlock()
	return s.known
}

// unsettled gives the problems that stay until somebody settles them.
func (s *Store) unsettled() []Problem { return slices.Clone(s.lastKnown().Unsettled) }

// seen is .plastic/seen.json: a memory.json that a reader found in order. Readers
// hold no lock, so it is no part of what writers keep.
type seen struct {
	Memory  FileKey `json:"memory"`
	Archive FileKey `json:"archive"`
}

// vouched reports whether the files of these keys were found in order.
func (s *Store) vouched(memory, archive FileKey, k known) bool {
	if memory == (FileKey{}) {
		return false
	}
	if k.Memory == memory && k.Archive == archive {
		return true
	}
	var v seen
	b, err := readFile(s.own(seenName))
	return err == nil && json.Unmarshal(b, &v) == nil && v == seen{memory, archive}
}

// vouch remembers that the files of st are in order, once they are, and old
// enough for their keys to say so. Reading makes no folder for it.
func (s *Store) vouch(st *State) {
	b := st.base
	if b.plain || b.racy.Load() || b.absent || b.vouched.Load() || !b.inOrder() {
		return
	}
	if s.vouched(b.key, st.archived.key, s.lastKnown()) {
		b.vouched.Store(true)
		return
	}
	text, err := json.Marshal(seen{b.key, st.archived.key})
	if err == nil && writeLocal(s.own(seenName), text, s.fresh()) == nil {
		b.vouched.Store(true)
	}
}

// inOrder reports whether nothing is to be settled in a decoded file.
func (b *base) inOrder() bool {
	c := b.content
	if b.halfDone || b.arch != nil && b.arch.read().version > formatVersion {
		return false
	}
	return c.lined && !b.hurt() && !c.merging && !c.foreign && c.version <= formatVersion && len(c.odd) == 0 && !b.given && len(b.adopt) == 0
}
