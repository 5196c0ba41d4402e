package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
	"plastic/memory"
)

// as sends every request with a header that says who asks.
type as string

func (a as) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Who", string(a))
	return http.DefaultTransport.RoundTrip(r)
}

// serveHTTP is a server that believes the header.
func serveHTTP(t *testing.T, b *banktest.Bank) *httptest.Server {
	s := httptest.NewServer(mcpserver.NewHTTPHandler(func(r *http.Request) *plastic.Bank {
		who, err := memory.ParseAudience(r.Header.Get("X-Who"))
		if err != nil {
			return nil
		}
		return b.For(who)
	}, options(b)))
	t.Cleanup(s.Close)
	return s
}

func TestOverHTTPEachRequestHasTheAudienceOfItsOwn(t *testing.T) {
	b := banktest.New(t, "memory.json", withPrivate, "config.yaml", "mcp: {names: {recall: memory_search}}\n")
	s := serveHTTP(t, b)
	for who, tools := range map[memory.Audience]int{memory.Trusted: 7, memory.Owner: 4, memory.Public: 1} {
		session, err := mcp.NewClient(&mcp.Implementation{Name: "web", Version: "1"}, nil).Connect(context.Background(),
			&mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: &http.Client{Transport: as(who)}, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatalf("%s: %v", who, err)
		}
		c := &client{ClientSession: session, t: t, outs: nil}
		if got := c.listed(); len(got) != tools || got["memory_search"] == nil {
			t.Errorf("%s: lists %d tools", who, len(got))
		}
		got, err := c.CallTool(context.Background(), callParams("memory_search", object{"query": "zebrawood"}))
		if err != nil {
			t.Fatal(err)
		}
		if found := strings.Contains(got.Content[0].(*mcp.TextContent).Text, "hid"); found != (who == memory.Trusted) {
			t.Errorf("%s: finds the private memory: %v", who, found)
		}
		session.Close()
	}
}

func TestOverHTTPNoSessionCarriesAnAudience(t *testing.T) {
	b := banktest.New(t, "memory.json", withPrivate)
	s := serveHTTP(t, b)
	open := post(t, s.URL, "trusted", strings.SplitN(hello, "\n", 2)[0], "")
	if open.Header.Get("Mcp-Session-Id") != "" {
		t.Error("a session is kept")
	}
	got := post(t, s.URL, "public", toolCall(1, "memory_recall", `{"query":"zebrawood"}`), open.Header.Get("Mcp-Session-Id"))
	body, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode != http.StatusOK || strings.Contains(string(body), "pension") || !strings.Contains(string(body), `"memories":[]`) {
		t.Errorf("%s: %s, %v", got.Status, body, err)
	}
	if refused := post(t, s.URL, "nobody", toolCall(1, "memory_recall", `{"query":"tea"}`), ""); refused.StatusCode != http.StatusBadRequest {
		t.Errorf("without a Bank: %s", refused.Status)
	}
	if large := post(t, s.URL, "trusted", toolCall(1, "memory_recall", `{"query":"`+strings.Repeat("x", 2<<20)+`"}`), ""); large.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("2 MiB: %s", large.Status)
	}
}

func post(t *testing.T, url, who, body, session string) *http.Response {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Who", who)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}
