package httpapi_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// news is what an event about memories says.
type news struct {
	Created, Changed, Recalled, Gone []string
	More, Live                       int
}

func (r *reader) news() news {
	r.t.Helper()
	var n news
	if err := json.Unmarshal([]byte(r.until("memories").data), &n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

func TestAStreamTellsWhatChanges(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	r := d.stream("/v1/events")
	if e := r.next(); e != (event{"hello", `{"audience":"trusted","sleeping":false}`}) {
		t.Fatalf("it opens with %+v", e)
	}
	var made plastic.Remembered
	d.ask("POST", "/v1/memories", `{"content":"the blue bicycle"}`).into(t, &made)
	if n := r.news(); !slices.Equal(n.Created, []string{made.ID}) || n.Live != 4 || len(n.Changed)+len(n.Gone)+len(n.Recalled) != 0 {
		t.Errorf("after remember: %+v", n)
	}
	d.ask("PATCH", "/v1/memories/tea1", `{"importance":0.9}`)
	if n := r.news(); !slices.Equal(n.Changed, []string{"tea1"}) {
		t.Errorf("after update: %+v", n)
	}
	d.ask("POST", "/v1/memories/search", `{"query":"cats"}`)
	if n := r.news(); !slices.Equal(n.Recalled, []string{"cat1"}) {
		t.Errorf("after recall: %+v", n)
	}
	d.ask("DELETE", "/v1/memories/cat1", "")
	if n := r.news(); !slices.Equal(n.Gone, []string{"cat1"}) {
		t.Errorf("after forget: %+v", n)
	}
	if e := r.until("archive"); e.data != `{"archive":1}` {
		t.Errorf("after forget: %+v", e)
	}
	d.ask("PUT", "/v1/channel", `{"retain":false}`)
	r.until("config")
	d.ask("POST", "/v1/compress", "")
	if e := r.until("night"); e.data != `{"date":"2026-11-30"}` {
		t.Errorf("after a night: %+v", e)
	}
	if e := r.until("runs"); e.data != `{"runs":1}` {
		t.Errorf("after a night: %+v", e)
	}
}

// Case 28: two saves by renaming and two in place are all seen.
func TestAStreamSeesWhatOtherHandsDo(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked, "memory.md", "0\n")
	d := opened(t, b, httpapi.Options{})
	r := d.stream("/v1/events")
	r.until("hello")
	card := filepath.Join(b.Dir(), "memory.md")
	for i, text := range []string{"a\n", "bb\n", "ccc\n", "dddd\n"} {
		if i < 2 {
			if err := os.Rename(card, card+"~"); err != nil {
				t.Fatal(err)
			}
		}
		banktest.Write(t, b.Dir(), "memory.md", text)
		for {
			var got plastic.CardText
			r.until("card")
			d.get("/v1/card").into(t, &got)
			if got.Text == text {
				break
			}
		}
		os.Remove(card + "~")
	}
	again, err := plastic.Open(b.Dir(), &plastic.Options{Now: b.Clock().Now})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	made, err := again.Remember(t.Context(), plastic.Draft{Content: "written by another process"})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.news(); !slices.Equal(n.Created, []string{made.ID}) {
		t.Errorf("after another process wrote: %+v", n)
	}
}

// Case 34: looking writes nothing, and a touched file with the same content is
// no news.
func TestLookingChangesNothingAndSaysNothing(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{Beat: 20 * time.Millisecond})
	r := d.stream("/v1/events")
	r.until("hello")
	file := filepath.Join(b.Dir(), "memory.json")
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	// The next thing heard is the next thing done, though many looks lie between.
	d.get("/v1/memories/search?q=nothing+like+it")
	d.ask("POST", "/v1/memories", `{"content":"the first news"}`)
	if e := r.next(); e.name != "memories" || !strings.Contains(e.data, `"changed":[],"recalled":[],"gone":[]`) {
		t.Errorf("it first hears %+v", e)
	}
	r.close()
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") < 4 {
		t.Errorf("memory.json: %v\n%s", err, text)
	}
}

func TestAStreamShowsSignsOfLife(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{Beat: 5 * time.Millisecond})
	res, err := http.Get(d.url + "/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	buf := make([]byte, 4096)
	var got string
	for !strings.Contains(got, "\n\n:\n\n:\n\n") {
		n, err := res.Body.Read(buf)
		if err != nil {
			t.Fatalf("after %q: %v", got, err)
		}
		got += string(buf[:n])
	}
}

func TestStreamsAreBounded(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{Streams: 2})
	first := d.stream("/v1/events")
	d.stream("/v1/events").until("hello")
	got := d.get("/v1/events").want(t, "a third", 503)
	if got.header.Get("Retry-After") == "" || !strings.Contains(got.body, `"code":"busy"`) {
		t.Errorf("%v %s", got.header, got.body)
	}
	first.close()
	deadline := time.Now().Add(10 * time.Second)
	for d.ask("HEAD", "/v1/events", "").status != 200 || !streams(d, "1") {
		if time.Now().After(deadline) {
			t.Fatal("a place that was left stays taken")
		}
	}
	d.stream("/v1/events").until("hello")
}

func streams(d *door, n string) bool {
	return strings.Contains(d.get("/metrics").body, "plastic_http_streams "+n+"\n")
}

// pipes is a listener whose connections hold nothing: who does not read blocks
// the writer at once.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7433} }

func (p *pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours
}

func TestAReaderWhoDoesNotReadIsDropped(t *testing.T) {
	b := banktest.New(t)
	ln := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	served(t, b, ln, httpapi.Options{Patience: 20 * time.Millisecond, Beat: 5 * time.Millisecond, Streams: 1})
	ask := func(conn net.Conn) {
		if _, err := io.WriteString(conn, "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:7433\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
	}
	first := make([]byte, 12)
	slow := ln.dial()
	ask(slow)
	if _, err := io.ReadFull(slow, first); err != nil || string(first) != "HTTP/1.1 200" {
		t.Fatalf("the slow reader's answer: %q, %v", first, err)
	}
	// Nothing more is read. Its place becomes free again.
	for deadline := time.Now().Add(10 * time.Second); ; {
		if time.Now().After(deadline) {
			t.Fatal("the slow reader keeps its place")
		}
		next := ln.dial()
		ask(next)
		if _, err := io.ReadFull(next, first); err != nil {
			t.Fatal(err)
		}
		if string(first) == "HTTP/1.1 200" {
			next.Close()
			break
		}
		next.Close()
	}
	slow.Close()
}

func TestAnEventOfManyIDsIsBounded(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	r := d.stream("/v1/events")
	r.until("hello")
	var lines strings.Builder
	for i := range 1200 {
		lines.WriteString(`{"content":"box number ` + string(rune('a'+i%26)) + time.Duration(i).String() + `"}` + "\n")
	}
	if _, err := b.Import(t.Context(), strings.NewReader(lines.String()), plastic.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := r.news(); len(n.Created) != 500 || n.More != n.Live-500 || n.Live < 1000 {
		t.Errorf("%d created, %d more, %d live", len(n.Created), n.More, n.Live)
	}
}
