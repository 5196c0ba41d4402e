package httpapi_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

func TestEveryRouteIsInTheMatrix(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	d.get("/v1/openapi.json").want(t, "the description", 200).into(t, &doc)
	if len(doc.Paths) < 20 {
		t.Fatalf("the description has %d paths", len(doc.Paths))
	}
	for path, methods := range doc.Paths {
		if path == "/v1/events" { // a stream without an end: it has tests of its own below
			continue
		}
		like := regexp.MustCompile("^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "[^/?]+") + "(\\?|$)")
		for method := range methods {
			if !slices.ContainsFunc(asked, func(a struct{ method, path, body string }) bool {
				return strings.EqualFold(a.method, method) && like.MatchString(strings.ReplaceAll(a.path, "%s", "x"))
			}) {
				t.Errorf("%s %s is not asked about private memories: give asked a row", strings.ToUpper(method), path)
			}
		}
	}
}

// TestNoRouteTellsOthersWhatIsPrivate asks the same of a folder with private memories and
// of the same one without them: but for the owner's note that there are some, the answers
// are the same to the byte, of every method, as JSON and as an event stream; so is what is
// read after it.
func TestNoRouteTellsOthersWhatIsPrivate(t *testing.T) {
	for _, audience := range []string{"owner", "public"} {
		for _, a := range asked {
			if a.method == "GET" && a.path == "/" {
				continue
			}
			with, without := answersTo(t, a.method, a.path, a.body, audience, banktest.Secretive), answersTo(t, a.method, a.path, a.body, audience, banktest.Bare)
			if with != without {
				t.Errorf("%s, %s %s %s: with private memories\n%s\nwithout\n%s", audience, a.method, a.path, a.body, with, without)
			}
		}
	}
}

// answersTo are the answers to one request and to what is read after it, in a folder that
// fill makes.
func answersTo(t *testing.T, method, path, body, audience string, fill func(testing.TB, string)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory")
	fill(t, dir)
	banktest.Write(t, dir, "config.yaml", tokens)
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return banktest.Start }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	d := opened(t, &banktest.Bank{Bank: b}, httpapi.Options{Getenv: secrets.get})
	defer d.stop()
	var out []string
	say := func(got answer) {
		text := strings.Replace(got.body, `"withheld":1`, `"withheld":0`, 1)
		out = append(out, fmt.Sprint(got.status, got.header["Allow"], got.header["Plastic-Audience"], traffic.ReplaceAllString(note.ReplaceAllString(text, ""), "")))
	}
	as := []string{"Authorization", tokenOf(audience)}
	say(d.ask(method, strings.ReplaceAll(path, "%s", "zebrawood"), strings.ReplaceAll(body, "%s", "zebrawood"), as...))
	if strings.Contains(path, "/prompt") {
		say(d.get(strings.ReplaceAll(path, "%s", "zebrawood"), append(as, "Accept", "text/event-stream")...))
	}
	if method != "GET" {
		for _, then := range []string{"/v1/stats", "/v1/memories/search?q=tea+piano+cats+zebrawood&explain=true&rehearse=false", "/metrics"} {
			say(d.get(then, as...))
		}
	}
	return given.ReplaceAllString(strings.Join(out, "\n"), "NEW")
}

// What is not compared: the owner's note, counts of requests, and ids by chance.
var (
	note    = regexp.MustCompile(`Private memories are kept back[^\\"]*|(\\n)+`)
	traffic = regexp.MustCompile(`(?m)^(# (HELP|TYPE) )?plastic_http.*\n`)
	given   = regexp.MustCompile(`\b[a-z][0-9a-hj-km-np-tv-z]{9}([0-9A-Z]{2})?\b|"id":"[A-Z2-7]{12}"`)
)
