package plastic

import (
	"context"
	"fmt"
	"unicode/utf8"

	"plastic/internal/foreign"
	"plastic/internal/secret"
	"plastic/store"
)

// maxTurnText bounds what of one side of an imported turn is queued, in runes: an
// exchange of a person, not the log that was pasted into it.
const maxTurnText = 32_000

// undoneTurn is why the turns of an import that was undone are set aside. They stay
// in the queue, so that the same import brings them back.
const undoneTurn = "the import was undone"

// queueTurns puts the conversations of an import behind the queue, as retain does:
// with the secrets masked, and only while the channel retains. A turn that waits or
// has been distilled is passed over; with restore the distilled ones are taken
// again. Of more than the queue holds the newest go in.
func (in *intake) queueTurns(ctx context.Context, dry bool) {
	if len(in.turns) == 0 {
		return
	}
	c := in.bank.settings()
	if !c.Channel.Enabled || !c.Channel.Retain {
		in.say("%s of conversations left out: the channel retains nothing (plastic channel retain on)", turns(len(in.turns)))
		return
	}
	n, over, err := in.enqueue(ctx, dry)
	if err != nil {
		in.refuse(0, "the conversations were not queued: "+err.Error())
		return
	}
	if over > 0 {
		in.refuse(0, fmt.Sprintf("no room for the oldest %s of conversations: the queue holds %d, and `plastic flush` empties it", turns(over), store.MaxQueue))
	}
	later := "`plastic flush` makes memories of them"
	if c.Model.Chat == "" {
		later = "they wait until model.chat is set"
	}
	switch {
	case dry:
		in.say("up to %s of conversations would go into the queue", turns(n))
	case n > 0:
		in.say("%s of conversations put into the queue; %s", turns(n), later)
	}
	if known := len(in.turns) - n - over; known > 0 && !dry {
		in.say("%s of conversations passed over: in the queue already, or distilled", turns(known))
	}
}

// enqueue gives how many turns are in the queue now that were not waiting there,
// and for how many there was no room.
func (in *intake) enqueue(ctx context.Context, dry bool) (n, over int, err error) {
	b := in.bank
	waiting, _, err := b.store.Queue()
	if err != nil {
		return 0, 0, err
	}
	has, undone := map[string]bool{}, map[string]bool{}
	for i := range waiting {
		t := &waiting[i]
		has[t.Source] = true
		undone[t.Source] = t.SetAside && t.Reason == undoneTurn
	}
	var fresh []store.Turn
	again := map[string]bool{} // set aside by an undo, to be taken back
	for i := range in.turns {
		switch t := &in.turns[i]; {
		case undone[t.Source]:
			again[t.Source] = true
		case !has[t.Source]:
			fresh = append(fresh, in.turn(t))
		}
	}
	if room := max(0, store.MaxQueue-len(waiting)); len(fresh) > room {
		over = len(fresh) - room
		fresh = fresh[over:] // they are in order of time
	}
	if dry {
		return len(again) + len(fresh), over, nil
	}
	if len(again) > 0 {
		n, err = b.store.ChangeQueue(ctx, func(t *store.Turn) bool {
			if !again[t.Source] {
				return false
			}
			t.SetAside, t.Reason, t.Tries = false, "", 0
			in.queued = append(in.queued, t.Source)
			return true
		})
		if err != nil {
			return n, over, err
		}
	}
	more, err := b.store.Enqueue(ctx, fresh)
	if err == nil && more > 0 {
		for i := range fresh {
			in.queued = append(in.queued, fresh[i].Source)
		}
	}
	return n + more, over, err
}

// turn is t as the queue holds it.
func (in *intake) turn(t *foreign.Turn) store.Turn {
	out := store.Turn{ID: store.TurnID(t.Source), User: turnText(t.User), Assistant: turnText(t.Assistant), At: t.At, Session: t.Session, Source: t.Source}
	if in.restore {
		out.ID = "" // a new one: what was distilled is taken again
	}
	if out.At.IsZero() {
		out.At = whole(in.now)
	}
	return out
}

func turnText(text string) string {
	if utf8.RuneCountInString(text) > maxTurnText {
		text = string([]rune(text)[:maxTurnText]) + " …"
	}
	return secret.Mask(text)
}

// unqueue sets aside what still waits of the turns that an import queued, and
// gives how many that are.
func (b *Bank) unqueue(ctx context.Context, sources []string) (int, error) {
	if len(sources) == 0 {
		return 0, nil
	}
	of := make(map[string]bool, len(sources))
	for _, s := range sources {
		of[s] = true
	}
	return b.store.ChangeQueue(ctx, func(t *store.Turn) bool {
		if !of[t.Source] || t.SetAside {
			return false
		}
		t.SetAside, t.Reason = true, undoneTurn
		return true
	})
}

func (in *intake) say(format string, args ...any) {
	in.out.Notes = append(in.out.Notes, fmt.Sprintf(format, args...))
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}
