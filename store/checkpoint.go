package store

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"time"
	"unsafe"
)

// A checkpoint writes what the journal holds into the files, in this order:
// nights.jsonl, queue.jsonl, archive.json, a mark in the journal that tells what memory.json
// will be, memory.json, and then begins a new journal. Cut off anywhere, it
// leaves files and a journal that together say the same as before: entries of the
// archive are there once however often they are added, and a memory.json that the
// mark fits has all of the journal before the mark. What is purged is taken out of all
// others first: only archive.json, memory.json and the journal say what to look for.

// errMoved says that another hand wrote a file while it was being folded in.
var errMoved = errors.New("the file has changed meanwhile")

// A firmness says whether a checkpoint also settles what only doctor may.
type firmness bool

const (
	gently firmness = false
	firmly firmness = true // odd entries are put away, a file that is in order is put in form
)

// Checkpoint folds the journal into memory.json and archive.json, counts of
// recalls too. It reports whether anything was written.
func (s *Store) Checkpoint(ctx context.Context) (bool, error) {
	if err := s.wait(ctx); err != nil {
		return false, err
	}
	defer s.done()
	l, err := s.acquire(ctx, s.o.LockWait)
	if err != nil {
		return false, err
	}
	defer l.release()
	s.sweep()
	return s.fold(l, gently)
}

// fold makes a checkpoint of what is there, again if another hand saves meanwhile.
func (s *Store) fold(l *lock, f firmness) (wrote bool, err error) {
	const tries = 5
	for range tries {
		st, err := s.read()
		if err != nil {
			return wrote, err
		}
		if err := st.Writable(); err != nil {
			return wrote, err
		}
		if f == gently && (st.Pending() == 0 && st.log.content == 0 && !st.base.halfDone || s.mustWait(st)) {
			return wrote, nil
		}
		if adopted := s.adopt(st, s.o.Now()); len(adopted) > 0 {
			if st, err = s.keep(l, st, adopted, s.o.Now()); err != nil {
				return wrote, err
			}
		}
		_, w, err := s.checkpoint(l, st, f)
		wrote = wrote || w
		if !errors.Is(err, errMoved) {
			return wrote, err
		}
	}
	return wrote, errMoved
}

// checkpoint writes the files of st and begins a new journal. It gives the state
// that then stands, and whether any file was written.
func (s *Store) checkpoint(l *lock, st *State, f firmness) (next *State, wrote bool, err error) {
	text, at, err := s.memoryText(st, f)
	if err != nil {
		return nil, false, err
	}
	held := func(name string, key FileKey) func() error {
		return func() error {
			if err := l.held(); err != nil {
				return err
			}
			if statKey(s.path(name)) != key {
				return errMoved
			}
			return nil
		}
	}
	if statKey(s.path(memoryName)) != st.base.key {
		return nil, false, errMoved
	}
	wrote, err = s.writeNights(st)
	if err != nil {
		return nil, false, err
	}
	if err := s.writeQueue(st); err != nil {
		return nil, wrote, err
	}
	if err := s.erase(st); err != nil {
		return nil, wrote, err
	}
	archiveKey, archiveNew, err := s.writeArchive(st, f, held(archiveName, st.archived.key))
	wrote = wrote || archiveNew
	if err != nil {
		return nil, wrote, err
	}
	old, _ := st.base.raw()
	changed := st.base.absent || st.base.halfDone || old != string(text)
	key := st.base.key
	if changed {
		if key, err = s.writeMemory(st, f, text, held(memoryName, key)); err != nil {
			return nil, wrote, err
		}
		if st.damaged() { // the copy that was put aside holds what is purged, too
			if err := s.erase(st); err != nil {
				return nil, true, err
			}
		}
	}
	if err := s.restart(st, text, at, key, archiveKey, f); err != nil {
		return nil, true, err
	}
	if f == gently {
		s.noteStep(st, filesKey{key, archiveKey}, at)
	}
	next, err = s.settled(st, text, key, archiveNew, f)
	if err == nil && f == gently && next.base.key == key {
		next.base.moved(st.touched(st.from), at)
	}
	return next, wrote || changed, err
}

// writeMemory puts text in the place of memory.json: a damaged one is kept aside.
func (s *Store) writeMemory(st *State, f firmness, text []byte, check func() error) (FileKey, error) {
	if err := s.quarantine(st, f); err != nil {
		return FileKey{}, err
	}
	mark := appendMark(nil, int64(len(text)), sum(unsafe.String(unsafe.SliceData(text), len(text))))
	if st.log.size > 0 {
		if _, err := s.appendJournal(st, mark, nil, unsynced); err != nil {
			return FileKey{}, err
		}
	}
	return s.replaceFile(s.path(memoryName), s.own(guardName), text, check)
}

// memoryText gives the text that memory.json is to have, and where in it the new
// lines begin, as far as that is known.
func (s *Store) memoryText(st *State, f firmness) (text []byte, at map[string]int64, err error) {
	b := st.base
	if b.plain && f == gently {
		if text, at, ok := st.splice(); ok {
			return text, at, nil
		}
	}
	b.decode()
	odd := b.content.odd
	if f == firmly {
		odd = nil
	}
	mems := st.Memories()
	return appendContent(make([]byte, 0, int(b.key.Size)+len(b.content.head)*64+512*st.Pending()), &b.content.doc, mems, odd), nil, nil
}

// writeArchive writes archive.json, if it is to change, and gives its key.
func (s *Store) writeArchive(st *State, f firmness, check func() error) (key FileKey, wrote bool, err error) {
	key = st.archived.key
	if f == gently && !st.touchesArchive() {
		return key, false, nil
	}
	a := st.archived.read()
	entries := st.entries()
	if a.blank && len(entries) == 0 && (f == gently || st.archived.f == nil) {
		return key, false, nil
	}
	odd := a.odd
	if f == firmly {
		odd = nil
	}
	text := appendArchive(make([]byte, 0, int(st.archived.key.Size)+512*st.Pending()), &a.doc, s.discreet(st, entries), odd)
	if old, err := readFile(s.path(archiveName)); err == nil && string(old) == string(text) {
		return key, false, nil
	}
	switch {
	case a.damage != "":
		if err := s.putAside(archiveName, Problem{Code: CodeQuarantined,
			Message: fmt.Sprintf("archive.json was damaged (%s); %d entries were saved; it is kept as %%s", a.damage, len(a.entries)),
			Hint:    "look into the copy for what is missing, then plastic doctor --fix"}); err != nil {
			return key, false, err
		}
	case f == firmly && (len(a.odd) > 0 || a.merging):
		if err := s.putAside(archiveName, Problem{}); err != nil {
			return key, false, err
		}
	case f == gently && a.blank && st.archived.f != nil:
		s.stay(emptied(archiveName, "empty"))
	}
	key, err = s.replaceFile(s.path(archiveName), "", text, check)
	return key, true, err
}

func (st *State) touchesArchive() bool {
	return slices.ContainsFunc(st.allOps(), op.archives)
}

// restart begins a new journal, and keeps the last good copy. Neither is synced:
// an old journal that a power cut brings back says nothing new. Only after a purge both
// are, and the folder of the copy: a power cut must not bring back what was erased.
func (s *Store) restart(st *State, text []byte, at map[string]int64, key, archiveKey FileKey, f firmness) error {
	if f == gently && st.archived.f == nil && s.lastKnown().Archive != (FileKey{}) {
		s.stay(emptied(archiveName, "missing"))
	}
	k := s.lastKnown()
	if k.Copied != key || st.takesTexts() {
		err := inTurn(s.step("last"), func() error { return s.keepCopy(&k, st, text, key, at) })
		if err != nil && len(s.purgedIn(st)) > 0 {
			return err
		}
	}
	k.Memory, k.Archive = key, archiveKey
	if !st.writesPlain(f) {
		k.Memory = FileKey{}
	}
	s.writeKnown(k)
	bad := slices.Concat(st.log.bad, st.tail(s))
	if st.log.size == 0 && len(bad) == 0 {
		return nil
	}
	if err := s.putAsideLines(bad); err != nil {
		return err
	}
	if err := s.fault("cut"); err != nil {
		return err
	}
	if err := os.Truncate(s.path(journalName), 0); err != nil || len(s.purgedIn(st)) == 0 {
		return err
	}
	return errors.Join(syncFile(s.path(journalName)), syncDir(s.own("")))
}

// writesPlain reports whether the file that a checkpoint of st writes has nothing
// left to settle.
func (st *State) writesPlain(f firmness) bool {
	b := st.base
	if !b.doubtful() {
		return true
	}
	return f == firmly || len(b.content.odd) == 0 && !b.content.merging
}

// settled gives the state after a checkpoint: the same memories, another file,
// of which key tells and which has text.
func (s *Store) settled(st *State, text []byte, key FileKey, archiveNew bool, f firmness) (*State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := &State{store: s, base: st.base, log: newJournal(), same: true, archived: st.archived, rev: st.rev, hist: st.hist, step: st.step}
	if archiveNew {
		a, err := openArchive(s.path(archiveName))
		if err != nil {
			return nil, err
		}
		next.archived = a
	}
	if key != st.base.key || archiveNew {
		b := &base{key: key, mtime: time.Unix(0, key.MTime), plain: st.writesPlain(f), arch: next.archived}
		if len(text) <= smallFile {
			written := unsafe.String(unsafe.SliceData(text), len(text)) // text is not kept elsewhere
			b.text.Store(&written)
		} else {
			there, err := openBase(s.path(memoryName))
			if err != nil || there.key != key {
				return s.load() // another hand came right after
			}
			b.f = there.f
		}
		s.backed(b)
		next.base = b
	}
	next.base.rev = st.rev
	s.cur, s.jkey = next, statKey(s.path(journalName))
	return next, nil
}

// sum names the text of a file, together with its size.
func sum(text string) string {
	b := unsafe.Slice(unsafe.StringData(text), len(text))
	return fmt.Sprintf("%08x%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)), crc32.ChecksumIEEE(b))
}
