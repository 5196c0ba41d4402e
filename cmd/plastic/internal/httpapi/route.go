package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"plastic"
	"plastic/memory"
)

// route is one method of one path: what it takes, what it answers and who does
// it. openapi.go describes the server from these and nothing else.
type route struct {
	method, path string
	says         string  // one sentence
	query        []param // beside audience and public
	body         any     // a pointer to what the body is decoded into; nil: none is read
	answer       any     // what it answers with as JSON; nil: not JSON
	status       int     // of a success; 0: 200
	free         bool    // of the page: any query, no audience
	who          who     // may ask
	all          bool    // the answer holds the whole memory, or comes of a look at all of it
	do           func(c *call) (any, error)
	stream       func(c *call) error // in place of do: writes the answer itself
}

func (r *route) pattern() string { return r.method + " " + r.path }

// who may ask a route; the Bank itself is the judge of anyone's.
type who int

const (
	anyone  who = iota
	writers     // all but the public
	owner       // the owner, alone
)

// admits refuses an audience that may not ask, before its body is looked at.
func (r *route) admits(a memory.Audience) error {
	verb := r.method + " " + r.path
	switch r.who {
	case owner:
		return plastic.OwnerAlone(a, verb)
	case writers:
		return plastic.Writer(a, verb)
	}
	return nil
}

// param is one query parameter.
type param struct {
	name, kind, says string // kind: string, integer, boolean or time
	many             bool
}

// call is one request on its way through a route.
type call struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	bank  *plastic.Bank // as the one who reads the answer sees it
	query url.Values
	body  any
	code  int // of the answer, where the route's own status is not it
}

func (s *Server) mount() {
	s.mux, s.routes = http.NewServeMux(), map[string]*route{}
	for _, r := range s.table() {
		s.routes[r.pattern()] = r
		s.mux.HandleFunc(r.pattern(), func(http.ResponseWriter, *http.Request) {})
	}
}

// find gives the route of r and fills in its path values, or gives the failure
// that says what there is instead.
func (s *Server) find(w http.ResponseWriter, r *http.Request) (*route, error) {
	clean := path.Clean(r.URL.EscapedPath()) == r.URL.EscapedPath()
	_, pattern := s.mux.Handler(r)
	if rt := s.routes[pattern]; clean && rt != nil && !reserved(rt, r) {
		s.mux.ServeHTTP(w, r) // fills in the path values, does nothing else
		return rt, nil
	}
	var allowed []string
	if clean {
		allowed = s.methods(r)
	}
	if len(allowed) == 0 {
		return nil, withStatus(http.StatusNotFound, memory.ErrNotFound, "there is nothing at this address", "/v1/openapi.json lists what there is")
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return nil, withStatus(http.StatusMethodNotAllowed, memory.ErrUsage, "this address does not take "+known(r.Method), "it takes "+strings.Join(allowed, ", "))
}

// reserved keeps the words that are addresses of their own from being read as
// the beginning of an id: DELETE /v1/memories/search forgets nothing.
func reserved(rt *route, r *http.Request) bool {
	last := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	return rt.path == "/v1/memories/{id}" && slices.Contains([]string{"search", "prompt", "archive"}, last)
}

// methods are those that the address of r takes.
func (s *Server) methods(r *http.Request) []string {
	var out []string
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		other := r.WithContext(r.Context())
		other.Method = m
		_, pattern := s.mux.Handler(other)
		if rt := s.routes[pattern]; rt != nil && !reserved(rt, r) {
			out = append(out, m)
			if m == "GET" {
				out = append(out, "HEAD")
			}
		}
	}
	if len(out) > 0 {
		out = append(out, "OPTIONS")
	}
	return out
}

// known is a method as it may stand in a log or a label.
func known(method string) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"}, method) {
		return method
	}
	return "another method"
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	seen := &seen{ResponseWriter: w, patience: s.opts.Patience}
	where, audience := "none", memory.Public // the route and the audience, for the log
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			s.log.Error("panic", "route", where, "of", fmt.Sprintf("%T", p))
			if seen.status == 0 {
				_ = writeJSON(seen, http.StatusInternalServerError, failure{Error: "this went wrong inside the server", Code: "io"})
			}
		}
		s.done(r, where, audience, seen, time.Since(began))
	}()
	guard(seen.Header())
	if r.URL.Path == "/mcp" && s.mcp != nil {
		where = "/mcp"
	}
	var err error
	if audience, err = s.serve(seen, r, &where); err != nil && seen.status == 0 {
		status, f := failureOf(err, audience, s.bank.Dir())
		if status == http.StatusServiceUnavailable && seen.Header().Get("Retry-After") == "" {
			seen.Header().Set("Retry-After", "1")
		}
		if status == http.StatusInternalServerError {
			s.log.Error("failed", "route", where, "code", f.Code, "what", inside(err))
		}
		_ = writeJSON(seen, status, f)
	}
}

// serve carries r through its route; where becomes the route's pattern.
func (s *Server) serve(w *seen, r *http.Request, where *string) (memory.Audience, error) {
	rt, missing := s.find(w, r)
	if err := s.gate.check(r, rt != nil && rt.free); err != nil {
		return memory.Public, err
	}
	if rt != nil {
		*where = rt.path
	}
	if rt != nil && rt.free {
		s.conns.now(r, answering)
		return memory.Public, rt.stream(&call{s: s, w: w, r: r})
	}
	mcp := r.URL.Path == "/mcp" && s.mcp != nil
	if missing != nil && !mcp {
		if allow := w.Header().Get("Allow"); r.Method == http.MethodOptions && allow != "" {
			w.WriteHeader(http.StatusNoContent)
			return memory.Public, nil
		}
		return memory.Public, missing
	}
	audience, err := s.gate.audience(r)
	if err != nil {
		return memory.Public, err
	}
	c := &call{s: s, w: w, r: r, bank: s.bank.For(s.opts.Audience).For(audience)}
	if mcp {
		err := c.passOn(s.mcp)
		return c.bank.Audience(), err
	}
	if err := c.decode(rt); err != nil {
		return c.bank.Audience(), err
	}
	w.Header().Set("Plastic-Audience", string(c.bank.Audience()))
	return c.bank.Audience(), c.answer(rt)
}

func (c *call) answer(rt *route) error {
	if rt.stream != nil {
		return rt.stream(c)
	}
	if rt.all {
		leave, err := c.s.enter(c.r, c.s.sets)
		if err != nil {
			return err
		}
		defer leave()
	}
	v, err := rt.do(c)
	if err != nil {
		return err
	}
	if rt.method != http.MethodGet {
		c.s.hub.look()
	}
	if err := writeJSON(c.w, or(c.code, or(rt.status, http.StatusOK)), v); err != nil {
		return nil // the reader is gone; there is nobody to tell
	}
	return nil
}

// passOn lets the MCP server answer, for the Bank of this request.
func (c *call) passOn(to http.Handler) error {
	if err := c.decodeQuery(&route{}); err != nil {
		return err
	}
	if c.r.Method == http.MethodPost {
		text, err := c.readBody()
		if err != nil {
			return err
		}
		c.r.Body = io.NopCloser(bytes.NewReader(text))
	}
	to.ServeHTTP(c.w, c.r.WithContext(context.WithValue(c.r.Context(), bankKey{}, c.bank.By("mcp"))))
	c.s.hub.look()
	return nil
}

// bankKey carries the Bank of a request to the handler of /mcp.
type bankKey struct{}

func bankOf(ctx context.Context) *plastic.Bank {
	b, _ := ctx.Value(bankKey{}).(*plastic.Bank)
	return b
}

// guard sets what holds for every answer: it is nobody else's to embed, to keep
// or to guess the type of.
func guard(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
}
