package httpapi

import (
	"net/http"
	"strings"

	"plastic"
)

// prompt gives the section of a turn. As plain JSON it is for looking at. As an
// event stream it is what a turn reads: one event prompt, whose data is the same
// JSON on one line.
func prompt(c *call) error {
	turn := plastic.Turn{Text: c.query.Get("q"), Session: c.query.Get("session")}
	if !wantsStream(c.r) {
		got, err := c.bank.Prompt(c.r.Context(), turn)
		if err != nil {
			return err
		}
		_ = writeJSON(c.w, http.StatusOK, got)
		return nil
	}
	got, err := c.bank.Prompt(c.r.Context(), turn)
	if err != nil {
		return err
	}
	out := c.openStream()
	if c.r.Method != http.MethodHead {
		_ = out.event("prompt", got)
	}
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
