package plastic

import (
	"context"
	"fmt"
	"unicode/utf8"

	"plastic/internal/foreign"
	"plastic/store"
)

// maxTurnText bounds what of one side of an imported turn is queued, in runes: an
// exchange of a person, not the log that was pasted into it.
const maxTurnText = 32_000

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
	got, err := in.enqueue(ctx, dry)
	if err != nil {
		in.refuse(0, "the conversations were not queued: "+err.Error())
		return
	}
	if got.over > 0 {
		in.refuse(0, fmt.Sprintf("no room for the oldest %s of conversations: the queue holds %d, and `plastic flush` empties it", turns(got.over), store.MaxQueue))
	}
	later := "`plastic flush` makes memories of them"
	if c.Model.Chat == "" {
		later = "they wait until model.chat is set"
	}
	switch {
	case dry:
		in.say("up to %s of conversations would go into the queue", turns(got.taken))
	case got.taken > 0:
		in.say("%s of conversations put into the queue; %s", turns(got.taken), later)
	}
	if got.known > 0 && !dry {
		in.say("%s of conversations passed over: in the queue already, or distilled", turns(got.known))
	}
}

// intoQueue counts the turns of an import: those that are in the queue now and were
// not, those that were there or are distilled, and those without room.
type intoQueue struct{ taken, known, over int }

func (in *intake) enqueue(ctx context.Context, dry bool) (got intoQueue, err error) {
	b := in.bank
	waiting, _, err := b.store.Queue()
	if err != nil {
		return got, err
	}
	has := map[string]bool{}
	for i := range waiting {
		has[waiting[i].Source] = true
	}
	var fresh []store.Turn
	for i := range in.turns {
		switch t := &in.turns[i]; {
		case has[t.Source]:
			got.known++
		default:
			if out, err := in.turn(t); err != nil {
				in.refuse(0, "a turn of the conversation "+clip(t.Session, 60)+": "+err.Error())
			} else {
				fresh = append(fresh, out)
			}
		}
	}
	if room := max(0, store.MaxQueue-len(waiting)); len(fresh) > room {
		got.over = len(fresh) - room
		fresh = fresh[got.over:] // they are in order of time
	}
	if dry {
		got.taken = len(fresh)
		return got, nil
	}
	more, err := b.store.Enqueue(ctx, fresh)
	if err == nil && more > 0 {
		for i := range fresh {
			in.queued = append(in.queued, fresh[i].Source)
		}
	}
	got.taken, got.known = more, got.known+len(fresh)-more
	return got, err
}

// turn is t as the queue holds it, through the gates of Retain.
func (in *intake) turn(t *foreign.Turn) (store.Turn, error) {
	out, err := turn(Exchange{User: bounded(t.User), Assistant: bounded(t.Assistant), At: t.At, Session: t.Session, Source: t.Source}, in.now)
	if in.restore {
		out.ID = "" // a new one: what was distilled is taken again
	}
	return out, err
}

func bounded(text string) string {
	if utf8.RuneCountInString(text) > maxTurnText {
		text = string([]rune(text)[:maxTurnText]) + " …"
	}
	return text
}

// unqueue takes what still waits of the turns that an import queued out of the queue
// again, and gives how many that are.
func (b *Bank) unqueue(ctx context.Context, sources []string) (int, error) {
	if len(sources) == 0 {
		return 0, nil
	}
	of := make(map[string]bool, len(sources))
	for _, s := range sources {
		of[s] = true
	}
	return b.store.Unqueue(ctx, func(t *store.Turn) bool { return of[t.Source] })
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
