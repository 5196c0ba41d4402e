package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"plastic/memory"
)

// stream is an answer of server-sent events. Each event is its name and one line
// of JSON: whatever line breaks a text holds, they are escaped in it, so that no
// text can end an event or forge one.
type stream struct {
	w        http.ResponseWriter
	rc       *http.ResponseController
	patience time.Duration
}

// openStream sends the headers. From there on only the stream's own limit holds:
// a reader that does not take an event within Options.Patience is dropped.
func (c *call) openStream() *stream {
	out := &stream{c.w, http.NewResponseController(c.w), c.s.opts.Patience}
	c.s.conns.now(c.r, streaming)
	_ = out.rc.SetReadDeadline(time.Time{})
	h := c.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("X-Accel-Buffering", "no")
	c.w.WriteHeader(http.StatusOK)
	return out
}

// event sends v under name and waits until it is on its way.
func (s *stream) event(name string, v any) error {
	var b strings.Builder
	b.WriteString("event: " + name + "\ndata: ")
	if err := memory.WriteJSON(&b, v); err != nil {
		return err
	}
	return s.send(b.String() + "\n")
}

// beat is a sign of life: a comment, which readers pass over.
func (s *stream) beat() error { return s.send(":\n\n") }

func (s *stream) send(text string) error {
	if err := s.rc.SetWriteDeadline(time.Now().Add(s.patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.rc.Flush()
}
