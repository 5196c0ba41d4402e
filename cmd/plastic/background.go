package main

import (
	"context"

	"plastic"
	"plastic/cmd/plastic/internal/schedule"
)

// background does what a server does beside answering, as long as it runs: vectors that
// are missing, and turns to be distilled when it is quiet.
func (a *app) background(ctx context.Context, b *plastic.Bank) (*schedule.Alarm, error) {
	said := ""
	return schedule.Start(ctx, schedule.Night{
		Due:   b.WorkDue,
		Quiet: func() bool { return true },
		Run:   b.Work,
		Log: func(err error) {
			if err.Error() != said { // once, until it is another
				said = err.Error()
				a.say("vectors or turns wait, it is tried again later: " + said)
			}
		},
	})
}
