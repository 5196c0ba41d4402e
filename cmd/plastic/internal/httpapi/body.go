package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"plastic"
	"plastic/memory"
)

const (
	smallBody   = 64 << 10 // up to here a body is read whoever else sends one
	largeBodies = 16       // how many larger ones may be on their way at once
	largeSets   = 4        // how many answers may be made and sent at once that hold the whole memory
)

// readBody reads the body to its end. Bodies that come slowly wait for one another
// where they are large, so that many of them take no more memory than a few.
func (c *call) readBody() ([]byte, error) {
	body := http.MaxBytesReader(c.w, c.r.Body, maxBody)
	text, err := io.ReadAll(io.LimitReader(body, smallBody))
	if err == nil && len(text) == smallBody {
		leave, full := c.s.enter(c.r, c.s.bodies)
		if full != nil {
			return nil, full
		}
		defer leave()
		var rest bytes.Buffer
		if n := c.r.ContentLength - smallBody; n > 0 && n <= maxBody {
			rest.Grow(int(n))
		}
		_, err = rest.ReadFrom(body)
		text = append(text, rest.Bytes()...)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, withStatus(http.StatusRequestEntityTooLarge, memory.ErrInvalid, fmt.Sprintf("the body is larger than %d bytes", maxBody), "")
	case err != nil:
		return nil, plastic.Hint(memory.ErrUsage, "the body could not be read to its end", "")
	}
	c.s.conns.now(c.r, answering)
	return text, nil
}

// enter waits for a place among those who do the same, and fails with memory.ErrBusy
// where none becomes free in time.
func (s *Server) enter(r *http.Request, places chan struct{}) (leave func(), err error) {
	wait, cancel := context.WithTimeout(r.Context(), s.opts.Patience)
	defer cancel()
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-wait.Done():
		return nil, plastic.Hint(memory.ErrBusy, "too many ask for as much at once", "come back later")
	}
}
