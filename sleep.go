package plastic

import (
	"context"
	"encoding/json"
)

// Sleep runs the whole night of today's local date by hand, whatever the hour
// and however busy it is. A second one changes nothing unless Again. It exists
// for the owner alone and fails with memory.ErrBusy when somebody sleeps already.
func (b *Bank) Sleep(ctx context.Context, n Nightly) (Night, error) {
	if err := b.mayDump("sleep"); err != nil {
		return Night{}, err
	}
	now := b.opts.Now()
	out := Night{Started: Time{now}, DryRun: n.DryRun, Phases: []Phase{}}
	err := b.asleep(ctx, func(ctx context.Context) (err error) {
		out.Compress, err = b.Compress(ctx, n)
		return err
	})
	if err != nil {
		return Night{}, err
	}
	out.Date, out.Ended = out.Compress.Date, Time{b.opts.Now()}
	return out, nil
}

// Nights are the lines of nights.jsonl, oldest first, as they stand. They exist
// for the owner alone.
func (b *Bank) Nights() ([]json.RawMessage, error) {
	if err := b.mayDump("nights"); err != nil {
		return nil, err
	}
	lines, err := b.store.Nights()
	if lines == nil {
		lines = []json.RawMessage{}
	}
	return lines, err
}
