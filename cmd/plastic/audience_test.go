package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const withPrivate = `{"version":1,"memories":[
 {"id":"hid1","content":"her zebrawood pension is ten thousand","kind":"core","importance":0.9,"private":true,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"hid2","content":"the zebrawood clinic on Friday","kind":"event","importance":0.5,"private":true,"createdAt":"2026-11-02T08:00:00Z"}
,{"id":"open1","content":"tea at five","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`

// Every verb there is, asked in ways that would find the private memories.
var asked = [][]string{
	{"remember", "the zebrawood table"},
	{"remember", "--supersedes", "hid1", "her zebrawood is twenty thousand"},
	{"recall", "zebrawood"}, {"recall", "--explain", "zebrawood", "pension"}, {"recall", "--history", "zebrawood"},
	{"recall", "--as-of", "2026-11-20", "zebrawood"}, {"--json", "recall", "--explain", "zebrawood"},
	{"prompt", "zebrawood", "pension"}, {"--json", "prompt", "zebrawood"},
	{"update", "hid", "--content", "x y"}, {"update", "hid1", "--pin"}, {"update", "zebrawood", "--pin"},
	{"forget", "hid"}, {"forget", "hid1"}, {"forget", "zebrawood"}, {"forget", "--purge", "hid1"}, {"restore", "hid"},
	{"list"}, {"list", "--all"}, {"show", "hid"}, {"show", "hid1"}, {"show", "zebrawood"}, {"archive"}, {"stats"}, {"chart"},
	{"compress", "--dry-run"}, {"forecast"}, {"export"}, {"doctor"}, {"card"}, {"card", "check"}, {"config", "show"},
	{"__complete", "forget", "h"}, {"__complete", "show", ""},
}

func TestNoVerbTellsAPrivateMemoryToOthers(t *testing.T) {
	for _, who := range []string{"owner", "public"} {
		for _, args := range asked {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "memory.json"), []byte(withPrivate), 0o644); err != nil {
				t.Fatal(err)
			}
			text := tell(dir, who, args)
			for _, secret := range []string{"pension", "clinic", "hid2", "ten thousand"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s, %s: tells %q:\n%s", who, strings.Join(args, " "), secret, text)
				}
			}
			after, err := os.ReadFile(filepath.Join(dir, "memory.json"))
			if err != nil || strings.Count(string(after), `"private":true`) != 2 {
				t.Errorf("%s, %s: a private memory was changed (%v):\n%s", who, strings.Join(args, " "), err, after)
			}
		}
	}
}

// tell is everything that a run says, the words it was given left out.
func tell(dir, who string, args []string) string {
	var out, errs bytes.Buffer
	env := []string{"PLASTIC_DIR=" + dir, "PLASTIC_NOW=2026-11-28T12:00:00Z", "MEMORY_DEBUG=1", "HOME=" + dir}
	run(append([]string{"plastic", "--audience", who}, args...), strings.NewReader(""), &out, &errs, env)
	text := out.String() + errs.String()
	for _, arg := range args {
		text = strings.ReplaceAll(text, `"`+arg+`"`, "")
	}
	return strings.ReplaceAll(text, strings.Join(args[1:], " "), "")
}
