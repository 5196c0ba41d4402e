package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"plastic/config"
)

// machine is a home with nothing allowed, and a memory folder.
func machine(t *testing.T) (state, dir string) {
	t.Helper()
	alone(t)
	state, dir = t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	return state, dir
}

func TestWhatIsGuarded(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil,
		"server: {listen: \"127.0.0.1:1\"}\ncard: {path: cards/me.md}\nsleep: {persona: persona.md}\n": nil,
		"server: {listen: \"localhost:1\"}\n":          nil,
		"server: {listen: \"[::1]:1\"}\n":              nil,
		"server: {listen: \":7433\"}\n":                {"server.listen"},
		"server: {listen: \"0.0.0.0:7433\"}\n":         {"server.listen"},
		"server: {listen: \"[::]:7433\"}\n":            {"server.listen"},
		"server: {listen: \"127.0.0.1.evil.com:1\"}\n": {"server.listen"},
		"server: {listen: \"127.1:1\"}\n":              {"server.listen"},
		"sleep: {after: [./x], notify: y, model: m}\n": {"sleep.notify", "sleep.after"},
		"model: {chat: m, apiBase: \"http://localhost:1/v1\", embedBase: \"http://a\", rerankBase: \"http://b\"}\n": {
			"model.apiBase", "model.embedBase", "model.rerankBase"},
		"card: {path: .git/config}\nsleep: {persona: a/.netrc}\n":      {"card.path", "sleep.persona"},
		"card: {path: ../../.ssh/id}\nsleep: {persona: /etc/passwd}\n": {"card.path", "sleep.persona"},
	} {
		c := parse(t, text)
		if got := c.Guarded(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s guards %v, want %v", text, got, want)
		}
		if r := c.Restrict(c.Guarded()...); len(r.Guarded()) != 0 {
			t.Errorf("%s restricted still guards %v", text, r.Guarded())
		}
	}
}

func TestAllowHoldsForThisFolderAndTheseValues(t *testing.T) {
	state, dir := machine(t)
	c := parse(t, "sleep: {after: [./x]}\nmodel: {apiBase: \"http://a/v1\", chat: m}\n")
	if config.Allowed(dir, c) || !config.Allowed(dir, config.Default()) {
		t.Fatal("allowed before anybody allowed it")
	}
	if err := config.Allow(dir, c); err != nil {
		t.Fatal(err)
	}
	if !config.Allowed(dir, c) {
		t.Error("not allowed after allowing")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if !config.Allowed(link, c) {
		t.Error("the same folder under another name is not the same")
	}
	if config.Allowed(t.TempDir(), c) {
		t.Error("a copy in another folder is allowed")
	}
	for key, text := range map[string]string{"sleep.after": "[./y]", "model.apiBase": "http://b/v1", "model.apiKeyEnv": "OTHER_SECRET", "sleep.notify": "z"} {
		changed, err := c.With(key, text)
		if err != nil {
			t.Fatal(err)
		}
		held := config.Held(dir, changed)
		if len(held) != 1 {
			t.Errorf("%s changed by another hand: held are %v", key, held)
		}
		if changed.Fingerprint() == c.Fingerprint() {
			t.Errorf("%s does not change the fingerprint", key)
		}
	}
	files, _ := filepath.Glob(filepath.Join(state, "plastic", "allowed", "*"))
	if len(files) != 1 {
		t.Fatalf("files: %v", files)
	}
	if info, _ := os.Stat(files[0]); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if inside, _ := os.ReadDir(dir); len(inside) != 0 {
		t.Errorf("something was written into the folder: %v", inside)
	}
	if err := os.Chmod(files[0], 0o666); err != nil {
		t.Fatal(err)
	}
	if config.Allowed(dir, c) {
		t.Error("a list that anybody can write counts as consent")
	}
}

func TestSettingOneKeyHereAllowsThatKeyOnly(t *testing.T) {
	_, dir := machine(t)
	before := parse(t, "sleep: {after: [./from-git]}\n")
	after, err := before.With("model.apiBase", "http://mine/v1")
	if err != nil {
		t.Fatal(err)
	}
	if err := config.AllowChange(dir, before, after); err != nil {
		t.Fatal(err)
	}
	if held := config.Held(dir, after); !reflect.DeepEqual(held, []string{"sleep.after"}) {
		t.Errorf("held: %v", held)
	}
	next, err := after.With("model.apiKeyEnv", "MY_KEY")
	if err != nil {
		t.Fatal(err)
	}
	if err := config.AllowChange(dir, after, next); err != nil {
		t.Fatal(err)
	}
	if held := config.Held(dir, next); !reflect.DeepEqual(held, []string{"sleep.after"}) {
		t.Errorf("after a change of the key's variable here, held: %v", held)
	}
	if r := next.Restrict(config.Held(dir, next)...); r.Sleep.After != nil || r.Model.APIBase != "http://mine/v1" {
		t.Errorf("restricted: %+v", r)
	}
}

// What came with the folder and is set here to the very same is set here.
func TestSettingAKeyToWhatItIsAllowsIt(t *testing.T) {
	_, dir := machine(t)
	c := parse(t, "sleep: {after: [./from-git]}\nmodel: {apiBase: 'http://from.git/v1'}\n")
	if err := config.AllowChange(dir, c, c, "model.apiBase"); err != nil {
		t.Fatal(err)
	}
	if held := config.Held(dir, c); !reflect.DeepEqual(held, []string{"sleep.after"}) {
		t.Errorf("held: %v", held)
	}
}

func TestWithoutAHomeNothingIsAllowed(t *testing.T) {
	_, dir := machine(t)
	t.Setenv("XDG_STATE_HOME", "relative")
	t.Setenv("HOME", "")
	c := parse(t, "sleep: {after: [./x]}\n")
	if err := config.Allow(dir, c); err == nil {
		t.Error("Allow kept it nowhere and said nothing")
	}
	if config.Allowed(dir, c) || !config.Allowed(dir, config.Default()) {
		t.Error("without a home what is guarded is not held, or what is not is")
	}
}
