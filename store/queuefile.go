package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"plastic/memory"
)

// smallQueue is up to where the file is written anew by every change, in bytes.
const smallQueue = 256 << 10

// lockQueue holds the queue's own lock, which is on queue.jsonl itself, so that a turn
// can be put in while a long update goes on; a file that was put in the place of the
// locked one is locked in turn. Whoever holds the folder's lock may take it, not the
// other way round.
func (s *Store) lockQueue(ctx context.Context) (f *os.File, unlock func(), err error) {
	path, err := resolve(s.path(queueName))
	if err != nil {
		return nil, nil, err
	}
	deadline := time.Now().Add(s.o.LockWait)
	for pause := shortRest; ; pause = min(2*pause, longRest) {
		_, err := os.Stat(path)
		fresh := errors.Is(err, fs.ErrNotExist)
		l := &lock{f: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600)), path: path}
		got, err := l.f.TryLock()
		if err != nil {
			return nil, nil, lockError(path, err)
		}
		if got && l.held() == nil {
			if fresh {
				s.queueManner().made(path)
			}
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				l.release()
				return nil, nil, writeError(queueName, err)
			}
			return f, func() { f.Close(); l.release() }, nil
		}
		l.release()
		if !time.Now().Before(deadline) {
			return nil, nil, memory.Errorf(memory.ErrBusy, "the memory is in use: another process holds %s", path)
		}
		if err := rest(ctx, pause); err != nil {
			return nil, nil, err
		}
	}
}

// queueManner is what a new queue gets: turns are said to nobody yet, so it is for its
// owner alone, and for the group where the group may write the memory itself.
func (s *Store) queueManner() manner {
	m := s.fresh()
	group := m.mode & 0o060
	m.mode = 0o600
	if group&0o020 != 0 {
		m.mode |= group
	}
	return m
}

// onQueue runs do on the locked file, which is made where there is none; again if a
// hand that takes no lock has saved it meanwhile.
func (s *Store) onQueue(ctx context.Context, do func(f *os.File) error) error {
	return untilStill(func() error {
		f, unlock, err := s.lockQueue(ctx)
		if err != nil {
			return err
		}
		defer unlock()
		return do(f)
	})
}

// withQueue is onQueue where there is a queue.
func (s *Store) withQueue(ctx context.Context, do func(f *os.File) error) error {
	if _, err := os.Stat(s.path(queueName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.onQueue(ctx, do)
}

// readQueue runs do on the file as it is, without the lock; not at all where there is
// none.
func (s *Store) readQueue(do func(f *os.File) error) error {
	return untilStill(func() error {
		f, _, err := openFile(s.path(queueName))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		return do(f)
	})
}

// untilStill runs do again while it fails with errMoved, a few times.
func untilStill(do func() error) error {
	const tries = 5
	for try := 1; ; try++ {
		if err := do(); !errors.Is(err, errMoved) || try == tries {
			return err
		}
	}
}

// standing gives what the lines of f come to. What it has seen of a file it does not
// read again; what is made of it looks at the line itself. It is not to be changed.
func (s *Store) standing(f *os.File, look func(q *standing, key FileKey) error) error {
	key, err := keyOfOpen(f)
	if err != nil {
		return err
	}
	s.muQueue.Lock()
	defer s.muQueue.Unlock()
	if s.queueSeen == nil || s.queueKey != key {
		q, err := foldQueue(f)
		if err != nil {
			return err
		}
		s.queueSeen, s.queueKey = q, key
	}
	if err = look(s.queueSeen, key); errors.Is(err, errMoved) {
		s.queueSeen = nil
	}
	return err
}

// addToQueue takes lines, with their ends, into f that change what its others come to.
// A short file is written anew, a long one when half of it counts no more.
func (s *Store) addToQueue(f *os.File, add []byte) error {
	if len(add) == 0 {
		return nil
	}
	key, err := keyOfOpen(f)
	if err != nil {
		return err
	}
	if key.Size <= smallQueue {
		text := make([]byte, key.Size)
		if _, err := f.ReadAt(text, 0); err != nil && err != io.EOF {
			return err
		}
		if n := len(text); n > 0 && text[n-1] != '\n' {
			text = append(text, '\n')
		}
		err := s.rewriteQueue(compactLines(append(text, add...)), key)
		if !inPlaceOnly(err) {
			return err
		}
	}
	if err := s.appendQueue(f, add); err != nil {
		return err
	}
	if err := s.shortenQueue(f); !inPlaceOnly(err) && !errors.Is(err, errMoved) {
		return err
	}
	return nil // all is said already, only at length
}

// shortenQueue writes the file anew when half of it counts no more.
func (s *Store) shortenQueue(f *os.File) error {
	var text []byte
	var of FileKey
	err := s.standing(f, func(q *standing, key FileKey) (err error) {
		if 2*q.live < q.size {
			of = key
			text, err = q.compact(f)
		}
		return err
	})
	if err != nil || of == (FileKey{}) {
		return err
	}
	return s.rewriteQueue(text, of)
}

// rewriteQueue puts text in the place of the file, if that still is of this key.
func (s *Store) rewriteQueue(text []byte, key FileKey) error {
	_, err := s.replaceFile(s.path(queueName), "", text, func() error {
		if statKey(s.path(queueName)) != key {
			return errMoved
		}
		return nil
	})
	return err
}

// appendQueue writes lines behind those of f and syncs them. Behind a line that has no
// end, which was never acknowledged, it begins a new one; when it fails nothing of it
// stays.
func (s *Store) appendQueue(f *os.File, text []byte) error {
	before, err := keyOfOpen(f)
	if err != nil {
		return err
	}
	if before.Size > 0 {
		var end [1]byte
		if _, err := f.ReadAt(end[:], before.Size-1); err != nil {
			return err
		}
		if end[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	err = inTurn(
		func() error { _, err := f.WriteAt(text, before.Size); return err },
		s.step("queue:sync"),
		f.Sync,
		func() error {
			if before.Size > 0 {
				return nil
			}
			return syncDir(s.dir) // it may be a new file
		},
	)
	if err != nil {
		f.Truncate(before.Size)
		return writeError(queueName, err)
	}
	if statKey(s.path(queueName)).Inode != before.Inode {
		return errMoved // nobody will look for it where it stands
	}
	s.muQueue.Lock()
	defer s.muQueue.Unlock()
	after, err := keyOfOpen(f)
	if err == nil && s.queueSeen != nil && s.queueKey == before && s.queueSeen.size == before.Size && after.Size == before.Size+int64(len(text)) {
		s.queueSeen.take(string(text))
		s.queueKey = after
	}
	return nil
}

// countLines counts the lines of f.
func countLines(f *os.File) (n int, err error) {
	buf := make([]byte, 256<<10)
	for at := int64(0); ; {
		k, err := f.ReadAt(buf, at)
		n, at = n+bytes.Count(buf[:k], []byte{'\n'}), at+int64(k)
		switch err {
		case nil:
		case io.EOF:
			return n + 1, nil
		default:
			return n, err
		}
	}
}
