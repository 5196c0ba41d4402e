// Package distill turns what was said in one turn of a conversation into facts worth
// keeping: it makes the question for a model and reads its answer. It calls nothing
// and stores nothing.
//
//	t = distill.Strip(t, injected)
//	if distill.Idle(t.User) { … there is nothing to learn … }
//	reply, err := chat(ctx, distill.Ask(t, near, p))
//	got, err := distill.Read(reply, t, near, p)
//
// Three outcomes are kept apart: no answer (the error of chat), an answer that is none
// (an error of Read that wraps memory.ErrModel), and facts, which may be none.
package distill

import (
	"time"

	"plastic/memory"
)

// Turn is what was said.
type Turn struct {
	User, Assistant string
	At              time.Time // when; dates in the facts count from it
	Private         bool      // all its facts are private
}

// Params bound what is asked and taken.
type Params struct {
	Location   *time.Location // whose days are meant; nil: UTC
	MaxContent int            // characters of one fact
}

// MaxFacts is how many facts one turn may give.
const MaxFacts = 5

// Fact is one thing to keep.
type Fact struct {
	Content    string
	Kind       memory.Kind // fact or event
	Importance float64     // 0…1
	Private    bool
	Speaker    string // who said it, "" if the model did not tell
	Supersedes string // id of a known memory that this takes the place of, or ""
}

// Refusal is a fact that was not taken.
type Refusal struct{ Content, Why string }

// Result is what a turn gave.
type Result struct {
	Facts   []Fact
	Refused []Refusal
}

func (p *Params) location() *time.Location {
	if p.Location == nil {
		return time.UTC
	}
	return p.Location
}
