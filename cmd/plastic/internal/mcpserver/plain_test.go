package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
)

func TestTextInAnswersStandsAsItIs(t *testing.T) {
	b := banktest.New(t)
	b.Remember(plastic.Draft{Content: "one\u2028two\u2029three <b>"})
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_list","arguments":{}}}`
	const want = "one\u2028two\u2029three <b>"

	begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	var out strings.Builder
	server := mcpserver.New(func() (*plastic.Bank, error) { return b.Bank, nil }, options(b))
	if err := mcpserver.Serve(context.Background(), server, strings.NewReader(begin+call+"\n"), &out); err != nil || !strings.Contains(out.String(), want) {
		t.Errorf("on stdio (%v): %q", err, out.String())
	}

	r, err := http.NewRequest("POST", serveHTTP(t, b).URL, strings.NewReader(call))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"X-Who": {"trusted"}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("over HTTP (%v): %q", err, text)
	}
}
