// Package model calls OpenAI-compatible endpoints: chat with one tool, embeddings,
// rerank. It calls nothing that is not configured, keeps keys and what was sent out of
// every error, and takes answers in all the forms that are met in the field. What an
// answer means is for others to say.
//
//	c := model.New(model.Settings{Chat: chat, Embed: embed, Key: os.Getenv, Timeout: time.Minute})
//	reply, err := c.Chat(ctx, memory.Ask{System: "…", User: "…", Tool: tool})
//	vectors, err := c.Embed(ctx, []string{"she keeps two cats"})
//
// Errors wrap memory.ErrNoModel where nothing is configured, memory.ErrModel for an
// answer that is none, and memory.ErrUnreached where nothing is said about what was
// asked: refused connections, timeouts, 401, 403, 404, 408, 429, 5xx.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plastic/config"
	"plastic/memory"
)

// Settings say what is called, and how.
type Settings struct {
	Chat, Embed, Rerank config.Endpoint
	Key                 func(name string) string // the value of a variable that holds a key; nil: no keys
	Timeout             time.Duration            // of one call with all its attempts, where ctx has no nearer end; 0: a minute
	Attempts            int                      // at most so many times a call is made; 0: 3
	Now                 func() time.Time         // nil: time.Now
	Transport           http.RoundTripper        // nil: http.DefaultTransport
	Trace               func(Call)               // told of every request before it is made; nil: nobody
}

// Call is one request.
type Call struct {
	URL   string
	Model string
}

// Client calls the endpoints of its Settings. Its methods may be called at once from
// several goroutines.
type Client struct {
	s        Settings
	http     *http.Client
	embeds   atomic.Bool // a vector was given once: address, model and key are right
	mu       sync.Mutex  // guards all below
	breakers map[string]*breaker
	refused  map[string]map[string]bool // by URL and model: fields that it does not take
}

// New gives a client. It opens no connection.
func New(s Settings) *Client {
	if s.Timeout <= 0 {
		s.Timeout = time.Minute
	}
	if s.Attempts <= 0 {
		s.Attempts = 3
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	return &Client{
		s:        s,
		http:     &http.Client{Transport: s.Transport, CheckRedirect: sameHost},
		breakers: map[string]*breaker{},
		refused:  map[string]map[string]bool{},
	}
}

// sameHost follows a redirect only where it stays with whom the key is for.
func sameHost(r *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || r.URL.Host != first.URL.Host || r.URL.Scheme != first.URL.Scheme || r.Method != first.Method {
		return http.ErrUseLastResponse
	}
	return nil
}

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 64 << 20

// answer is what came back with status 200.
type answer struct {
	body   []byte
	stream bool // text/event-stream
	cut    bool // it broke off
}

// status is an answer with another status.
type status struct {
	code  int
	body  []byte
	after time.Duration // Retry-After
}

// call posts fields to path below the endpoint's base and gives the answer. Fields that
// the endpoint refuses and may be done without are left out, once each, and from then on.
func (c *Client) call(ctx context.Context, e config.Endpoint, path string, fields map[string]any, optional ...string) (answer, error) {
	if !e.On() {
		return answer{}, memory.ErrNoModel
	}
	where, err := join(e.Base, path)
	if err != nil {
		return answer{}, memory.Errorf(memory.ErrInvalid, "%q is no address of an endpoint", e.Base)
	}
	ctx, cancel := context.WithTimeout(ctx, c.s.Timeout)
	defer cancel()
	name := where + " " + e.Model
	var without []string
	for _, f := range optional {
		if c.refuses(name, f) {
			delete(fields, f)
		}
	}
	for {
		body, err := json.Marshal(fields)
		if err != nil {
			return answer{}, fmt.Errorf("write the request: %w", err)
		}
		got, bad, err := c.attempts(ctx, e, where, body)
		if err != nil {
			return answer{}, err
		}
		if bad == nil {
			c.refuse(name, without) // it was these: without them there is an answer
			return got, nil
		}
		f := refusedField(bad, fields, optional)
		if f == "" {
			return answer{}, bad.asError(where, string(body), c.key(e))
		}
		delete(fields, f)
		without = append(without, f)
	}
}

// refusedField is the optional field that an endpoint seems not to take: one that its
// answer names, else the first that was sent.
func refusedField(bad *status, fields map[string]any, optional []string) string {
	if bad.code != http.StatusBadRequest && bad.code != http.StatusUnprocessableEntity && bad.code != http.StatusNotImplemented {
		return ""
	}
	said := strings.ToLower(string(bad.body))
	first := ""
	for _, f := range optional {
		if _, sent := fields[f]; !sent {
			continue
		}
		if strings.Contains(said, f) || strings.Contains(said, strings.ReplaceAll(f, "_", " ")) {
			return f
		}
		if first == "" {
			first = f
		}
	}
	return first
}

func (c *Client) refuses(name, field string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused[name][field]
}

func (c *Client) refuse(name string, fields []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range fields {
		if c.refused[name] == nil {
			c.refused[name] = map[string]bool{}
		}
		c.refused[name][f] = true
	}
}

// attempts makes the request until there is an answer to it, as often as is allowed. A
// status that says something about the request is given back as bad.
func (c *Client) attempts(ctx context.Context, e config.Endpoint, where string, body []byte) (got answer, bad *status, err error) {
	b := c.breaker(where)
	if err := b.open(c.s.Now()); err != nil {
		return answer{}, nil, fmt.Errorf("%w %s %w", memory.ErrUnreached, where, err)
	}
	for n := 1; ; n++ {
		if c.s.Trace != nil {
			c.s.Trace(Call{URL: where, Model: e.Model})
		}
		got, bad, err = c.once(ctx, e, where, body)
		passing := err != nil || bad != nil && passes(bad.code)
		if !passing {
			b.reached()
			return got, bad, nil
		}
		var wait time.Duration
		if bad != nil {
			wait = bad.after
			err = bad.asError(where, string(body), c.key(e))
		}
		if wait == 0 {
			wait = backoff(n)
		}
		again := n < c.s.Attempts && !errors.Is(err, memory.ErrModel) && (bad == nil || retried(bad.code))
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
			again = false
		}
		if !again || ctx.Err() != nil {
			b.ended(ctx, bad, c.s.Now(), wait)
			return answer{}, nil, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			b.ended(ctx, bad, c.s.Now(), wait)
			return answer{}, nil, unreached(where, ctx.Err())
		}
	}
}

// passes reports whether a status says that the endpoint was not to be had, rather
// than something about what it was sent.
func passes(code int) bool {
	switch code {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented:
		return false
	}
	return code >= 500 || code >= 300 && code < 400
}

// retried reports whether trying again soon may help.
func retried(code int) bool {
	return code == http.StatusRequestTimeout || code == http.StatusTooEarly || code == http.StatusTooManyRequests || code >= 500
}

// backoff is how long to wait after the n-th attempt: 0.5 s, doubled each time, up to
// 20 s, less up to a half by chance.
func backoff(n int) time.Duration {
	d := min(500*time.Millisecond<<min(n-1, 10), 20*time.Second)
	return d - time.Duration(rand.Int64N(int64(d/2)))
}

func (c *Client) once(ctx context.Context, e config.Endpoint, where string, body []byte) (answer, *status, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, where, bytes.NewReader(body))
	if err != nil {
		return answer{}, nil, unreached(where, err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream;q=0.9")
	r.Header.Set("User-Agent", "plastic")
	if key := c.key(e); key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return answer{}, nil, unreached(where, err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	stream := strings.Contains(resp.Header.Get("Content-Type"), "event-stream")
	switch {
	case len(got) > maxAnswer:
		return answer{}, nil, fmt.Errorf("%w at %s answered more than %d bytes", memory.ErrModel, where, maxAnswer)
	case err != nil && (!stream || ctx.Err() != nil):
		return answer{}, nil, unreached(where, err)
	}
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusCreated {
		return answer{}, &status{resp.StatusCode, got, retryAfter(resp.Header.Get("Retry-After"), c.s.Now())}, nil
	}
	if stream || bytes.HasPrefix(bytes.TrimSpace(got), []byte("data:")) {
		return answer{body: got, stream: true, cut: err != nil}, nil, nil
	}
	if bad := hiddenError(got); bad != nil {
		return answer{}, bad, nil
	}
	return answer{body: got}, nil, nil
}

// hiddenError finds an error that came with status 200, or a body that is no JSON. One
// without a status of its own counts as an answer that is none.
func hiddenError(body []byte) *status {
	if !json.Valid(body) {
		return &status{code: http.StatusOK, body: body}
	}
	var in struct {
		Error   json.RawMessage `json:"error"`
		Choices json.RawMessage `json:"choices"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(body, &in) != nil || !given(in.Error) || given(in.Choices) || given(in.Data) {
		return nil
	}
	var e struct {
		Code   json.RawMessage `json:"code"`
		Status json.RawMessage `json:"status"`
	}
	_ = json.Unmarshal(in.Error, &e)
	for _, raw := range []json.RawMessage{e.Code, e.Status} {
		if n, err := strconv.Atoi(strings.Trim(string(raw), `"`)); err == nil && n >= 400 && n < 600 {
			return &status{code: n, body: body}
		}
	}
	return &status{code: http.StatusConflict, body: body} // no field is to be left out for it
}

func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// retryAfter reads the header, seconds or a date; never more than five minutes.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0
	}
	var d time.Duration
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n < 1e9 {
		d = time.Duration(n * float64(time.Second))
	} else if t, err := http.ParseTime(text); err == nil {
		d = t.Sub(now)
	}
	return min(max(d, 0), 5*time.Minute)
}

func (c *Client) key(e config.Endpoint) string {
	if e.KeyEnv == "" || c.s.Key == nil {
		return ""
	}
	return strings.TrimSpace(c.s.Key(e.KeyEnv))
}

// join puts path after the path of base, before its query.
func join(base, path string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", errors.New("not an http address")
	}
	u.Path = strings.TrimRight(u.Path, "/") + path
	u.RawPath, u.Fragment = "", ""
	return u.String(), nil
}

// unreached is an error of the connection. The text of a URL error names the address
// and nothing that was sent.
func unreached(where string, err error) error {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("%w at %s did not answer in time", memory.ErrUnreached, where)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fmt.Errorf("%w at %s was not reached: %w", memory.ErrUnreached, where, err)
}
