package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// half sends the head of a request and the first half of its body, and waits
// until the server has begun to read it.
func half(t *testing.T, addr, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /v1/memories HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", addr, len(body))
	if line, err := bufio.NewReader(io.LimitReader(conn, 25)).ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("%q, %v", line, err)
	}
	io.WriteString(conn, body[:len(body)/2])
	return conn
}

func TestAStopFinishesWhatIsUnderWayAndEndsStreams(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	r := d.stream("/v1/events")
	r.until("hello")
	body := `{"content":"said while it stopped"}`
	conn := half(t, d.host, body)
	defer conn.Close()
	stopped := make(chan struct{})
	go func() { d.stop(); close(stopped) }()
	for range r.events { // until the stream ends: the server is stopping
	}
	if _, err := net.DialTimeout("tcp", d.host, time.Second); err == nil {
		t.Error("it still accepts")
	}
	io.WriteString(conn, body[len(body)/2:])
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != http.StatusCreated {
		t.Fatalf("the request under way: %v, %v", res, err)
	}
	<-stopped
	if got := b.Find("said while it stopped"); len(got) != 1 {
		t.Errorf("what was acknowledged: %v", got)
	}
}

func TestAStopDoesNotWaitForever(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{Grace: 20 * time.Millisecond})
	conn := half(t, d.host, `{"content":"never sent whole"}`)
	defer conn.Close()
	d.stop()
	if !strings.Contains(d.log.String(), "cut off") {
		t.Errorf("the log does not say that a request was cut off:\n%s", d.log)
	}
}

func TestWhatWasAcknowledgedIsThereAfterTheStop(t *testing.T) {
	b := banktest.New(t)
	late, err := plastic.Open(b.Dir(), &plastic.Options{Now: b.Clock().Now, Delay: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := httpapi.Listen("127.0.0.1:0", late, nil)
	if err != nil {
		t.Fatal(err)
	}
	lagging := *b
	lagging.Bank = late
	d := served(t, &lagging, ln, httpapi.Options{})
	var made plastic.Remembered
	d.ask("POST", "/v1/memories", `{"content":"in the journal at first"}`).into(t, &made)
	if m := b.Show(made.ID); m.Content != "in the journal at first" {
		t.Errorf("another process reads %+v", m)
	}
	d.stop()
	if err := late.Close(); err != nil {
		t.Fatal(err)
	}
}
