package httpapi

import (
	"net/http"
	"strings"

	"plastic"
)

// prompt gives the section of a turn. As plain JSON it is for looking at: it
// answers at once and counts nothing. As an event stream it is what a turn reads:
// while the memory sleeps an event sleeping, then awake; then one event prompt,
// whose data is the same JSON on one line.
func prompt(c *call) error {
	turn := plastic.Turn{Text: c.query.Get("q"), Session: c.query.Get("session")}
	if !wantsStream(c.r) {
		turn.NoRehearse = true
		got, err := c.bank.Prompt(c.r.Context(), turn)
		if err != nil {
			return err
		}
		_ = writeJSON(c.w, http.StatusOK, got)
		return nil
	}
	if c.r.Method == http.MethodHead {
		c.openStream()
		return nil
	}
	if !c.bank.Sleeping() { // a failure can still be one by its status
		got, err := c.bank.Prompt(c.r.Context(), turn)
		if err != nil {
			return err
		}
		_ = c.openStream().event("prompt", got)
		return nil
	}
	out := c.openStream()
	if err := c.untilAwake(out); err != nil {
		return nil // the reader is gone
	}
	got, err := c.bank.Prompt(c.r.Context(), turn)
	if err != nil {
		_, f := failureOf(err, c.bank.Audience(), c.bank.Dir())
		_ = out.event("failed", f)
		return nil
	}
	_ = out.event("prompt", got)
	return nil
}

// wantsStream reports whether the Accept header asks for an event stream.
func wantsStream(r *http.Request) bool {
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			media, params, _ := strings.Cut(part, ";")
			refused := strings.Contains(strings.ReplaceAll(params, " ", "")+";", "q=0;")
			if strings.EqualFold(strings.TrimSpace(media), "text/event-stream") && !refused {
				return true
			}
		}
	}
	return false
}
