package foreign_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/internal/foreign"
	"plastic/tokenize"
)

// readText reads a text given as a file of that name.
func readText(t *testing.T, format, name, text string) foreign.Result {
	t.Helper()
	r, err := foreign.ReadFrom(format, name, strings.NewReader(text), options())
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, r)
	return r
}

func contents(r foreign.Result) []string {
	var out []string
	for _, it := range r.Items {
		out = append(out, it.Memory.Content)
	}
	return out
}

func TestLineEndsAndByteOrderMarksChangeNothing(t *testing.T) {
	b, err := os.ReadFile("testdata/markdown/notes/facts.md")
	if err != nil {
		t.Fatal(err)
	}
	want := describe(readText(t, "markdown", "facts.md", string(b)))
	crlf := strings.ReplaceAll(string(b), "\n", "\r\n")
	for name, text := range map[string]string{"CRLF": crlf, "CR": strings.ReplaceAll(string(b), "\n", "\r"), "BOM": "\ufeff" + crlf} {
		if got := describe(readText(t, "markdown", "facts.md", text)); got != want {
			t.Errorf("with %s it reads as\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestAnEditedListKeepsTheKeysOfWhatStayed(t *testing.T) {
	old := readText(t, "markdown", "facts.md", "- one cat\n- two boats\n- three piers\n")
	edited := readText(t, "markdown", "facts.md", "# Facts\n\n- three piers\n- a new line\n- one cat\n- two red boats\n")
	keys := map[string]string{}
	for _, it := range old.Items {
		keys[it.Memory.Content] = it.Memory.Source
	}
	stayed := 0
	for _, it := range edited.Items {
		if was, ok := keys[it.Memory.Content]; ok {
			stayed++
			if was != it.Memory.Source {
				t.Errorf("%q was %s and is %s", it.Memory.Content, was, it.Memory.Source)
			}
		}
	}
	if stayed != 2 {
		t.Errorf("%d of 2 stayed: %q", stayed, contents(edited))
	}
}

func TestTheSameNoteUnderAnotherNameSaysTheSame(t *testing.T) {
	note := "- [method] Tomatoes go under glass\n- waters [[Herb Bed]]\n"
	a := readText(t, "basic-memory", "a.md", "---\ntitle: Garden Plan\npermalink: a\n---\n"+note)
	b := readText(t, "basic-memory", "garden-plan.md", "---\npermalink: b\n---\n"+note)
	for i := range a.Items {
		if x, y := a.Items[i].Memory.Content, b.Items[i].Memory.Content; tokenize.Fold(x) != tokenize.Fold(y) {
			t.Errorf("%q and %q", x, y)
		}
	}
	if len(a.Items) != 2 || len(b.Items) != 2 {
		t.Errorf("%q, %q", contents(a), contents(b))
	}
}

func TestASubjectIsAddedOnlyWhereTheTextLacksIt(t *testing.T) {
	for _, c := range []struct{ name, said, want string }{
		{"Ada", "likes tea", "Ada: likes tea"},
		{"Ada", "ADA's boat is red", "ADA's boat is red"},
		{"Ada", "adapts quickly", "Ada: adapts quickly"},
		{"大明", "和大明去釣魚", "和大明去釣魚"},
		{"Олег", "живёт в Казани", "Олег: живёт в Казани"},
		{"Олег", "олегов брат", "Олег: олегов брат"},
		{"C++", "knows C++ well", "knows C++ well"},
		{"node.js", "uses node.jsx", "node.js: uses node.jsx"},
		{"a\nb", "x", "a b: x"},
	} {
		line := `{"type":"entity","name":` + quote(c.name) + `,"entityType":"t","observations":[` + quote(c.said) + `]}`
		if got := contents(readText(t, "server-memory", "m.jsonl", line)); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s + %s: %q, want %q", c.name, c.said, got, c.want)
		}
	}
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }

func TestFilesGivenAloneAreKnownByWhatIsInThem(t *testing.T) {
	for path, want := range map[string]string{
		"openclaw/workspace/MEMORY.md":               "openclaw",
		"openclaw/workspace/USER.md":                 "openclaw",
		"claude-code/memory/user_role.md":            "claude-code",
		"hermes/memories/MEMORY.md":                  "hermes",
		"hermes/memories/USER.md":                    "hermes",
		"basic-memory/notes/garden.md":               "basic-memory",
		"markdown/notes/pasted.txt":                  "markdown",
		"claude-export/data/memories.json":           "claude-export",
		"claude-export/data/conversations.json":      "claude-export",
		"claude-export/batch/memories/acct.json":     "claude-export",
		"chatgpt-export/data/conversations-000.json": "chatgpt-export",
		"plastic/seed/memory.json":                   "plastic",
	} {
		path = filepath.Join("testdata", filepath.FromSlash(path))
		if got, err := foreign.Detect(path); err != nil || got != want {
			t.Errorf("%s is detected as %q, %v", path, got, err)
			continue
		}
		if r := mustRead(t, "", path); len(r.Items)+len(r.Turns) == 0 {
			t.Errorf("%s gives nothing", path)
		}
	}
}

func TestWrappedLinesAreOneFactAndSentencesAreSeveral(t *testing.T) {
	for text, want := range map[string][]string{
		"Ann keeps\ntwo cats":                        {"Ann keeps two cats"},
		"安養了\n兩隻貓":                                   {"安養了兩隻貓"},
		"Ann keeps  \ntwo cats":                      {"Ann keeps\ntwo cats"},
		"Ann keeps\\\ntwo cats":                      {"Ann keeps\ntwo cats"},
		"Ann keeps cats.\nOleg fishes.":              {"Ann keeps cats.", "Oleg fishes."},
		"[2026-03-01] - a\n[2026-03-02] - b\n and c": {"a", "b and c"},
		"* a\n\t* b":                                 {"a: b"},
		"- a fact, with a comma\n  - its detail":     {"a fact, with a comma\n- its detail"},
		"- x\n\n  more\n\nnot x":                     {"x\n\nmore", "not x"},
		"1) a\n2) b":                                 {"a", "b"},
		"• a\n• b":                                   {"a", "b"},
		"## Ada\n- tea\n### Boats\n- red":            {"Ada: tea", "Ada, Boats: red"},
		"# Notes\n\n# Ada\ntea":                      {"Ada: tea"},
		"- a <!-- c --> b":                           {"a b"},
		"<!-- a\nb -->\n- c":                         {"c"},
		"<!-- never closed\n- c":                     {"<!-- never closed", "c"},
		"```\n# code\n- code":                        {"```\n# code\n- code"},
	} {
		if got := contents(readText(t, "markdown", "n.md", text)); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestWhatOnlyHasItsLastChangeIsNoYounger(t *testing.T) {
	r := mustRead(t, "mem0", file(t, "m.json", `[{"id":"1","memory":"likes tea","updated_at":"2025-03-04T05:06:07Z"}]`))
	if want := time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC); len(r.Items) != 1 || !r.Items[0].Memory.CreatedAt.Equal(want) {
		t.Errorf("%+v", r.Items)
	}
}

func TestTheTimesThatSomeGraphServersAddCount(t *testing.T) {
	r := mustRead(t, "server-memory", file(t, "memory.jsonl", `{"type":"entity","name":"Ada","entityType":"person","mtime":1733423456789,"observations":["likes tea",{"content":"born in May","timestamp":"2025-03-04T05:06:07Z"}]}
{"type":"relation","from":"Ada","to":"Bob","relationType":"knows","created_at":"2025-03-05T00:00:00Z"}
{"type":"entity","name":"Bob","entityType":"person","observations":["sings"]}
`))
	var got []string
	for _, it := range r.Items {
		got = append(got, stamp("", it.Memory.CreatedAt))
	}
	if want := "=2024-12-05T18:30:56Z =2025-03-04T05:06:07Z =2025-03-05T00:00:00Z "; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAnOddEntryCostsOnlyItself(t *testing.T) {
	r := mustRead(t, "plastic", file(t, "memory.json", `{"version":1,"memories":["note to self",null,42,{"id":"a","text":"tea"},["x"],{"id":"b"},{"id":"c","text":"cat"}]}`))
	var got []string
	for _, it := range r.Items {
		got = append(got, it.Memory.ID+it.Refused)
	}
	if want := `it is no memory: "note to self"|it is no memory: null|it is no memory: 42|a|it is no memory: ["x"]|there is no text in it|c`; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}

// A person points at the folder that a tool is known by, ~/.openclaw or ~/.claude.
func TestAFolderAboveTheMemoryReadsAsTheMemory(t *testing.T) {
	for _, c := range []struct{ format, path, below string }{
		{"openclaw", "workspace", "workspace"},
		{"codex", "memories", "memories"},
		{"hermes", "memories", "memories"},
		{"letta", "fs", "memory"},
		{"nanobot", "ws", "workspace"},
		{"claude-code", "memory", "app/memory"},
		{"claude-code", "memory", "projects/app/memory"},
	} {
		at := filepath.Join("testdata", c.format, c.path)
		above := t.TempDir()
		if err := os.CopyFS(filepath.Join(above, filepath.FromSlash(c.below)), os.DirFS(at)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(above, "settings.json"), []byte(`{"theme":"dark"}`), 0o644); err != nil {
			t.Fatal(err)
		}
		said := func(r foreign.Result) string {
			var all []string
			for _, it := range r.Items {
				all = append(all, it.Memory.Content)
			}
			return strings.Join(all, "\n")
		}
		got, want := mustRead(t, "", above), mustRead(t, c.format, at)
		if got.Format != c.format || said(got) != said(want) {
			t.Errorf("%s below %s is read as %s:\n%s\nwant\n%s", c.format, c.below, got.Format, said(got), said(want))
		}
	}
}
