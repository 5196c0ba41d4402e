package main

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"
)

// Until somebody asks, a signal does what it does to any program.
func TestARunListensForSignalsOnceSomebodyAsks(t *testing.T) {
	for name, ask := range map[string]func(ctx context.Context) <-chan struct{}{
		"done": func(ctx context.Context) <-chan struct{} { return ctx.Done() },
		"err then done": func(ctx context.Context) <-chan struct{} {
			if err := ctx.Err(); err != nil {
				t.Errorf("ended before it began: %v", err)
			}
			return ctx.Done()
		},
		"a deadline under it": func(ctx context.Context) <-chan struct{} {
			under, cancel := context.WithTimeout(ctx, time.Hour)
			t.Cleanup(cancel)
			return under.Done()
		},
	} {
		ctx := &interruptible{}
		if ctx.ctx != nil {
			t.Errorf("%s: it listens before it was asked", name)
		}
		done := ask(ctx)
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-done
		if err := ctx.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: ended by %v", name, err)
		}
		ctx.close()
	}
}

func TestARunThatNobodyAskedEndsWithoutListening(t *testing.T) {
	ctx := &interruptible{}
	if _, ok := ctx.Deadline(); ok {
		t.Error("a run has a deadline")
	}
	ctx.close()
	if ctx.ctx != nil {
		t.Error("its end made it listen")
	}
}
