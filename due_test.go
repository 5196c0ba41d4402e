package plastic_test

import (
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
)

// night runs what is due and says whether anything was.
func night(t *testing.T, b *banktest.Bank) (plastic.Night, bool) {
	t.Helper()
	out, ran, err := b.Night(t.Context())
	if err != nil {
		t.Fatalf("night: %v", err)
	}
	return out, ran
}

func TestAMissedNightIsMadeUpOnce(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory: {timezone: Europe/Berlin}\n")
	berlin, _ := time.LoadLocation("Europe/Berlin")
	at := func(day, hour, minute int) { b.Clock().Set(time.Date(2026, 12, day, hour, minute, 0, 0, berlin)) }
	days(t, b, 20, 5)
	at(1, 12, 0)
	if got, ran := night(t, b); ran || got.Compress.Done {
		t.Errorf("a night from before this machine came is no missed one, and was not done: %+v", got.Compress)
	}
	b.Say("somebody is here")
	at(2, 2, 59)
	if _, ran := night(t, b); ran {
		t.Error("the hour has not come")
	}
	at(2, 3, 0)
	if got, ran := night(t, b); !ran || got.Date != "2026-12-02" || got.Compress.Pruned == 0 {
		t.Errorf("at three: ran %v, %+v", ran, got)
	}
	at(2, 3, 1)
	if _, ran := night(t, b); ran {
		t.Error("it ran twice")
	}
	b.Say("used on the fourth") // the clock still says the second: use it there
	at(4, 20, 0)
	b.Say("news of the evening")
	at(5, 9, 12)
	if got, ran := night(t, b); !ran || got.Date != "2026-12-05" {
		t.Errorf("the catch-up: ran %v, %s", ran, got.Date)
	}
	if _, ran := night(t, b); ran {
		t.Error("the catch-up came twice")
	}
	at(4, 12, 0) // a clock set back
	if _, ran := night(t, b); !ran {
		t.Error("a last night in the future counts as unknown")
	}
}

func TestAHolidayDoesNotEmptyTheMemory(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 20, 5)
	night(t, b)
	for i := range 30 {
		b.Pass(24 * time.Hour)
		got, ran := night(t, b)
		if !ran {
			t.Fatalf("day %d: no night", i)
		}
		if i > 0 && got.Compress.Pruned != 0 {
			t.Errorf("day %d of the holiday took %d", i, got.Compress.Pruned)
		}
	}
	n := len(b.All())
	b.Recall(plastic.Query{Text: "day 3"})
	b.Pass(24 * time.Hour)
	if got, _ := night(t, b); got.Compress.Before != n || got.Compress.Pruned == 0 {
		t.Errorf("after the holiday: %+v", got.Compress)
	}
}

// TestEveryLocalDateHasOneNight looks every hour for a year, in zones that shift
// their clocks at odd hours or skip a midnight.
func TestEveryLocalDateHasOneNight(t *testing.T) {
	if testing.Short() {
		t.Skip("a year of nights")
	}
	for _, c := range []struct{ zone, hour string }{
		{"Europe/Berlin", "2"}, {"America/Santiago", "0"}, {"Asia/Hong_Kong", "3"}, {"UTC", "3"},
	} {
		t.Run(c.zone, func(t *testing.T) {
			t.Parallel()
			loc, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Skipf("no zone data: %v", err)
			}
			b := banktest.New(t, "config.yaml", "memory: {timezone: "+c.zone+", consolidateHour: "+c.hour+"}\n")
			start := time.Date(2026, 1, 1, 12, 0, 0, 0, loc)
			b.Clock().Set(start)
			b.NightDue()
			seen := map[string]int{}
			for now := start; now.Before(start.AddDate(1, 0, 0)); now = now.Add(time.Hour) {
				b.Clock().Set(now)
				if _, due := b.NightDue(); !due {
					continue
				}
				got, ran := night(t, b)
				if !ran {
					t.Fatalf("due and not run at %v", now)
				}
				seen[got.Date]++
			}
			if len(seen) != 365 {
				t.Errorf("%d nights in a year", len(seen))
			}
			for date, n := range seen {
				if n != 1 {
					t.Errorf("%d nights for %s", n, date)
				}
			}
		})
	}
}
