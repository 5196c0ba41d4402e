package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic/internal/banktest"
)

// mcpCalls is what an MCP client writes: it greets, lists, and calls.
const mcpCalls = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"memory_remember","arguments":{"content":"tea at five"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"memory_recall","arguments":{"query":"tea"}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_consolidate","arguments":{"dryRun":true}}}
{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"memory://prompt"}}
`

// mcpAnswer is one line of a server, as far as the tests look into it.
type mcpAnswer struct {
	Version string `json:"jsonrpc"`
	ID      any    `json:"id"`
	Method  string `json:"method"`
	Result  *struct {
		Tools   []struct{ Name string } `json:"tools"`
		Content []struct{ Text string } `json:"content"`
		IsError bool                    `json:"isError"`
	} `json:"result"`
	Error *struct{ Message string } `json:"error"`
}

// mcpTalk runs plastic mcp in the folder and holds every line it writes against
// JSON-RPC; it gives the answers by id, and stderr.
func mcpTalk(t *testing.T, args []string, env ...string) (map[string]mcpAnswer, string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(append([]string{"plastic", "mcp"}, args...), strings.NewReader(mcpCalls), &out, &errs, env)
	if code != exitOK {
		t.Fatalf("exit code %d, stderr %s", code, &errs)
	}
	answers := map[string]mcpAnswer{}
	for line := range strings.Lines(out.String()) {
		var a mcpAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.Version != "2.0" {
			t.Fatalf("stdout has a line that is not JSON-RPC: %q (%v)", line, err)
		}
		answers[fmt.Sprint(a.ID)] = a
	}
	for id := 1; id <= 6; id++ {
		if a := answers[fmt.Sprint(id)]; a.Result == nil && a.Error == nil {
			t.Fatalf("request %d has no answer:\n%s", id, &out)
		}
	}
	return answers, errs.String()
}

func (a mcpAnswer) text() string {
	if a.Result == nil || len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

// TestMCPWritesNothingButTheProtocol goes through what may be wrong with a
// folder at the start: whatever it is, the tools are listed and say it. A config.yaml
// that is wrong is the one thing that no verb starts with.
func TestMCPWritesNothingButTheProtocol(t *testing.T) {
	whole := `{"version":1,"memories":[
 {"id":"old1","content":"@ann told me she drinks tea","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}
]}
`
	for _, tc := range []struct {
		name  string
		files map[string]string // nil: no folder
		wrong bool              // the tools can not work
		says  string            // the answer to remember does, if it is an error, else one of the answers
		errs  string            // … and stderr
	}{
		{name: "in order", files: map[string]string{"memory.json": whole, "memory.md": ""}},
		{name: "memory.json is damaged", files: map[string]string{"memory.json": whole[:len(whole)-40] + "\n ,{\"id\": broken", "memory.md": ""}, says: "memory.json", errs: "memory.json"},
		{name: "memory.json has conflict markers", files: map[string]string{"memory.json": strings.Replace(whole, "\n]", "\n<<<<<<< a\n ,{\"id\":\"b1\",\"content\":\"x\"}\n=======\n ,{\"id\":\"b2\",\"content\":\"y\"}\n>>>>>>> b\n]", 1), "memory.md": ""}, says: "memory.json", errs: "memory.json"},
		{name: "memory.json is of a newer version", files: map[string]string{"memory.json": strings.Replace(whole, `"version":1`, `"version":99`, 1), "memory.md": ""}, wrong: true, says: "read_only"},
		{name: "a model that does not answer", files: map[string]string{"memory.json": whole, "config.yaml": "model: {apiBase: \"http://127.0.0.1:1/v1\", chat: m, embed: e}\n"}, says: "config allow", errs: "config allow"},
		{name: "no such folder", wrong: true, says: "plastic init"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "mem")
			if tc.files != nil {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range tc.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, errs := mcpTalk(t, nil, "PLASTIC_DIR="+dir, "HOME="+filepath.Dir(dir), "PLASTIC_NOW=2026-11-28T12:00:00Z")
			if n := len(got["2"].Result.Tools); n != 7 {
				t.Errorf("%d tools are listed", n)
			}
			if got["3"].Result.IsError != tc.wrong {
				t.Errorf("remember is an error: %v: %s", got["3"].Result.IsError, got["3"].text())
			}
			said := got["3"].text()
			if !tc.wrong {
				said += got["4"].text() + got["5"].text()
			}
			if !strings.Contains(said, tc.says) || !strings.Contains(errs, tc.errs) {
				t.Errorf("it does not say %q: %s\nstderr: %s", tc.says, said, errs)
			}
			if !tc.wrong && !strings.Contains(got["4"].text(), "tea at five") {
				t.Errorf("what was remembered is not recalled: %s", got["4"].text())
			}
			if n := strings.Count(got["4"].text(), "words only"); n > 1 {
				t.Errorf("that recall goes by words is said %d times: %s", n, got["4"].text())
			}
		})
	}
}

func TestMCPDoesNotStartWithAWrongConfig(t *testing.T) {
	for text, says := range map[string]string{
		"memory: {anchorCont: 3}\n":     "anchorCount",
		"memory: {keepFraction: 1.4}\n": "keepFraction",
		"memory: [\n":                   "config.yaml",
	} {
		dir := t.TempDir()
		banktest.Write(t, dir, "config.yaml", text)
		var out, errs bytes.Buffer
		code := run([]string{"plastic", "mcp"}, strings.NewReader(""), &out, &errs, []string{"PLASTIC_DIR=" + dir, "HOME=" + dir})
		if code != exitUsage || out.Len() > 0 || !strings.Contains(errs.String(), says) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", text, code, out.String(), errs.String())
		}
	}
}

func TestMCPMakesTheDefaultFolderWhenItIsCalled(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	dir := filepath.Join(home, ".local", "share", "plastic")
	var out, errs bytes.Buffer
	hello := strings.Join(strings.SplitAfter(mcpCalls, "\n")[:3], "")
	if code := run([]string{"plastic", "mcp"}, strings.NewReader(hello), &out, &errs, []string{"HOME=" + home}); code != exitOK {
		t.Fatalf("exit code %d, stderr %s", code, &errs)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("listing the tools made a folder")
	}
	mcpTalk(t, nil, "HOME="+home)
	if b, err := os.ReadFile(filepath.Join(dir, "memory.json")); err != nil || !strings.Contains(string(b), "tea at five") {
		t.Errorf("memory.json: %s, %v", b, err)
	}
}

func TestTheAudienceOfMCPIsOnlyLoweredByTheFlag(t *testing.T) {
	for _, tc := range []struct {
		config, flag string
		tools        int
	}{
		{"", "", 7}, {"", "owner", 4}, {"", "public", 1}, {"owner", "", 4}, {"owner", "trusted", 4}, {"public", "trusted", 1}, {"owner", "public", 1},
	} {
		dir := t.TempDir()
		text := "{}\n"
		if tc.config != "" {
			text = "mcp: {audience: " + tc.config + "}\n"
		}
		banktest.Secretive(t, dir)
		banktest.Write(t, dir, "config.yaml", text)
		var args []string
		if tc.flag != "" {
			args = []string{"--audience", tc.flag}
		}
		got, errs := mcpTalk(t, args, "PLASTIC_DIR="+dir, "HOME="+dir)
		if n := len(got["2"].Result.Tools); n != tc.tools {
			t.Errorf("config %q, flag %q: %d tools, want %d", tc.config, tc.flag, n, tc.tools)
		}
		if slices.ContainsFunc(banktest.Marks, func(mark string) bool { return strings.Contains(errs, mark) }) {
			t.Errorf("config %q, flag %q: stderr tells a private memory: %s", tc.config, tc.flag, errs)
		}
	}
	var out, errs bytes.Buffer
	for _, who := range []string{"", " ", "*", "root"} {
		if code := run([]string{"plastic", "mcp", "--audience", who}, strings.NewReader(mcpCalls), &out, &errs, []string{"HOME=" + t.TempDir()}); code != exitUsage || out.Len() > 0 {
			t.Errorf("audience %q: exit code %d, stdout %s", who, code, &out)
		}
	}
}

func TestTheClockOfMCPStartsAtNow(t *testing.T) {
	dir := t.TempDir()
	got, _ := mcpTalk(t, []string{"--now", "2031-05-06"}, "PLASTIC_DIR="+dir, "HOME="+dir)
	if got["3"].Result.IsError {
		t.Fatal(got["3"].text())
	}
	if b, err := os.ReadFile(filepath.Join(dir, "memory.json")); err != nil || !strings.Contains(string(b), `"createdAt":"2031-05-0`) {
		t.Errorf("memory.json: %s, %v", b, err)
	}
}
