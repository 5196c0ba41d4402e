package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"plastic/config"
	"plastic/memory"
)

// alone takes every variable of the outside away that Load looks at.
func alone(t *testing.T) {
	t.Helper()
	for _, v := range config.Variables() {
		t.Setenv(v.Name, "")
	}
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "PLASTIC_API_KEY", "TZ"} {
		t.Setenv(name, "")
	}
}

func load(t *testing.T, text string) *config.Config {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, config.FileName), text)
	c, err := config.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadOfAFolderWithoutTheFileGivesDefaults(t *testing.T) {
	alone(t)
	c, err := config.Load(t.TempDir())
	if err != nil || !reflect.DeepEqual(c, config.Default()) {
		t.Errorf("%+v %v", c, err)
	}
}

func TestLoadSaysWhereTheFaultIs(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, config.FileName), "memory:\n  consolidateHour: 24\n")
	_, err := config.Load(dir)
	want := `config.yaml line 2: memory.consolidateHour: "24" is not a whole number from 0 to 23`
	if err == nil || err.Error() != want || !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestAFileThatCanNotBeReadIsNotTheDefaults(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, config.FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	if c, err := config.Load(dir); err == nil {
		t.Errorf("a folder in the place of the file gives %+v", c)
	}
}

func TestEnvironmentWinsOverTheFile(t *testing.T) {
	alone(t)
	t.Setenv("PLASTIC_BASE_URL", "http://localhost:9/v1")
	t.Setenv("PLASTIC_EMBED_MODEL", "m2")
	t.Setenv("PLASTIC_LISTEN", "0.0.0.0:80")
	c := load(t, "model: {apiBase: \"https://file.example/v1\", embed: m1, chat: c1}\n")
	if c.Model.APIBase != "http://localhost:9/v1" || c.Model.Embed != "m2" || c.Model.Chat != "c1" || c.Server.Listen != "0.0.0.0:80" {
		t.Errorf("%+v", c)
	}
	if c.FromEnvironment("model.embed") != "PLASTIC_EMBED_MODEL" || c.FromEnvironment("model.chat") != "" {
		t.Error("it does not say where a value comes from")
	}
	if got := c.Guarded(); !reflect.DeepEqual(got, []string{"model.apiBase"}) {
		t.Errorf("guarded: %v; what the environment says needs no allowing", got)
	}
	if r := c.Restrict(c.Guarded()...); r.Model.APIBase != "http://localhost:9/v1" || len(r.Guarded()) != 0 {
		t.Errorf("restricted: %+v", r.Model)
	}
	d, err := c.With("model.embed", "m3")
	if err != nil || d.Model.Embed != "m3" {
		t.Errorf("With on top gives %v %v", d, err)
	}
}

func TestABadVariableIsNamed(t *testing.T) {
	alone(t)
	t.Setenv("PLASTIC_TIMEOUT", "60")
	_, err := config.Load(t.TempDir())
	if err == nil || !strings.HasPrefix(err.Error(), `PLASTIC_TIMEOUT: model.timeout: "60" is not a duration`) {
		t.Errorf("got %v", err)
	}
}

func TestOpenAIVariablesStandInOnlyOnThisMachinesWord(t *testing.T) {
	alone(t)
	t.Setenv("OPENAI_BASE_URL", "https://openai.example/v1")
	t.Setenv("OPENAI_API_KEY", "k")
	if c := load(t, "model: {embed: m}\n"); c.Model.APIBase != "" {
		t.Errorf("a file alone sends memories to %s", c.Model.APIBase)
	}
	t.Setenv("PLASTIC_EMBED_MODEL", "m")
	if c := load(t, ""); c.Model.APIBase != "https://openai.example/v1" || c.Model.APIKeyEnv != "OPENAI_API_KEY" {
		t.Errorf("%+v", c.Model)
	}
	if c := load(t, "model: {apiBase: \"https://file.example\"}\n"); c.Model.APIBase != "https://file.example" || c.Model.APIKeyEnv != "PLASTIC_API_KEY" {
		t.Errorf("the key of one provider goes to another: %+v", c.Model)
	}
}

func TestAZoneInTZThatIsNoneStopsTheStart(t *testing.T) {
	alone(t)
	for tz, hint := range map[string]string{"Berlin": "write Europe/Berlin in TZ", "MSK-3": "a name such as", "/nowhere": "a name such as", "+03:00": "goes into memory.timezone", "GMT+3": "goes into memory.timezone"} {
		t.Setenv("TZ", tz)
		_, err := config.Load(t.TempDir())
		p := config.Problems(err)
		if len(p) != 1 || p[0].From != "TZ" || !strings.Contains(p[0].Hint, hint) {
			t.Errorf("TZ=%s gives %v", tz, err)
		}
		if c := load(t, "memory: {timezone: Europe/Berlin}\n"); c.Memory.Location().String() != "Europe/Berlin" {
			t.Error("with a zone of its own the file does not need TZ")
		}
	}
	for _, tz := range []string{"Europe/Berlin", ":Asia/Tokyo", "UTC"} {
		t.Setenv("TZ", tz)
		if _, err := config.Load(t.TempDir()); err != nil {
			t.Errorf("TZ=%s gives %v", tz, err)
		}
	}
}

func TestEnvFileIsReadAsShellsDo(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	path := filepath.Join(dir, ".env")
	if values, warnings := config.Env(dir); len(values) != 0 || len(warnings) != 0 {
		t.Errorf("no file gives %v %v", values, warnings)
	}
	write(t, path, "\ufeff# keys\r\n\r\nPLASTIC_API_KEY=abc#1 # mine\r\nexport A = \"x \\\"y\\\" #\"\nB='a\\b' # c\nC=\nD=1=2\nE=# none\n")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("D", "outside")
	values, warnings := config.Env(dir)
	want := map[string]string{"PLASTIC_API_KEY": "abc#1", "A": `x "y" #`, "B": `a\b`, "C": "", "D": "outside", "E": ""}
	if !reflect.DeepEqual(values, want) || len(warnings) != 0 {
		t.Errorf("got %q %q", values, warnings)
	}
}

func TestEnvFileWarnsWithoutShowingValues(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	path := filepath.Join(dir, ".env")
	write(t, path, "OK=1\nsk-secret\nX=\"sk-secret\nPLASTIC_BASE_URL=http://sk-secret\n")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	values, warnings := config.Env(dir)
	text := strings.Join(warnings, "\n")
	want := ".env can be read by others (mode 0644); run chmod 600 on it\n" +
		".env line 2 is not KEY=VALUE and was left out\n.env line 3 is not KEY=VALUE and was left out\n" +
		"PLASTIC_BASE_URL in .env has no effect: set model.apiBase in config.yaml, or the variable in the environment"
	if text != want || values["OK"] != "1" || len(values) != 2 {
		t.Errorf("got %q\n%s", values, text)
	}
}

// Opening a pipe would wait for somebody to write into it.
func TestASettingsFileThatIsNoneIsAnError(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	for _, name := range []string{config.FileName, ".env"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	if _, err := config.Load(dir); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("load: %v", err)
	}
	if _, err := config.Open(dir, time.Now()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("open: %v", err)
	}
	if _, warnings := config.Env(dir); len(warnings) != 1 || !strings.Contains(warnings[0], "is not a file") {
		t.Errorf("env: %q", warnings)
	}
}
