package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"
)

// attack is what a client says before it stays without a word.
type attack struct{ what, says string }

var attacks = []attack{
	{"say nothing", ""},
	{"never end their headers", "GET /v1/stats HTTP/1.1\r\nHost: HOST\r\nX-T"},
	{"never end their body", "POST /v1/memories HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n" + strings.Repeat(" ", 50_000)},
	{"stay after one request", "GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n"},
	{"read no events", "GET /v1/events HTTP/1.1\r\nHost: HOST\r\nAccept: text/event-stream\r\n\r\n"},
	{"read none of the whole memory", "GET /v1/memories HTTP/1.1\r\nHost: HOST\r\n\r\n"},
	{"ask a hundred times and read nothing", strings.Repeat("GET /v1/memories/search?q=ka HTTP/1.1\r\nHost: HOST\r\n\r\n", 100)},
}

// TestBoundsOfHostileClients prints how long recalls of a client that behaves take while
// many others do not, and what the server had of memory at most. -long is `make bounds`:
// ten thousand of them at once, as far as this process may open as many.
func TestBoundsOfHostileClients(t *testing.T) {
	n, program, s := 100, "plastic", sizes{memories: 300, queue: 1}
	if *long {
		n, s = 10_000, sizes{memories: 10_000, archive: 1000, queue: 10}
		program = filepath.Join(t.TempDir(), "plastic")
		if out, err := exec.Command("go", "build", "-trimpath", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil && int(min(files.Cur, 1<<20)) < n+200 {
		t.Logf("%d clients in place of %d: no more files may be open here", files.Cur-200, n)
		n = int(files.Cur) - 200
	}
	l := newLarge(t, program, s)
	cmd := l.command("serve", "--listen", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Signal(os.Interrupt)
	url := addressIn(t, errs)
	host := strings.TrimPrefix(url, "http://")
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "clients that\trecall: median ms\tworst ms\tmemory MB\t")
	row := func(what string) {
		t.Helper()
		took := recalls(t, url+"/v1/memories/search?q="+l.word(40), 30)
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.1f\t\n", what, ms(took[len(took)/2]), ms(took[len(took)-1]), float64(peakNow(cmd.Process.Pid))/1e6)
	}
	row("(none)")
	for _, a := range attacks {
		conns := besiege(t, host, a.says, n)
		row(a.what)
		for _, c := range conns {
			c.Close()
		}
	}
	sessions(t, url, n)
	row("open sessions of MCP")
	w.Flush()
	t.Logf("%d clients of each kind, one after the other\n%s", n, text.String())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// besiege opens n connections, each of which says the same.
func besiege(t *testing.T, host, says string, n int) []net.Conn {
	t.Helper()
	says = strings.ReplaceAll(says, "HOST", host)
	conns := make([]net.Conn, 0, n)
	for range n {
		conn, err := net.DialTimeout("tcp", host, 20*time.Second)
		if err != nil {
			t.Fatalf("after %d: %v", len(conns), err)
		}
		conns = append(conns, conn)
		_ = conn.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		_, _ = io.WriteString(conn, says) // the server may have had enough
	}
	return conns
}

// recalls asks n times, on a new connection each, and gives how long each took.
func recalls(t *testing.T, url string, n int) []time.Duration {
	t.Helper()
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	var took []time.Duration
	for range n {
		began := time.Now()
		res, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(text), `"memories":[{`) {
			t.Fatalf("%d %.200s %v", res.StatusCode, text, err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took
}

// sessions begins n sessions of MCP over HTTP and ends none.
func sessions(t *testing.T, url string, n int) {
	t.Helper()
	for range n {
		r, err := http.NewRequest("POST", url+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Fatalf("initialize: %d", res.StatusCode)
		}
	}
}

// A client of `plastic mcp` that sends no JSON, half of it and one line of a hundred
// megabytes is answered after that as before, and costs no more memory than one that
// does not.
func TestBoundsOfGarbageOnStdio(t *testing.T) {
	size := 8 << 20
	if *long {
		size = 100 << 20
	}
	l := newLarge(t, "plastic", sizes{memories: 50, queue: 1})
	cmd := l.command("mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	answers := bufio.NewReaderSize(out, 1<<20)
	ask := func(id int, method, params, want string) {
		t.Helper()
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		for {
			line, err := answers.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			if strings.Contains(line, fmt.Sprintf(`"id":%d`, id)) {
				if !strings.Contains(line, want) {
					t.Errorf("%s: %.300s", method, line)
				}
				return
			}
		}
	}
	ask(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`, "serverInfo")
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	ask(2, "tools/call", `{"name":"memory_recall","arguments":{"query":"`+l.word(40)+`"}}`, "result")
	before := peakNow(cmd.Process.Pid)
	for _, garbage := range []string{"hello?", "{", "[]", "[1,2,3]", `{"jsonrpc":"2.0"}`, "null", "\x00\xff\xfe", `{"jsonrpc":"2.0","id":{},"method":[]}`, strings.Repeat("[", 100_000)} {
		fmt.Fprintln(in, garbage)
	}
	for chunk := bytes.Repeat([]byte{'"'}, 1<<20); size > 0; size -= len(chunk) {
		if _, err := in.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintln(in)
	ask(3, "tools/call", `{"name":"memory_recall","arguments":{"query":"`+l.word(40)+`"}}`, "result")
	if after := peakNow(cmd.Process.Pid); after > before+40<<20 {
		t.Errorf("%d bytes of memory, %d before", after, before)
	} else {
		t.Logf("%.1f MB of memory, %.1f before the garbage", float64(after)/1e6, float64(before)/1e6)
	}
}
