package config_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"plastic/config"
	"plastic/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with the file at path, or rewrites that with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("%s differs from what the table of keys gives now; run go test -update\n%s", path, got)
	}
}

func get(t *testing.T, c *config.Config, key string) string {
	t.Helper()
	v, err := c.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

func TestShippedFileIsTheTemplate(t *testing.T) {
	golden(t, filepath.Join("..", config.FileName), config.Template())
}

func TestWhatAPersonIsToldAboutEveryKey(t *testing.T) {
	var b strings.Builder
	for _, k := range config.Keys() {
		b.WriteString(k.Name + " = " + k.Default + "\n\t" + k.Meaning + "\n\t" + k.Range + "\n")
	}
	golden(t, filepath.Join("testdata", "keys.txt"), []byte(b.String()))
}

func TestNothingSaidIsAllDefaults(t *testing.T) {
	for _, text := range []string{"", "\n\n", "# only a comment", "\ufeff", "\ufeff# c\r\n\r\n", "---\n", "--- \n# x\n...\n", "~",
		"memory:\n", "memory:\nrecall:   # nothing\n\n#\n", "memory: {}\nmcp: ~\n", "memory:\n  anchorCount:\n  timezone: null\n  kinds:\n    event:\n",
		string(config.Template())} {
		if c := parse(t, text); !reflect.DeepEqual(c, config.Default()) {
			t.Errorf("%q is not the defaults", text)
		}
	}
}

func TestUncommentedTemplateIsAllDefaults(t *testing.T) {
	var b strings.Builder
	for line := range strings.Lines(string(config.Template())) {
		if rest, ok := strings.CutPrefix(line, "  # "); ok {
			line = "  " + rest
		}
		b.WriteString(line)
	}
	c := parse(t, b.String())
	if !reflect.DeepEqual(c, config.Default()) {
		t.Errorf("the defaults shown are not the defaults:\n%s\n%s", c.YAML(), config.Default().YAML())
	}
	if strings.Count(b.String(), "\n  ") != len(config.Keys()) {
		t.Error("the template does not hold every key once")
	}
}

func TestDefaultsOfTheContract(t *testing.T) {
	contract, err := os.ReadFile(filepath.Join("testdata", "contract.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c := parse(t, string(contract))
	for _, k := range config.Keys() {
		_, leaf, _ := strings.Cut(k.Name, ".")
		if !strings.Contains(string(contract), leaf+": ") {
			t.Errorf("%s is not in the contract", k.Name)
		}
		if got, want := get(t, config.Default(), k.Name), get(t, c, k.Name); got != want {
			t.Errorf("%s is %s by default, the contract says %s", k.Name, got, want)
		}
		if d := strings.Trim(k.Default, `"`); d != get(t, c, k.Name) {
			t.Errorf("%s shows its default as %s, it is %s", k.Name, d, get(t, c, k.Name))
		}
	}
	if err := config.Default().Check(); err != nil {
		t.Error(err)
	}
}

func TestSecondSeedsBlockFitsAsItStands(t *testing.T) {
	c := parse(t, `memory:
  anchorCount: 9              # 最早的幾條永不忘（角色起源）
  recentCount: 13             # 眼前保留多少條
  importanceThreshold: 0.8    # 過了就是「重要」
  recallPromotionCount: 4     # 被想起幾次就升級
  decayHalfLifeDays: 22       # 其餘的記憶半衰期
  keepFraction: 0.4           # 每晚每個日期保留多少比例的模糊記憶
  consolidateHour: 4
  injectLimit: 11             # 每次回覆最多注入幾條
`)
	m := c.Memory
	if m.AnchorCount != 9 || m.RecentCount != 13 || m.ImportanceThreshold != 0.8 || m.RecallPromotionCount != 4 ||
		m.DecayHalfLifeDays != 22 || m.KeepFraction != 0.4 || m.ConsolidateHour != 4 || m.InjectLimit != 11 {
		t.Errorf("read as %+v", m)
	}
}

// What people type, and the sense it has. The third column is the value, or
// what the error has to say.
func TestOddValuesAreReadInTheirObviousSenseOrRefused(t *testing.T) {
	hour := "memory.consolidateHour"
	for _, c := range []struct{ key, typed, want string }{
		{hour, "010", "10"},
		{hour, "08", "8"},
		{hour, "", "3"},
		{hour, "~", "3"},
		{hour, `"3"`, "3"},
		{hour, "'03'", "3"},
		{hour, "03:00", "3"},
		{hour, "23:00", "23"},
		{hour, "+4", "4"},
		{hour, "4.0", "4"},
		{hour, "!!str 5", "5"},
		{hour, "03:30", `"03:30" is not a whole number from 0 to 23`},
		{hour, "24", `"24" is not a whole number from 0 to 23`},
		{hour, "24:00", `"24:00" is not a whole number from 0 to 23`},
		{hour, "-1", `"-1" is not a whole number from 0 to 23`},
		{hour, "3.5", `"3.5" is not a whole number`},
		{hour, "0x3", `"0x3" is not a whole number`},
		{hour, "0o10", `"0o10" is not a whole number`},
		{hour, ".nan", `".nan" is not a whole number`},
		{hour, "three", `"three" is not a whole number`},
		{hour, `""`, "an empty text is not a whole number from 0 to 23"},
		{hour, "[3]", "a list is not a whole number from 0 to 23"},
		{hour, "{h: 3}", "a map is not a whole number from 0 to 23"},
		{hour, "!env HOUR", `"HOUR" is not a whole number from 0 to 23 (without the tag !env)`},
		{hour, "2024-01-01", `"2024-01-01" is not a whole number`},
		{"memory.promptBudget", "8_000", "8000"},
		{"memory.promptBudget", "1e4", "10000"},
		{"memory.promptBudget", "4k", `"4k" is not a whole number from 0 to 1000000 (write 4000)`},
		{"memory.promptBudget", "8,000", "(write 8000, without a comma)"},
		{"memory.promptBudget", "99999999999999999999", "is not a whole number"},
		{"memory.decayHalfLifeDays", "30d", "30"},
		{"memory.decayHalfLifeDays", "12h", "0.5"},
		{"memory.decayHalfLifeDays", "0", `"0" is not a number from 0.01 to 36500`},
		{"memory.decayHalfLifeDays", ".nan", `".nan" is not a number`},
		{"memory.decayHalfLifeDays", ".inf", `".inf" is not a number`},
		{"memory.decayHalfLifeDays", "NaN", `"NaN" is not a number`},
		{"memory.keepFraction", "35%", "0.35"},
		{"memory.keepFraction", "0,35", "(write 0.35, with a point)"},
		{"memory.keepFraction", ".35", "0.35"},
		{"memory.keepFraction", "-0.0", "0"},
		{"memory.keepFraction", "35", `"35" is not a number from 0 to 1`},
		{"memory.keepFraction", "1e-400", "0"},
		{"memory.archiveTTL", "30d", "30d"},
		{"memory.archiveTTL", "2w", "14d"},
		{"memory.archiveTTL", "1d 12h", "36h"},
		{"memory.archiveTTL", "0", "0"},
		{"memory.archiveTTL", "90", "(add the unit: 90d, 90h, 90m or 90s)"},
		{"memory.archiveTTL", "-1d", `"-1d" is not a duration from 0 to 36500d`},
		{"memory.archiveTTL", "1y", `"1y" is not a duration`},
		{"memory.archiveTTL", "999999999999d", `is not a duration`},
		{"model.timeout", "90m", "90m"},
		{"model.timeout", "1.5s", "1500ms"},
		{"model.timeout", "0", `"0" is not a duration from 10ms to 1d`},
		{"model.timeout", "01:30", `"01:30" is not a duration`},
		{"prompt.fill", "no", "false"},
		{"prompt.fill", "On", "true"},
		{"prompt.fill", `"false"`, "false"},
		{"prompt.fill", "0", "false"},
		{"prompt.fill", "maybe", `"maybe" is not true or false`},
		{"channel.recall", "off", "off"},
		{"channel.recall", "false", "off"},
		{"channel.recall", "on", "always"},
		{"channel.recall", "Session", "session"},
		{"channel.recall", "sometimes", `"sometimes" is not always, session or off`},
		{"memory.rehearse", "off", "never"},
		{"recall.formula", "BM25", `"BM25" is not bounded, mixture or product`},
		{"card.audience", "all", `"all" is not trusted, owner or public`},
		{"card.audience", "", "trusted"},
		{"model.rerank", "off", "off"},
		{"model.rerank", "no", "off"},
		{"model.rerank", `""`, "off"},
		{"model.rerank", "true", `"true" is not the name of a model, or off`},
		{"model.chat", "none", ""},
		{"model.chat", "yes", `"yes" is not the name of a model`},
		{"model.chat", "2024-05-13", "2024-05-13"},
		{"model.chat", "010", "010"},
		{"model.chat", "org/model:free", "org/model:free"},
		{"model.chat", `"a\nb"`, `is not one line of text`},
		{"model.apiBase", "https://example.org/v1/", "https://example.org/v1"},
		{"model.apiBase", "example.org/v1", `"example.org/v1" is not an http or https address`},
		{"model.apiBase", "file:///etc/passwd", "is not an http or https address"},
		{"model.apiBase", "https://ann:hunter2@example.org", "the value is not an http or https address"},
		{"model.apiKeyEnv", "MY_KEY", "MY_KEY"},
		{"model.apiKeyEnv", "sk-test-1234567890abcdef", "model.apiKeyEnv: the value is not the name of an environment variable"},
		{"server.listen", "127.0.0.1:7433", "127.0.0.1:7433"},
		{"server.listen", "7433", "127.0.0.1:7433"},
		{"server.listen", `"[::1]:80"`, "[::1]:80"},
		{"server.listen", "localhost", `"localhost" is not host:port`},
		{"server.listen", "127.0.0.1:99999", `is not host:port`},
		{"server.listen", "http://127.0.0.1:80", `is not host:port`},
		{"memory.timezone", "local", "Local"},
		{"memory.timezone", "Europe/Berlin", "Europe/Berlin"},
		{"memory.timezone", "utc", "UTC"},
		{"memory.timezone", "+03:00", "+03:00"},
		{"memory.timezone", "Berlin", "(write Europe/Berlin)"},
		{"memory.timezone", "hong kong", "(write Asia/Hong_Kong)"},
		{"memory.timezone", "europe/moscow", "(write Europe/Moscow)"},
		{"memory.timezone", "UTC+3", `(write "+03:00")`},
		{"memory.timezone", "+25:00", "is not Local, the name of a time zone"},
		{"memory.timezone", "Atlantis", "an IANA name such as Europe/Berlin"},
		{"memory.timezone", "../../etc/passwd", "is not Local, the name of a time zone"},
		{"card.path", `""`, "an empty text is not the path of a file"},
		{"card.path", "notes/", "(name a file, not a folder)"},
		{"card.path", ".env", "(that file is the memory's own: name another)"},
		{"card.path", "notes/../.ENV", "(that file is the memory's own: name another)"},
		{"card.path", "./memory.json", "(that file is the memory's own: name another)"},
		{"card.path", "memory.json.corrupt-20261128", "(that file is the memory's own: name another)"},
		{"card.path", "queue.jsonl", "(that file is the memory's own: name another)"},
		{"card.path", ".plastic/last.json", "(that file is the memory's own: name another)"},
		{"card.path", "notes/memory.json.md", "notes/memory.json.md"},
		{"sleep.persona", ".env", "(that file is the memory's own: name another)"},
		{"sleep.persona", "who.md", "who.md"},
		{"memory.kinds", "{trip: {fade: 2}}", "{event: {fade: 4}, trip: {fade: 2}}"},
		{"memory.kinds", "{event: {fade: }}", "{event: {fade: 4}}"},
		{"memory.kinds", "{trip: }", "{event: {fade: 4}, trip: {fade: 1}}"},
		{"memory.kinds", "{event: {fade: 0}}", `memory.kinds.event.fade: "0" is not a number from 0.01 to 1000`},
		{"memory.kinds", "{event: 4}", `memory.kinds.event: "4" is not a map of kinds`},
		{"memory.kinds", "{event: {fades: 4}}", "the nearest is memory.kinds.event.fade"},
		{"mcp.names", "{remember: memory_save}", "{remember: memory_save}"},
		{"mcp.names", "{remember: memory_recall}", "remember and recall would both be called memory_recall"},
		{"mcp.names", "{save: x}", "unknown tool; there are remember, recall"},
		{"mcp.names", "{recall: a b}", `"a b" is not a tool's name`},
		{"sleep.after", "[./curate, --all]", `[./curate, "--all"]`},
		{"sleep.after", "./curate", `[./curate]`},
		{"sleep.after", "/opt/curate", `[/opt/curate]`},
		{"sleep.after", "curate --all | tee log", `[sh, "-c", "curate --all | tee log"]`},
		{"sleep.after", `""`, "[]"},
		{"sleep.after", "[[a], [b]]", "one command: each item of the list is one word of it"},
		{"sleep.after", `["", a]`, "an empty text is not a program"},
		{"server.tokens", "[{name: tui, env: T, audience: owner}]", `[{name: tui, env: T, audience: owner}]`},
		{"server.tokens", "[{name: tui, env: T}]", "a token needs name, env and audience"},
		{"server.tokens", "[{name: a, token: abc}]", "the secret itself goes into .env"},
		{"server.tokens", "[{name: a, env: abcDEF0123, audience: owner}]", "server.tokens.env: the value is not the name of an environment variable"},
		{"server.tokens", "[{name: a, env: T, audience: owner}, {name: a, env: U, audience: owner}]", "two tokens are called a"},
	} {
		section, leaf, _ := strings.Cut(c.key, ".")
		got := outcome(config.Parse([]byte("# top\n" + section + ":\n  " + leaf + ": " + c.typed + "\n")))(c.key)
		if !strings.Contains(got, c.want) || !strings.Contains(got, "config error") && got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.key, c.typed, got, c.want)
		}
	}
}

// outcome gives the value of a key, or the error and its hint as text.
func outcome(c *config.Config, err error) func(key string) string {
	return func(key string) string {
		if err != nil {
			text := "config error: "
			for _, p := range config.Problems(err) {
				text += p.Error() + " (" + p.Hint + ")"
				if !errors.Is(err, memory.ErrInvalid) || p.Line != 3 {
					text += " BUT NOT INVALID IN LINE 3"
				}
			}
			return text
		}
		v, err := c.Get(key)
		if err != nil {
			return err.Error()
		}
		return v
	}
}

func TestBrokenFilesAreRefusedWithTheirLine(t *testing.T) {
	for _, c := range []struct {
		text, want string
		line       int
	}{
		{"memory:\n\tanchorCount: 3\n", "a tab can not indent", 2},
		{"\tmemory:\n", "a tab can not indent", 1},
		{"memory:\n  anchorCount: 3\n  anchorCount: 4\n", "memory.anchorCount: given twice, first in line 2", 3},
		{"memory:\n  anchorCount: 3\nmemory:\n  recentCount: 3\n", "memory: given twice, first in line 1", 3},
		{"memory:\n\nmemory:\n", "memory: given twice, first in line 1", 3},
		{"memory:\n  anchorCount: 3\n---\nmemory:\n  anchorCount: 4\n", "a second document starts here", 4},
		{"memory: 5\n", "a section holds keys", 1},
		{"memory: [a]\n", "a section holds keys", 1},
		{"- a\n", "settings stand in sections", 1},
		{"off\n", "settings stand in sections", 1},
		{"memory:\n  anchorcount: 3\n", "memory.anchorcount: unknown key; the nearest is memory.anchorCount", 2},
		{"memory:\n  prompt_budget: 3\n", "the nearest is memory.promptBudget", 2},
		{"memory:\n  half_life: 3\n", "the nearest is memory.decayHalfLifeDays", 2},
		{"memory:\n  hour: 3\n", "the nearest is memory.consolidateHour", 2},
		{"memory:\n  floor: 3\n", "the nearest is recall.floor", 2},
		{"anchorCount: 3\n", "anchorCount: unknown key; the nearest is memory.anchorCount", 1},
		{"memory.anchorCount: 3\n", "it stands indented in its section", 1},
		{"memroy:\n  anchorCount: 3\n", "unknown section; the nearest is memory", 1},
		{"model:\n  apiKey: sk-secret\n", "model.apiKey: unknown key; the nearest is model.apiKeyEnv", 2},
		{"memory:\n  <<: {anchorCount: 3}\n", "memory.<<: unknown key", 2},
		{"memory:\n  ? [a]\n  : 3\n", "a key is one word", 2},
		{"memory:\n  anchorCount: *x\n", "not YAML", 0},
		{"memory:\n  anchorCount: 3\n   recentCount: 4\n", "not YAML", 3},
		{"memory:\n<<<<<<< HEAD\n  anchorCount: 3\n=======\n  anchorCount: 4\n>>>>>>> other\n", "a merge of the settings is not finished", 2},
		{"memory:\r\n  anchorCount: 3\r\n=======\r\n  anchorCount: 4\r\n", "a merge of the settings is not finished", 3},
		{"memory:\n  timezone: \xff\n", "not UTF-8", 2},
		{"\xff\xfem\x00", "not UTF-8", 1},
		{"recall:\n  cosineZero: 0.9\n  cosineOne: 0.8\n", `recall.cosineZero: "0.9" is not a number below recall.cosineOne (0.8)`, 0},
		{"#" + strings.Repeat("x", 300<<10) + "\nmemory: {}\n", "larger than 256 KiB", 0},
	} {
		_, err := config.Parse([]byte(c.text))
		problems := config.Problems(err)
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), c.want) || problems[0].Line != c.line {
			t.Errorf("%.60q\n got %v\nwant line %d: %s", c.text, err, c.line, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("the error shows a secret: %v", err)
		}
	}
}

func TestEveryFaultIsReportedInOnePass(t *testing.T) {
	_, err := config.Parse([]byte("memory:\n  anchorCount: x\n  keepFraction: 7\nnope: {a: 1}\nsleep:\n  idleFor: 5\n"))
	var got []string
	for _, p := range config.Problems(err) {
		got = append(got, p.Key)
	}
	want := []string{"memory.anchorCount", "memory.keepFraction", "nope", "sleep.idleFor"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("faults in %v, want %v", got, want)
	}
}

func TestWindowsLineEndsAndByteOrderMark(t *testing.T) {
	c := parse(t, "\ufeffmemory:\r\n  anchorCount: 5\r\n  timezone: Europe/Berlin\r\n")
	if c.Memory.AnchorCount != 5 || c.Memory.Timezone != "Europe/Berlin" {
		t.Errorf("read as %+v", c.Memory)
	}
}

func TestAliasesStandForTheirValues(t *testing.T) {
	c := parse(t, "memory: {anchorCount: &n 5, recentCount: *n}\n")
	if c.Memory.RecentCount != 5 {
		t.Errorf("recentCount is %d", c.Memory.RecentCount)
	}
}

func TestZonesCountLocalTime(t *testing.T) {
	noon := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{"Europe/Berlin": "14:00", "+03:00": "15:00", "-0530": "06:30", "UTC": "12:00",
		"Local": noon.Local().Format("15:04")} {
		c, err := config.Default().With("memory.timezone", zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := noon.In(c.Memory.Location()).Format("15:04"); got != want {
			t.Errorf("noon UTC is %s in %s, want %s", got, zone, want)
		}
	}
	byHand := config.Memory{Timezone: "Asia/Tokyo"}
	if got := noon.In(byHand.Location()).Hour(); got != 21 {
		t.Errorf("a zone set in code gives hour %d", got)
	}
}

func TestWithChecksAndLeavesTheOriginal(t *testing.T) {
	c := config.Default()
	d, err := c.With("memory.kinds.event.fade", "6")
	if err != nil {
		t.Fatal(err)
	}
	if c.Memory.Kinds[memory.Event].Fade != 4 || d.Memory.Kinds[memory.Event].Fade != 6 {
		t.Error("With changed the original, or not the copy")
	}
	for key, text := range map[string]string{"memory.consolidateHour": "24", "memory.nope": "1", "memory": "1", "": "1",
		"memory.kinds.event.fade": "-1", "mcp.names.save": "x", "recall.cosineZero": "1", "sleep.after": "[a", "memory.anchorCount": ""} {
		if _, err := c.With(key, text); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("With(%q, %q) gives %v", key, text, err)
		}
	}
	if _, err := c.With("memory.nope", "1"); !strings.HasPrefix(err.Error(), "memory.nope: unknown key; the nearest is ") {
		t.Errorf("got %v", err)
	}
	both, err := c.WithAll([]config.Change{{Key: "recall.cosineZero", Value: "1"}, {Key: "recall.cosineOne", Value: "0.2"}})
	if err == nil {
		t.Errorf("cosines the wrong way round passed: %+v", both.Recall)
	}
}

func TestCheckFindsWhatCodePutIn(t *testing.T) {
	for name, spoil := range map[string]func(*config.Config){
		"memory.keepFraction":    func(c *config.Config) { c.Memory.KeepFraction = 2 },
		"memory.timezone":        func(c *config.Config) { c.Memory.Timezone = "Nowhere" },
		"memory.consolidateHour": func(c *config.Config) { c.Memory.ConsolidateHour = -1 },
		"recall.cosineZero":      func(c *config.Config) { c.Recall.CosineZero = 1 },
		"card.audience":          func(c *config.Config) { c.Card.Audience = "all" },
		"server.tokens":          func(c *config.Config) { c.Server.Tokens = []config.Token{{Name: "x"}} },
		"model.timeout":          func(c *config.Config) { c.Model.Timeout = -1 },
	} {
		c := config.Default()
		spoil(c)
		problems := config.Problems(c.Check())
		if len(problems) == 0 || !strings.HasPrefix(problems[0].Key, name) {
			t.Errorf("%s: Check gives %v", name, problems)
		}
	}
}

func TestValuesAreReadyForJSON(t *testing.T) {
	for _, c := range []*config.Config{config.Default(), parse(t, handWritten+
		"mcp: {names: {list: all}}\nserver: {tokens: [{name: a, env: B, audience: owner}]}\n")} {
		for _, k := range config.Keys() {
			v, err := c.Value(k.Name)
			if err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(v)
			if err != nil || string(b) == "null" {
				t.Errorf("%s is %s in JSON (%v)", k.Name, b, err)
			}
			// JSON is YAML: what goes out comes in again.
			text := string(b)
			if s, ok := v.(string); ok {
				text = s
			}
			again, err := c.With(k.Name, text)
			if err != nil || !reflect.DeepEqual(again, c) {
				t.Errorf("%s = %s does not come in again: %v", k.Name, text, err)
			}
		}
		if _, err := c.Value("memory.nope"); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("an unknown key gives %v", err)
		}
	}
}

func TestEndpointsNeverShareAKeyBetweenProviders(t *testing.T) {
	m := config.Default().Model
	m.APIBase, m.Chat, m.Embed = "https://a.example/v1", "c", "e"
	chat, embed, rerank := m.Endpoints()
	if !chat.On() || embed != (config.Endpoint{Base: m.APIBase, KeyEnv: "PLASTIC_API_KEY", Model: "e"}) || rerank.On() {
		t.Errorf("%+v %+v %+v", chat, embed, rerank)
	}
	m.EmbedBase = "https://b.example/v1"
	if _, embed, _ = m.Endpoints(); embed.KeyEnv != "" || embed.Base != m.EmbedBase {
		t.Errorf("the key of one provider goes to another: %+v", embed)
	}
}
