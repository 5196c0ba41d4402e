package store

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"plastic/memory"
)

// attempts bounds how often a read that met a checkpoint under way begins again.
const attempts = 50

// load gives the state of the files as they are now. The caller holds mu.
func (s *Store) load() (*State, error) {
	if st, err := s.reuse(); st != nil || err != nil {
		return st, err
	}
	for range attempts {
		st, jkey, err := s.snapshot()
		if err != nil {
			return nil, err
		}
		if st != nil {
			s.follow(st)
			s.cur, s.jkey = st, jkey
			return st, nil
		}
		time.Sleep(time.Millisecond) // a checkpoint is under way
	}
	return nil, memory.Errorf(memory.ErrBusy, "the files in %s do not hold still", s.dir)
}

// reuse gives the state that is loaded, with what was appended to the journal
// since, while the files it is based on are the same.
func (s *Store) reuse() (*State, error) {
	cur := s.cur
	if s.paths.memory == "" {
		s.paths.memory, s.paths.archive, s.paths.journal = s.path(memoryName), s.path(archiveName), s.path(journalName)
	}
	if cur == nil || cur.base.racy.Load() || statKey(s.paths.memory) != cur.base.key || statKey(s.paths.archive) != cur.archived.key {
		return nil, nil
	}
	jkey := statKey(s.paths.journal)
	if jkey == s.jkey {
		return cur, nil
	}
	if cur.log.name == "" || jkey.Inode != s.jkey.Inode || jkey.Size < cur.log.size {
		return nil, nil
	}
	f, err := openJournal(s.path(journalName))
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	if err := cur.log.readMore(f); err != nil {
		return nil, err
	}
	if journalID(f) != cur.log.name || statKey(s.path(memoryName)) != cur.base.key {
		return nil, nil
	}
	s.cur, s.jkey = cur.grown(), jkey
	return s.cur, nil
}

// grown gives the state with all that the journal has by now.
func (st *State) grown() *State {
	st.log.mu.RLock()
	n := len(st.log.ops)
	st.log.mu.RUnlock()
	if n == st.n {
		return st
	}
	next := &State{store: st.store, base: st.base, log: st.log, from: st.from, n: n, same: st.same, archived: st.archived, hist: st.hist}
	next.rev = next.revision()
	next.step = st.hist.add(next.touched(st.n), true)
	return next
}

// snapshot reads the files once; nil when they changed meanwhile. The journal's
// name is looked at first and last: a checkpoint replaces archive.json, then
// memory.json, then starts a journal with another name.
func (s *Store) snapshot() (*State, FileKey, error) {
	jf, err := openJournal(s.path(journalName))
	if err != nil {
		return nil, FileKey{}, err
	}
	name := ""
	if jf != nil {
		defer jf.Close()
		name = journalID(jf)
	}
	b, a, err := s.openFiles()
	if err != nil {
		return nil, FileKey{}, err
	}
	log := newJournal()
	if cur := s.cur; cur != nil && name != "" && cur.log.name == name {
		log = cur.log
	}
	if jf != nil {
		if err := log.readMore(jf); err != nil {
			return nil, FileKey{}, err
		}
	}
	jkey, still := s.unchanged(jf, name)
	if !still || statKey(s.path(memoryName)) != b.key || statKey(s.path(archiveName)) != a.key {
		return nil, FileKey{}, nil
	}
	st := &State{store: s, base: b, log: log, archived: a, n: len(log.ops)}
	st.from, st.same = st.start()
	st.rev = st.revision()
	return st, jkey, nil
}

// unchanged reports whether the open journal is still the one at its path, with
// the name it had.
func (s *Store) unchanged(jf *os.File, name string) (FileKey, bool) {
	there, err := os.Stat(s.path(journalName))
	if jf == nil {
		return FileKey{}, errors.Is(err, fs.ErrNotExist)
	}
	mine, merr := jf.Stat()
	if err != nil || merr != nil || !os.SameFile(there, mine) || journalID(jf) != name {
		return FileKey{}, false
	}
	return keyOf(mine), true
}

// openFiles opens memory.json and archive.json, and says what is known of them.
func (s *Store) openFiles() (*base, *archiveFile, error) {
	b, err := openBase(s.path(memoryName))
	if err != nil {
		return nil, nil, fmt.Errorf("read memory.json: %w", err)
	}
	if b.absent {
		if _, err := os.Stat(s.dir); err != nil {
			return nil, nil, err // a folder that is gone is no empty memory
		}
	}
	a := s.sameArchive()
	if a == nil {
		if a, err = openArchive(s.path(archiveName)); err != nil {
			return nil, nil, fmt.Errorf("read archive.json: %w", err)
		}
	}
	if s.cur != nil && s.cur.base.key == b.key && s.cur.archived == a && !s.cur.base.racy.Load() {
		return s.cur.base, a, nil
	}
	k := s.readKnown()
	s.muKnown.Lock()
	s.known = k
	s.muKnown.Unlock()
	b.arch = a
	b.plain = !b.absent && s.vouched(b.key, a.key, k)
	b.racy.Store(!b.plain && b.key.racy(time.Now()))
	s.backed(b)
	if !b.plain {
		if text, ok := s.cutOff(b); ok {
			b.text.Store(&text)
			b.halfDone = true
		}
	}
	b.rev = revise(b.key, a.key)
	return b, a, nil
}

// backed tells a base where to look for what it does not have.
func (s *Store) backed(b *base) {
	b.last = sync.OnceValue(s.lastCopy)
	b.past = sync.OnceValue(func() bool { return s.hasPast(b, b.arch) })
}

func (s *Store) sameArchive() *archiveFile {
	if s.cur != nil && statKey(s.path(archiveName)) == s.cur.archived.key {
		return s.cur.archived
	}
	return nil
}

// hasPast reports whether the folder held memories before.
func (s *Store) hasPast(b *base, a *archiveFile) bool {
	if len(b.last()) > 0 || len(a.read().entries) > 0 {
		return true
	}
	return len(s.corruptCopies(memoryName)) > 0
}

// start gives the first operation of the journal that the file does not have,
// and whether the journal goes on from exactly this file.
func (st *State) start() (from int, same bool) {
	j, b := st.log, st.base
	for i := len(j.marks) - 1; i >= 0; i-- {
		m := j.marks[i]
		if m.size != b.key.Size {
			continue
		}
		if text, err := b.raw(); err == nil && sum(text) == m.sum {
			return m.n, true
		}
	}
	return 0, len(j.ops) == 0 || j.name != "" && j.base == b.key
}

// follow finds out what changed from the current state to st.
func (s *Store) follow(st *State) {
	cur := s.cur
	if cur == nil {
		st.hist = &history{}
		return
	}
	st.hist = cur.hist
	sameLog := cur.log == st.log && cur.from == st.from || cur.log.size == 0 && st.log.size == 0
	if cur.base != st.base && sameLog && cur.base.racy.Load() && cur.archived == st.archived && sameText(cur.base, st.base) {
		cur.base.racy.Store(st.base.racy.Load())
		st.base, st.same = cur.base, cur.same
		st.rev = st.revision()
	}
	if cur.base == st.base && sameLog && st.n >= cur.n {
		if st.n == cur.n {
			st.step = cur.step
			return
		}
		st.step = st.hist.add(st.touched(cur.n), true)
		return
	}
	st.step = st.hist.add(nil, false)
}

func sameText(a, b *base) bool {
	if a.key != b.key {
		return false
	}
	x, err := a.raw()
	y, err2 := b.raw()
	return err == nil && err2 == nil && x == y
}

func (st *State) revision() string {
	if st.n == st.from {
		return st.base.rev
	}
	return revise(st.base.rev, st.log.name, st.n)
}

func revise(parts ...any) string {
	h := fnv.New128a()
	fmt.Fprint(h, parts...)
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// corruptCopies lists the copies of damaged files of this name, oldest first.
func (s *Store) corruptCopies(name string) []string {
	var found []string
	files, _ := os.ReadDir(s.dir) // sorted by name
	for _, f := range files {
		if strings.HasPrefix(f.Name(), name+corruptMark) {
			found = append(found, s.path(f.Name()))
		}
	}
	return found
}
