package httpapi

import (
	"context"
	"net/http"
	"time"

	"plastic"
)

// turnID names a turn that is registered as active.
type turnID struct {
	ID string `json:"id"`
}

type turnBody struct {
	lowering
}

func beginTurn(c *call) (any, error) {
	return turnID{c.bank.BeginTurn()}, nil
}

func endTurn(c *call) (any, error) {
	id := c.r.PathValue("id")
	if err := c.bank.EndTurn(id); err != nil {
		return nil, err
	}
	return turnID{id}, nil
}

// sleepState answers GET /v1/sleep.
type sleepState struct {
	Sleeping  bool         `json:"sleeping"`
	Quiet     bool         `json:"quiet"` // nothing keeps a night waiting
	LastNight string       `json:"lastNight"`
	NextNight plastic.Time `json:"nextNight"`
}

func sleepNow(c *call) (any, error) {
	st, err := c.bank.Stats()
	if err != nil {
		return nil, err
	}
	return sleepState{c.bank.Sleeping(), c.bank.Quiet(), st.LastNight, st.NextNight}, nil
}

// sleep runs the night. It may take longer than any other answer, and goes on
// where the one who asked is gone: only waking and the end of the server end it.
func sleep(c *call) (any, error) {
	b := c.body.(*compressBody)
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Time{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.r.Context()))
	defer cancel()
	go func() {
		select {
		case <-c.s.quit:
			cancel()
		case <-ctx.Done():
		}
	}()
	return c.bank.Sleep(ctx, plastic.Nightly{DryRun: b.DryRun, Again: b.Again})
}

func wake(c *call) (any, error) { return c.bank.WakeFolder() }

type runs struct {
	Runs []plastic.NightTold `json:"runs"`
}

func sleepRuns(c *call) (any, error) {
	list, err := c.bank.NightRecords()
	if err != nil {
		return nil, err
	}
	out := runs{Runs: make([]plastic.NightTold, 0, len(list))}
	for _, r := range list {
		out.Runs = append(out.Runs, r.Told())
	}
	return out, nil
}

type undoBody struct {
	lowering
	Op    int  `json:"op"` // one operation of the night, from 1; 0: all of it
	Force bool `json:"force"`
}

func undoNight(c *call) (any, error) {
	b, date := c.body.(*undoBody), c.r.PathValue("date")
	if b.Op != 0 {
		return c.bank.UndoOperation(c.r.Context(), date, b.Op, b.Force)
	}
	return c.bank.UndoNight(c.r.Context(), date, b.Force)
}

// untilAwake tells a turn that came while the memory sleeps, and holds it until
// the memory is awake or the server stops. A sign of life goes out meanwhile.
func (c *call) untilAwake(out *stream) error {
	if !c.bank.Sleeping() {
		return nil
	}
	if err := out.event("sleeping", struct{}{}); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.bank.Awake(c.r.Context()) }()
	beat := time.NewTicker(c.s.opts.Beat)
	defer beat.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			return out.event("awake", struct{}{})
		case <-c.s.quit:
			return nil
		case <-beat.C:
			if err := out.beat(); err != nil {
				return err
			}
		}
	}
}
