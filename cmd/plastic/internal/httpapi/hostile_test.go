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

// hostile are clients that say these bytes and then neither speak nor read nor leave.
var hostile = map[string]string{
	"say nothing":              "",
	"begin a request":          "GET /v1/stats HT",
	"never end their headers":  "GET /v1/stats HTTP/1.1\r\nHost: HOST\r\nX-One: 1\r\nX-T",
	"never end their body":     "POST /v1/memories HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{\"content\":\"",
	"send chunks without end":  "POST /v1/memories HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
	"never end a call of MCP":  "POST /mcp HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 900000\r\n\r\n{",
	"fill half a large body":   "POST /v1/memories HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n" + strings.Repeat(" ", 100_000),
	"send a huge header":       "GET /v1/stats HTTP/1.1\r\nHost: HOST\r\nX-Long: " + strings.Repeat("x", 200_000),
	"read no events":           "GET /v1/events HTTP/1.1\r\nHost: HOST\r\nAccept: text/event-stream\r\n\r\n",
	"read no answer":           "GET /v1/memories HTTP/1.1\r\nHost: HOST\r\n\r\n",
	"ask and ask and read not": strings.Repeat("GET /v1/memories HTTP/1.1\r\nHost: HOST\r\n\r\n", 50),
	"speak something else":     "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}

// Whatever many clients do, another that behaves is answered.
func TestHostileClientsKeepNobodyOut(t *testing.T) {
	for what, says := range hostile {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := banktest.New(t, "memory.json", stocked)
			swallow := func(func(*http.Request) *plastic.Bank) http.Handler {
				return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
			}
			d := opened(t, b, httpapi.Options{Conns: 30, MCP: swallow})
			says := strings.ReplaceAll(says, "HOST", d.host)
			ended := make(chan error, 100)
			for range cap(ended) {
				conn, err := net.Dial("tcp", d.host)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				go func() {
					_, err := io.WriteString(conn, says)
					ended <- err
				}()
			}
			honest := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
			for i := range 5 {
				body := fmt.Sprintf(`{"content":"@ben keeps thing number %d"}`, i)
				res, err := honest.Post(d.url+"/v1/memories", "application/json", strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				res.Body.Close()
				if res.StatusCode != http.StatusCreated {
					t.Errorf("remember: %d", res.StatusCode)
				}
				if res, err = honest.Get(d.url + "/v1/memories/search?q=number"); err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(res.Body)
				res.Body.Close()
				if res.StatusCode != http.StatusOK || !strings.Contains(string(text), "thing number") {
					t.Errorf("search: %d %s", res.StatusCode, text)
				}
			}
		})
	}
}

// Connections beyond the limit take the place of those that were silent longest; one
// that is being answered, or a stream, stays while there are others.
func TestANewConnectionTakesThePlaceOfTheMostSilentOne(t *testing.T) {
	d := opened(t, banktest.New(t, "memory.json", stocked), httpapi.Options{Conns: 20})
	stream := d.stream("/v1/events")
	stream.until("hello")
	gone := make(chan error, 100)
	for range cap(gone) {
		conn, err := net.Dial("tcp", d.host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", d.host)
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatalf("%q, %v", line, err) // who comes is answered, however many there are
		}
		go func() {
			_, err := io.Copy(io.Discard, conn)
			gone <- err
		}()
	}
	for i := range cap(gone) - 19 {
		select {
		case <-gone:
		case <-time.After(20 * time.Second): // they would be kept for two minutes
			t.Fatalf("only %d have made room", i)
		}
	}
	d.ask("POST", "/v1/memories", `{"content":"@ben sings"}`).want(t, "remember", http.StatusCreated)
	stream.until("memories")
}

// Who reads a long answer slowly gets it; who reads nothing is dropped, and does not
// keep the place of others.
func TestAnAnswerThatIsNotReadIsGivenUp(t *testing.T) {
	var lines strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&lines, "%s{\"id\":\"m%d\",\"content\":\"%s %d\",\"kind\":\"fact\",\"importance\":0.5,\"createdAt\":\"2026-01-01T00:00:00Z\"}\n", map[bool]string{true: "", false: ","}[i == 0], i, strings.Repeat("many words ", 150), i)
	}
	b := banktest.New(t, "memory.json", `{"version":1,"memories":[`+"\n"+lines.String()+"]}\n")
	d := opened(t, b, httpapi.Options{Patience: 300 * time.Millisecond})
	for range 12 { // three times as many as there are places
		conn, err := net.Dial("tcp", d.host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET /v1/memories HTTP/1.1\r\nHost: %s\r\n\r\n", d.host)
	}
	until := time.Now().Add(30 * time.Second)
	for {
		got := d.get("/v1/memories")
		if got.status == http.StatusOK && strings.HasSuffix(strings.TrimSpace(got.body), "}]}") {
			return
		}
		if got.status != http.StatusServiceUnavailable || time.Now().After(until) {
			t.Fatalf("%d %.100s", got.status, got.body)
		}
	}
}

func TestAnEmptyBodyMayBeCalledAForm(t *testing.T) {
	d := opened(t, banktest.New(t, "memory.json", stocked), httpapi.Options{})
	d.ask("POST", "/v1/compress", "", "Content-Type", "application/x-www-form-urlencoded").want(t, "an empty form", http.StatusOK)
	d.ask("POST", "/v1/compress", "dryRun=true", "Content-Type", "application/x-www-form-urlencoded").want(t, "a form", http.StatusUnsupportedMediaType)
}
