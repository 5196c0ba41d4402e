// Package schedule wakes a running process for its nights. gocron is the alarm
// clock and nothing more: whether a night is due is asked anew at every ring, so
// a machine that was off or suspended, a clock set back or a second process with
// the same folder make no night too many and none too few.
//
//	alarm, err := schedule.Start(ctx, schedule.Night{Due: …, Quiet: bank.Quiet, Run: …})
//	defer alarm.Stop()
package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/go-co-op/gocron/v2"
)

// Every is how often the alarm rings.
const Every = 30 * time.Second

// Night is what the alarm is for.
type Night struct {
	Due   func() bool                 // a night is due
	Quiet func() bool                 // … and nothing keeps it waiting
	Run   func(context.Context) error // runs it; an error is told to Log, and the next ring tries again
	Log   func(error)                 // nil drops

	Every time.Duration // 0: Every
}

// Alarm is a started schedule.
type Alarm struct {
	scheduler gocron.Scheduler
	cancel    context.CancelFunc
}

// Start rings at once and then every n.Every until Stop or the end of ctx. Rings
// never overlap.
func Start(ctx context.Context, n Night) (*Alarm, error) {
	if n.Every == 0 {
		n.Every = Every
	}
	scheduler, err := gocron.NewScheduler(gocron.WithStopTimeout(stopWait))
	if err != nil {
		return nil, fmt.Errorf("start the clock of the nights: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	_, err = scheduler.NewJob(
		gocron.DurationJob(n.Every),
		gocron.NewTask(func() { n.ring(ctx) }),
		gocron.WithSingletonMode(gocron.LimitModeReschedule),
		gocron.WithStartAt(gocron.WithStartImmediately()),
	)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start the clock of the nights: %w", err)
	}
	scheduler.Start()
	return &Alarm{scheduler, cancel}, nil
}

// stopWait bounds how long Stop waits for a night under way, which ends at its
// next step.
const stopWait = 10 * time.Second

// Stop ends the schedule and waits for a night under way to end.
func (a *Alarm) Stop() error {
	a.cancel()
	return a.scheduler.Shutdown()
}

func (n *Night) ring(ctx context.Context) {
	if ctx.Err() != nil || !n.Due() || !n.Quiet() {
		return
	}
	if err := n.Run(ctx); err != nil && ctx.Err() == nil && n.Log != nil {
		n.Log(err)
	}
}
