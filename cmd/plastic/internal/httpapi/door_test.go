package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// door is a running server over a Bank of its own.
type door struct {
	t    testing.TB
	bank *banktest.Bank
	url  string
	host string
	log  *buffer
	stop func() // ends the server and waits for it
}

// buffer is a log that can be read while it is written.
type buffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// env is the environment of a server, by name.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// tokens is a config.yaml with one token for each audience; secrets holds them.
const tokens = `memory:
  timezone: UTC
server:
  tokens:
    - {name: all, env: T_ALL, audience: trusted}
    - {name: room, env: T_ROOM, audience: owner}
    - {name: wall, env: T_WALL, audience: public}
`

var secrets = env{"T_ALL": "all-5c2f", "T_ROOM": "room-77aa", "T_WALL": "wall-01be"}

// tokenOf is the Authorization header of an audience.
func tokenOf(audience string) string {
	return "Bearer " + map[string]string{"trusted": "all-5c2f", "owner": "room-77aa", "public": "wall-01be"}[audience]
}

// opened starts a server on a free port of loopback.
func opened(t testing.TB, b *banktest.Bank, o httpapi.Options) *door {
	t.Helper()
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, o.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return served(t, b, ln, o)
}

func served(t testing.TB, b *banktest.Bank, ln net.Listener, o httpapi.Options) *door {
	d := &door{t: t, bank: b, host: ln.Addr().String(), url: "http://" + ln.Addr().String(), log: &buffer{}}
	o.Log = slog.New(slog.NewTextHandler(d.log, nil))
	if o.Watch == 0 {
		o.Watch = 5 * time.Millisecond
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	s := httpapi.New(b.Bank, ln, o)
	go func() { ended <- s.Run(ctx) }()
	var once sync.Once
	d.stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
	t.Cleanup(d.stop)
	return d
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request; headers are name, value, name, value …
func (d *door) ask(method, path, body string, headers ...string) answer {
	d.t.Helper()
	r, err := http.NewRequest(method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			r.Host = headers[i+1]
		case headers[i+1] == "":
			r.Header.Del(headers[i])
		default:
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		d.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		d.t.Fatalf("%s %s: read the answer: %v", method, path, err)
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

func (d *door) get(path string, headers ...string) answer {
	d.t.Helper()
	return d.ask("GET", path, "", headers...)
}

// want fails the test unless the answer has this status, and where it is a
// failure, the shape of one.
func (a answer) want(t testing.TB, what string, status int) answer {
	t.Helper()
	if a.status != status {
		t.Errorf("%s: status %d, want %d: %s", what, a.status, status, a.body)
		return a
	}
	if status >= 400 {
		var f struct{ Error, Code, Hint *string }
		if err := json.Unmarshal([]byte(a.body), &f); err != nil || f.Error == nil || *f.Error == "" || f.Code == nil || *f.Code == "" || f.Hint == nil {
			t.Errorf("%s: not a failure as programs read it: %q", what, a.body)
		}
	}
	return a
}

// into reads the answer as JSON.
func (a answer) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		t.Fatalf("not JSON: %v: %q", err, a.body)
	}
}

// event is one server-sent event, as an EventSource would give it.
type event struct{ name, data string }

// reader is an open event stream.
type reader struct {
	t      testing.TB
	header http.Header
	events chan event // closed at the end of the stream
	close  func()
}

// stream opens an event stream.
func (d *door) stream(path string, headers ...string) *reader {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", d.url+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		d.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		d.t.Fatalf("%s: status %d: %s", path, res.StatusCode, text)
	}
	out := &reader{t: d.t, header: res.Header, events: make(chan event, 1000)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(out.events)
		readEvents(res.Body, func(e event) { out.events <- e })
	}()
	out.close = func() { cancel(); res.Body.Close(); <-ended }
	d.t.Cleanup(out.close)
	return out
}

// readEvents reads a stream by the rules of EventSource: a line ends with \n,
// \r\n or \r, an event with an empty line.
func readEvents(r io.Reader, give func(event)) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	lines.Split(func(data []byte, end bool) (int, []byte, error) {
		i := bytes.IndexAny(data, "\r\n")
		switch {
		case i < 0 && end && len(data) > 0:
			return len(data), data, nil
		case i < 0, data[i] == '\r' && i+1 == len(data) && !end:
			return 0, nil, nil
		case data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n':
			return i + 2, data[:i], nil
		}
		return i + 1, data[:i], nil
	})
	var e event
	var data []string
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "":
			if len(data) > 0 {
				e.data = strings.Join(data, "\n")
				give(e)
			}
			e, data = event{}, nil
		case strings.HasPrefix(line, "event: "):
			e.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			data = append(data, line[len("data: "):])
		case !strings.HasPrefix(line, ":"):
			give(event{"forged", line})
		}
	}
}

// next gives the next event, or fails the test where none comes for long.
func (r *reader) next() event {
	r.t.Helper()
	select {
	case e, ok := <-r.events:
		if !ok {
			r.t.Fatal("the stream ended")
		}
		return e
	case <-time.After(10 * time.Second):
		r.t.Fatal("no event came")
	}
	return event{}
}

// until gives the next event of that name.
func (r *reader) until(name string) event {
	r.t.Helper()
	for {
		if e := r.next(); e.name == name {
			return e
		}
	}
}
