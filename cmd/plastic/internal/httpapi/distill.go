package httpapi

import "plastic"

// exchangeBody is a turn to keep.
type exchangeBody struct {
	User      string `json:"user"`
	Assistant string `json:"assistant"`
	At        string `json:"at"`
	Session   string `json:"session"`
	Private   bool   `json:"private"`
	lowering
}

func retain(c *call) (any, error) {
	b := c.body.(*exchangeBody)
	at, err := c.moment("at", b.At)
	if err != nil {
		return nil, err
	}
	return c.bank.Retain(c.r.Context(), plastic.Exchange{User: b.User, Assistant: b.Assistant, At: at, Session: b.Session, Private: b.Private})
}

func queue(c *call) (any, error) { return c.bank.Queue() }

type flushBody struct {
	Retry bool `json:"retry"`
	lowering
}

func flush(c *call) (any, error) {
	return c.bank.Flush(c.r.Context(), plastic.Flushing{Retry: c.body.(*flushBody).Retry})
}

type reindexBody struct {
	Measure bool `json:"measure"`
	lowering
}

func reindex(c *call) (any, error) {
	return c.bank.Reindex(c.r.Context(), plastic.Reindexing{Probe: true, Measure: c.body.(*reindexBody).Measure})
}

func network(c *call) (any, error) { return c.bank.Network() }
