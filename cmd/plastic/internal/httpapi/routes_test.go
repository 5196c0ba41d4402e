package httpapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// three memories, one of them private, and one in the archive.
const stocked = `{"version":1,"memories":[
 {"id":"tea1","content":"@ann drinks tea at five","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"cat1","content":"@ann keeps two cats","kind":"fact","importance":0.6,"createdAt":"2026-11-02T08:00:00Z"}
,{"id":"hid1","content":"her ring size is 17","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-11-03T08:00:00Z"}
]}
`

const away = `{"version":1,"archive":[
 {"memory":{"id":"old1","content":"the old kettle","kind":"fact","importance":0.5,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-20T08:00:00Z","as":"forgotten","by":"cli","why":""}
]}
`

func TestEveryRouteAnswersEveryAudience(t *testing.T) {
	for _, c := range []struct {
		method, path, body     string
		trusted, owner, public int
	}{
		{"GET", "/v1/memories", "", 200, 403, 403},
		{"GET", "/v1/memories?layer=anchor&kind=fact&all=true", "", 200, 403, 403},
		{"GET", "/v1/memories?layer=deep", "", 400, 403, 403},
		{"POST", "/v1/memories", `{"content":"the blue bicycle","importance":0.4}`, 201, 201, 403},
		{"POST", "/v1/memories", `{"content":"@ann keeps two cats"}`, 200, 200, 403},
		{"POST", "/v1/memories", `{"content":"x","importance":5}`, 400, 400, 403},
		{"POST", "/v1/memories", `{"content":""}`, 400, 400, 403},
		{"POST", "/v1/memories", ``, 400, 400, 403},
		{"POST", "/v1/memories", `{"content":"in time","at":"soon"}`, 400, 400, 403},
		{"GET", "/v1/memories/tea1", "", 200, 200, 200},
		{"GET", "/v1/memories/hid1", "", 200, 404, 404},
		{"GET", "/v1/memories/none", "", 404, 404, 404},
		{"PATCH", "/v1/memories/tea1", `{"importance":0.9,"pinned":true}`, 200, 200, 403},
		{"PATCH", "/v1/memories/tea1", `{}`, 400, 400, 403},
		{"PATCH", "/v1/memories/hid1", `{"private":false}`, 200, 404, 403},
		{"DELETE", "/v1/memories/tea1", "", 200, 200, 403},
		{"DELETE", "/v1/memories/tea1", `{"why":"cold"}`, 200, 200, 403},
		{"DELETE", "/v1/memories/tea1?why=cold&purge=true", "", 200, 200, 403},
		{"DELETE", "/v1/memories/hid1", "", 200, 404, 403},
		{"GET", "/v1/memories/search?q=cats&limit=3&rehearse=false&explain=true", "", 200, 200, 200},
		{"GET", "/v1/memories/search?limit=0", "", 400, 400, 400},
		{"GET", "/v1/memories/search?q=a&q=b", "", 400, 400, 400},
		{"POST", "/v1/memories/search", `{"query":"cats","limit":2,"rehearse":false,"history":true}`, 200, 200, 200},
		{"POST", "/v1/memories/search", `{"query":"cats","asOf":"2026-11-02"}`, 200, 200, 200},
		{"POST", "/v1/memories/search", `{"query":"cats","limit":-1}`, 400, 400, 400},
		{"GET", "/v1/memories/prompt?q=cats&session=s1", "", 200, 200, 200},
		{"GET", "/v1/memories/archive", "", 200, 403, 403},
		{"POST", "/v1/memories/archive/old1/restore", "", 200, 200, 403},
		{"POST", "/v1/memories/archive/none/restore", "", 404, 404, 403},
		{"POST", "/v1/compress", `{"dryRun":true}`, 200, 403, 403},
		{"POST", "/v1/compress", "", 200, 403, 403},
		{"GET", "/v1/forecast?days=3&set=memory.keepFraction=0.6", "", 200, 403, 403},
		{"GET", "/v1/forecast?days=0", "", 400, 403, 403},
		{"GET", "/v1/forecast?set=memory.keepFraktion=1", "", 400, 403, 403},
		{"GET", "/v1/stats", "", 200, 200, 200},
		{"GET", "/v1/card", "", 200, 403, 403},
		{"PUT", "/v1/card", `{"content":"# Card\n","hash":""}`, 200, 403, 403},
		{"PUT", "/v1/card", `{"content":"# Card\n","hash":"other"}`, 400, 403, 403},
		{"PUT", "/v1/card", `{}`, 400, 403, 403},
		{"GET", "/v1/config", "", 200, 403, 403},
		{"PATCH", "/v1/config", `{"memory.keepFraction":0.6}`, 200, 403, 403},
		{"PATCH", "/v1/config", `{"preset":"human"}`, 200, 403, 403},
		{"PATCH", "/v1/config", `{"memory.keepFraction":7}`, 400, 403, 403},
		{"GET", "/v1/channel", "", 200, 200, 200},
		{"PUT", "/v1/channel", `{"recall":"session"}`, 200, 403, 403},
		{"GET", "/v1/openapi.json", "", 200, 200, 200},
		{"GET", "/healthz", "", 200, 200, 200},
		{"GET", "/metrics", "", 200, 200, 200},
		{"GET", "/", "", 200, 200, 200},
		{"GET", "/page/style.css", "", 200, 200, 200},
	} {
		for audience, status := range map[string]int{"trusted": c.trusted, "owner": c.owner, "public": c.public} {
			b := banktest.New(t, "memory.json", stocked, "archive.json", away, "config.yaml", tokens)
			d := opened(t, b, httpapi.Options{Getenv: secrets.get})
			d.ask(c.method, c.path, c.body, "Authorization", tokenOf(audience)).want(t, audience+": "+c.method+" "+c.path+" "+c.body, status)
			d.stop()
		}
	}
}

func TestWhatIsNotThereIsSaidAsJSON(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	for _, path := range []string{"/v1", "/v1/", "/v2/memories", "/v1/memories/", "/v1//memories", "/v1/memories/../card", "/page", "/page/", "/page/nothing.js", "/favicon.ico", "/mcp", "/v1/memories/a/b", "/%2e%2e/x", "/page/..%2fserver.go"} {
		d.get(path).want(t, path, 404)
	}
}

func TestAWrongMethodIsToldWhatThereIs(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	for to, allow := range map[string]string{
		"PUT /v1/memories":           "GET, HEAD, POST, OPTIONS",
		"POST /v1/memories/tea1":     "GET, HEAD, PATCH, DELETE, OPTIONS",
		"DELETE /v1/memories/search": "GET, HEAD, POST, OPTIONS",
		"DELETE /v1/memories/prompt": "GET, HEAD, OPTIONS",
		"PATCH /v1/memories/archive": "GET, HEAD, OPTIONS",
		"DELETE /v1/card":            "GET, HEAD, PUT, OPTIONS",
		"GET /v1/compress":           "POST, OPTIONS",
		"POST /healthz":              "GET, HEAD, OPTIONS",
		"POST /":                     "GET, HEAD, OPTIONS",
		"BREW /v1/stats":             "GET, HEAD, OPTIONS",
	} {
		method, path, _ := strings.Cut(to, " ")
		got := d.ask(method, path, "").want(t, to, 405)
		if got.header.Get("Allow") != allow {
			t.Errorf("%s: Allow %q, want %q", to, got.header.Get("Allow"), allow)
		}
		if got := d.ask("OPTIONS", path, ""); got.status != 204 || got.header.Get("Allow") != allow || got.body != "" {
			t.Errorf("OPTIONS %s: %d, Allow %q, %q", path, got.status, got.header.Get("Allow"), got.body)
		}
	}
}

func TestAHeadIsAGetWithoutABodyAndStrengthensNothing(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	for _, path := range []string{"/", "/healthz", "/metrics", "/v1/stats", "/v1/memories", "/v1/memories/search?q=cats", "/v1/memories/prompt?q=cats", "/v1/events"} {
		if got := d.ask("HEAD", path, ""); got.status != 200 || got.body != "" {
			t.Errorf("HEAD %s: %d, %q", path, got.status, got.body)
		}
	}
	if m := b.Show("cat1"); m.RecallCount != 0 {
		t.Errorf("a HEAD counted as %d recalls", m.RecallCount)
	}
}

func TestABodyIsBoundedAndStrict(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	big := `{"content":"` + strings.Repeat("a", 1<<20) + `"}`
	d.ask("POST", "/v1/memories", big).want(t, "over a megabyte", 413)
	d.ask("PUT", "/v1/card", big).want(t, "a card over a megabyte", 413)
	for _, bad := range []string{`{`, `[]`, `"x"`, `5`, `null5`, `{"content":"a"}{"content":"b"}`, `{"content":5}`, `{"content":"a","pinned":"true"}`, `{"content":"a","importance":"high"}`, `{"content":"a","text":"b"}`, "\xff\xfe"} {
		d.ask("POST", "/v1/memories", bad).want(t, bad, 400)
	}
	for _, bad := range []string{`{"content":"a","audience":5}`, `{"content":"a","audience":""}`, `{"content":"a","audience":" "}`, `{"content":"a","audience":"*"}`, `{"content":"a","public":"yes"}`} {
		if a := d.ask("POST", "/v1/memories", bad).want(t, bad, 400); strings.Contains(a.body, "lower") {
			t.Errorf("%s is told as %s", bad, a.body)
		}
	}
	if n := len(b.All()); n != 0 {
		t.Errorf("%d memories were written", n)
	}
	// A whole card of 64 KiB fits, however it is escaped.
	card, err := json.Marshal(map[string]string{"content": strings.Repeat("\x01", 64<<10)})
	if err != nil {
		t.Fatal(err)
	}
	var read, wrote plastic.CardText
	d.get("/v1/card").into(t, &read)
	d.ask("PUT", "/v1/card", strings.TrimSuffix(string(card), "}")+`,"hash":"`+read.Hash+`"}`).want(t, "the largest card", 200).into(t, &wrote)
	if wrote.Size.Bytes != 64<<10 {
		t.Errorf("the card has %d bytes", wrote.Size.Bytes)
	}
	d.ask("PUT", "/v1/card", `{"content":"# Card\n","hash":"`+wrote.Hash+`"}`).want(t, "a short card", 200)
	d.get("/v1/stats?x="+strings.Repeat("y", 64<<10)).wantStatus(t, 431)
}

func (a answer) wantStatus(t testing.TB, status int) {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d", a.status, status)
	}
}

func TestTheFieldsOfAMemoryArriveWhole(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	body := `{"content":"<b>Аня</b> & 大肥魚\u2028","kind":"event","level":5,"pinned":true,"private":true,"at":"2026-11-28","source":"turn:9","session":"s","speaker":"ann"}`
	var got plastic.Remembered
	a := d.ask("POST", "/v1/memories", body).want(t, "remember", 201)
	a.into(t, &got)
	if !strings.Contains(a.body, "<b>Аня</b> & 大肥魚") {
		t.Errorf("the text does not go out as it is: %s", a.body)
	}
	m := b.Show(got.ID)
	if m.Content != "<b>Аня</b> & 大肥魚\u2028" || m.Kind != "event" || m.Importance != 1 || !m.Pinned || !m.Private ||
		m.CreatedAt.Format("2006-01-02T15:04") != "2026-11-28T00:00" || m.Source != "turn:9" || m.Session != "s" || m.Speaker != "ann" {
		t.Errorf("kept as %+v", m)
	}
	d.ask("PATCH", "/v1/memories/"+got.ID, `{"content":"大肥魚","private":false}`).want(t, "change", 200)
	if m := b.Show(got.ID); m.Content != "大肥魚" || m.Private || !m.Pinned || m.Importance != 1 {
		t.Errorf("changed to %+v", m)
	}
	next := d.ask("POST", "/v1/memories", `{"content":"小肥魚","supersedes":"`+got.ID+`"}`).want(t, "supersede", 201)
	next.into(t, &got)
	d.ask("DELETE", "/v1/memories/"+got.ID, `{"why":"small"}`).want(t, "forget", 200)
	var archive plastic.ArchiveListing
	d.get("/v1/memories/archive").into(t, &archive)
	i := slices.IndexFunc(archive.Archive, func(e plastic.ArchiveEntry) bool { return e.Memory.ID == got.ID })
	if i < 0 || archive.Archive[i].Why != "small" || archive.Archive[i].By != "http" {
		t.Errorf("archived as %+v", archive)
	}
}

func TestASearchCountsAsARecallUnlessToldNotTo(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	count := func() int { return b.Show("cat1").RecallCount }
	d.get("/v1/memories/search?q=cats&rehearse=false")
	d.ask("POST", "/v1/memories/search", `{"query":"cats","rehearse":false}`)
	d.get("/v1/memories/search?q=cats&public=true")
	d.get("/v1/memories/prompt?q=cats")
	if n := count(); n != 0 {
		t.Fatalf("counted %d recalls", n)
	}
	d.get("/v1/memories/search?q=cats")
	d.ask("POST", "/v1/memories/search", `{"query":"cats"}`)
	if n := count(); n != 2 {
		t.Errorf("counted %d recalls, want 2", n)
	}
}

func TestAnAnswerExplainsItsScore(t *testing.T) {
	d := opened(t, banktest.New(t, "memory.json", stocked), httpapi.Options{})
	var got plastic.Recalled
	d.get("/v1/memories/search?q=cats").into(t, &got)
	if len(got.Memories) != 1 || len(got.Memories[0].Parts) == 0 || got.Dropped != nil {
		t.Errorf("answers %+v", got)
	}
}

func TestAShortIDThatFitsSeveralChangesNothing(t *testing.T) {
	b := banktest.New(t, "memory.json", strings.ReplaceAll(stocked, `"cat1"`, `"tea2"`))
	d := opened(t, b, httpapi.Options{})
	got := d.ask("DELETE", "/v1/memories/tea", "").want(t, "two fit", 409)
	if !strings.Contains(got.body, "tea1") || !strings.Contains(got.body, "tea2") {
		t.Errorf("the candidates are not named: %s", got.body)
	}
	if n := len(b.All()); n != 3 {
		t.Errorf("%d memories are left", n)
	}
}

func TestEveryAnswerForbidsGuessingAndEmbedding(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	for _, path := range []string{"/", "/page/app.js", "/v1/stats", "/v1/nothing", "/healthz", "/metrics"} {
		h := d.get(path).header
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		if !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: policy %q", path, h.Get("Content-Security-Policy"))
		}
	}
}
