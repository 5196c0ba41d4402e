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

// Turn is one turn of a conversation that waits to be distilled. A turn leaves the
// queue by the journal line that stores its facts (see Tx.Done), so that neither is
// ever there without the other.
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

// Enqueue puts turns behind the queue, each in one line, and returns when they are on
// disk; n of them are new. A turn without an id gets one; one whose id waits already,
// or has been distilled as far as this machine knows, is passed over. It needs the
// queue's lock alone, and for turns without ids it reads nothing. A queue that is full
// takes none of them and fails with memory.ErrInvalid.
func (s *Store) Enqueue(ctx context.Context, turns []Turn) (n int, err error) {
	if len(turns) == 0 {
		return 0, nil
	}
	if s.isClosed() {
		return 0, fs.ErrClosed
	}
	named := false
	turns = slices.Clone(turns)
	for i := range turns {
		if turns[i].ID != "" {
			named = true
		} else {
			turns[i].ID = randomID()
		}
	}
	err = s.onQueue(ctx, func(f *os.File) error {
		n, err = s.enqueue(f, turns, named)
		return err
	})
	return n, err
}

// enqueue appends to f what of turns is new.
func (s *Store) enqueue(f *os.File, turns []Turn, named bool) (n int, err error) {
	known := map[string]bool{}
	if named {
		err := s.standing(f, func(q *standing, _ FileKey) error {
			for id := range q.at {
				known[id] = true
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		s.distilled(known)
	}
	var text []byte
	for i := range turns {
		if t := &turns[i]; !known[t.ID] {
			known[t.ID] = true
			text = append(t.line(text, ""), '\n')
			n++
		}
	}
	if n == 0 {
		return 0, nil
	}
	if err := s.hasRoom(f, n); err != nil {
		return 0, err
	}
	return n, inTurn(
		s.step("queue:write"),
		func() error { return s.appendQueue(f, text) },
		s.step("queue:kept"),
	)
}

// leastTurn is the least a line of a turn has, in bytes.
const leastTurn = 40

// hasRoom fails when n more turns are too many. It looks no closer than it must.
func (s *Store) hasRoom(f *os.File, n int) error {
	fi, err := f.Stat()
	if err != nil || fi.Size()/leastTurn+int64(n) <= MaxQueue {
		return err
	}
	if lines, err := countLines(f); err != nil || lines+n <= MaxQueue {
		return err
	}
	return s.standing(f, func(q *standing, _ FileKey) error {
		if len(q.at)+n > MaxQueue {
			return memory.Errorf(memory.ErrInvalid, "%d turns wait already, the queue holds %d (plastic flush distils them)", len(q.at), MaxQueue)
		}
		return nil
	})
}

// Queue gives the turns that wait, oldest first, those set aside too, and how many
// lines of queue.jsonl are none; these stay where they are.
func (s *Store) Queue() (turns []Turn, odd int, err error) {
	done, err := s.doneNow()
	if err != nil {
		return nil, 0, err
	}
	err = s.readQueue(func(f *os.File) error {
		turns, odd = nil, 0
		return s.standing(f, func(q *standing, key FileKey) error {
			odd = q.odd
			for _, l := range q.lines {
				if l.id == "" || done[l.id] {
					continue
				}
				_, t, err := l.turn(f, key)
				if err != nil {
					return err
				}
				turns = append(turns, t)
			}
			return nil
		})
	})
	return turns, odd, err
}

// Queued is a turn that waits, without what was said.
type Queued struct {
	ID                string
	Private, SetAside bool
}

// Waiting is Queue without reading what was said.
func (s *Store) Waiting() (turns []Queued, odd int, err error) {
	done, err := s.doneNow()
	if err != nil {
		return nil, 0, err
	}
	err = s.readQueue(func(f *os.File) error {
		return s.standing(f, func(q *standing, _ FileKey) error {
			turns, odd = make([]Queued, 0, len(q.at)), q.odd
			for _, l := range q.lines {
				if l.id != "" && !done[l.id] {
					turns = append(turns, Queued{l.id, l.private, l.setAside})
				}
			}
			return nil
		})
	})
	return turns, odd, err
}

// Turn gives the turn of this id. It is not ok for one that does not wait.
func (s *Store) Turn(id string) (t Turn, ok bool, err error) {
	done, err := s.doneNow()
	if err != nil || done[id] {
		return t, false, err
	}
	err = s.readQueue(func(f *os.File) error {
		return s.standing(f, func(q *standing, key FileKey) (err error) {
			i, waits := q.at[id]
			if ok = waits; ok {
				_, t, err = q.lines[i].turn(f, key)
			}
			return err
		})
	})
	return t, ok, err
}

func (s *Store) doneNow() (map[string]bool, error) {
	st, err := s.Read()
	if err != nil {
		return nil, err
	}
	return st.done(), nil
}

// done are the turns that the journal says are distilled.
func (st *State) done() map[string]bool {
	var out map[string]bool
	for _, o := range st.allOps() {
		if o.kind == opTurn {
			if out == nil {
				out = map[string]bool{}
			}
			out[o.turn] = true
		}
	}
	return out
}

// Done takes a turn out of the queue with this update. It reports whether the turn
// waits: one that does not has been distilled by somebody else, and what the caller
// made of it must not be stored again.
func (tx *Tx) Done(id string) bool {
	is := func(o op) bool { return o.kind == opTurn && o.turn == id }
	if slices.ContainsFunc(tx.ops, is) || slices.ContainsFunc(tx.base.allOps(), is) {
		return false
	}
	waits := false
	err := tx.base.store.readQueue(func(f *os.File) error {
		return tx.base.store.standing(f, func(q *standing, key FileKey) (err error) {
			var i int
			if i, waits = q.at[id]; waits {
				_, _, err = q.lines[i].turn(f, key)
			}
			return err
		})
	})
	if err != nil {
		tx.fail("read the queue: %w", err)
		return false
	}
	if waits {
		tx.do(op{kind: opTurn, turn: id})
	}
	return waits
}

// checkQueue tells of lines that are no turns.
func (s *Store) checkQueue() []Problem {
	_, odd, err := s.Waiting()
	switch {
	case errors.Is(err, memory.ErrCorrupt):
		return nil // it is told already that no file stands there
	case err != nil:
		return []Problem{{Code: CodeIO, Path: queueName, Message: "the queue can not be read: " + err.Error(), Hint: "nothing is lost; plastic needs to read it"}}
	case odd > 0:
		return []Problem{{Code: CodeOdd, Path: queueName, Message: fmt.Sprintf("%d lines are no turns and wait for ever", odd), Hint: "mend them in the file, or plastic doctor --fix puts them away"}}
	}
	return nil
}
