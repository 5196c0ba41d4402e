package schedule_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"plastic/cmd/plastic/internal/schedule"
	"plastic/internal/banktest"
)

// deadline is generous: nothing here depends on how fast it comes.
const deadline = 20 * time.Second

func TestADueNightRunsOnceAndWaitsForQuiet(t *testing.T) {
	b := banktest.New(t)
	b.Clock().Set(time.Date(2026, 11, 30, 2, 0, 0, 0, time.UTC))
	b.NightDue()
	b.Say("somebody is here")
	b.Clock().Set(time.Date(2026, 11, 30, 2, 59, 0, 0, time.UTC))
	turn := b.BeginTurn()
	b.Clock().Set(time.Date(2026, 11, 30, 3, 1, 0, 0, time.UTC))

	rang, ran := make(chan struct{}, 1000), make(chan string, 10)
	alarm, err := schedule.Start(t.Context(), schedule.Night{
		Every: time.Millisecond,
		Due: func() bool {
			_, due := b.NightDue()
			rang <- struct{}{}
			return due
		},
		Quiet: b.Quiet,
		Run: func(ctx context.Context) error {
			n, ok, err := b.Night(ctx)
			if ok {
				ran <- n.Date
			}
			return err
		},
		Log: func(err error) { t.Errorf("night: %v", err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer alarm.Stop()
	wait := func(n int) {
		t.Helper()
		for range n {
			select {
			case <-rang:
			case <-time.After(deadline):
				t.Fatal("the alarm does not ring")
			}
		}
	}
	wait(3)
	if len(ran) != 0 {
		t.Fatal("it slept while a turn was active")
	}
	if err := b.EndTurn(turn); err != nil {
		t.Fatal(err)
	}
	wait(3)
	if len(ran) != 0 {
		t.Fatal("it slept before it was quiet for long enough")
	}
	b.Pass(11 * time.Minute)
	select {
	case date := <-ran:
		if date != "2026-11-30" {
			t.Errorf("the night of %s", date)
		}
	case <-time.After(deadline):
		t.Fatal("no night came")
	}
	wait(5)
	if len(ran) != 0 {
		t.Error("the night came twice")
	}
}

func TestAFailedNightIsToldAndTriedAgain(t *testing.T) {
	var tries atomic.Int32
	told, done := make(chan error, 10), make(chan struct{})
	alarm, err := schedule.Start(t.Context(), schedule.Night{
		Every: time.Millisecond,
		Due:   func() bool { return tries.Load() < 3 },
		Quiet: func() bool { return true },
		Run: func(context.Context) error {
			if tries.Add(1) == 3 {
				close(done)
				return nil
			}
			return errors.New("the disk is full")
		},
		Log: func(err error) { told <- err },
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(deadline):
		t.Fatal("it was not tried again")
	}
	if err := alarm.Stop(); err != nil {
		t.Fatal(err)
	}
	if len(told) != 2 {
		t.Errorf("%d failures were told", len(told))
	}
}

func TestStopEndsANightUnderWay(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	alarm, err := schedule.Start(t.Context(), schedule.Night{
		Due: func() bool { return true }, Quiet: func() bool { return true },
		Run: func(ctx context.Context) error {
			close(started)
			<-ctx.Done()
			close(ended)
			return ctx.Err()
		},
		Log: func(err error) { t.Errorf("told: %v", err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	<-started
	if err := alarm.Stop(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	default:
		t.Error("Stop came back before the night had ended")
	}
}
