package httpapi

import (
	"net/http"
	"time"

	"plastic"
	"plastic/memory"
)

// hello opens a stream of events.
type hello struct {
	Audience memory.Audience `json:"audience"`
	Sleeping bool            `json:"sleeping"`
}

// events streams what changes until the reader goes, falls behind, or the server
// stops. Events hold ids and counts of what the audience may see, never a text.
func events(c *call) error {
	if c.r.Method == http.MethodHead {
		c.openStream()
		return nil
	}
	mine, err := c.s.hub.join(c.bank)
	if err != nil {
		c.w.Header().Set("Retry-After", "5")
		return plastic.Hint(memory.ErrBusy, "there are too many streams at once", "close one, or come back later")
	}
	defer c.s.hub.leave(mine)
	c.s.metrics.streams.Inc()
	defer c.s.metrics.streams.Dec()

	out := c.openStream()
	if err := out.event("hello", hello{c.bank.Audience(), mine.asleep}); err != nil {
		return nil // the reader is gone
	}
	beat := time.NewTicker(c.s.opts.Beat)
	defer beat.Stop()
	for {
		select {
		case e, ok := <-mine.events:
			if !ok || out.event(e.name, e.data) != nil {
				return nil
			}
		case <-beat.C:
			if out.beat() != nil {
				return nil
			}
		case <-c.r.Context().Done():
			return nil
		case <-c.s.quit:
			return nil
		}
	}
}
