package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// breaker keeps an endpoint that does not answer from costing every call its time:
// after three misses in a row nothing is asked for a while, then one call tries.
type breaker struct {
	mu     sync.Mutex // guards all below
	misses int
	until  time.Time
}

const (
	mostMisses = 3
	firstPause = 15 * time.Second
	mostPause  = 10 * time.Minute
)

func (c *Client) breaker(where string) *breaker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.breakers[where] == nil {
		c.breakers[where] = &breaker{}
	}
	return c.breakers[where]
}

// open fails while nothing is to be asked. When the pause is over one call is let
// through, and those after it until it is answered wait out another pause.
func (b *breaker) open(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.misses < mostMisses {
		return nil
	}
	if now.Before(b.until) {
		return fmt.Errorf("did not answer %d times, it is not asked until %s", b.misses, b.until.UTC().Format(time.TimeOnly+"Z"))
	}
	b.until = now.Add(firstPause)
	return nil
}

func (b *breaker) reached() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.misses = 0
}

// ended counts a call that had no answer. A refusal that came at once costs no time; a
// 500 may come of one text; a caller that went away says nothing about the endpoint.
func (b *breaker) ended(ctx context.Context, bad *status, now time.Time, asked time.Duration) {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
	case bad == nil || retried(bad.code) && bad.code != http.StatusInternalServerError:
		b.missed(now, asked)
	case bad.code < 500:
		b.reached()
	}
}

// missed counts a call without an answer; asked is how long the endpoint wants to be
// left alone.
func (b *breaker) missed(now time.Time, asked time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.misses++
	if b.misses >= mostMisses {
		b.until = now.Add(min(max(firstPause<<min(b.misses-mostMisses, 8), asked), mostPause))
	}
}
