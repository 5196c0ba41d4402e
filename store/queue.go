package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"plastic/memory"
)

// Turn is one turn of a conversation that waits to be distilled: a line of
// queue.jsonl. A turn leaves the queue by the journal line that stores its facts (see
// Tx.Done), so that neither is ever there without the other.
type Turn struct {
	ID        string    `json:"id"`
	User      string    `json:"user"`
	Assistant string    `json:"assistant"`
	At        time.Time `json:"at"`
	Session   string    `json:"session,omitempty"`
	Source    string    `json:"source,omitempty"` // of an import: what[:original id]
	Private   bool      `json:"private,omitempty"`
	Tries     int       `json:"tries,omitempty"`    // answers that were none
	SetAside  bool      `json:"setAside,omitempty"` // not tried again until taken back
	Reason    string    `json:"reason,omitempty"`   // why the last try failed
}

// MaxQueue is how many turns may wait, those set aside too.
const MaxQueue = 50_000

// leastTurn is the least a line of the queue has, in bytes.
const leastTurn = 40

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
				s.fresh().give(path)
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
			return nil, nil, fmt.Errorf("another process holds %s: %w", path, memory.ErrBusy)
		}
		if err := rest(ctx, pause); err != nil {
			return nil, nil, err
		}
	}
}

// Enqueue puts turns behind the queue, each in one line, and returns when they are on
// disk; n of them are new. A turn without an id gets one; one whose id waits already,
// or has been distilled as far as this machine knows, is passed over. It needs the
// queue's lock alone. A queue that is full takes none of them and fails with
// memory.ErrInvalid.
func (s *Store) Enqueue(ctx context.Context, turns []Turn) (n int, err error) {
	if len(turns) == 0 {
		return 0, nil
	}
	if s.isClosed() {
		return 0, fs.ErrClosed
	}
	f, unlock, err := s.lockQueue(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	named := slices.ContainsFunc(turns, func(t Turn) bool { return t.ID != "" })
	waiting := 0
	if named || size/leastTurn+int64(len(turns)) > MaxQueue {
		old, err := io.ReadAll(io.NewSectionReader(f, 0, size))
		if err != nil {
			return 0, err
		}
		if waiting = bytes.Count(old, []byte{'\n'}); named {
			for line := range bytes.Lines(old) {
				if t, ok := parseTurn(line); ok {
					known[t.ID] = true
				}
			}
			s.distilled(known)
		}
	}
	var text []byte
	for _, t := range turns {
		if t.ID == "" {
			t.ID = randomID(longIDLength)
		}
		if known[t.ID] {
			continue
		}
		known[t.ID] = true
		text = append(append(text, t.line(nil)...), '\n')
		n++
	}
	if waiting+n > MaxQueue {
		return 0, fmt.Errorf("%d turns wait already, the queue holds %d (plastic flush distils them): %w", waiting, MaxQueue, memory.ErrInvalid)
	}
	if n == 0 {
		return 0, nil
	}
	return n, inTurn(
		s.step("queue:write"),
		func() error { return appendLines(f, size, text) },
		s.step("queue:kept"),
	)
}

// appendLines writes text behind the first size bytes of f and syncs it. Behind a line
// that has no end, which was never acknowledged, it begins a new one; when it fails
// nothing of it stays.
func appendLines(f *os.File, size int64, text []byte) error {
	if size > 0 {
		var end [1]byte
		if _, err := f.ReadAt(end[:], size-1); err != nil {
			return err
		}
		if end[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	_, err := f.WriteAt(text, size)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		f.Truncate(size)
		return writeError(queueName, err)
	}
	return nil
}

// Queue gives the turns that wait, oldest first, those set aside too, and how many
// lines of queue.jsonl are none; these stay where they are.
func (s *Store) Queue() (turns []Turn, odd int, err error) {
	st, err := s.Read()
	if err != nil {
		return nil, 0, err
	}
	return s.queue(st)
}

func (s *Store) queue(st *State) (turns []Turn, odd int, err error) {
	text, err := readFile(s.path(queueName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	done := st.done()
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		t, ok := parseTurn(line)
		switch {
		case !ok:
			if len(bytes.TrimSpace(line)) > 0 {
				odd++
			}
		case !done[t.ID] && !seen[t.ID]:
			seen[t.ID] = true
			turns = append(turns, t)
		}
	}
	return turns, odd, nil
}

// done are the turns that the journal says are distilled.
func (st *State) done() map[string]bool {
	out := map[string]bool{}
	for _, o := range st.allOps() {
		if o.kind == opTurn {
			out[o.turn] = true
		}
	}
	return out
}

// Done takes a turn out of the queue with this update. It reports whether the turn
// waits: one that does not has been distilled by somebody else, and what the caller
// made of it must not be stored again.
func (tx *Tx) Done(id string) bool {
	if slices.ContainsFunc(tx.ops, func(o op) bool { return o.kind == opTurn && o.turn == id }) {
		return false
	}
	turns, _, err := tx.base.store.queue(tx.base)
	if err != nil {
		tx.fail("read the queue: %w", err)
		return false
	}
	if !slices.ContainsFunc(turns, func(t Turn) bool { return t.ID == id }) {
		return false
	}
	tx.do(op{kind: opTurn, turn: id})
	return true
}

// ChangeQueue calls change for every turn that waits and writes the queue anew where it
// answers true; a turn is only ever changed, never taken out. It gives how many
// changed.
func (s *Store) ChangeQueue(ctx context.Context, change func(*Turn) bool) (n int, err error) {
	err = s.editQueue(ctx, func() { n = 0 }, func(line []byte) []byte {
		t, ok := parseTurn(line)
		if !ok || !change(&t) {
			return line
		}
		n++
		return t.line(line)
	})
	return n, err
}

// Unqueue takes the turns for which gone answers true out of the queue undistilled, for
// who can put them in again, and gives how many they were.
func (s *Store) Unqueue(ctx context.Context, gone func(*Turn) bool) (n int, err error) {
	err = s.editQueue(ctx, func() { n = 0 }, func(line []byte) []byte {
		t, ok := parseTurn(line)
		if !ok || !gone(&t) {
			return line
		}
		n++
		return nil
	})
	return n, err
}

// writeQueue takes the turns that the journal has distilled out of queue.jsonl. It goes
// before the journal is begun anew.
func (s *Store) writeQueue(st *State) error {
	done := st.done()
	if len(done) == 0 {
		return nil
	}
	err := s.editQueue(context.Background(), func() {}, func(line []byte) []byte {
		if t, ok := parseTurn(line); ok && done[t.ID] {
			return nil
		}
		return line
	})
	if err == nil {
		s.noteDistilled(done)
	}
	return err
}

// editQueue writes queue.jsonl anew with each line as edit gives it, nil to take it
// out. Nothing is written where nothing changes. It begins anew, after a call of begin,
// where a hand that takes no lock has saved the file meanwhile.
func (s *Store) editQueue(ctx context.Context, begin func(), edit func(line []byte) []byte) error {
	const tries = 5
	for range tries {
		begin()
		if err := s.editQueueOnce(ctx, edit); !errors.Is(err, errMoved) {
			return err
		}
	}
	return errMoved
}

// editQueueOnce fails with errMoved where a hand has saved the file meanwhile.
func (s *Store) editQueueOnce(ctx context.Context, edit func(line []byte) []byte) error {
	if _, err := os.Stat(s.path(queueName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, unlock, err := s.lockQueue(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	key := statKey(s.path(queueName))
	old, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(old))
	for line := range bytes.Lines(old) {
		bare := bytes.TrimRight(line, "\r\n")
		if kept := edit(bare); kept != nil {
			text = append(append(text, kept...), line[len(bare):]...)
		}
	}
	if bytes.Equal(text, old) {
		return nil
	}
	_, err = s.replaceFile(s.path(queueName), "", text, func() error {
		if statKey(s.path(queueName)) != key {
			return errMoved
		}
		return nil
	})
	return err
}

// checkQueue tells of lines that are no turns.
func (s *Store) checkQueue(st *State) []Problem {
	_, odd, err := s.queue(st)
	switch {
	case err != nil:
		return []Problem{{Code: CodeIO, Path: queueName, Message: "the queue can not be read: " + err.Error()}}
	case odd > 0:
		return []Problem{{Code: CodeOdd, Path: queueName, Message: fmt.Sprintf("%d lines are no turns and wait for ever", odd), Hint: "mend or remove them by hand"}}
	}
	return nil
}
