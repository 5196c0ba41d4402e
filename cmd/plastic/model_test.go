package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic/internal/banktest"
)

// memoryWith runs the program in a folder whose models are a scripted server.
type memoryWith struct {
	t     *testing.T
	dir   string
	model *banktest.Model
	env   []string
}

func newMemoryWith(t *testing.T, config string) *memoryWith {
	m := &memoryWith{t: t, dir: t.TempDir(), model: banktest.NewModel(t)}
	home := t.TempDir()
	// The key is of this machine, so is the address: no `config allow` is needed.
	m.env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("XDG_STATE_HOME", home)
	banktest.Write(t, m.dir, "config.yaml", "memory: {timezone: UTC}\n"+config)
	banktest.Write(t, m.dir, "memory.json", `{"version":1,"memories":[]}`)
	m.ok("", "config", "set", "model.apiBase", m.model.URL)
	m.model.Requests("")
	return m
}

func (m *memoryWith) run(in string, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	code = run(append([]string{"plastic", "--dir", m.dir}, args...), strings.NewReader(in), &stdout, &stderr, m.env)
	return code, stdout.String(), stderr.String()
}

func (m *memoryWith) ok(in string, args ...string) string {
	m.t.Helper()
	code, out, errs := m.run(in, args...)
	if code != exitOK {
		m.t.Fatalf("%v: exit %d, stdout %q, stderr %q", args, code, out, errs)
	}
	return out
}

func (m *memoryWith) network() []string {
	m.t.Helper()
	var got struct {
		Calls []struct{ Verb, Endpoint string }
	}
	if err := json.Unmarshal([]byte(m.ok("", "--json", "network")), &got); err != nil {
		m.t.Fatal(err)
	}
	var out []string
	for _, c := range got.Calls {
		out = append(out, c.Verb+" "+strings.TrimPrefix(c.Endpoint, m.model.URL))
	}
	return out
}

const allModels = "model: {chat: c, embed: e, rerank: r, readTimeout: 5s}\n"

// What network prints is what happens, verb by verb.
func TestVerbsCallWhatNetworkSays(t *testing.T) {
	m := newMemoryWith(t, allModels)
	m.model.Chat = func(q banktest.Asked) banktest.Said {
		if q.Tool == "facts_finish" {
			return banktest.Said{Arguments: `{"facts":[{"content":"she keeps two black cats","importance":0.5}]}`}
		}
		return banktest.Said{Arguments: `{"ops":[]}`}
	}
	m.model.Rerank = func(_ string, texts []string) []float64 { return make([]float64, len(texts)) }
	promised := m.network()
	turn := `{"user":"I keep two black cats","assistant":"How lovely"}`
	for _, step := range []struct {
		verb string
		in   string
		args []string
	}{
		{"remember", "", []string{"remember", "she likes green tea"}},
		{"remember", "", []string{"remember", "she likes black tea with milk"}},
		{"retain", turn, []string{"retain"}},
		{"flush", "", []string{"flush"}},
		{"reindex", "", []string{"reindex"}},
		{"recall", "", []string{"recall", "which", "tea"}},
		{"prompt", "", []string{"prompt", "which", "tea"}},
		{"list", "", []string{"list"}},
		{"stats", "", []string{"stats"}},
		{"compress", "", []string{"compress", "--dry-run"}},
		{"doctor", "", []string{"doctor"}},
		{"export", "", []string{"export"}},
		{"chart", "", []string{"chart"}},
		{"forecast", "", []string{"forecast", "--days", "3"}},
		{"queue", "", []string{"queue"}},
	} {
		before := len(m.model.Requests(""))
		m.ok(step.in, step.args...)
		for _, r := range m.model.Requests("")[before:] {
			call := step.verb + " " + strings.TrimPrefix(r.Path, "/v1")
			if !slices.Contains(promised, call) {
				t.Errorf("%s calls %s, which network does not name: %v", step.verb, r.Path, promised)
			}
		}
		calls := len(m.model.Requests("")) - before
		named := slices.ContainsFunc(promised, func(c string) bool { return strings.HasPrefix(c, step.verb+" ") })
		if step.verb != "reindex" && named != (calls > 0) {
			t.Errorf("%s made %d calls, network names it: %v", step.verb, calls, named)
		}
	}
	if m.model.Chats() != 1 {
		t.Errorf("%d chat calls, want one: of flush", m.model.Chats())
	}
}

func TestWithoutAModelNoVerbOpensAConnection(t *testing.T) {
	m := newMemoryWith(t, "")
	if got := m.network(); len(got) != 0 {
		t.Errorf("network names %v", got)
	}
	for _, args := range [][]string{{"remember", "she likes tea"}, {"recall", "tea"}, {"prompt", "tea"}, {"sleep"}, {"night"}, {"stats"}, {"doctor"}} {
		m.ok("", args...)
	}
	m.ok(`{"user":"x"}`, "retain")
	for _, args := range [][]string{{"flush"}, {"reindex"}} {
		if code, _, errs := m.run("", args...); code != exitFailure || !strings.Contains(errs, "model") {
			t.Errorf("%v: exit %d, stderr %q", args, code, errs)
		}
	}
	if n := len(m.model.Requests("")); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

// An address that came with the folder is not called before it is allowed here.
func TestAnEndpointFromElsewhereIsNotCalled(t *testing.T) {
	m := newMemoryWith(t, "")
	banktest.Write(t, m.dir, "config.yaml", "model: {apiBase: "+m.model.URL+"/other, chat: c, embed: e}\n")
	m.ok(`{"user":"I keep cats"}`, "retain")
	if code, _, errs := m.run("", "flush"); code == exitOK || len(m.model.Requests("")) != 0 {
		t.Errorf("flush: exit %d, %d requests, stderr %q", code, len(m.model.Requests("")), errs)
	}
	if out := m.ok("", "network"); !strings.Contains(out, "config allow") {
		t.Errorf("network says %q", out)
	}
}

// A closed port, then 401, 429, 500 and a page: all ten turns are still there, and
// distilled once the endpoint is well.
func TestCase102NothingLeavesTheQueueUntilItIsStored(t *testing.T) {
	m := newMemoryWith(t, "model: {chat: c, timeout: 2s}\n")
	for range 10 {
		m.ok(`{"user":"I keep two cats","assistant":"ok"}`, "retain")
	}
	status := 0
	m.model.Before = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		if status != 0 {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(status)
		}
		return status != 0
	}
	m.model.Chat = func(banktest.Asked) banktest.Said {
		return banktest.Said{Arguments: `{"facts":[{"content":"@ann keeps two cats"}]}`}
	}
	for _, status = range []int{401, 429, 500} {
		code, out, errs := m.run("", "--json", "flush")
		if code != exitFailure || !strings.Contains(errs, `"code":"model"`) || strings.Contains(out, `"setAside":1`) {
			t.Errorf("%d: exit %d, stdout %q, stderr %q", status, code, out, errs)
		}
	}
	status = 0
	if out := m.ok("", "--json", "flush"); out != `{"turns":10,"facts":10,"created":1,"reinforced":9,"superseded":0,"refused":0,"left":0,"setAside":0}`+"\n" {
		t.Errorf("flush: %s", out)
	}
}

func TestKeysStandInTheirFileAloneAndAreSentToTheirEndpoint(t *testing.T) {
	m := newMemoryWith(t, "model: {chat: c, embed: e, embedKeyEnv: EMBED_KEY}\n")
	m.model.Chat = func(banktest.Asked) banktest.Said { return banktest.Said{Status: 400} }
	if err := os.WriteFile(filepath.Join(m.dir, ".env"), []byte("PLASTIC_API_KEY=chat-key-1\nEMBED_KEY='embed-key-2'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	m.ok(`{"user":"I keep two cats"}`, "retain")
	_, out, errs := m.run("", "flush")
	if strings.Contains(out+errs, "chat-key") || !strings.Contains(errs, "chmod 600") {
		t.Errorf("stdout %q, stderr %q", out, errs)
	}
	m.ok("", "remember", "she likes tea")
	m.ok("", "reindex")
	if got := m.model.Requests("/chat/completions"); got[0].Key != "Bearer chat-key-1" {
		t.Errorf("chat got %q", got[0].Key)
	}
	if got := m.model.Requests("/embeddings"); got[0].Key != "Bearer embed-key-2" {
		t.Errorf("embeddings got %q", got[0].Key)
	}
}

// The contract of the short name.
func TestTheShortNameSpeaksItsContract(t *testing.T) {
	m := newMemoryWith(t, "model: {chat: c, embed: e}\n")
	m.model.Chat = func(banktest.Asked) banktest.Said {
		return banktest.Said{Arguments: `{"facts":[{"content":"@ann keeps two cats"}]}`}
	}
	short := func(in string, args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"/usr/local/bin/memory"}, args...), strings.NewReader(in), &stdout, &stderr, append(m.env, "PLASTIC_DIR="+m.dir))
		return code, stdout.String() + stderr.String()
	}
	for _, step := range []struct {
		in, want string
		args     []string
	}{
		{`{"user":"I keep two cats","assistant":"ok"}`, "", []string{"retain"}},
		{"", "1 turn distilled: 1 fact", []string{"flush"}},
		{"", "@ann keeps two cats\n", []string{"recall", "two", "cats"}},
		{"", "1 by e, 0 missing", []string{"stats"}},
		{"", "0 vectors made by e, 0 missing", []string{"reindex"}},
	} {
		if code, out := short(step.in, step.args...); code != exitOK || !strings.Contains(out, step.want) || step.want == "" && out != "" {
			t.Errorf("memory %v: exit %d, %q", step.args, code, out)
		}
	}
}

func TestADeadModelIsToldOnceAndRecallGoesOnByWords(t *testing.T) {
	m := newMemoryWith(t, "model: {embed: e, readTimeout: 2s}\n")
	m.ok("", "remember", "she keeps two cats")
	m.ok("", "reindex")
	m.model.Before = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool { w.WriteHeader(503); return true }
	for _, args := range [][]string{{"recall", "cats"}, {"--json", "recall", "cats"}, {"prompt", "cats"}} {
		code, out, errs := m.run("", args...)
		if code != exitOK || !strings.Contains(out, "she keeps two cats") || strings.Count(errs, "words only") != 1 {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", args, code, out, errs)
		}
		if args[0] == "--json" && !strings.Contains(out, `"degraded":"words only`) {
			t.Errorf("the answer does not say so: %s", out)
		}
	}
}
