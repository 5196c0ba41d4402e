package plastic

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"plastic/memory"
)

// TurnLease is how long a turn counts as active when nobody ends it.
const TurnLease = 15 * time.Minute

// gate keeps turns and sleep apart within one process: sleep waits for quiet,
// and a turn that comes while the memory sleeps can wait for it to wake.
type gate struct {
	mu     sync.Mutex // guards all below
	active map[string]time.Time
	last   time.Time // when somebody last wrote, recalled, built a prompt or ended a turn
	awake  chan struct{}
	wake   context.CancelFunc // nil: nobody sleeps
}

func (g *gate) touch(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now.After(g.last) {
		g.last = now
	}
}

// BeginTurn registers a turn, job or subagent as active until EndTurn, or for
// TurnLease at most. While any is active, sleep waits.
func (b *Bank) BeginTurn() (id string) {
	g := &b.gate
	now := b.opts.Now()
	g.touch(now)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.active == nil {
		g.active = map[string]time.Time{}
	}
	id = rand.Text()[:12]
	g.active[id] = now.Add(TurnLease)
	return id
}

// EndTurn ends what BeginTurn began. It fails with memory.ErrNotFound for a turn
// that is over already.
func (b *Bank) EndTurn(id string) error {
	g := &b.gate
	g.touch(b.opts.Now())
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.active[id]; !ok {
		return Hint(memory.ErrNotFound, "no turn with the id "+clip(id, 40)+" is active", "")
	}
	delete(g.active, id)
	return nil
}

// Quiet reports whether nothing has happened for sleep.idleFor and no turn is
// active: the time to sleep.
func (b *Bank) Quiet() bool {
	g := &b.gate
	now, idle := b.opts.Now(), b.settings().Sleep.IdleFor.Std()
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, until := range g.active {
		if now.After(until) {
			delete(g.active, id)
		}
	}
	return len(g.active) == 0 && now.Sub(g.last) >= idle
}

// Sleeping reports whether this process's memory sleeps.
func (b *Bank) Sleeping() bool {
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	return b.gate.wake != nil
}

// Awake waits until the memory is awake, or ctx ends.
func (b *Bank) Awake(ctx context.Context) error {
	for b.Sleeping() {
		b.gate.mu.Lock()
		awake := b.gate.awake
		b.gate.mu.Unlock()
		select {
		case <-awake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Wake ends the sleep under way and reports whether there was one. What is not
// applied yet is not; what is stays; the night is due again at the next quiet.
func (b *Bank) Wake() bool {
	g := &b.gate
	g.touch(b.opts.Now())
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wake == nil {
		return false
	}
	g.wake()
	return true
}

// asleep runs do as this process's sleep: one at a time, ended by Wake. It fails
// with memory.ErrBusy when somebody sleeps already.
func (b *Bank) asleep(ctx context.Context, do func(context.Context) error) error {
	g := &b.gate
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g.mu.Lock()
	if g.wake != nil {
		g.mu.Unlock()
		return Hint(memory.ErrBusy, "the memory sleeps already", "")
	}
	g.wake, g.awake = cancel, make(chan struct{})
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.wake = nil
		close(g.awake)
	}()
	err := do(ctx)
	if err != nil && ctx.Err() != nil && outer.Err() == nil {
		return Hint(memory.ErrBusy, "the sleep was ended before this step was applied", "it is due again at the next quiet")
	}
	return err
}
