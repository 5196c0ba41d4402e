package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

const commented = "# ours\nmemory:\n  timezone: UTC # nights\n  keepFraction: 0.5\n"

func configOf(t *testing.T, b *banktest.Bank) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.Dir(), "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSettingsAreSetAndCommentsStay(t *testing.T) {
	b := banktest.New(t, "config.yaml", commented)
	d := opened(t, b, httpapi.Options{})
	for body, want := range map[string]string{
		`{"memory.keepFraction":0.6}`:                      "0.6",
		`{"memory":{"keepFraction":0.7,"anchorCount":9}}`:  "0.7",
		`{"memory.keepFraction":"0.8"}`:                    "0.8",
		`{"memory.keepFraction":null}`:                     "0.35",
		`{"memory":{"kinds":{"event":{"fade":2}}}}`:        "2",
		`{"recall":{"cosineZero":0.9,"cosineOne":0.95}}`:   "0.95",
		`{"prompt.fill":false,"channel":{"recall":"off"}}`: "off",
	} {
		got := d.ask("PATCH", "/v1/config", body).want(t, body, 200)
		if !strings.Contains(got.body, want) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	text := configOf(t, b)
	if !strings.Contains(text, "# ours") || !strings.Contains(text, "# nights") {
		t.Errorf("comments are lost:\n%s", text)
	}
	var all struct {
		Config []struct{ Key, Value, Default, Meaning, Range string }
	}
	d.get("/v1/config").into(t, &all)
	if len(all.Config) < 50 {
		t.Errorf("%d keys are shown", len(all.Config))
	}
}

func TestSettingsThatAreRefusedChangeNothing(t *testing.T) {
	b := banktest.New(t, "config.yaml", commented)
	d := opened(t, b, httpapi.Options{})
	for _, body := range []string{
		`{}`, `{"memory":{}}`, `{"memory.keepFraction":2}`, `{"memory.keepFraktion":0.5}`, `{"memory":5}`, `{"colour":"red"}`,
		`{"memory.keepFraction":0.9,"memory.anchorCount":-1}`, `{"preset":"human","memory.anchorCount":3}`, `{"preset":"nobody"}`, `{"preset":5}`,
		`{"recall":{"cosineZero":0.9,"cosineOne":0.5}}`,
	} {
		d.ask("PATCH", "/v1/config", body).want(t, body, 400)
	}
	if text := configOf(t, b); text != commented {
		t.Errorf("config.yaml became\n%s", text)
	}
}

// What could run a command, read a file, send memories away or let others in is
// set on the machine, not through a door, whoever comes.
func TestNoSettingThatReachesOutIsSetOverHTTP(t *testing.T) {
	b := banktest.New(t, "config.yaml", commented)
	d := opened(t, b, httpapi.Options{})
	for _, body := range []string{
		`{"sleep.after":["sh","-c","id"]}`, `{"sleep":{"after":"id"}}`, `{"sleep.notify":["id"]}`, `{"model.apiBase":"https://evil.example/v1"}`,
		`{"model":{"embedBase":"https://evil.example/v1"}}`, `{"model.rerankBase":"https://evil.example/v1","memory.keepFraction":0.9}`,
		`{"server.listen":"0.0.0.0:7433"}`, `{"server.listen":"127.0.0.1:7000"}`, `{"server":{"tokens":[{"name":"me","env":"HOME","audience":"trusted"}]}}`,
		`{"card.path":"../other.md"}`, `{"card.path":".env"}`, `{"sleep.persona":".env"}`,
	} {
		d.ask("PATCH", "/v1/config", body).want(t, body, 403)
	}
	if text := configOf(t, b); text != commented {
		t.Errorf("config.yaml became\n%s", text)
	}
}

func TestAChangeOfTheChannelHoldsFromTheNextTurn(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	if got := d.get("/v1/memories/prompt?q=cats"); !strings.Contains(got.body, "two cats") {
		t.Fatalf("nothing comes to mind: %s", got.body)
	}
	if got := d.ask("PUT", "/v1/channel", `{"recall":"off"}`).want(t, "off", 200); got.body != `{"enabled":true,"recall":"off","retain":true}`+"\n" {
		t.Errorf("the channel is %s", got.body)
	}
	if got := d.get("/v1/memories/prompt?q=cats"); strings.Contains(got.body, "two cats") {
		t.Errorf("the channel is off, and still: %s", got.body)
	}
	d.ask("PUT", "/v1/channel", `{"recall":"sometimes"}`).want(t, "no such way", 400)
	d.ask("PUT", "/v1/channel", `{}`).want(t, "nothing", 400)
}

func TestABrokenConfigurationLeavesTheLastGoodOne(t *testing.T) {
	b := banktest.New(t, "config.yaml", tokens)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	banktest.Write(t, b.Dir(), "config.yaml", "server: {tokens: [}\n")
	d.get("/v1/memories").want(t, "no token", 403)
	d.get("/v1/memories", "Authorization", tokenOf("trusted")).want(t, "the token", 200)
	if !strings.Contains(d.log.String(), "last good configuration") {
		t.Errorf("the log does not say so:\n%s", d.log)
	}
	banktest.Write(t, b.Dir(), "config.yaml", tokens)
}
