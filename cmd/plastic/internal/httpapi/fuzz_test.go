package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// doors are the routes that a fuzzed request goes to; {x} is filled in. PATCH /v1/config
// is not among them: what it sets for the owner may name commands, and those are run.
var doors = []string{
	"GET /v1/memories", "POST /v1/memories", "GET /v1/memories/{x}", "PATCH /v1/memories/{x}", "DELETE /v1/memories/{x}", "GET /v1/memories/search", "POST /v1/memories/search",
	"GET /v1/memories/prompt", "GET /v1/memories/archive", "POST /v1/memories/archive/{x}/restore", "POST /v1/turns", "GET /v1/turns", "POST /v1/turns/flush", "POST /v1/reindex",
	"GET /v1/network", "POST /v1/turns/active", "DELETE /v1/turns/active/{x}", "GET /v1/sleep", "POST /v1/sleep", "POST /v1/sleep/wake", "GET /v1/sleep/runs", "POST /v1/sleep/runs/{x}/undo",
	"POST /v1/compress", "GET /v1/forecast", "GET /v1/stats", "GET /v1/card", "PUT /v1/card", "GET /v1/config", "GET /v1/channel", "PUT /v1/channel", "GET /v1/events", "GET /healthz", "GET /page/{x}", "GET /{x}", "BREW /v1/{x}",
}

// FuzzRoutes holds that no request whatever makes the server fail or wait, that every
// failure is told in its form, and that others than the owner are never told the private
// text.
func FuzzRoutes(f *testing.F) {
	b := banktest.New(f, "memory.json", stocked, "archive.json", away, "config.yaml", tokens)
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, secrets.get)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ln.Close() })
	s := httpapi.New(b.Bank, ln, httpapi.Options{Getenv: secrets.get})
	for i := range doors {
		f.Add(uint8(i), uint8(0), "tea1", "q=cats&limit=3&days=2", `{"content":"tea","query":"cats","why":"x"}`, uint8(0))
	}
	f.Add(uint8(6), uint8(2), "", "", `{"query":"ring","limit":9999999999999999999,"asOf":"0000-01-01"}`, uint8(0))
	f.Add(uint8(5), uint8(1), "", "q=%ff&asOf=9999-12-31T23:59:59-12:00&history=true&explain=true", "", uint8(0))
	f.Add(uint8(23), uint8(0), "", "days=400&set=memory.keepFraction=NaN&set=memory.decayHalfLifeDays=1e-300", "", uint8(0))
	f.Add(uint8(10), uint8(0), "", "", `{"user":"\ud800","assistant":"","at":"-1","private":{}}`, uint8(0))
	f.Add(uint8(2), uint8(2), "../card", "audience=trusted&public=false", "", uint8(1))
	f.Add(uint8(7), uint8(0), "", "session=a%00b&q=a", "", uint8(2))
	f.Fuzz(func(t *testing.T, door, who uint8, x, query, body string, accept uint8) {
		method, path, _ := strings.Cut(doors[int(door)%len(doors)], " ")
		audience := []string{"trusted", "owner", "public"}[who%3]
		ctx, cancel := context.WithCancel(t.Context())
		if path == "/v1/events" {
			cancel() // it would wait for what changes
		}
		defer cancel()
		r := httptest.NewRequest(method, "/", strings.NewReader(body)).WithContext(ctx)
		r.URL = &url.URL{Path: strings.ReplaceAll(path, "{x}", x), RawQuery: query}
		r.Host = ln.Addr().String()
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", tokenOf(audience))
		if accept%3 == 2 {
			r.Header.Set("Accept", sse)
		}
		w := httptest.NewRecorder()
		began := time.Now()
		s.ServeHTTP(w, r)
		if took := time.Since(began); took > 20*time.Second {
			t.Fatalf("%s %s took %v", method, r.URL, took)
		}
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%s %s?%s %q: %d %s", method, r.URL.Path, query, body, w.Code, w.Body)
		}
		if w.Code >= 400 {
			var told struct{ Error, Code string }
			if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || told.Error == "" || told.Code == "" {
				t.Fatalf("%s %s: %d %q (%v)", method, r.URL, w.Code, w.Body, err)
			}
		}
		if who%3 != 0 && strings.Contains(w.Body.String(), "ring size") && !strings.Contains(query+body+x, "ring") {
			t.Fatalf("%s %s tells %s %s", method, r.URL, audience, w.Body)
		}
	})
}

// FuzzSettings holds that a change of settings by others than the owner changes nothing.
func FuzzSettings(f *testing.F) {
	b := banktest.New(f, "config.yaml", tokens)
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, secrets.get)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ln.Close() })
	s := httpapi.New(b.Bank, ln, httpapi.Options{Getenv: secrets.get})
	f.Add(`{"memory.keepFraction":0.6}`, true)
	f.Add(`{"preset":"human","audience":"trusted"}`, false)
	f.Add(`{"memory.keepFraction":0.6,"memory.keepFraction":{}}`, false)
	before := string(b.Settings().YAML())
	f.Fuzz(func(t *testing.T, body string, owner bool) {
		r := httptest.NewRequest("PATCH", "/v1/config", strings.NewReader(body))
		r.Host = ln.Addr().String()
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", tokenOf(map[bool]string{true: "owner", false: "public"}[owner]))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code < 400 || w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
		if after := string(b.Settings().YAML()); after != before {
			t.Fatalf("%q changed the settings to\n%s", body, after)
		}
	})
}

// FuzzToken holds that the whole memory is told for the owner's token alone, whatever
// the header says.
func FuzzToken(f *testing.F) {
	b := banktest.New(f, "memory.json", stocked, "config.yaml", tokens)
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, secrets.get)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ln.Close() })
	s := httpapi.New(b.Bank, ln, httpapi.Options{Getenv: secrets.get})
	for _, h := range []string{tokenOf("trusted"), tokenOf("owner"), "", "Bearer ", "bearer all-5c2f", "Bearer all-5c2f ", "Basic YWxsLTVjMmY=", "Bearer all-5c2", "Bearer all-5c2f,Bearer room-77aa", "Bearer T_ALL"} {
		f.Add(h, "")
	}
	f.Add("", "audience=trusted")
	f.Add(tokenOf("trusted"), "audience=public&audience=trusted")
	f.Fuzz(func(t *testing.T, header, query string) {
		r := httptest.NewRequest("GET", "/v1/memories", nil)
		r.URL.RawQuery = query
		r.Host = ln.Addr().String()
		r.Header["Authorization"] = []string{header}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		scheme, token, _ := strings.Cut(strings.TrimSpace(header), " ")
		owner := strings.EqualFold(scheme, "bearer") && strings.TrimSpace(token) == secrets["T_ALL"]
		if w.Code == http.StatusOK && !owner || w.Code >= 500 {
			t.Fatalf("%q with %q: %d %s", header, query, w.Code, w.Body)
		}
		if owner && query == "" && w.Code != http.StatusOK {
			t.Fatalf("the owner's %q: %d %s", header, w.Code, w.Body)
		}
	})
}
