package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) retainCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "retain",
		Short: "Keep a turn of the conversation for distillation",
		Long: "Reads a turn from stdin, a JSON object, and puts it into the queue, on disk when it\n" +
			"returns. It asks no model and opens no connection; `plastic flush` makes facts of\n" +
			"what waits. With the channel or its retaining off nothing is queued.",
		Example: `  echo '{"user":"I keep two cats","assistant":"How lovely!"}' | plastic retain`,
		Args:    count(0, 0, "no words: the turn comes on stdin"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			raw, err := a.bytes(cmd.Context())
			if err != nil {
				return err
			}
			return a.with(writes, func(b *plastic.Bank) error {
				x, err := readExchange(raw, location(b))
				if err != nil {
					return err
				}
				got, err := b.Retain(cmd.Context(), x)
				if err != nil {
					return err
				}
				if a.flags.json {
					return a.answer(got, nil)
				}
				return nil
			})
		},
	}
}

const exampleTurn = `a turn is {"user":"…","assistant":"…"}, with "at", "session" and "private" where they are known`

// readExchange reads a turn as it comes on stdin.
func readExchange(raw []byte, loc *time.Location) (plastic.Exchange, error) {
	var in struct {
		User, Assistant string
		At              json.RawMessage
		Session         string
		Private         json.RawMessage
	}
	raw = bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\xef\xbb\xbf"))
	if len(raw) == 0 {
		return plastic.Exchange{}, plastic.Hint(memory.ErrInvalid, "there is no turn on stdin", exampleTurn)
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return plastic.Exchange{}, plastic.Hint(memory.ErrInvalid, "stdin holds no turn: "+whyNoTurn(err), exampleTurn)
	}
	x := plastic.Exchange{User: in.User, Assistant: in.Assistant, Session: in.Session}
	// Any private other than absent or false is private.
	switch string(in.Private) {
	case "", "false", "null":
	default:
		x.Private = true
	}
	if len(in.At) > 0 && string(in.At) != "null" && string(in.At) != `""` {
		var err error
		if x.At, err = saidAt(in.At, loc); err != nil {
			return x, err
		}
	}
	return x, nil
}

// saidAt reads when a turn was: a number since 1970, or a time, which is one of loc where it
// names no zone.
func saidAt(raw json.RawMessage, loc *time.Location) (time.Time, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.DateTime} {
			if at, err := time.ParseInLocation(layout, text, loc); err == nil && !at.IsZero() {
				return at, nil
			}
		}
	}
	if at, ok := memory.ParseTime(string(raw)); ok && !at.IsZero() {
		return at, nil
	}
	return time.Time{}, plastic.Hint(memory.ErrInvalid, fmt.Sprintf("at %s is no time", quote(string(raw))), "RFC 3339, a date, or a number of seconds or milliseconds since 1970")
}

// whyNoTurn says in words what is wrong with a turn's JSON.
func whyNoTurn(err error) string {
	var other *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &other):
		return err.Error()
	case other.Field == "":
		return "it is " + withArticle(other.Value) + ", not an object"
	}
	return strings.ToLower(other.Field) + " is " + withArticle(other.Value) + ", not a text"
}

func withArticle(kind string) string {
	kind, _, _ = strings.Cut(kind, " ")
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}

func (a *app) queueCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "queue",
		Short: "The turns that wait for distillation, and those set aside",
		Args:  count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Queue()
				if err != nil {
					return err
				}
				loc := location(b)
				return a.answer(got, func(w io.Writer) {
					for _, t := range got.Turns {
						fmt.Fprintf(w, "%s  %s  %s\n", t.ID, day(t.At, loc), firstOf(t.User, t.Assistant))
					}
					if len(got.SetAside) > 0 {
						fmt.Fprintln(w, "set aside, as no answer about them was usable (`plastic flush --retry` tries them again):")
					}
					for _, t := range got.SetAside {
						fmt.Fprintf(w, "%s  %s  %s\n    %s\n", t.ID, day(t.At, loc), firstOf(t.User, t.Assistant), oneLine(t.Reason))
					}
					if len(got.Turns)+len(got.SetAside) == 0 {
						fmt.Fprintln(w, "nothing waits")
					}
				})
			})
		},
	}
}

// firstOf is the beginning of a turn on one line.
func firstOf(user, assistant string) string {
	s := oneLine(user)
	if s == "" {
		s = oneLine(assistant)
	}
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return s
}
