package plastic

import (
	"context"
	"sync"
	"time"

	"plastic/memory"
)

// work is what a running process does for a memory beside answering: when it is tried
// again after a failure.
type work struct {
	mu       sync.Mutex // guards all below
	failures int
	until    time.Time
}

const (
	firstRest = 30 * time.Second
	mostRest  = 30 * time.Minute
)

// WorkDue reports whether there is something for Work: memories without a vector, and
// when it is quiet, turns to be distilled. It asks no model. Work is the owner's, alone:
// for others there never is any.
func (b *Bank) WorkDue() bool {
	if b.audience != memory.Trusted {
		return false
	}
	w := &b.work
	w.mu.Lock()
	rest := b.opts.Now().Before(w.until)
	w.mu.Unlock()
	return !rest && (b.lacksVectors() || b.Quiet() && b.hasTurns())
}

// Work makes the vectors that are missing and, when it is quiet, distils the turns that
// wait, if models are configured for it: a server calls it now and then. After a failure
// it is not due for a while, longer each time.
func (b *Bank) Work(ctx context.Context) error {
	if err := b.mayDump("work"); err != nil {
		return err
	}
	err := b.workOnce(ctx)
	w := &b.work
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil || ctx.Err() != nil {
		w.failures = 0
		return err
	}
	w.until = b.opts.Now().Add(min(firstRest<<min(w.failures, 10), mostRest))
	w.failures++
	return err
}

func (b *Bank) workOnce(ctx context.Context) error {
	if b.lacksVectors() {
		b.mu.Lock()
		known := b.refused
		b.mu.Unlock()
		if _, err := b.reindex(ctx, Reindexing{Probe: true}, known); err != nil {
			return err
		}
	}
	if b.Quiet() && b.hasTurns() {
		_, err := b.Flush(ctx, Flushing{})
		return err
	}
	return nil
}

// FlushBefore distils what waits before a night, if a model is configured for it.
func (b *Bank) FlushBefore(ctx context.Context) error {
	if err := b.mayDump("flush"); err != nil {
		return err
	}
	if !b.hasTurns() {
		return nil
	}
	_, err := b.Flush(ctx, Flushing{})
	return err
}

// hasTurns reports whether turns wait that a model could distil.
func (b *Bank) hasTurns() bool {
	c := b.settings()
	if b.opts.Chat == nil || c.Model.Chat == "" {
		return false
	}
	turns, _, err := b.store.Waiting()
	if err != nil {
		return false
	}
	for _, t := range turns {
		if !t.SetAside && (c.Model.SendPrivate || !t.Private) {
			return true
		}
	}
	return false
}

// lacksVectors reports whether a living memory that may be sent has no vector, by the
// index alone.
func (b *Bank) lacksVectors() bool {
	c := b.settings()
	if b.opts.Embed == nil || c.Model.Embed == "" {
		return false
	}
	file, err := b.vectorFile(c.Model.Embed)
	if err != nil {
		return false
	}
	s, err := b.look()
	if err != nil {
		return false
	}
	if file.Len() > 0 && b.outdated(file) { // Len takes in what other processes wrote
		return true
	}
	ix := s.index()
	for r, hash := range ix.Living() {
		if !file.Has(vectorKey(hash)) && !b.unembeddable(hash) && (c.Model.SendPrivate || !ix.Signals(r).Private) {
			return true
		}
	}
	return false
}

// unembeddable reports whether the endpoint gave no vector for a text before: it is not
// asked again and again.
func (b *Bank) unembeddable(hash uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused[vectorKey(hash)]
}
