package plastic

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"plastic/internal/secret"
	"plastic/memory"
	"plastic/store"
)

// Exchange is one turn of a conversation: what the user said and what the bot
// answered.
type Exchange struct {
	User, Assistant string
	At              time.Time // zero: now
	Session         string
	Private         bool   // all facts of it are private
	Source          string // where it comes from, what:id; a turn with one is queued once
}

// Retained answers Retain.
type Retained struct {
	Queued int `json:"queued"` // by this call
}

// maxExchange bounds what is kept of either side of a turn, in characters.
const maxExchange = 1 << 20

// Retain puts a turn into the queue of those to be distilled, on disk when it returns;
// no model is asked and nothing else is waited for. Known secrets are masked. With the
// channel or its retaining off nothing is queued. A public turn is never retained: it
// fails with memory.ErrDenied.
func (b *Bank) Retain(ctx context.Context, x Exchange) (Retained, error) {
	if err := b.mayWrite("retain"); err != nil {
		return Retained{}, err
	}
	c := b.settings()
	now := b.opts.Now()
	if !c.Channel.Enabled || !c.Channel.Retain {
		return Retained{}, nil
	}
	t, err := turn(x, now)
	if err != nil {
		return Retained{}, err
	}
	n, err := b.store.Enqueue(ctx, []store.Turn{t})
	if err != nil {
		return Retained{}, err
	}
	b.used(now)
	if what := cmp.Or(secret.Find(x.User), secret.Find(x.Assistant)); what != "" {
		b.notice(Problem{Code: "note", Message: "the turn looks like it holds " + what + ", which is masked"})
	}
	return Retained{Queued: n}, nil
}

// turn is x as it stands in the queue.
func turn(x Exchange, now time.Time) (store.Turn, error) {
	user, assistant := strings.ToValidUTF8(x.User, "\uFFFD"), strings.ToValidUTF8(x.Assistant, "\uFFFD")
	if blank(user) && blank(assistant) {
		return store.Turn{}, Hint(memory.ErrInvalid, "the turn is empty", `a turn is {"user":"…","assistant":"…"}`)
	}
	for _, side := range []string{user, assistant} {
		if n := utf8.RuneCountInString(side); n > maxExchange {
			return store.Turn{}, Hint(memory.ErrInvalid, fmt.Sprintf("one side of the turn has %d characters, at most %d are kept", n, maxExchange), "retain what was said, without attachments")
		}
	}
	m := memory.Memory{CreatedAt: now, Importance: memory.DefaultImportance, Session: x.Session, Source: x.Source}
	if !x.At.IsZero() {
		m.CreatedAt = x.At
	}
	if err := check(&m); err != nil {
		return store.Turn{}, err
	}
	t := store.Turn{
		User: secret.Mask(user), Assistant: secret.Mask(assistant), At: whole(m.CreatedAt),
		Session: x.Session, Private: x.Private, Source: x.Source,
	}
	if x.Source != "" {
		t.ID = store.TurnID(x.Source)
	}
	return t, nil
}

// Waiting is a turn of the queue.
type Waiting struct {
	ID        string `json:"id"`
	User      string `json:"user"`
	Assistant string `json:"assistant"`
	At        Time   `json:"at"`
	Session   string `json:"session"`
	Private   bool   `json:"private"`
	Tries     int    `json:"tries"`
	Reason    string `json:"reason"`
}

// Queue is the turns that wait for distillation, and those set aside because five
// answers about them were none.
type Queue struct {
	Turns    []Waiting `json:"turns"`
	SetAside []Waiting `json:"setAside"`
}

// Queue gives the queue, oldest first. It exists for the owner alone.
func (b *Bank) Queue() (Queue, error) {
	if err := b.mayDump("queue"); err != nil {
		return Queue{}, err
	}
	out := Queue{Turns: []Waiting{}, SetAside: []Waiting{}}
	turns, _, err := b.store.Queue()
	for _, t := range turns {
		w := Waiting{ID: t.ID, User: t.User, Assistant: t.Assistant, At: Time{t.At}, Session: t.Session, Private: t.Private, Tries: t.Tries, Reason: t.Reason}
		if t.SetAside {
			out.SetAside = append(out.SetAside, w)
		} else {
			out.Turns = append(out.Turns, w)
		}
	}
	return out, err
}
