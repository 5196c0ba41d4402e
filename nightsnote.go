package plastic

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"time"

	"plastic/store"
)

// noteMark holds, under .plastic/, the line of a night under way. It is written
// before each phase is applied: when the process dies before the line stands in
// nights.jsonl, the next night puts it there, and what was done can be undone.
const noteMark = "asleep"

// heldMark is the file under .plastic/ that a sleeping process holds, wokenMark the
// one by which another process wakes it.
const (
	heldMark  = "sleep.lock"
	wokenMark = "wake"
)

func (b *Bank) asleepNote(line *nightLine) error {
	raw, err := json.Marshal(line)
	if err != nil {
		return err
	}
	return b.store.SetLocal(noteMark, append(raw, '\n'))
}

func (b *Bank) forgetNote() { os.Remove(b.store.Local(noteMark)) }

// recoverNight puts the line of a night that died into nights.jsonl.
func (b *Bank) recoverNight(ctx context.Context) error {
	raw, err := b.store.ReadLocal(noteMark)
	if err != nil {
		return nil
	}
	var note nightLine
	if json.Unmarshal(raw, &note) != nil || len(note.Phases) == 0 {
		b.forgetNote()
		return nil
	}
	return b.broken(ctx, &night{nightLine: note})
}

// broken writes the line of a night that did not come to its end, if it did
// anything: without a compression it is no night that was, and the date is due again.
func (b *Bank) broken(ctx context.Context, line *night) error {
	if line == nil || len(line.Phases) == 0 {
		return nil
	}
	lines, err := b.store.Nights()
	if err != nil {
		return err
	}
	known := slices.ContainsFunc(lines, func(raw json.RawMessage) bool {
		var l nightLine
		return json.Unmarshal(raw, &l) == nil && l.Started.Equal(line.Started.Time.Truncate(time.Second)) && len(l.Phases) > 0
	})
	if !known {
		done := line.nightLine
		done.Ended, done.Compress = Time{b.opts.Now()}, nil
		if _, err := b.store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			tx.Night(done)
			return nil
		}); err != nil {
			return err
		}
	}
	b.forgetNote()
	return nil
}

// sleepAlone is asleep for the only sleeper of the folder, whom other processes can
// wake. It fails with memory.ErrBusy when another process sleeps.
func (b *Bank) sleepAlone(ctx context.Context, do func(context.Context) error) error {
	release, err := b.store.Hold(heldMark)
	if err != nil {
		return err
	}
	defer release()
	os.Remove(b.store.Local(wokenMark))
	return b.asleep(ctx, func(ctx context.Context) error {
		over := make(chan struct{})
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			b.heedWake(over)
		}()
		defer func() { close(over); <-watched }()
		return do(ctx)
	})
}

// heedWake wakes this process's sleep when another process asks for it.
func (b *Bank) heedWake(over <-chan struct{}) {
	t := time.NewTicker(wakeEvery)
	defer t.Stop()
	for {
		select {
		case <-over:
			return
		case <-t.C:
			if _, err := os.Stat(b.store.Local(wokenMark)); err == nil {
				b.Wake()
				os.Remove(b.store.Local(wokenMark)) // whoever sees it gone knows that it was heard
			}
		}
	}
}

// wakeEvery is how often a sleeper looks whether it is woken.
const wakeEvery = 250 * time.Millisecond

// WakeFolder is Wake for whoever sleeps over this folder, in this process or another.
// It exists for the owner alone.
func (b *Bank) WakeFolder() (Woken, error) {
	if err := b.mayDump("wake"); err != nil {
		return Woken{}, err
	}
	out := Woken{Night: uncompressed(localDate(b.opts.Now(), b.settings()), Time{}, Time{})}
	under, known := b.underWay()
	if out.Woken = b.Wake(); !out.Woken {
		release, err := b.store.Hold(heldMark)
		if err == nil {
			release()
			return out, nil
		}
		if Code(err) != "busy" {
			return Woken{}, err
		}
		if err := b.store.SetLocal(wokenMark, nil); err != nil {
			return Woken{}, err
		}
		out.Woken = true
	}
	if known {
		out.Night = under
	}
	return out, nil
}

// Woken answers WakeFolder: the night that was ended, as far as it had come, and
// that of today's date with nothing in it where nobody slept.
type Woken struct {
	Night
	Woken bool `json:"woken"` // somebody slept
}

// underWay is the night whose note stands, if one does.
func (b *Bank) underWay() (Night, bool) {
	raw, err := b.store.ReadLocal(noteMark)
	var note NightRecord
	if err != nil || json.Unmarshal(raw, &note) != nil || note.Date == "" {
		return Night{}, false
	}
	out := note.Told().Night
	out.Ended = note.Ended // not yet
	return out, true
}
