package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"plastic/memory"
)

// Tx is one update under way. Its changes are seen by its own State and Get at
// once, by everybody else when Update returns. What can not be done makes the
// whole update fail.
type Tx struct {
	base    *State // before the update
	st      *State // with the changes so far; nil: to be made
	now     time.Time
	ops     []op
	mine    map[string]*memory.Memory // what the update made of a memory; nil: gone
	fresh   map[string]bool           // ids that NewID gave
	force   bool                      // the files are to be written at once
	purging []string
	kept    map[string][]memory.Archived // archive entries of the update; a purge begins them anew
	err     error
}

func newTx(st *State, now time.Time) *Tx {
	return &Tx{base: st, st: st, now: now.UTC().Truncate(time.Second), mine: make(map[string]*memory.Memory), fresh: make(map[string]bool), kept: make(map[string][]memory.Archived)}
}

// Now gives the time of the update, in whole seconds.
func (tx *Tx) Now() time.Time { return tx.now }

// State gives the state under the lock, with the changes so far.
func (tx *Tx) State() *State {
	if tx.st == nil {
		tx.st = tx.base.with(tx.ops)
	}
	return tx.st
}

// with gives the state that ops would lead to.
func (st *State) with(ops []op) *State {
	j := newJournal()
	j.name, j.base = st.log.name, st.log.base
	st.log.mu.RLock()
	j.add(st.log.ops[:st.n])
	st.log.mu.RUnlock()
	j.add(ops)
	next := &State{store: st.store, base: st.base, log: j, from: st.from, n: len(j.ops), draft: true, same: st.same, archived: st.archived, hist: &history{}}
	next.rev = revise(st.rev, "with", len(ops))
	return next
}

// Get gives the memory with this id as the update has it by now.
func (tx *Tx) Get(id string) (memory.Memory, bool) {
	if m, ok := tx.mine[id]; ok {
		if m == nil {
			return memory.Memory{}, false
		}
		return *m, true
	}
	if tx.fresh[id] {
		return memory.Memory{}, false
	}
	return tx.base.Get(id)
}

// NewID gives an id that nothing has: short, lower case, of one length, so that it
// does not tell how much there is.
func (tx *Tx) NewID() string {
	for {
		if id := randomID(); !tx.fresh[id] && tx.mine[id] == nil {
			tx.fresh[id] = true
			return id
		}
	}
}

func (tx *Tx) fail(format string, args ...any) {
	if tx.err == nil {
		tx.err = fmt.Errorf(format, args...)
	}
}

func (tx *Tx) do(o op) {
	tx.ops = append(tx.ops, o)
	tx.st = nil
}

// normal gives m as it will be read back from disk.
func normal(m memory.Memory) (memory.Memory, error) {
	return memory.ParseJSON(memory.AppendJSON(nil, &m))
}

func normalEntry(e memory.Archived) memory.Archived {
	if n, err := memory.ParseArchived(memory.AppendArchived(nil, &e)); err == nil {
		return n
	}
	return e
}

// plainly reports whether an entry of a memory that was read is what would be read
// of it again: text that is no UTF-8, and what no field is for, may come back otherwise.
func plainly(a *memory.Archived) bool {
	m := &a.Memory
	for _, text := range [...]string{m.Content, string(m.Kind), m.SupersededBy, m.Source, m.Session, m.Speaker, string(a.As), a.By, a.Why} {
		if !utf8.ValidString(text) {
			return false
		}
	}
	return len(m.Extra) == 0 && len(a.Extra) == 0 && a.RestoredAt.IsZero() && a.ArchivedAt == a.ArchivedAt.UTC().Truncate(time.Second)
}

// Put creates the memory m, or puts m in the place of the one with its id. A
// createdAt that is not set is now. An id that was forgotten becomes free again.
// Without a valid id or content the update fails with memory.ErrInvalid.
func (tx *Tx) Put(m memory.Memory) {
	if !memory.ValidID(m.ID) {
		tx.fail("%w", memory.Errorf(memory.ErrInvalid, "%q is no id", m.ID))
		return
	}
	if m.Content == "" {
		tx.fail("%w", memory.Errorf(memory.ErrInvalid, "memory %s has no content", m.ID))
		return
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = tx.now
	}
	n, err := normal(m)
	if err != nil {
		tx.fail("memory %s: %w", m.ID, err)
		return
	}
	o := op{kind: opPut, id: n.ID, m: &n}
	if old, ok := tx.Get(n.ID); ok {
		if equalMemory(&old, &n) {
			return
		}
		o.was = &old
	} else if !tx.fresh[n.ID] {
		tx.unbury(n.ID)
	}
	tx.mine[n.ID] = &n
	tx.do(o)
}

// unbury cancels a tombstone, so that the id can live.
func (tx *Tx) unbury(id string) {
	if e, ok := activeTombstone(tx.entriesOf(id)); ok {
		tx.mark(id, later(tx.now, e.ArchivedAt))
	}
}

// entriesOf gives what the archive has of id, with the changes so far.
func (tx *Tx) entriesOf(id string) []memory.Archived {
	if slices.Contains(tx.purging, id) {
		return tx.kept[id]
	}
	if own := tx.kept[id]; len(own) > 0 {
		return append(slices.Clone(tx.base.entriesOf(id)), own...)
	}
	return tx.base.entriesOf(id)
}

func (tx *Tx) mark(id string, at time.Time) {
	tx.Keep(memory.Archived{Memory: memory.Memory{ID: id}, RestoredAt: at})
}

// Archive moves the memory with this id to the archive, with what a says about
// it; a.Memory is filled in, and archivedAt and as where they are not set (now,
// forgotten). Without such a memory the update fails with memory.ErrNotFound.
func (tx *Tx) Archive(id string, a memory.Archived) {
	m, ok := tx.Get(id)
	if !ok {
		tx.fail("%s: %w", id, memory.ErrNotFound)
		return
	}
	a.Memory = m
	if a.As == "" {
		a.As = memory.Forgotten
	}
	if a.ArchivedAt.IsZero() {
		a.ArchivedAt = tx.now
	}
	if isTombstone(&a) || a.As == memory.Removed {
		// A mark of the same second would make it void, or what was restored its like.
		if at, ok := marks(tx.entriesOf(id))[id]; ok && !a.ArchivedAt.After(at) {
			a.ArchivedAt = at.Add(time.Second)
		}
	}
	if !plainly(&a) { // else it is as it will be read back
		a = normalEntry(a)
	}
	tx.mine[id] = nil
	tx.kept[id] = append(tx.kept[id], a)
	tx.do(op{kind: opDrop, id: id, entry: &a})
}

// Keep adds an entry to the archive beside the living memory: a version.
func (tx *Tx) Keep(a memory.Archived) {
	if a.ArchivedAt.IsZero() && a.RestoredAt.IsZero() {
		a.ArchivedAt = tx.now
	}
	if a.Memory.ID == "" {
		tx.fail("%w", memory.Errorf(memory.ErrInvalid, "an archive entry without an id"))
		return
	}
	a = normalEntry(a)
	tx.kept[a.Memory.ID] = append(tx.kept[a.Memory.ID], a)
	tx.do(op{kind: opKeep, id: a.Memory.ID, entry: &a})
}

// Restore brings back the newest text that the archive has of id, and gives it.
// Where the memory is living, its own wording goes to the archive as a version.
// Without a text the update fails with memory.ErrNotFound.
func (tx *Tx) Restore(id string) (memory.Memory, error) {
	entries := slices.Clone(tx.entriesOf(id))
	sortArchive(entries)
	var found *memory.Archived
	at := tx.now
	for i := range entries {
		if e := &entries[i]; !isMark(e) {
			at = later(at, e.ArchivedAt)
			if !e.Textless() {
				found = e
			}
		}
	}
	if found == nil {
		tx.fail("%s is not in the archive: %w", id, memory.ErrNotFound)
		return memory.Memory{}, tx.err
	}
	m := found.Memory
	if cur, ok := tx.Get(id); ok {
		tx.Keep(memory.Archived{Memory: cur, As: memory.Version, Why: "another wording was restored"})
		m.RecallCount = max(m.RecallCount, cur.RecallCount)
		m.LastRecalledAt = later(m.LastRecalledAt, cur.LastRecalledAt)
		m.Private = m.Private || cur.Private
		m.UpdatedAt = later(m.UpdatedAt, tx.now)
	}
	tx.mark(id, at)
	tx.Put(m)
	return m, tx.err
}

// Purge erases memories for good, from every file that the store writes and from
// the queue; only their ids stay, in tombstones without text. Without such a
// memory, living or archived, the update fails with memory.ErrNotFound.
func (tx *Tx) Purge(ids ...string) {
	for _, id := range ids {
		_, ok := tx.Get(id)
		if !ok && !slices.ContainsFunc(tx.entriesOf(id), func(e memory.Archived) bool { return !e.Textless() }) {
			tx.fail("%s: %w", id, memory.ErrNotFound)
			return
		}
		tx.mine[id] = nil
		tx.force = true
		tx.purging = append(tx.purging, id)
		tx.kept[id] = []memory.Archived{{Memory: memory.Memory{ID: id}, ArchivedAt: tx.now, As: memory.Forgotten}}
		tx.do(op{kind: opPurge, id: id, at: tx.now})
	}
}

func (tx *Tx) purges() []string { return tx.purging }

// ExpireArchive takes the texts of forgotten and pruned memories that have been
// in the archive for longer than ttl, and removes other entries as old. Ids of
// forgotten ones stay a year. ttl 0 means never. It gives how many entries
// changed.
func (tx *Tx) ExpireArchive(ttl time.Duration) int {
	cutoff := time.Unix(0, 0)
	if ttl > 0 {
		cutoff = tx.now.Add(-ttl)
	}
	due := func(e memory.Archived) bool { return expires(&e, cutoff, lifeEnd(tx.now)) }
	if !slices.ContainsFunc(tx.base.entries(), due) && !tx.keeps(due) {
		return 0
	}
	before := tx.State().entries()
	after := expire(before, cutoff, lifeEnd(tx.now))
	n := len(before) - len(after)
	for i := range after {
		if after[i].Textless() {
			n++
		}
	}
	for i := range before {
		if before[i].Textless() {
			n--
		}
	}
	changed := len(before) != len(after) || !slices.EqualFunc(before, after, func(a, b memory.Archived) bool { return a.Textless() == b.Textless() })
	if changed {
		tx.do(op{kind: opExpire, at: cutoff, end: lifeEnd(tx.now)})
	}
	return max(n, 0)
}

// keeps reports whether the update has put an entry into the archive that fits.
func (tx *Tx) keeps(fits func(memory.Archived) bool) bool {
	for _, list := range tx.kept {
		if slices.ContainsFunc(list, fits) {
			return true
		}
	}
	return false
}

// Night adds a line, as encoding/json writes it, to nights.jsonl.
func (tx *Tx) Night(line any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		tx.err = errors.Join(tx.err, fmt.Errorf("the night: %w", err))
		return
	}
	tx.force = true
	tx.do(op{kind: opNight, night: memory.CleanValue(b.String())})
}
