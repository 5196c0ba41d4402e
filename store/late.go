package store

import (
	"context"
	"sync"
	"time"
)

// lateWriter is the goroutine that writes memory.json some time after an update,
// in a server. It runs from the first update to Close.
type lateWriter struct {
	mu   sync.Mutex // guards work, quit, gone
	work chan struct{}
	quit chan struct{}
	gone chan error
}

// wake asks for a write within the delay; the goroutine starts with the first.
func (w *lateWriter) wake(s *Store) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.work == nil {
		w.work, w.quit, w.gone = make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)
		go w.run(s, w.work, w.quit, w.gone)
	}
	select {
	case w.work <- struct{}{}:
	default: // asked already
	}
}

func (w *lateWriter) run(s *Store, work, quit <-chan struct{}, gone chan<- error) {
	for {
		select {
		case <-quit:
			gone <- nil
			return
		case <-work:
		}
		t := time.NewTimer(s.o.Delay)
		select {
		case <-t.C:
			s.writeLate()
		case <-quit:
			t.Stop()
			gone <- s.writeLate()
			return
		}
	}
}

// writeLate folds the journal in; what fails is told and stays in the journal.
func (s *Store) writeLate() error {
	if err := s.wait(context.Background()); err != nil {
		return err
	}
	defer s.done()
	l, err := s.acquire(context.Background(), s.o.LockWait)
	if err == nil {
		defer l.release()
		var st *State
		if st, err = s.read(); err == nil && st.log.content > 0 {
			_, err = s.fold(l, gently)
		}
	}
	if err != nil {
		s.tell(Problem{Code: CodeIO, Path: memoryName, Message: "kept in the journal, but not yet in memory.json: " + err.Error()})
	}
	return err
}

// stop ends the goroutine after its last write, and waits for it.
func (w *lateWriter) stop() error {
	w.mu.Lock()
	quit, gone := w.quit, w.gone
	w.quit = nil
	w.mu.Unlock()
	if quit == nil {
		return nil
	}
	close(quit)
	return <-gone
}
