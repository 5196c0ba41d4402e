package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"plastic/memory"
)

// Update changes the memory: it waits for its turn, reads what is new, calls fn
// with the state as it is then, and returns when what fn did is on disk. When fn
// fails nothing is written, and its error is returned; when it changes nothing,
// nothing is written. fn may be called again from the start if the lock was taken
// away meanwhile, so it must not keep what it learnt from an earlier call.
//
// It fails with memory.ErrBusy when the lock was not had in time, with
// memory.ErrReadOnly when the folder or file can not be written, and with the
// error of the disk when the change could not be kept; the memory is then as it
// was. A purge also fails when its text could not be erased from every file: then
// the state comes with the error, and the next write that succeeds erases it.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) (*State, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	defer s.done()
	if s.isClosed() {
		return nil, fs.ErrClosed
	}
	for try := 0; ; try++ {
		st, err := s.updateOnce(ctx, fn)
		if errors.Is(err, errLost) && try < 3 {
			continue
		}
		return st, err
	}
}

func (s *Store) updateOnce(ctx context.Context, fn func(*Tx) error) (*State, error) {
	l, err := s.acquire(ctx, s.o.LockWait)
	if err != nil {
		return nil, err
	}
	defer l.release()
	st, err := s.read()
	if err != nil {
		return nil, err
	}
	if err := st.Writable(); err != nil {
		return nil, err
	}
	tx := newTx(st, s.o.Now())
	if err := errors.Join(fn(tx), tx.err); err != nil {
		return nil, err
	}
	ops := tx.ops
	if len(ops) == 0 {
		return st, nil
	}
	s.sweep()
	if len(tx.purges()) > 0 && s.mustWait(st) {
		return nil, memory.Errorf(memory.ErrCorrupt, "memory.json waits for a hand (an unfinished merge, or damage): nothing can be purged before it is settled")
	}
	adopted := s.adopt(st, tx.now)
	ops = append(adopted, ops...)
	if st, err = s.keep(l, st, ops, tx.now); err != nil {
		return nil, err
	}
	if s.wantsFile(st, len(adopted) > 0 || tx.force) {
		st, err = s.settleFile(l, st)
		switch {
		case err == nil:
		case len(tx.purges()) > 0:
			return st, fmt.Errorf("forgotten, but the text still stands in the files until they can be written (then: plastic checkpoint): %w", err)
		default:
			s.tell(Problem{Code: CodeIO, Path: memoryName, Message: fmt.Sprintf("kept in the journal, but not yet in memory.json: %v", err)})
		}
	} else if s.o.Delay > 0 && st.base.key.Size <= smallFile {
		s.late.wake(s)
	}
	return st, nil
}

// keep makes operations last: one line of the journal, synced.
func (s *Store) keep(l *lock, st *State, ops []op, at time.Time) (*State, error) {
	if err := l.held(); err != nil {
		return nil, err
	}
	return s.appendJournal(st, appendOps(nil, ops, at), ops, synced)
}

// A durability says whether an append waits for the disk.
type durability bool

const (
	synced   durability = true
	unsynced durability = false
)

// appendJournal appends a line behind what st has read and gives the state with
// it. A torn last line is cut off first, and so is this one when it could not be
// kept. ops are what the line says, nil where it is to be read for that.
func (s *Store) appendJournal(st *State, line []byte, ops []op, d durability) (*State, error) {
	f, fresh, err := s.journalFile(st)
	if err != nil {
		return nil, writeError(journalName, err)
	}
	defer f.Close()
	next, before := st, st.log.size
	if fi, serr := f.Stat(); serr == nil && fi.Size() > before {
		if err := s.putAsideLines(st.tail(s)); err != nil {
			return nil, writeError(journalName, err)
		}
	}
	err = inTurn(
		s.step("journal:write"),
		func() error {
			// Under mu, so that no reader of this process takes the line in as well.
			s.mu.Lock()
			defer s.mu.Unlock()
			var head []byte
			if before == 0 {
				head = journalHead(newJournalName(), st.base.key)
			}
			if err := f.Truncate(before); err != nil {
				return err
			}
			if len(line) <= chunk {
				line = slices.Concat(head, line)
				if err := write(f, line); err != nil {
					return err
				}
				line = line[len(head):]
			} else if err := inTurn(func() error { return write(f, head) }, func() error { return write(f, line) }); err != nil {
				return err
			}
			next = s.took(st, head, line, ops)
			return nil
		},
		s.step("journal:sync"),
		func() error {
			if d == unsynced {
				return nil
			}
			return f.Sync()
		},
	)
	if err != nil {
		f.Truncate(before) // what was not acknowledged is not there
		s.mu.Lock()
		s.cur = nil
		s.mu.Unlock()
		return nil, writeError(journalName, err)
	}
	if fresh && d == synced {
		if err := syncDir(s.dir); err != nil {
			return nil, err
		}
	}
	return next, s.fault("journal:kept")
}

// journalFile opens the journal for writing. One that belongs to somebody else
// (left by a run of root's) in a folder of ours is copied and becomes ours.
func (s *Store) journalFile(st *State) (f *os.File, fresh bool, err error) {
	path := s.path(journalName)
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrPermission) {
		if text, rerr := readFile(path); rerr == nil {
			if _, rerr = s.replaceFile(path, "", text[:min(st.log.size, int64(len(text)))], nil); rerr == nil {
				f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			}
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return f, false, err
	}
	like := s.fresh()
	if f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, like.mode); err == nil {
		like.made(path)
	}
	return f, true, err
}

// took gives the state with the line that is in the journal now. The caller
// holds mu.
func (s *Store) took(st *State, head, line []byte, ops []op) *State {
	st.log.mu.Lock()
	st.log.parse(string(head))
	if ops == nil {
		st.log.parse(string(line))
	} else {
		st.log.took(ops, len(line))
	}
	st.log.mu.Unlock()
	next := st.grown()
	if s.cur == st {
		s.cur, s.jkey = next, statKey(s.path(journalName))
	}
	return next
}

// wantsFile reports whether memory.json is to be written now.
func (s *Store) wantsFile(st *State, force bool) bool {
	if force || s.foreignSince(s.lastKnown(), st.base) {
		return true // what another hand wrote is put in form
	}
	if st.base.key.Size <= smallFile {
		return s.o.Delay == 0
	}
	if b := st.base; b.decoded.Load() && !b.content.lined {
		return true // in another layout all is decoded at every start
	}
	st.log.mu.RLock()
	defer st.log.mu.RUnlock()
	return st.log.content > st.base.key.Size/growth
}

// settleFile writes the files after an update that is already kept. What goes
// wrong here loses nothing: it is tried again with the next one.
func (s *Store) settleFile(l *lock, st *State) (*State, error) {
	if s.mustWait(st) {
		return st, nil
	}
	const tries = 3
	for range tries {
		next, _, err := s.checkpoint(l, st, gently)
		if err == nil {
			return next, nil
		}
		if !errors.Is(err, errMoved) {
			return st, err
		}
		again, rerr := s.read() // another hand has just saved the file
		if rerr != nil || s.mustWait(again) {
			return st, err
		}
		st = again
	}
	return st, errMoved
}

// mustWait reports whether memory.json may not be written now: git's markers
// stand in it, or it or archive.json is damaged or gone and a hand may still be at it.
func (s *Store) mustWait(st *State) bool {
	b := st.base
	a := st.archived
	if a.f == nil && s.lastKnown().Archive != (FileKey{}) && s.lately() {
		return true // git takes a file away before it writes another
	}
	if a.done.Load() {
		age := time.Since(time.Unix(0, a.key.MTime))
		if a.content.merging || (a.content.damage != "" || a.f != nil && a.content.blank) && age >= 0 && age < settleTime {
			return true
		}
	}
	if b.plain && !b.decoded.Load() {
		return false
	}
	b.decode()
	if b.content.merging || st.archived.read().merging {
		return true
	}
	if !b.hurt() {
		return false
	}
	if b.absent {
		return s.lately()
	}
	age := time.Since(b.mtime)
	return age >= 0 && age < settleTime
}

// lately reports whether something came into the folder, or went, so lately that a hand
// may still be at it.
func (s *Store) lately() bool {
	fi, err := os.Stat(s.dir)
	if err != nil {
		return false
	}
	age := time.Since(fi.ModTime())
	return age >= 0 && age < settleTime
}
