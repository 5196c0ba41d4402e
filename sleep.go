package plastic

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"plastic/compress"
	"plastic/config"
	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/sleep"
	"plastic/store"
)

// Sleep runs the whole night of today's local date by hand, whatever the hour and
// however busy it is: the phases that ask a model, if one is configured, and the
// compression. A second one changes nothing unless Again. DryRun gives the plan,
// which as Nightly.Plan is done later, without another question to the model, on the
// memory as it is then. It exists for the owner alone and fails with memory.ErrBusy
// when somebody sleeps already, in this process or another, and when it is woken.
func (b *Bank) Sleep(ctx context.Context, n Nightly) (Night, error) {
	if err := b.mayDump("sleep"); err != nil {
		return Night{}, err
	}
	now := b.opts.Now()
	c := b.settings()
	out := Night{Date: localDate(now, c), Started: Time{now}, DryRun: n.DryRun, Phases: []Phase{}}
	if n.DryRun {
		return out, b.asleep(ctx, func(ctx context.Context) error { return b.dream(ctx, now, c, &out) })
	}
	if b.nightDone(now, c) && !n.Again && n.Plan == nil {
		var err error
		out.Compress, err = b.Compress(ctx, n)
		out.Ended = Time{b.opts.Now()}
		return out, err
	}
	err := b.sleepAlone(ctx, func(ctx context.Context) error {
		line, err := b.asleepOver(ctx, now, c, &out, n.Plan)
		if err == nil {
			err = b.endNight(ctx, now, c, line, n, &out)
		}
		if err != nil {
			return errors.Join(err, b.broken(ctx, line))
		}
		b.waking(ctx, c, &out)
		return nil
	})
	if err != nil {
		return Night{}, err
	}
	b.markNight(out.Date)
	b.commitNight(ctx, out.Compress)
	return out, nil
}

// dream is a night that changes nothing.
func (b *Bank) dream(ctx context.Context, now time.Time, c *config.Config, out *Night) error {
	line := nightLine{}
	s, err := b.consolidate(ctx, now, c, &line, true, nil)
	if err != nil {
		return err
	}
	if line.Phases != nil {
		out.Phases = line.Phases
	}
	out.Compress = compressed(compress.Night(s.ms, b.sparing(nightParams(c), s.ms), now))
	out.Compress.DryRun, out.Compress.Done = true, b.nightDone(now, c)
	b.after(ctx, c, out)
	out.Ended = Time{b.opts.Now()}
	return nil
}

// night is a night under way: its line, and what it needs to end it.
type night struct {
	nightLine
	p sleep.Params
}

// whole is the line as it is written with plan.
func (n *night) whole(tx *store.Tx, plan compress.Plan) nightLine {
	gone := map[string]bool{}
	for _, it := range plan.Prune {
		gone[it.ID] = true
	}
	var left []memory.Memory
	for _, m := range tx.State().Memories() {
		if !gone[m.ID] {
			left = append(left, m)
		}
	}
	line := n.nightLine
	line.seal(left, n.p, tx.Now())
	return line
}

// asleepOver does the hygiene and the phases that ask a model, or those of plan.
// Failing, it gives what was done before all the same.
func (b *Bank) asleepOver(ctx context.Context, now time.Time, c *config.Config, out *Night, plan *Night) (*night, error) {
	line := &night{nightLine: nightLine{Date: out.Date, Started: Time{now}, Phases: []Phase{}}}
	if err := b.recoverNight(ctx); err != nil {
		return line, err
	}
	if err := b.hygiene(ctx, c); err != nil {
		return line, err
	}
	if before, err := b.linesOf(out.Date); err == nil {
		out.First = before[len(before)-1].next()
	}
	s, err := b.consolidate(ctx, now, c, &line.nightLine, false, plan)
	if s != nil {
		line.p = s.p
	}
	out.Phases = line.Phases
	return line, err
}

// hygiene needs no chat model: missing vectors are made, and those of models and
// texts that are gone are dropped. That an endpoint fails keeps no night from coming.
func (b *Bank) hygiene(ctx context.Context, c *config.Config) error {
	if b.opts.Embed == nil || c.Model.Embed == "" {
		return nil
	}
	if _, err := b.Reindex(ctx, Reindexing{}); err != nil && ctx.Err() == nil {
		b.notice(Problem{Code: "vectors", Path: ".plastic/vectors", Message: "not all vectors could be made: " + err.Error(), Hint: "plastic reindex"})
	}
	if err := b.slim(c); err != nil {
		b.notice(Problem{Code: "vectors", Path: ".plastic/vectors", Message: err.Error(), Hint: "the file may be deleted, `plastic reindex` makes it anew"})
	}
	return ctx.Err()
}

// What a vector takes in its file beside a byte a dimension, about, and what of the
// file may be of no use before it is written anew.
const (
	besideVector  = 64
	uselessVector = 1 << 20
)

// slim drops the vectors of other models, and of texts that are not in the memory,
// once they are a third of the file.
func (b *Bank) slim(c *config.Config) error {
	file, err := b.vectorFile(c.Model.Embed)
	if err != nil {
		return err
	}
	st, err := b.store.Read()
	if err != nil {
		return err
	}
	keys := map[vectors.Key]bool{}
	for _, m := range st.Memories() {
		keys[keyOf(&m)] = true
	}
	info, err := os.Stat(b.store.Local("vectors"))
	if err != nil || info.Size() < int64(len(keys)*(file.Dim()+besideVector))*3/2+uselessVector {
		return nil
	}
	return file.Compact(nil, func(k vectors.Key) bool { return keys[k] })
}

// endNight compresses, and writes the night's line.
func (b *Bank) endNight(ctx context.Context, now time.Time, c *config.Config, line *night, n Nightly, out *Night) error {
	p := nightParams(c)
	_, err := b.store.Update(ctx, func(tx *store.Tx) error {
		plan := compress.Night(tx.State().Memories(), b.sparing(p, tx.State().Memories()), now)
		if b.nightDone(now, c) && !n.Again {
			plan.Prune, plan.Promote, plan.After = nil, nil, plan.Before // it was compressed before the plan came
		}
		out.Compress = b.compress(tx, c, now, plan, line.whole(tx, plan))
		return nil
	})
	return err
}

// waking ends a night that is done: nothing of it waits any more, and others hear
// of it.
func (b *Bank) waking(ctx context.Context, c *config.Config, out *Night) {
	b.forgetNote()
	out.Ended = Time{b.opts.Now()}
	b.after(ctx, c, out)
	b.notify(ctx, c, out)
}

// Nights are the lines of nights.jsonl, oldest first, as they stand; those without
// the date of a night are left out. They exist for the owner alone.
func (b *Bank) Nights() ([]json.RawMessage, error) {
	if err := b.mayDump("nights"); err != nil {
		return nil, err
	}
	lines, err := b.store.Nights()
	out := []json.RawMessage{}
	for _, raw := range lines {
		var l struct {
			Date string `json:"date"`
		}
		if json.Unmarshal(raw, &l) != nil {
			continue
		}
		if _, bad := time.Parse(time.DateOnly, l.Date); bad == nil {
			out = append(out, raw)
		}
	}
	return out, err
}
