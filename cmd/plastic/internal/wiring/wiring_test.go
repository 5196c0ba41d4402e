package wiring_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/cmd/plastic/internal/wiring"
	"plastic/memory"
)

var update = flag.Bool("update", false, "write the goldens anew")

var entry = wiring.Entry{Command: "/usr/local/bin/plastic", Args: []string{"mcp", "--dir", "/home/ann/the memory"}}

func find(t testing.TB, name string) wiring.Client {
	t.Helper()
	c, err := wiring.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFilesAsPeopleHaveThem puts the entry into each file of testdata, named
// CLIENT-CASE.EXT, and compares with CLIENT-CASE.want.
func TestFilesAsPeopleHaveThem(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.in")
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		name, _, _ := strings.Cut(strings.ReplaceAll(filepath.Base(path), "claude-code", "claude+code"), "-")
		c := find(t, strings.ReplaceAll(name, "+", "-"))
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Add(old, entry)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		golden := strings.TrimSuffix(path, ".in") + ".want"
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s becomes\n%s\nnot\n%s(%v)", path, got, want, err)
		}
		if again, err := c.Add(got, entry); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: a second time changes it to\n%s(%v)", path, again, err)
		}
		if back, err := c.Remove(got); err != nil || strings.Contains(string(back), "/usr/local/bin/plastic") {
			t.Errorf("%s: removed, it is\n%s(%v)", path, back, err)
		} else if !strings.Contains(string(old), "plastic") && !bytes.Equal(back, old) {
			t.Errorf("%s: added and removed, it is\n%s\nnot\n%s", path, back, old)
		}
	}
}

func TestAnEmptyFileHoldsTheEntryAlone(t *testing.T) {
	for _, name := range wiring.Names() {
		c := find(t, name)
		golden := filepath.Join("testdata", "new-"+name+".golden")
		for _, empty := range []string{"", "\n", " \n\t\n", "\uFEFF"} {
			got, err := c.Add([]byte(empty), entry)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if empty != "" {
				if !strings.HasPrefix(string(got), empty) && !strings.Contains(string(got), "the memory") {
					t.Errorf("%s: %q becomes %q", name, empty, got)
				}
				continue
			}
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || string(want) != string(got) {
				t.Errorf("%s: %s, want %s (%v)", name, got, want, err)
			}
			if back, err := c.Remove(got); err != nil || len(back) != 0 {
				t.Errorf("%s: removed, it is %q, %v", name, back, err)
			}
			if c.Snippet(entry) != string(got) {
				t.Errorf("%s: the snippet is %q", name, c.Snippet(entry))
			}
		}
	}
}

func TestAnOldEntryIsBroughtUpToDateAndKeepsItsOwn(t *testing.T) {
	for _, tc := range []struct{ client, old, want string }{
		{"cursor", `{"mcpServers": {"plastic": {"command": "plastic", "args": ["mcp"], "env": {"A": "b"}, "autoApprove": ["memory_recall"]}}}`,
			`{"mcpServers": {"plastic": {"command": "/usr/local/bin/plastic", "args": ["mcp", "--dir", "/home/ann/the memory"], "env": {"A": "b"}, "autoApprove": ["memory_recall"]}}}`},
		{"cursor", `{"mcpServers": {"plastic": {"disabled": true}}}`,
			`{"mcpServers": {"plastic": {"disabled": true, "command": "/usr/local/bin/plastic", "args": ["mcp", "--dir", "/home/ann/the memory"]}}}`},
		{"cursor", `{"mcpServers": null, "x": 1}`,
			`{"mcpServers": {"plastic": {"command": "/usr/local/bin/plastic", "args": ["mcp", "--dir", "/home/ann/the memory"]}}, "x": 1}`},
		{"cursor", "{\n\t\"mcpServers\": {\n\t\t\"plastic\": {\n\t\t\t\"args\": [ \"mcp\",\n\t\t\t\t\"--dir\", \"/home/ann/the memory\" ],\n\t\t\t\"command\": \"old\"\n\t\t}\n\t}\n}",
			"{\n\t\"mcpServers\": {\n\t\t\"plastic\": {\n\t\t\t\"args\": [ \"mcp\",\n\t\t\t\t\"--dir\", \"/home/ann/the memory\" ],\n\t\t\t\"command\": \"/usr/local/bin/plastic\"\n\t\t}\n\t}\n}"},
		{"codex", "[mcp_servers.\"plastic\"] # mine\nenv = { A = \"b\" }\ncommand = 'plastic' # the program\nargs = [\n  \"mcp\", # one\n]\nstartup_timeout_sec = 20\n",
			"[mcp_servers.\"plastic\"] # mine\nenv = { A = \"b\" }\ncommand = \"/usr/local/bin/plastic\" # the program\nargs = [\"mcp\", \"--dir\", \"/home/ann/the memory\"]\nstartup_timeout_sec = 20\n"},
		{"codex", "[mcp_servers.plastic]", "[mcp_servers.plastic]\nargs = [\"mcp\", \"--dir\", \"/home/ann/the memory\"]\ncommand = \"/usr/local/bin/plastic\""},
	} {
		got, err := find(t, tc.client).Add([]byte(tc.old), entry)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s\nbecomes\n%s\nwant\n%s(%v)", tc.old, got, tc.want, err)
		}
	}
}

func TestWhatCanNotBeChangedInPlaceIsRefusedWithItsLine(t *testing.T) {
	for _, tc := range []struct{ client, text, says string }{
		{"claude-code", "{\n  // mine\n  \"mcpServers\": {}\n}", "line 2: a comment, which Claude Code can not read"},
		{"claude-code", "{\n  \"mcpServers\": {},\n}", "line 3: a comma before the closing bracket, which Claude Code can not read"},
		{"cursor", "{\n  \"mcpServers\": []\n}", `line 2: "mcpServers" is no object`},
		{"cursor", `{"mcpServers": {"plastic": {"url": "http://127.0.0.1:7433/mcp"}}}`, "at an address already"},
		{"cursor", "[]", "no JSON object"},
		{"cursor", "{\n\"a\": 1\n\"b\": 2}", "line 3: a comma"},
		{"cursor", `{"a": tru}`, "not JSON"},
		{"cursor", "{\"a\": \"x\n\"}", "a string has no end"},
		{"cursor", `{"a": 1} {"b": 2}`, "more after the end"},
		{"cursor", `{"a": 1`, "is missing"},
		{"vscode", "{ /* mine", "a comment has no end"},
		{"cursor", strings.Repeat("[", 1000), "too deep"},
		{"codex", "[mcp_servers]\nplastic = { command = \"plastic\" }\n", "line 2: the server is written"},
		{"codex", "mcp_servers = { plastic = { command = \"plastic\" } }\n", "line 1: the server is written"},
		{"codex", "[mcp_servers]\nplastic.command = \"plastic\"\n", "line 2: the server is written"},
		{"codex", "[[mcp_servers.plastic]]\ncommand = \"plastic\"\n", "line 1: the server is written"},
		{"codex", "[mcp_servers.plastic]\nurl = \"http://127.0.0.1:7433/mcp\"\n", "line 2: there is a server plastic at an address already"},
		{"codex", "a = \"x\n", "line 1: a string has no end"},
		{"codex", "a = [1,\n", "has no end"},
		{"codex", "a\n", "line 1: an equals sign"},
		{"codex", "a = 1 [b]\n[b\n", "line 2: a header has no end"},
	} {
		got, err := find(t, tc.client).Add([]byte(tc.text), entry)
		if err == nil || !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s %q: %v, want %q (%q)", tc.client, tc.text, err, tc.says, got)
		}
	}
}

func TestAFileWithoutTheEntryStaysWhenItIsTakenOut(t *testing.T) {
	for client, texts := range map[string][]string{
		"cursor": {"", "\n", "{}", "{\"mcpServers\":{}}\n", "{\"mcpServers\":{\"other\":{}}}", "{\"mcpServers\":5}"},
		"codex":  {"", "# mine\n", "[mcp_servers.other]\ncommand = \"x\"\n", "x = \"[mcp_servers.plastic]\"\n", "x = \"\"\"\n[mcp_servers.plastic]\n\"\"\"\n", "x = [\n[ \"a\" ],\n]\n"},
	} {
		for _, text := range texts {
			if got, err := find(t, client).Remove([]byte(text)); err != nil || string(got) != text {
				t.Errorf("%s: %q becomes %q, %v", client, text, got, err)
			}
		}
	}
}

func TestTablesUnderTheServersGoWithIt(t *testing.T) {
	old := "model = \"o\"\n\n[mcp_servers.plastic]\ncommand = \"x\"\n\n[mcp_servers.plastic.env]\nA = \"b\"\n# theirs\n[mcp_servers.other]\ncommand = \"y\"\n\n[mcp_servers.plastic.tools.memory_recall]\napproval = \"never\"\n"
	want := "model = \"o\"\n\n# theirs\n[mcp_servers.other]\ncommand = \"y\"\n"
	if got, err := find(t, "codex").Remove([]byte(old)); err != nil || string(got) != want {
		t.Errorf("it is\n%s\nwant\n%s(%v)", got, want, err)
	}
}

func TestEachClientHasItsFile(t *testing.T) {
	places := func(env map[string]string, there ...string) wiring.Places {
		return wiring.Places{Home: "/home/ann", Work: "/src/bot", OS: "linux", Getenv: func(k string) string { return env[k] },
			Exists: func(p string) bool { return strings.Contains(strings.Join(there, " "), p) }}
	}
	none := map[string]string{}
	mac := places(none)
	mac.OS = "darwin"
	for _, tc := range []struct {
		client string
		places wiring.Places
		global bool
		want   string
	}{
		{"claude-code", places(none), false, "/src/bot/.mcp.json"},
		{"claude-code", places(none), true, "/home/ann/.claude.json"},
		{"claude-code", places(map[string]string{"CLAUDE_CONFIG_DIR": "/c"}), true, "/c/.claude.json"},
		{"codex", places(none), false, "/home/ann/.codex/config.toml"},
		{"codex", places(map[string]string{"CODEX_HOME": "/c"}), true, "/c/config.toml"},
		{"cursor", places(none), false, "/src/bot/.cursor/mcp.json"},
		{"cursor", places(none), true, "/home/ann/.cursor/mcp.json"},
		{"vscode", places(none), false, "/src/bot/.vscode/mcp.json"},
		{"vscode", places(none), true, "/home/ann/.config/Code/User/mcp.json"},
		{"vscode", mac, true, "/home/ann/Library/Application Support/Code/User/mcp.json"},
		{"gemini", places(none), false, "/home/ann/.gemini/settings.json"},
		{"opencode", places(none), false, "/src/bot/opencode.json"},
		{"opencode", places(none, "/src/bot/opencode.jsonc"), false, "/src/bot/opencode.jsonc"},
		{"opencode", places(map[string]string{"XDG_CONFIG_HOME": "/x"}), true, "/x/opencode/opencode.json"},
	} {
		if got := find(t, tc.client).File(tc.places, tc.global); got != filepath.FromSlash(tc.want) {
			t.Errorf("%s (global %v): %s, want %s", tc.client, tc.global, got, tc.want)
		}
	}
	if _, err := wiring.Find("emacs"); !errors.Is(err, memory.ErrUsage) || !strings.Contains(err.Error(), "claude-code") {
		t.Errorf("an unknown client: %v", err)
	}
}

// FuzzJSONKeepsAllElse: an entry that was put in is there, everything else is as
// it was, a second time changes nothing, and taken out it is gone.
func FuzzJSONKeepsAllElse(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"mcpServers":{}}`, `{"a":1}`, "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"} // end\n  },\n}", "{ /* c */ }", "{\"a\": [1,\n2, {\"b\": null,}]\n, }",
		"{\r\n\t\"mcpServers\": { \"plastic\": {\"env\":{}} }\r\n}", `{"mcpServers":{"plastic":1},"mcpServers":{}}`, "\uFEFF{\"a\":\"\\\"}\"}", "{\"a\":1 // x\n}",
	} {
		f.Add(seed)
	}
	c, err := wiring.Find("opencode") // commas and comments
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "mcpServers", "mcp")
		got, err := c.Add([]byte(text), entry)
		if err != nil {
			t.Skip("refused, which leaves the file as it was")
		}
		again, err := c.Add(got, entry)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q\nbecomes\n%q\nand then\n%q, %v", text, got, again, err)
		}
		back, err := c.Remove(got)
		if err != nil {
			t.Fatalf("%q\nbecomes\n%q\nand can not be undone: %v", text, got, err)
		}
		if bytes.Contains(back, []byte(`"/usr/local/bin/plastic"`)) && !strings.Contains(text, "/usr/local/bin/plastic") {
			t.Fatalf("%q\nbecomes\n%q\nwhich keeps the entry", text, back)
		}
		var before, after any
		if json.Unmarshal([]byte(text), &before) != nil {
			return // commas and comments: only that it can be read again
		}
		if json.Unmarshal(got, &after) != nil {
			t.Fatalf("%q was JSON and\n%q is none", text, got)
		}
		if !same(before, after) {
			t.Fatalf("%q\nbecomes\n%q\nand loses something", text, got)
		}
	})
}

// same compares all but the servers' entry of plastic, and the object it needs.
func same(before, after any) bool {
	strip := func(v any) string {
		if m, ok := v.(map[string]any); ok {
			if servers, ok := m["mcp"].(map[string]any); ok {
				delete(servers, "plastic")
			}
			if servers, ok := m["mcp"].(map[string]any); ok && len(servers) == 0 || m["mcp"] == nil {
				delete(m, "mcp")
			}
		}
		b, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	return strip(before) == strip(after)
}

// FuzzTOMLKeepsAllElse: what is no statement of the server stays, line by line.
func FuzzTOMLKeepsAllElse(f *testing.F) {
	for _, seed := range []string{
		"", "a = 1", "[mcp_servers.x]\ncommand = \"y\"\n", "a = \"\"\"\n[mcp_servers.plastic]\n\"\"\"\n", "[mcp_servers.plastic]\ncommand = \"x\"\nargs = [\n'a', # b\n]\n[z]\n",
		"a = [\n [\"b\"],\r\n]\r\n", "[ mcp_servers . 'plastic' ]\n[mcp_servers.plastic.env]\nA = 1 # c\n", "x = '''\n'''''\n", "a.b.c = {d = [1, \"]\"]}\n",
	} {
		f.Add(seed)
	}
	c, err := wiring.Find("codex")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := c.Add([]byte(text), entry)
		if err != nil {
			t.Skip("refused, which leaves the file as it was")
		}
		again, err := c.Add(got, entry)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q\nbecomes\n%q\nand then\n%q, %v", text, got, again, err)
		}
		back, err := c.Remove(got)
		if err != nil {
			t.Fatalf("%q\nbecomes\n%q\nand can not be undone: %v", text, got, err)
		}
		if strings.Contains(text, "#") {
			return // a comment between two tables of the server goes with them
		}
		gone, err := c.Remove([]byte(text))
		if err != nil {
			t.Fatalf("%q can not be cleaned: %v", text, err)
		}
		if a, b := strings.Join(strings.Fields(string(back)), " "), strings.Join(strings.Fields(string(gone)), " "); a != b {
			t.Fatalf("%q\nbecomes\n%q\nthen without the server\n%q\nbut was without it\n%q", text, got, back, gone)
		}
	})
}
