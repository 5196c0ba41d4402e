package plastic

import (
	"context"
	"errors"
	"strings"
	"time"

	"plastic/compress"
	"plastic/config"
	"plastic/store"
)

// Marks of this machine under .plastic/. What is lost with them is told again by
// nights.jsonl, or costs one night too many or too few at most.
const (
	nightMark = "night" // local date of the last night
	usedMark  = "used"  // local date on which somebody last wrote, recalled or built a prompt
	sinceMark = "since" // when this machine first looked for a night to run
)

func (b *Bank) mark(name string) string {
	text, _ := b.store.ReadLocal(name)
	return strings.TrimSpace(string(text))
}

func (b *Bank) setMark(name, text string) {
	_ = b.store.SetLocal(name, []byte(text+"\n"))
}

func (b *Bank) markNight(date string) { b.setMark(nightMark, date) }

// used notes once a day that the memory is in use: a scheduled night after a
// day without use prunes nothing.
func (b *Bank) used(now time.Time) {
	b.gate.touch(now)
	// Local dates begin at a quarter of an hour: within one the mark stands.
	quarter := now.Unix() / (15 * 60)
	if b.usedIn.Swap(quarter) == quarter {
		return
	}
	if today := localDate(now, b.settings()); b.mark(usedMark) != today {
		b.setMark(usedMark, today)
	}
}

// nightHour is when the night of the local date of t begins. Where clocks skip
// that hour it is the moment they skip to.
func nightHour(t time.Time, c *config.Config) time.Time {
	y, m, d := t.In(c.Memory.Location()).Date()
	hour := time.Date(y, m, d, c.Memory.ConsolidateHour, 0, 0, 0, c.Memory.Location())
	for hour.Day() != d { // time.Date may fall before a skipped midnight
		hour = hour.Add(15 * time.Minute)
	}
	return hour
}

// NightDue reports whether a scheduled night is due at now: its hour has come
// and the night of that local date has not been. However many were missed, one
// is due, that of the last date whose hour has come.
func (b *Bank) NightDue() (date string, due bool) {
	now := b.opts.Now()
	return b.nightDue(now, b.settings())
}

func (b *Bank) nightDue(now time.Time, c *config.Config) (string, bool) {
	hour := nightHour(now, c)
	if now.Before(hour) {
		y, m, d := now.In(c.Memory.Location()).Date()
		hour = nightHour(time.Date(y, m, d-1, 12, 0, 0, 0, c.Memory.Location()), c)
	}
	date := localDate(hour, c)
	last := b.lastNight(now, c)
	if last == "" {
		return date, b.here(now).Before(hour)
	}
	return date, last < date
}

// here is since when this machine looks after the folder: a night before that is
// no missed one.
func (b *Bank) here(now time.Time) time.Time {
	since, err := time.Parse(time.RFC3339, b.mark(sinceMark))
	if err != nil || since.After(now) {
		since = now
		b.setMark(sinceMark, now.UTC().Format(time.RFC3339))
	}
	return since
}

// Night runs the night that is due by the scheduled rules, if one is; ran says
// whether. A night after a day on which nobody wrote, recalled or built a prompt
// prunes nothing. It exists for the owner alone.
func (b *Bank) Night(ctx context.Context) (out Night, ran bool, err error) {
	if err := b.mayDump("night"); err != nil {
		return Night{}, false, err
	}
	now := b.opts.Now()
	c := b.settings()
	date, due := b.nightDue(now, c)
	out = Night{Date: date, Started: Time{now}, Ended: Time{now}, Phases: []Phase{}}
	if !due {
		s, err := b.look()
		if err != nil {
			return Night{}, false, err
		}
		out.Compress = still(date, len(s.memories()))
		out.Compress.Done = b.lastNight(now, c) >= date // there may have been none yet
		b.commitAgain(ctx)
		return out, false, nil
	}
	err = b.sleepAlone(ctx, func(ctx context.Context) error {
		line, err := b.asleepOver(ctx, now, c, &out, nil)
		if err == nil {
			ran, err = b.dueNight(ctx, now, c, line, &out)
		}
		if err != nil || !ran {
			return errors.Join(err, b.broken(ctx, line))
		}
		b.waking(ctx, c, &out)
		return nil
	})
	if err != nil {
		return Night{}, false, err
	}
	if ran {
		b.markNight(out.Date)
		b.commitNight(ctx, out.Compress)
	}
	return out, ran, nil
}

// dueNight ends the night into out if it is still due under the lock.
func (b *Bank) dueNight(ctx context.Context, now time.Time, c *config.Config, line *night, out *Night) (ran bool, err error) {
	_, err = b.store.Update(ctx, func(tx *store.Tx) error {
		date, due := b.nightDue(now, c) // another process may have been first
		if ran = due; !due {
			out.Compress = still(date, len(tx.State().Memories()))
			return nil
		}
		plan := compress.Night(tx.State().Memories(), b.sparing(nightParams(c), tx.State().Memories()), now)
		plan.Date = date
		if !b.usedBefore(date) {
			plan.Prune, plan.After = nil, plan.Before
		}
		out.Date, out.Compress = date, b.compress(tx, c, now, plan, line.whole(tx, plan))
		return nil
	})
	return ran, err
}

// usedBefore reports whether the memory was in use on the day before the night
// of date, or on its own.
func (b *Bank) usedBefore(date string) bool {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return true
	}
	return b.mark(usedMark) >= day.AddDate(0, 0, -1).Format(time.DateOnly)
}
