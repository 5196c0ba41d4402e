package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plastic"
	"plastic/memory"
)

// lowering is part of every body: who reads the answer, if that is less than
// what the token says.
type lowering struct {
	Audience named `json:"audience"`
	Public   bool  `json:"public"`
}

func (l *lowering) lower(b *plastic.Bank) (*plastic.Bank, error) {
	if l.Public {
		b = b.For(memory.Public)
	}
	if !l.Audience.given {
		return b, nil
	}
	a, err := parseAudience(l.Audience.text)
	if err != nil {
		return b.For(memory.Public), err
	}
	return b.For(a), nil
}

// named is a text of which it matters whether it was given: null is no audience.
type named struct {
	text  string
	given bool
}

// UnmarshalJSON takes a text and refuses all else.
func (n *named) UnmarshalJSON(b []byte) error {
	n.given = true
	if string(b) == "null" {
		return nil // no audience is called so
	}
	return json.Unmarshal(b, &n.text)
}

func parseAudience(text string) (memory.Audience, error) {
	a, err := memory.ParseAudience(text)
	if err != nil {
		return "", plastic.Hint(memory.ErrUsage, "there is no such audience", "trusted, owner or public; or leave it out")
	}
	return a, nil
}

type lowered interface {
	lower(*plastic.Bank) (*plastic.Bank, error)
}

// decode reads the query and the body of a request for rt, and lowers the
// audience by what they say.
func (c *call) decode(rt *route) error {
	if err := c.decodeQuery(rt); err != nil {
		return err
	}
	if err := rt.admits(c.bank.Audience()); err != nil {
		return err
	}
	if err := c.decodeBody(rt); err != nil {
		return err
	}
	return rt.admits(c.bank.Audience()) // the body may have lowered it
}

func (c *call) decodeQuery(rt *route) (err error) {
	if c.query, err = url.ParseQuery(c.r.URL.RawQuery); err != nil {
		return plastic.Hint(memory.ErrUsage, "the query of the address can not be read", "")
	}
	kinds := map[string]param{"audience": {many: true}, "public": {many: true}}
	names := []string{}
	for _, p := range rt.query {
		kinds[p.name], names = p, append(names, p.name)
	}
	for name, values := range c.query {
		p, ok := kinds[name]
		if !ok {
			return plastic.Hint(memory.ErrUsage, "this address takes no parameter of that name", "it takes "+strings.Join(append(names, "audience", "public"), ", "))
		}
		if len(values) > 1 && !p.many {
			return plastic.Hint(memory.ErrUsage, name+" is given twice", "")
		}
	}
	for _, text := range c.query["audience"] {
		a, err := parseAudience(text)
		if err != nil {
			return err
		}
		c.bank = c.bank.For(a)
	}
	for _, text := range c.query["public"] {
		switch text {
		case "true":
			c.bank = c.bank.For(memory.Public)
		case "false":
		default:
			return plastic.Hint(memory.ErrInvalid, "public is neither true nor false", "")
		}
	}
	return nil
}

// decodeBody reads the body as one JSON object with known fields. An empty one
// leaves everything at its default.
func (c *call) decodeBody(rt *route) error {
	if c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		c.s.conns.now(c.r, answering)
		return nil
	}
	text, err := c.readBody()
	if err != nil {
		return err
	}
	if len(text) > 0 {
		if media, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || media != "application/json" {
			return withStatus(http.StatusUnsupportedMediaType, memory.ErrUsage, "the body is not said to be JSON", "send it with Content-Type: application/json")
		}
	}
	c.body = rt.body
	if c.body == nil {
		c.body = new(struct{ lowering })
	} else {
		c.body = fresh(rt.body)
	}
	if len(strings.TrimSpace(string(text))) > 0 {
		if err := decodeJSON(text, c.body); err != nil {
			return err
		}
	}
	if l, ok := c.body.(lowered); ok {
		c.bank, err = l.lower(c.bank)
	}
	return err
}

// decodeJSON reads text into v. Its errors name fields and never show values.
func decodeJSON(text []byte, v any) error {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return plastic.Hint(memory.ErrInvalid, strings.TrimPrefix(kind.Field, "lowering.")+" is not "+inWords(kind.Type.Kind().String()), "")
	case errors.As(err, &kind):
		return plastic.Hint(memory.ErrInvalid, "the body is not a JSON object of the right fields", "")
	case err != nil && strings.HasPrefix(err.Error(), "json: unknown field "):
		return plastic.Hint(memory.ErrUsage, "the body has a field that is not known here", "it takes "+strings.Join(fieldsOf(v), ", "))
	case err != nil:
		return plastic.Hint(memory.ErrUsage, "the body is not JSON", "")
	}
	if _, err := dec.Token(); err != io.EOF {
		return plastic.Hint(memory.ErrUsage, "the body is more than one JSON object", "")
	}
	return nil
}

func inWords(kind string) string {
	switch kind {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	}
	return "of the right type"
}

// The readers of query parameters. What is not given is the zero value.

func (c *call) flag(name string) (bool, error) {
	switch text := c.query.Get(name); {
	case text == "true":
		return true, nil
	case text == "false", !c.query.Has(name):
		return false, nil
	}
	return false, plastic.Hint(memory.ErrInvalid, name+" is neither true nor false", "")
}

func (c *call) number(name string, low, high, otherwise int) (int, error) {
	if !c.query.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(c.query.Get(name))
	if err != nil {
		return 0, plastic.Hint(memory.ErrInvalid, name+" is not a whole number", "")
	}
	return n, within(name, n, low, high)
}

func within(name string, n, low, high int) error {
	if n < low || n > high {
		return plastic.Hint(memory.ErrInvalid, fmt.Sprintf("%s is not between %d and %d", name, low, high), "")
	}
	return nil
}

// moment reads RFC 3339, or a bare date as midnight in the folder's zone.
func (c *call) moment(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	t, err := time.ParseInLocation(time.DateOnly, text, c.s.config().Memory.Location())
	if err != nil {
		return t, plastic.Hint(memory.ErrInvalid, name+" is no time", "give RFC 3339, such as 2026-11-28T12:00:00Z, or a date")
	}
	return t, nil
}
