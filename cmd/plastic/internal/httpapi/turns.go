package httpapi

import (
	"encoding/json"
	"time"

	"plastic"
	"plastic/memory"
)

// turnID names a turn that is registered as active.
type turnID struct {
	ID string `json:"id"`
}

type turnBody struct {
	lowering
}

func beginTurn(c *call) (any, error) {
	if !c.bank.Audience().Writes() {
		return nil, plastic.Hint(memory.ErrDenied, "registering a turn is not for the audience "+string(c.bank.Audience()), "")
	}
	return turnID{c.bank.BeginTurn()}, nil
}

func endTurn(c *call) (any, error) {
	if !c.bank.Audience().Writes() {
		return nil, plastic.Hint(memory.ErrDenied, "ending a turn is not for the audience "+string(c.bank.Audience()), "")
	}
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

func sleep(c *call) (any, error) {
	b := c.body.(*compressBody)
	return c.bank.Sleep(c.r.Context(), plastic.Nightly{DryRun: b.DryRun, Again: b.Again})
}

type woken struct {
	Woken bool `json:"woken"` // somebody slept
}

func wake(c *call) (any, error) {
	if c.bank.Audience() != memory.Trusted {
		return nil, plastic.Hint(memory.ErrDenied, "waking is not for the audience "+string(c.bank.Audience()), "")
	}
	return woken{c.bank.Wake()}, nil
}

type runs struct {
	Runs []json.RawMessage `json:"runs"`
}

func sleepRuns(c *call) (any, error) {
	lines, err := c.bank.Nights()
	return runs{lines}, err
}

type undoBody struct {
	lowering
	Force bool `json:"force"`
}

func undoNight(c *call) (any, error) {
	return c.bank.UndoNight(c.r.Context(), c.r.PathValue("date"), c.body.(*undoBody).Force)
}

// untilAwake tells a turn that came while the memory sleeps, and holds it until
// the memory is awake. A sign of life goes out meanwhile.
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
		case <-beat.C:
			if err := out.beat(); err != nil {
				return err
			}
		}
	}
}
