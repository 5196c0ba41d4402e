package store

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
)

// ChangeQueue calls change for every turn that waits and keeps it as changed where
// that answers true; a turn is only ever changed, never taken out, and its id stays. It
// gives how many changed. All of it is done again from the start where another hand
// saves the file meanwhile.
func (s *Store) ChangeQueue(ctx context.Context, change func(*Turn) bool) (n int, err error) {
	err = s.withQueue(ctx, func(f *os.File) error {
		n = 0
		var add []byte
		err := s.eachTurn(f, func(line string, t Turn) {
			id := t.ID
			if change(&t) {
				t.ID = id
				add = append(t.line(add, line), '\n')
				n++
			}
		})
		if err != nil {
			return err
		}
		return s.addToQueue(f, add)
	})
	return n, err
}

// ChangeTurn is ChangeQueue for one turn; where it does not wait nothing is called.
func (s *Store) ChangeTurn(ctx context.Context, id string, change func(*Turn)) error {
	return s.withQueue(ctx, func(f *os.File) error {
		var line string
		var t Turn
		err := s.standing(f, func(q *standing, key FileKey) (err error) {
			if i, waits := q.at[id]; waits {
				line, t, err = q.lines[i].turn(f, key)
			}
			return err
		})
		if err != nil || line == "" {
			return err
		}
		change(&t)
		t.ID = id
		return s.addToQueue(f, append(t.line(nil, line), '\n'))
	})
}

// Unqueue takes the turns for which gone answers true out of the queue undistilled, for
// who can put them in again, and gives how many they were.
func (s *Store) Unqueue(ctx context.Context, gone func(*Turn) bool) (n int, err error) {
	err = s.withQueue(ctx, func(f *os.File) error {
		var ids []string
		err := s.eachTurn(f, func(_ string, t Turn) {
			if gone(&t) {
				ids = append(ids, t.ID)
			}
		})
		if n = len(ids); err != nil {
			return err
		}
		return s.addToQueue(f, doneLine(ids))
	})
	return n, err
}

// eachTurn calls do with every turn of f and its line.
func (s *Store) eachTurn(f *os.File, do func(line string, t Turn)) error {
	var lines []queued
	var of FileKey
	err := s.standing(f, func(q *standing, key FileKey) error {
		lines, of = slices.Clone(q.lines), key
		return nil
	})
	for _, l := range lines {
		if l.id == "" {
			continue
		}
		line, t, err := l.turn(f, of)
		if err != nil {
			return err
		}
		do(line, t)
	}
	return err
}

// writeQueue takes the turns that the journal has distilled out of queue.jsonl. It goes
// before the journal is begun anew.
func (s *Store) writeQueue(st *State) error {
	done := st.done()
	if len(done) == 0 {
		return nil
	}
	err := s.withQueue(context.Background(), func(f *os.File) error {
		var ids []string
		err := s.standing(f, func(q *standing, _ FileKey) error {
			for id := range done {
				if _, waits := q.at[id]; waits {
					ids = append(ids, id)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		slices.Sort(ids)
		return s.addToQueue(f, doneLine(ids))
	})
	if err == nil {
		s.noteDistilled(done)
	}
	return err
}

// eraseQueue takes lines that tell what is purged out of queue.jsonl, and with them all
// that is only kept until the file is written anew.
func (s *Store) eraseQueue(e *eraser) error {
	return s.withQueue(context.Background(), func(f *os.File) error {
		key, err := keyOfOpen(f)
		if err != nil {
			return err
		}
		q, err := foldQueue(f)
		if err != nil {
			return err
		}
		for i, l := range q.lines {
			if l.n == 0 {
				continue
			}
			line, err := l.read(f)
			if err != nil {
				return err
			}
			if t := parseTurn(line, key); e.names(line) || slices.ContainsFunc([]string{t.User, t.Assistant, t.Reason}, e.names) {
				q.live -= int64(l.n)
				q.lines[i] = queued{}
			}
		}
		if q.live == q.size {
			return nil
		}
		text, err := q.compact(f)
		if err != nil {
			return err
		}
		return s.rewriteQueue(text, key)
	})
}

// fixQueue puts lines away that say nothing, with a copy of the file.
func (s *Store) fixQueue(ctx context.Context) error {
	return s.withQueue(ctx, func(f *os.File) error {
		key, err := keyOfOpen(f)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(io.NewSectionReader(f, 0, key.Size))
		if err != nil {
			return err
		}
		good := make([]byte, 0, len(text))
		for line := range bytes.Lines(text) {
			if glance(string(line)).kind != oddLine {
				good = append(good, line...)
			}
		}
		if len(good) == len(text) {
			return nil
		}
		if err := s.putAside(queueName, Problem{}); err != nil {
			return err
		}
		return s.rewriteQueue(good, key)
	})
}
