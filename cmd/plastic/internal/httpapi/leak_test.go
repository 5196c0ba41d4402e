package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
	"plastic/memory"
)

// hidden are the marks of what is private in secretive: words, ids, a session.
var hidden = []string{"zebrawood", "pension", "clinic", "ten thousand", "hid-core", "hid-fact", "hid-gone", "quiet-room"}

const secretive = `{"version":1,"memories":[
 {"id":"hid-core","content":"her zebrawood pension is ten thousand","kind":"core","importance":0.9,"private":true,"createdAt":"2026-10-01T08:00:00Z","session":"quiet-room"}
,{"id":"open1","content":"tea at five, with Ann","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
,{"id":"hid-fact","content":"tea at the zebrawood clinic","kind":"event","importance":0.5,"private":true,"createdAt":"2026-11-04T08:00:00Z","session":"quiet-room"}
,{"id":"open2","content":"Ann keeps two cats","kind":"fact","importance":0.6,"createdAt":"2026-11-05T08:00:00Z"}
]}
`

const secretAway = `{"version":1,"archive":[
 {"memory":{"id":"hid-gone","content":"the zebrawood box","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-20T08:00:00Z","as":"forgotten","by":"cli","why":"the clinic"}
]}
`

// secretNights took, raised and merged what is private.
const secretNights = `{"date":"2026-11-28","started":"2026-11-28T03:00:00Z","ended":"2026-11-28T03:00:00Z","dryRun":false,"phases":[{"name":"clusters","calls":1,"ops":[{"op":"rewrite","ids":["hid-core"],"why":"the clinic said so","applied":true,"refused":""}]}],"compress":{"before":5,"after":4,"pruned":1,"promoted":1,"archived":[{"id":"hid-gone","why":"the pension is old"}],"raised":[{"id":"hid-core","why":"the zebrawood","was":0.3}]}}
`

// asked are all routes, in ways that would find what is private. A %s is the
// mark that is looked for.
var asked = []struct{ method, path, body string }{
	{"GET", "/v1/memories", ""}, {"GET", "/v1/memories?all=true&kind=core", ""},
	{"POST", "/v1/memories", `{"content":"tea at the %s"}`}, {"POST", "/v1/memories", `{"content":"%s","supersedes":"hid-core"}`},
	{"GET", "/v1/memories/hid", ""}, {"GET", "/v1/memories/hid-core", ""}, {"GET", "/v1/memories/h", ""}, {"GET", "/v1/memories/%s", ""},
	{"PATCH", "/v1/memories/hid", `{"pinned":true}`}, {"PATCH", "/v1/memories/hid-fact", `{"content":"%s"}`},
	{"DELETE", "/v1/memories/hid", ""}, {"DELETE", "/v1/memories/hid-core", ""}, {"DELETE", "/v1/memories/hid-core?purge=true", ""}, {"DELETE", "/v1/memories/hid-gone?purge=true", ""},
	{"GET", "/v1/memories/search?q=%s&explain=true", ""}, {"GET", "/v1/memories/search?q=tea&explain=true&history=true", ""},
	{"GET", "/v1/memories/search?q=%s&asOf=2026-11-20", ""}, {"POST", "/v1/memories/search", `{"query":"%s pension clinic tea","explain":true}`},
	{"GET", "/v1/memories/prompt?q=%s", ""}, {"GET", "/v1/memories/prompt?q=tea&session=quiet-room", ""},
	{"GET", "/v1/memories/archive", ""}, {"POST", "/v1/memories/archive/hid/restore", ""}, {"POST", "/v1/memories/archive/hid-gone/restore", ""}, {"POST", "/v1/memories/archive/hid-core/restore", ""},
	{"POST", "/v1/turns", `{"user":"I keep a canary","assistant":"ok"}`}, {"GET", "/v1/turns", ""}, {"POST", "/v1/turns/flush", `{}`}, {"POST", "/v1/reindex", `{}`}, {"GET", "/v1/network", ""},
	{"POST", "/v1/turns/active", `{}`}, {"DELETE", "/v1/turns/active/%s", ""}, {"DELETE", "/v1/turns/active/hid", ""},
	{"GET", "/v1/sleep", ""}, {"POST", "/v1/sleep", `{"dryRun":true}`}, {"POST", "/v1/sleep", `{"again":true}`}, {"POST", "/v1/sleep/wake", ""},
	{"GET", "/v1/sleep/runs", ""}, {"POST", "/v1/sleep/runs/2026-11-28/undo", ""}, {"POST", "/v1/sleep/runs/2026-11-28/undo", `{"force":true}`}, {"POST", "/v1/sleep/runs/%s/undo", ""},
	{"POST", "/v1/compress", `{"dryRun":true}`}, {"POST", "/v1/compress", ""}, {"GET", "/v1/forecast?days=30", ""},
	{"GET", "/v1/stats", ""}, {"GET", "/v1/card", ""}, {"PUT", "/v1/card", `{"content":"%s","hash":""}`},
	{"GET", "/v1/config", ""}, {"PATCH", "/v1/config", `{"memory.keepFraction":0.1}`}, {"GET", "/v1/channel", ""}, {"PUT", "/v1/channel", `{"retain":false}`},
	{"GET", "/v1/memories/tea", ""}, {"PATCH", "/v1/memories/tea", `{"pinned":true}`}, {"DELETE", "/v1/memories/tea", ""}, {"DELETE", "/v1/memories/hid-left?purge=true", ""}, {"POST", "/v1/memories/archive/hid-left/restore", ""},
	{"POST", "/v1/memories", `{"content":"Ann keeps two cats"}`}, {"POST", "/v1/memories", `{"content":"no tea on Mondays","supersedes":"cup-old"}`}, {"GET", "/v1/memories/search?q=piano&explain=true&history=true", ""},
	{"GET", "/v1/openapi.json", ""}, {"GET", "/healthz", ""}, {"GET", "/metrics", ""}, {"GET", "/", ""}, {"GET", "/v1/%s", ""}, {"POST", "/v1/%s", "%s"},
}

func TestNoRouteTellsAPrivateMemoryToOthers(t *testing.T) {
	for _, audience := range []memory.Audience{memory.Owner, memory.Public} {
		for how, lower := range map[string]func(path string) (string, []string){
			"its token": func(p string) (string, []string) { return p, []string{"Authorization", tokenOf(string(audience))} },
			"audience in the query": func(p string) (string, []string) {
				join := "?"
				if strings.Contains(p, "?") {
					join = "&"
				}
				return p + join + "audience=" + string(audience), []string{"Authorization", tokenOf("trusted")}
			},
		} {
			for _, a := range asked {
				b := banktest.New(t, "memory.json", secretive, "archive.json", secretAway, "nights.jsonl", secretNights, "config.yaml", tokens, "memory.md", "the zebrawood card\n")
				d := opened(t, b, httpapi.Options{Getenv: secrets.get})
				before := privateOnes(b)
				path, headers := lower(strings.ReplaceAll(a.path, "%s", "zebrawood"))
				if path == "/" || strings.HasPrefix(path, "/?") {
					path = "/"
				}
				body := strings.ReplaceAll(a.body, "%s", "zebrawood")
				got := d.ask(a.method, path, body, headers...)
				d.stop()
				for where, text := range map[string]string{"the body": withoutAsked(got.body, path, body), "the headers": fmt.Sprint(got.header), "the log": d.log.String()} {
					for _, mark := range hidden {
						if strings.Contains(text, mark) {
							t.Errorf("%s by %s, %s %s %s: %s tells %q:\n%s", audience, how, a.method, path, body, where, mark, text)
						}
					}
				}
				if after := privateOnes(b); !slices.Equal(before, after) {
					t.Errorf("%s by %s, %s %s: private memories changed from %v to %v", audience, how, a.method, path, before, after)
				}
			}
		}
	}
}

// A memory that a private one took the place of is closed, and does not say by
// what; nor do its neighbours, a search through its history, or an event.
func TestAPrivateSuccessorIsNotNamed(t *testing.T) {
	const chain = `{"version":1,"memories":[
 {"id":"old1","content":"tea with the dentist","kind":"fact","importance":0.5,"createdAt":"2026-10-01T08:00:00Z","validTo":"2026-11-01T08:00:00Z","supersededBy":"hid-next"}
,{"id":"hid-next","content":"tea with the zebrawood clinic","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"open1","content":"the dentist has a blue door","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`
	for _, audience := range []string{"owner", "public"} {
		b := banktest.New(t, "memory.json", chain, "config.yaml", tokens)
		d := opened(t, b, httpapi.Options{Getenv: secrets.get})
		as := []string{"Authorization", tokenOf(audience)}
		r := d.stream("/v1/events", as...)
		r.until("hello")
		var shown plastic.Shown
		d.get("/v1/memories/old1", as...).want(t, audience, 200).into(t, &shown)
		if shown.Memory.SupersededBy != "" || shown.Memory.ValidTo.IsZero() {
			t.Errorf("%s is shown %+v", audience, shown.Memory)
		}
		for _, path := range []string{"/v1/memories/search?q=tea+dentist&history=true&explain=true", "/v1/memories/search?q=tea&asOf=2026-10-20", "/v1/memories/prompt?q=tea+dentist", "/v1/stats", "/v1/memories/old", "/v1/memories?all=true"} {
			if got := d.get(path, as...); strings.Contains(got.body, "hid-next") || strings.Contains(got.body, "zebrawood") {
				t.Errorf("%s, %s: %s", audience, path, got.body)
			}
		}
		d.ask("PATCH", "/v1/memories/old1", `{"importance":0.6}`, "Authorization", tokenOf("trusted")).want(t, "change", 200)
		if e := r.until("memories"); strings.Contains(e.data, "hid-next") {
			t.Errorf("%s hears %+v", audience, e)
		}
		other := strings.ReplaceAll(memoriesOf(t, b), "hid-next", "hid-else")
		banktest.Write(t, b.Dir(), "memory.json", other) // by hand: another private one took its place
		d.ask("PATCH", "/v1/memories/open1", `{"importance":0.7}`, "Authorization", tokenOf("trusted")).want(t, "change", 200)
		if e := r.until("memories"); !strings.Contains(e.data, `"changed":["open1"]`) {
			t.Errorf("%s hears of a change that it can not see: %+v", audience, e)
		}
		d.stop()
		if strings.Contains(d.log.String(), "hid-next") {
			t.Errorf("the log:\n%s", d.log)
		}
		var trusted plastic.Shown
		d = opened(t, b, httpapi.Options{Getenv: secrets.get})
		if d.get("/v1/memories/old1", "Authorization", tokenOf("trusted")).into(t, &trusted); trusted.Memory.SupersededBy != "hid-else" {
			t.Errorf("the owner alone is shown %+v", trusted.Memory)
		}
	}
}

// memoriesOf is memory.json as it stands once all is written.
func memoriesOf(t *testing.T, b *banktest.Bank) string {
	t.Helper()
	if _, err := b.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(b.Dir(), "memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutAsked takes out of an answer what it only repeats of the question.
func withoutAsked(text, path, body string) string {
	if u, err := url.Parse(path); err == nil {
		if q := u.Query().Get("q"); q != "" {
			text = strings.ReplaceAll(text, `"query":"`+q, "")
		}
		segments := strings.Split(strings.TrimSuffix(u.Path, "/restore"), "/")
		text = strings.ReplaceAll(text, `\"`+segments[len(segments)-1]+`\"`, "")
		text = strings.ReplaceAll(text, "with the id "+segments[len(segments)-1]+" is", "")
	}
	for _, said := range []string{`"query":"zebrawood pension clinic tea"`, `"content":"tea at the zebrawood"`, `\"hid-core\"`, `"content":"zebrawood"`} {
		if strings.Contains(body, strings.Trim(said, `\"`)) || strings.HasPrefix(said, `"query"`) {
			text = strings.ReplaceAll(text, said, "")
		}
	}
	return text
}

// privateOnes are the private memories and what becomes of them.
func privateOnes(b *banktest.Bank) []string {
	var out []string
	for _, m := range b.All() {
		if m.Private {
			out = append(out, fmt.Sprint(m.ID, m.Content, m.RecallCount, m.Pinned, m.SupersededBy))
		}
	}
	archive, err := b.Archive()
	if err != nil {
		return []string{err.Error()}
	}
	for _, e := range archive.Archive {
		if e.Memory.Private {
			out = append(out, fmt.Sprint("away ", e.Memory.ID, e.Memory.Content))
		}
	}
	return out
}

func TestEventsTellOthersNothingOfPrivateMemories(t *testing.T) {
	b := banktest.New(t, "memory.json", secretive, "archive.json", secretAway, "config.yaml", tokens)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	owner := d.stream("/v1/events", "Authorization", tokenOf("owner"))
	public := d.stream("/v1/events")
	trusted := d.stream("/v1/events", "Authorization", tokenOf("trusted"))
	for _, r := range []*reader{owner, public, trusted} {
		r.until("hello")
	}
	all := []string{"Authorization", tokenOf("trusted")}
	d.ask("POST", "/v1/memories", `{"content":"the zebrawood violin","private":true}`, all...).want(t, "remember", 201)
	trusted.until("memories")
	d.ask("PATCH", "/v1/memories/hid-fact", `{"importance":0.9}`, all...).want(t, "change", 200)
	trusted.until("memories")
	d.ask("POST", "/v1/memories/search", `{"query":"zebrawood pension clinic"}`, all...).want(t, "recall", 200)
	trusted.until("memories")
	d.ask("DELETE", "/v1/memories/hid-fact", "", all...).want(t, "forget", 200)
	trusted.until("archive")
	d.ask("POST", "/v1/memories/archive/hid-gone/restore", "", all...).want(t, "restore", 200)
	trusted.until("memories")
	d.ask("PATCH", "/v1/memories/open2", `{"private":true}`, all...).want(t, "make private", 200)
	trusted.until("memories")
	for name, r := range map[string]*reader{"owner": owner, "public": public} {
		e := r.next()
		if e.name != "memories" || e.data != `{"created":[],"changed":[],"recalled":[],"gone":["open2"],"more":0,"live":1}` {
			t.Errorf("%s first hears %+v, not only of the memory that it saw before", name, e)
		}
		r.close()
		for e := range r.events {
			t.Errorf("%s hears %+v", name, e)
		}
	}
}

func TestTheLogAndTheCountsHoldNoText(t *testing.T) {
	b := banktest.New(t, "memory.json", secretive, "config.yaml", tokens)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	all := []string{"Authorization", tokenOf("trusted")}
	d.get("/v1/memories/search?q=zebrawood", all...)
	d.get("/v1/memories/prompt?q=zebrawood&session=quiet-room", all...)
	d.get("/v1/memories/hid-core", all...)
	d.get("/v1/zebrawood?q=pension", all...)
	d.ask("POST", "/v1/memories", `{"content":"the zebrawood desk"}`, all...)
	d.ask("POST", "/v1/memories", `{"zebrawood":1}`, all...)
	d.ask("ZEBRAWOOD", "/v1/stats", "", all...)
	d.get("/v1/stats", "Authorization", "Bearer zebrawood")
	counts := d.get("/metrics", all...).want(t, "metrics", 200)
	d.stop()
	for what, text := range map[string]string{"the log": d.log.String(), "the counts": counts.body} {
		for _, mark := range append(hidden, "ZEBRAWOOD", "all-5c2f", "desk") {
			if strings.Contains(text, mark) {
				t.Errorf("%s hold %q:\n%s", what, mark, text)
			}
		}
	}
	if !strings.Contains(d.log.String(), "route=/v1/memories/{id} status=200 audience=trusted") {
		t.Errorf("the log does not say what was asked:\n%s", d.log)
	}
	if !strings.Contains(counts.body, `plastic_http_requests_total{method="GET",route="/v1/memories/{id}",status="200"} 1`) {
		t.Errorf("the counts do not say what was asked:\n%s", counts.body)
	}
}

func TestTheCountsAreOverWhatTheAudienceSees(t *testing.T) {
	b := banktest.New(t, "memory.json", secretive, "config.yaml", tokens)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	for audience, want := range map[string]string{"trusted": `{layer="anchor"} 4`, "owner": `{layer="anchor"} 2`, "public": `{layer="anchor"} 2`} {
		got := d.get("/metrics", "Authorization", tokenOf(audience)).want(t, audience, http.StatusOK)
		if !strings.Contains(got.body, "plastic_memories"+want) {
			t.Errorf("%s: no %s in\n%s", audience, want, got.body)
		}
		if audience == "public" && strings.Contains(got.body, "plastic_http") {
			t.Error("the public sees the traffic")
		}
	}
	var stats plastic.Stats
	d.get("/v1/stats").into(t, &stats)
	if stats.Dir != "" || stats.Memories != 2 || stats.Card.Bytes != 0 || stats.Problems == nil {
		t.Errorf("the public's statistics: %+v", stats)
	}
}
