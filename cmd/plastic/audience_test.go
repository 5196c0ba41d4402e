package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/internal/banktest"
)

// asked has each verb there is, by its words, called in ways that would find what is
// private: FILES is a folder of files beside the memory.
var asked = map[string][][]string{
	"remember":      {{"the zebrawood table"}, {"--supersedes", "hid-core", "her zebrawood is twenty thousand"}, {"Ann keeps two cats"}, {"--supersedes", "cup-old", "no tea"}},
	"recall":        {{"zebrawood"}, {"--explain", "zebrawood", "pension", "tea"}, {"--history", "tea"}, {"--as-of", "2026-10-20", "tea piano clinic"}, {"piano"}},
	"prompt":        {{"zebrawood", "pension"}, {"--session", "quiet-room", "--rehearse", "tea"}, {"--rule"}},
	"update":        {{"hid", "--content", "x y"}, {"hid-core", "--pin"}, {"tea", "--pin"}, {"zebrawood", "--pin"}},
	"edit":          {nil, {"piano"}, {"--yes", "hid-core"}, {"--apply", "FILES/plan.json"}},
	"forget":        {{"hid"}, {"hid-core"}, {"tea"}, {"--purge", "hid-core"}, {"--purge", "hid-left"}, {"--purge", "hid-gone"}, {"hid-core", "tea-1"}},
	"restore":       {{"hid"}, {"hid-core"}, {"hid-left"}, {"hid-gone"}, {"cup-old"}, {"box"}},
	"list":          {nil, {"--all"}, {"--layer", "anchor"}},
	"show":          {{"hid"}, {"hid-core"}, {"tea"}, {"cup-old"}, {"zebrawood"}},
	"blame":         {{"hid-core"}, {"hid"}, {"cup-old"}},
	"diff":          {{"2026-10-01", "2026-11-29"}},
	"archive":       {nil},
	"stats":         {nil},
	"chart":         {nil, {"--svg", "-"}},
	"retain":        {nil},
	"flush":         {nil, {"--retry"}},
	"queue":         {nil},
	"reindex":       {nil, {"--measure"}},
	"network":       {nil},
	"compress":      {nil, {"--dry-run"}, {"--again"}},
	"sleep":         {nil, {"--dry-run"}, {"--again"}, {"--apply", "FILES/plan.json"}},
	"wake":          {nil},
	"night":         {nil},
	"nights":        {nil},
	"nights show":   {{"2026-11-28"}},
	"nights undo":   {{"2026-11-28"}, {"2026-11-28", "1", "--force"}},
	"forecast":      {nil, {"--days", "30", "--set", "memory.keepFraction=0.6"}},
	"init":          {nil},
	"card":          {nil},
	"card edit":     {nil},
	"card check":    {nil},
	"card set":      {{"--hash", "x"}},
	"config":        {nil},
	"config show":   {nil},
	"config get":    {{"memory.keepFraction"}},
	"config set":    {{"memory.keepFraction", "0.5"}},
	"config preset": {{"human"}},
	"config allow":  {nil},
	"import":        {{"FILES/lines.jsonl"}, {"--dry-run", "FILES/lines.jsonl"}, {"undo"}},
	"export":        {nil, {"--to", "markdown"}},
	"doctor":        {nil, {"--fix"}},
	"checkpoint":    {nil},
	"git-merge":     {{"FILES/empty.json", "FILES/empty.json", "FILES/empty.json"}},
	"serve":         {{"--listen", "nowhere"}},
	"mcp":           {nil},
	"setup":         {{"--dry-run", "claude-code"}},
	"service":       {nil},
	"channel":       {nil},
	"channel on":    {nil}, "channel off": {nil}, "channel retain": {{"off"}}, "channel recall": {{"off"}},
	"demo":       {{"FILES/demo"}},
	"eval":       {{"FILES/lines.jsonl", "FILES/queries.jsonl"}},
	"completion": {{"bash"}},
	"man":        {nil},
	"version":    {nil},
	"help":       {nil, {"show"}},
	"__complete": {{"forget", "h"}, {"show", ""}, {"blame", ""}, {"update", "hid"}, {"restore", ""}, {"remember", "--supersedes", ""}, {"nights", "show", ""}},
}

// spoken is what a verb is given on stdin.
var spoken = map[string]string{
	"retain":   `{"user":"I was at the zebrawood clinic","assistant":"I see"}`,
	"card set": "x\n",
	"mcp": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"memory_list","arguments":{}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"memory_recall","arguments":{"query":"zebrawood tea piano"}}}
{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"memory://prompt?q=zebrawood"}}
`,
}

func TestEveryVerbOfTheProgramIsInTheMatrix(t *testing.T) {
	var words []string
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, sub := range cmd.Commands() {
			name := strings.TrimSpace(path + " " + sub.Name())
			words = append(words, name)
			walk(sub, name)
		}
	}
	for _, name := range []string{"plastic", memoryName} {
		walk(newApp([]string{name}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, nil).root(""), "")
	}
	words = append(words, "help", "__complete") // cobra adds them when it runs
	slices.Sort(words)
	if rows := slices.Sorted(maps.Keys(asked)); !slices.Equal(rows, slices.Compact(words)) {
		t.Errorf("the verbs of the program are\n%v\nand the matrix has\n%v", slices.Compact(words), rows)
	}
}

// TestNoVerbTellsOthersWhatIsPrivate calls every verb in a folder with private memories
// and in the same one without them: what is printed, on stderr too and with
// MEMORY_DEBUG, and the exit code are the same for others than the owner alone.
func TestNoVerbTellsOthersWhatIsPrivate(t *testing.T) {
	for verb, calls := range asked {
		for _, args := range calls {
			for _, who := range []string{"owner", "public"} {
				for _, json := range []bool{true, false} {
					if who == "public" && !json { // what is told to it is less than to the owner
						continue
					}
					call := append(strings.Fields(verb), args...)
					if json {
						call = append([]string{"--json"}, call...)
					}
					with := sayings(t, "plastic", who, verb, call, banktest.Secretive)
					without := sayings(t, "plastic", who, verb, call, banktest.Bare)
					if with != without {
						t.Errorf("%s, %s: %s", who, strings.Join(call, " "), apart(with, without))
					}
				}
			}
		}
	}
	for _, who := range []string{"owner", "public"} { // and under its short name
		for _, call := range [][]string{{"recall", "zebrawood", "tea", "piano"}, {"stats"}, {"forget", "hid"}, {"forget", "tea"}, {"retain"}, {"flush"}, {"reindex"}} {
			if with, without := sayings(t, memoryName, who, "", call, banktest.Secretive), sayings(t, memoryName, who, "", call, banktest.Bare); with != without {
				t.Errorf("memory, %s, %v: %s", who, call, apart(with, without))
			}
		}
	}
}

// apart shows the lines that only one of two answers has.
func apart(with, without string) string {
	only := func(a, b string) string {
		list := strings.Split(b, "\n")
		return strings.Join(slices.DeleteFunc(strings.Split(a, "\n"), func(l string) bool { return slices.Contains(list, l) }), "\n")
	}
	return "where something is private\n" + only(with, without) + "\nwhere nothing is\n" + only(without, with)
}

// sayings are everything that a call says in a folder that fill makes.
func sayings(t *testing.T, name, who, verb string, call []string, fill func(testing.TB, string)) string {
	t.Helper()
	home := t.TempDir()
	dir, files := filepath.Join(home, "memory"), filepath.Join(home, "files")
	fill(t, dir)
	before := privateIn(t, dir)
	if err := os.MkdirAll(files, 0o755); err != nil {
		t.Fatal(err)
	}
	banktest.Write(t, files, "plan.json", `{"phases":[{"name":"clusters","ops":[{"op":"forget","ids":["hid-core"],"why":"w"}]}]}`)
	banktest.Write(t, files, "lines.jsonl", `{"id":"hid-core","content":"a line of its own","createdAt":"2026-11-01T00:00:00Z"}`+"\n")
	banktest.Write(t, files, "queries.jsonl", `{"query":"line","now":"2026-11-28T12:00:00Z","gold":["hid-core"],"kind":"x"}`+"\n")
	banktest.Write(t, files, "empty.json", `{"version":1,"memories":[]}`+"\n")
	args := []string{name, "--audience", who}
	for _, word := range call {
		args = append(args, strings.ReplaceAll(word, "FILES", files))
	}
	if verb == "__complete" { // its flags are those of what is completed
		args = append([]string{name, verb, "--audience", who}, args[slices.Index(args, verb)+1:]...)
	}
	env := []string{"PLASTIC_DIR=" + dir, "PLASTIC_NOW=2026-11-28T12:00:00Z", "MEMORY_DEBUG=1", "HOME=" + home, "EDITOR=cat"}
	var out, errs bytes.Buffer
	code := run(args, strings.NewReader(spoken[verb]), &out, &errs, env)
	if after := privateIn(t, dir); after != before {
		t.Errorf("%s, %v: changed what is private from\n%s\nto\n%s", who, call, before, after)
	}
	var lines []string
	for line := range strings.Lines(strings.Join([]string{out.String(), errs.String(), fmt.Sprint("exit ", code)}, "\n--\n")) {
		line = strings.NewReplacer(home, "HOME", `"withheld":1`, `"withheld":0`).Replace(line)
		line = madeID.ReplaceAllString(breaks.ReplaceAllString(keptBack.ReplaceAllString(line, ""), `\n`), "NEW")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if verb == "mcp" { // a server answers in any order
		slices.Sort(lines)
	}
	return strings.Join(lines, "\n")
}

// What is not compared: the note for the owner with the breaks around it, and ids by chance.
var (
	keptBack = regexp.MustCompile(`\{"notice":"private memories are kept back[^}]*\}|,?"private memories are kept back[^"]*"|(\\nnote: |notice: )?[Pp]rivate memories are kept back[^"\n\\]*`)
	breaks   = regexp.MustCompile(`(\\n)+"?`)
	madeID   = regexp.MustCompile(`\b[a-z][0-9a-hj-km-np-tv-z]{9}\b`)
)

// privateIn is what is private in a folder, as it is stored.
func privateIn(t *testing.T, dir string) string {
	t.Helper()
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return banktest.Start }})
	if err != nil {
		return "it can not be opened"
	}
	defer b.Close()
	var out strings.Builder
	if err := b.Export(&out, ""); err != nil {
		t.Fatal(err)
	}
	archive, err := b.Archive()
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, `"private":true`) {
			kept = append(kept, line)
		}
	}
	for _, e := range archive.Archive {
		if e.Memory.Private || strings.HasPrefix(e.Memory.ID, "hid-") {
			kept = append(kept, string(e.As)+" "+e.Memory.ID+" "+e.Memory.Content+"\n")
		}
	}
	return strings.Join(kept, "")
}
