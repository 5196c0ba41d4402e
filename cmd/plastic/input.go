package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

// maxText bounds a text on stdin, in bytes; more is no message and no memory.
const maxText = 4 << 20

// text is what a verb was given to read: its words joined by single spaces, or
// stdin where the only word is - or where there is none and stdin is a pipe or
// a file. After -- a dash is a dash.
func (a *app) text(cmd *cobra.Command, args []string) (string, error) {
	switch {
	case len(args) == 1 && args[0] == "-" && cmd.ArgsLenAtDash() != 0:
		return a.stdin(cmd.Context())
	case len(args) == 0 && a.piped():
		return a.stdin(cmd.Context())
	}
	return strings.Join(args, " "), nil
}

// stdin is the whole of stdin but for one final newline.
func (a *app) stdin(ctx context.Context) (string, error) {
	b, err := a.bytes(ctx)
	if err != nil {
		return "", err
	}
	s, ok := strings.CutSuffix(string(b), "\n")
	if ok {
		s = strings.TrimSuffix(s, "\r")
	}
	return s, nil
}

// bytes is stdin as it stands.
func (a *app) bytes(ctx context.Context) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(patient{ctx, a.in}, maxText+1))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("read stdin: %w", err)
	}
	if len(b) > maxText {
		return nil, plastic.Hint(memory.ErrInvalid, fmt.Sprintf("stdin holds more than %d bytes", maxText), "")
	}
	return b, nil
}

// patient reads from r until ctx is done: who waits at a terminal for a text that
// does not come can be interrupted.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(b)) // the reader may still write to it when nobody waits
	done := make(chan result, 1)
	go func() {
		n, err := p.r.Read(own)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(b, own[:got.n]), got.err
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
}

// piped reports whether somebody feeds stdin: it is neither a terminal nor
// another device.
func (a *app) piped() bool {
	f, ok := a.in.(*os.File)
	if !ok {
		return a.in != nil
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice == 0
}

// parseTime reads RFC 3339, or a bare date as midnight in loc. The first moment
// of the year 1 is none: it is how an absent time is written.
func parseTime(name, text string, loc *time.Location) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	for _, local := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if err != nil {
			t, err = time.ParseInLocation(local, text, loc)
		}
	}
	if err == nil && !t.IsZero() {
		return t, nil
	}
	return time.Time{}, plastic.Hint(memory.ErrInvalid, name+" "+quote(text)+" is not a time", "write 2026-11-28T21:40:00+03:00, 2026-11-28 21:40 for that time here, or 2026-11-28 for its midnight")
}

// optionalTime is parseTime for a flag that may be absent.
func optionalTime(name, text string, loc *time.Location) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return parseTime(name, text, loc)
}
