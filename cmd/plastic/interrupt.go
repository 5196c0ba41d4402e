package main

import (
	"context"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interruptible is the context of a run, done at SIGINT or SIGTERM. It listens
// for them from the first time somebody asks whether it is done, as who waits
// does; until then a signal ends the program there and then. To listen takes
// threads of its own, and their start a good part of a short verb's time.
type interruptible struct {
	mu   sync.Mutex // guards both below
	ctx  context.Context
	stop context.CancelFunc
}

// listening is the context that the signals end.
func (c *interruptible) listening() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx, c.stop = signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
		context.AfterFunc(c.ctx, c.stop) // a second signal ends the program there and then
	}
	return c.ctx
}

func (c *interruptible) Done() <-chan struct{}             { return c.listening().Done() }
func (c *interruptible) Err() error                        { return c.listening().Err() }
func (c *interruptible) Value(key any) any                 { return c.listening().Value(key) }
func (c *interruptible) Deadline() (at time.Time, ok bool) { return time.Time{}, false }

// close ends the listening, if it began.
func (c *interruptible) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		c.stop()
	}
}
