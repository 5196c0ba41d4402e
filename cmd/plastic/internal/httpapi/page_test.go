package httpapi_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

func TestThePageIsWholeAndAsksNobodyElse(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	files, err := os.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	outside := regexp.MustCompile(`(https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
	for _, f := range files {
		path := "/page/" + f.Name()
		if f.Name() == "index.html" {
			path = "/"
		}
		got := d.get(path).want(t, path, 200)
		for _, found := range outside.FindAllString(got.body, -1) {
			if !strings.HasSuffix(found, "//www.w3.org") {
				t.Errorf("%s names %s", path, found)
			}
		}
		for _, ref := range regexp.MustCompile(`(?:src|href)="([^"#]+)"|from "([^"]+)"`).FindAllStringSubmatch(got.body, -1) {
			to := strings.Replace(ref[1]+ref[2], "./", "/page/", 1)
			d.get(to).want(t, path+" needs "+to, 200)
		}
		if got.header.Get("Content-Type") == "" || got.header.Get("Content-Type") == "application/octet-stream" {
			t.Errorf("%s has the type %q", path, got.header.Get("Content-Type"))
		}
	}
}

// A memory may hold any text: the page puts it in as text and has no way to read
// HTML, and the policy would not let a script in it run.
func TestThePageReadsNoHTML(t *testing.T) {
	files, err := os.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	html := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|\son[a-z]+=|style=|javascript:|<style|<script>`)
	for _, f := range files {
		text, err := os.ReadFile("page/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if found := html.FindString(string(text)); found != "" {
			t.Errorf("%s has %q", f.Name(), found)
		}
	}
	d := opened(t, banktest.New(t), httpapi.Options{})
	policy := d.get("/").header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %q: %s", part, policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy: %s", policy)
	}
}

func TestThePageIsNotSentTwice(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	first := d.get("/page/app.js")
	if again := d.get("/page/app.js", "If-None-Match", first.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("status %d, %d bytes", again.status, len(again.body))
	}
}

func TestTheDescriptionNamesEveryRoute(t *testing.T) {
	d := opened(t, banktest.New(t, "memory.json", stocked), httpapi.Options{})
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			Summary     string
			Parameters  []struct{ Name, In string }
			RequestBody *struct {
				Content map[string]struct{ Schema schema }
			}
			Responses map[string]struct {
				Content map[string]struct{ Schema schema }
			}
		}
	}
	d.get("/v1/openapi.json").into(t, &doc)
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("it is of version %q", doc.OpenAPI)
	}
	for path, methods := range map[string]string{
		"/v1/memories": "get post", "/v1/memories/{id}": "get patch delete", "/v1/memories/search": "get post", "/v1/memories/prompt": "get",
		"/v1/memories/archive": "get", "/v1/memories/archive/{id}/restore": "post",
		"/v1/turns/active": "post", "/v1/turns/active/{id}": "delete", "/v1/sleep": "get post", "/v1/sleep/wake": "post", "/v1/sleep/runs": "get", "/v1/sleep/runs/{date}/undo": "post",
		"/v1/compress": "post", "/v1/forecast": "get", "/v1/stats": "get",
		"/v1/card": "get put", "/v1/config": "get patch", "/v1/channel": "get put", "/v1/events": "get", "/healthz": "get", "/metrics": "get",
	} {
		for method := range strings.SplitSeq(methods, " ") {
			op, ok := doc.Paths[path][method]
			if !ok || op.Summary == "" {
				t.Errorf("%s %s is not described", method, path)
			}
			if strings.Contains(path, "{") != (len(op.Parameters) > 0 && op.Parameters[0].In == "path" && strings.Contains(path, "{"+op.Parameters[0].Name+"}")) {
				t.Errorf("%s %s: parameters %+v", method, path, op.Parameters)
			}
		}
	}
	// The described fields are those that are answered with.
	answer := doc.Paths["/v1/memories/search"]["get"].Responses["200"].Content["application/json"].Schema
	var got map[string]any
	d.get("/v1/memories/search?q=cats&explain=true").into(t, &got)
	answer.holds(t, "search", got)
	got = nil
	d.ask("POST", "/v1/sleep", "").into(t, &got)
	doc.Paths["/v1/sleep"]["post"].Responses["200"].Content["application/json"].Schema.holds(t, "sleep", got)
	got = nil
	d.get("/v1/sleep/runs").into(t, &got)
	doc.Paths["/v1/sleep/runs"]["get"].Responses["200"].Content["application/json"].Schema.holds(t, "runs", got)
	if _, ok := doc.Paths["/v1/turns/active"]["post"].Responses["201"]; !ok {
		t.Error("a turn that begins is not described as 201")
	}
	body := doc.Paths["/v1/memories"]["post"].RequestBody.Content["application/json"].Schema
	for _, field := range []string{"content", "kind", "importance", "level", "pinned", "private", "at", "supersedes", "source", "session", "speaker", "audience", "public"} {
		if _, ok := body.Properties[field]; !ok {
			t.Errorf("a new memory's %s is not described", field)
		}
	}
}

// schema is as much of a JSON schema as is made use of.
type schema struct {
	Type       any
	Properties map[string]schema
	Items      *schema
}

// holds fails the test where v has a field that is not described.
func (s schema) holds(t *testing.T, where string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			inner, ok := s.Properties[name]
			if !ok && len(s.Properties) > 0 {
				t.Errorf("%s.%s is not described", where, name)
			}
			inner.holds(t, where+"."+name, field)
		}
	case []any:
		for _, item := range v {
			if s.Items == nil {
				t.Fatalf("%s is described as no list", where)
			}
			s.Items.holds(t, where+"[]", item)
		}
	}
}

// FuzzText holds that a text goes in and comes out over HTTP as it is, but for
// bytes that are no UTF-8.
func FuzzText(f *testing.F) {
	for _, s := range []string{"大肥魚", "a\u2028b", "</script><b>", "\x00", "кошка\r\n", `"\`, "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		if strings.IndexFunc(text, unicode.IsLetter) < 0 {
			text += "x" // a text of which nothing can be seen is none
		}
		b := banktest.New(t)
		d := opened(t, b, httpapi.Options{})
		body, err := json.Marshal(map[string]any{"content": text, "allowSecret": true})
		if err != nil {
			t.Fatal(err)
		}
		var made plastic.Remembered
		d.ask("POST", "/v1/memories", string(body)).want(t, text, 201).into(t, &made)
		var shown plastic.Shown
		d.get("/v1/memories/"+made.ID).into(t, &shown)
		if want := strings.ToValidUTF8(text, "\uFFFD"); shown.Memory.Content != want && strings.ToValidUTF8(text, "") == text {
			t.Errorf("%q became %q", text, shown.Memory.Content)
		}
		d.stop()
	})
}
