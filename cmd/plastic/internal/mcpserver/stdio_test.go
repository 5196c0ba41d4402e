package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"lines","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// talk gives a server the lines and answers with what it wrote, by id.
func talk(t *testing.T, open mcpserver.Open, o mcpserver.Options, in string) map[string]object {
	t.Helper()
	var out bytes.Buffer
	if err := mcpserver.Serve(context.Background(), mcpserver.New(open, o), strings.NewReader(in), &out); err != nil {
		t.Fatalf("serve: %v", err)
	}
	answers := map[string]object{}
	for line := range strings.Lines(out.String()) {
		var m object
		if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
			t.Fatalf("not JSON-RPC: %q (%v)", line, err)
		}
		answers[fmt.Sprint(m["id"])] = m
	}
	return answers
}

func toolCall(id int, name, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, name, args)
}

func TestEveryLineIsAnsweredBeforeTheEnd(t *testing.T) {
	b := banktest.New(t)
	var in strings.Builder
	in.WriteString(hello)
	for i := range 40 {
		in.WriteString(toolCall(2*i, "memory_remember", fmt.Sprintf(`{"content":"number %d has the letter %c"}`, i, 'a'+i%26)))
		in.WriteString(toolCall(2*i+1, "memory_list", `{"limit":100}`))
	}
	answers := talk(t, func() (*plastic.Bank, error) { return b.Bank, nil }, options(b), in.String())
	if len(answers) != 81 {
		t.Fatalf("%d answers", len(answers))
	}
	for i := range 40 {
		data, _ := answers[fmt.Sprint(2*i+1)]["result"].(object)["structuredContent"].(object)
		if data["total"] != float64(i+1) {
			t.Errorf("after %d memories the list has %v: the calls were not answered in order", i+1, data["total"])
		}
	}
}

func TestALineThatIsNoMessageDoesNotEndTheSession(t *testing.T) {
	b := banktest.New(t)
	b.Say("tea at five")
	in := hello + "\n  \nStarting up…\n{\"half\":\n{\"foo\":1}\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}\n[]\nnull\n" +
		`"` + strings.Repeat("x", 5<<20) + "\"\n" +
		`[{"jsonrpc":"2.0","id":8,"method":"ping"}]` + "\r\n  " + toolCall(9, "memory_recall", `{"query":"tea"}`)
	answers := talk(t, func() (*plastic.Bank, error) { return b.Bank, nil }, options(b), in)
	result, _ := answers["9"]["result"].(object)
	if data, _ := result["structuredContent"].(object); data == nil || len(data["memories"].([]any)) != 1 {
		t.Errorf("after broken lines: %v", answers["9"])
	}
	if answers["8"]["result"] == nil || answers["7"]["error"] == nil || answers["<nil>"]["error"] == nil {
		t.Errorf("the answers: %v", answers)
	}
}

func TestAFolderThatIsNotThereIsSaidByTheToolsAndLookedForAgain(t *testing.T) {
	b := banktest.New(t)
	there := false
	open := func() (*plastic.Bank, error) {
		if !there {
			return nil, plastic.Hint(errors.New("missing"), "there is no folder /home/ann/memory", "`plastic init /home/ann/memory` makes it")
		}
		return b.Bank, nil
	}
	c := connectTo(t, open, options(b))
	if len(c.listed()) != 7 {
		t.Error("the tools are not listed")
	}
	c.refused("memory_recall", object{"query": "tea"}, "io", "there is no folder", "plastic init /home/ann/memory")
	if _, err := c.ReadResource(context.Background(), readParams("memory://card")); err == nil || !strings.Contains(err.Error(), "plastic init") {
		t.Errorf("the resource says %v", err)
	}
	there = true
	c.must("memory_recall", object{"query": "tea"})
}

func TestAPanicIsAnErrorAndTheSessionGoesOn(t *testing.T) {
	b := banktest.New(t)
	calls := 0
	open := func() (*plastic.Bank, error) {
		if calls++; calls <= 2 {
			panic("zebrawood")
		}
		return b.Bank, nil
	}
	var log bytes.Buffer
	o := options(b)
	o.Log = &log
	c := connectTo(t, open, o)
	if r := c.refused("memory_recall", object{"query": "tea"}, "io", "failed inside"); strings.Contains(r.text, "zebrawood") {
		t.Errorf("the client is told the panic: %s", r.text)
	}
	if _, err := c.ReadResource(context.Background(), readParams("memory://card")); err == nil {
		t.Error("a panic is no error")
	}
	c.must("memory_recall", object{"query": "tea"})
	if !strings.Contains(log.String(), "zebrawood") || !strings.Contains(log.String(), "stdio_test.go") {
		t.Errorf("the log does not say what and where: %.200s", log.String())
	}
}

func TestTheEndOfTheContextEndsTheServer(t *testing.T) {
	b := banktest.New(t)
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	done := make(chan error, 1)
	var out bytes.Buffer
	server := mcpserver.New(func() (*plastic.Bank, error) { return b.Bank, nil }, options(b))
	go func() { done <- mcpserver.Serve(ctx, server, r, &out) }()
	if _, err := io.WriteString(w, hello); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// stuck is a client that reads no more.
type stuck struct{ from, forever chan struct{} }

func (s stuck) Write([]byte) (int, error) {
	close(s.from)
	<-s.forever
	return 0, io.ErrClosedPipe
}

func TestAClientThatReadsNoMoreDoesNotHoldTheServer(t *testing.T) {
	b := banktest.New(t)
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	out := stuck{make(chan struct{}), make(chan struct{})}
	defer close(out.forever)
	done := make(chan error, 1)
	server := mcpserver.New(func() (*plastic.Bank, error) { return b.Bank, nil }, options(b))
	go func() { done <- mcpserver.Serve(ctx, server, r, out) }()
	if _, err := io.WriteString(w, hello); err != nil {
		t.Fatal(err)
	}
	<-out.from
	stop()
	if err := <-done; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// told is a writer that takes nothing until it is let go.
type told struct{ wait chan struct{} }

func (w told) Write(b []byte) (int, error) { <-w.wait; return len(b), nil }

// flood is a client that asks for ever and says when it has asked far too much.
type flood struct {
	n    int
	rest []byte
	far  chan struct{}
}

func (f *flood) Read(b []byte) (int, error) {
	if len(f.rest) == 0 {
		if f.n++; f.n == 3000 {
			close(f.far)
		}
		f.rest = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", f.n)
		if f.n == 1 {
			f.rest = []byte(hello)
		}
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

func TestAClientThatAsksAndReadsNothingIsReadNoFurther(t *testing.T) {
	b := banktest.New(t)
	ctx, cancel := context.WithCancel(context.Background())
	out, in := told{make(chan struct{})}, &flood{far: make(chan struct{})}
	done := make(chan error, 1)
	go func() {
		done <- mcpserver.Serve(ctx, mcpserver.New(func() (*plastic.Bank, error) { return b.Bank, nil }, options(b)), in, out)
	}()
	select {
	case <-in.far:
		t.Error("3,000 questions wait for answers that nobody reads")
	case <-time.After(time.Second): // without a bound it is there much sooner
	}
	close(out.wait)
	<-in.far // now it goes on
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
