package httpapi_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

func TestFailureLooksLikeFailure(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes everywhere")
	}
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	if err := os.Chmod(b.Dir(), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(b.Dir(), 0o755)
	d.ask("POST", "/v1/memories", `{"content":"lost"}`).want(t, "remember", 500)
	d.get("/v1/memories/search?q=cats").want(t, "search", 200)
}

func TestWhereTheFolderLiesIsToldToTheOwnerAlone(t *testing.T) {
	b := banktest.New(t, "config.yaml", tokens+"card: {audience: public}\n")
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	card := filepath.Join(b.Dir(), "memory.md")
	os.Remove(card)
	if err := os.Mkdir(card, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(card)
	if got := d.get("/v1/card", "Authorization", tokenOf("trusted")).want(t, "the owner", 400); !strings.Contains(got.body, b.Dir()) {
		t.Errorf("the owner is not told where: %s", got.body)
	}
	if got := d.get("/v1/card").want(t, "the public", 400); strings.Contains(got.body, b.Dir()) {
		t.Errorf("the public is told where: %s", got.body)
	}
}

func TestWhatGoesWrongInsideIsToldToTheOwnerAlone(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked, "config.yaml", tokens)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	file := filepath.Join(b.Dir(), "memory.json")
	if err := errors.Join(os.Rename(file, file+".kept"), os.Mkdir(file, 0o755)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(os.Remove(file), os.Rename(file+".kept", file)); err != nil {
			t.Error(err)
		}
	}()
	if got := d.get("/v1/stats", "Authorization", tokenOf("trusted")).want(t, "the owner", 500); !strings.Contains(got.body, "memory.json") {
		t.Errorf("the owner is not told what: %s", got.body)
	}
	if got := d.get("/v1/stats").want(t, "the public", 500); strings.Contains(got.body, "memory.json") || strings.Contains(got.body, b.Dir()) {
		t.Errorf("the public is told what: %s", got.body)
	}
	d.get("/healthz").want(t, "health", 500)
	if strings.Contains(d.log.String(), b.Dir()) {
		t.Errorf("the log has the path: %s", d.log)
	}
}

// FuzzRemember holds that no body whatever makes the server fail, and that only
// a success changes the memory.
func FuzzRemember(f *testing.F) {
	b := banktest.New(f)
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ln.Close() })
	s := httpapi.New(b.Bank, ln, httpapi.Options{})
	for _, body := range []string{`{"content":"a"}`, `{"content":"a","importance":2}`, `{"audience":null}`, `[]`, `{"content":"\ud800"}`, `{"content":"a","at":"0000-01-01"}`, `{"content":"a","level":9}`, `{"content":"a","at":"9999-12-31T23:59:59-12:00"}`} {
		f.Add(body)
	}
	count := func() int {
		all, err := b.Bank.List(plastic.Filter{All: true})
		if err != nil {
			return -1
		}
		return len(all.Memories)
	}
	f.Fuzz(func(t *testing.T, body string) {
		before := count()
		r := httptest.NewRequest("POST", "/v1/memories", strings.NewReader(body))
		r.Host = ln.Addr().String()
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if after := count(); w.Code != http.StatusCreated && after != before || after < before {
			t.Errorf("%q: status %d, %d memories became %d", body, w.Code, before, after)
		}
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}
