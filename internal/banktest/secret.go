package banktest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Marks stand in every private thing of a Secretive folder and in nothing else there:
// words, ids, and the names of conversations and people.
var Marks = []string{"zebrawood", "pension", "clinic", "marrow", "hid-", "tea-9", "quiet-room", "@nurse"}

// Secretive fills dir with memories of which many are private, in every file: ones that
// share words, a conversation, a day or the beginning of an id with those that are not,
// say nearly the same, took the place of one, or were shared before.
func Secretive(t testing.TB, dir string) { fill(t, dir, func(string) bool { return true }) }

// Bare fills dir with what a Secretive folder has beside what is private.
func Bare(t testing.TB, dir string) {
	fill(t, dir, func(line string) bool {
		_, rest, _ := strings.Cut(line, `"id":"`)
		return !strings.Contains(line, `"private":true`) && !strings.HasPrefix(rest, "hid-")
	})
}

// fill writes the files of a Secretive folder, as far as keep wants their lines.
func fill(t testing.TB, dir string, keep func(line string) bool) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".plastic"), 0o755); err != nil {
		t.Fatal(err)
	}
	kept := func(text string) string {
		var out strings.Builder
		for line := range strings.Lines(text) {
			if keep(line) {
				out.WriteString(line)
			}
		}
		return out.String()
	}
	list := func(name, text string) string {
		return "{\"version\":1,\"" + name + "\":[\n" + kept(text) + "]}\n" // missing commas are healthy
	}
	Write(t, dir, "config.yaml", "memory: {timezone: UTC}\n")
	Write(t, dir, "memory.json", list("memories", secretMemories))
	Write(t, dir, "archive.json", list("archive", secretArchive))
	if nights := kept(secretNights); nights != "" {
		Write(t, dir, "nights.jsonl", nights)
		Write(t, dir, "memory.md", "the marrow card\n")
	}
	if queue := kept(secretQueue); queue != "" {
		Write(t, dir, "queue.jsonl", queue)
	}
	Write(t, dir, ".plastic/night", "2026-11-28\n")
}

const secretMemories = ` {"id":"hid-core","content":"her zebrawood pension is ten thousand","kind":"core","importance":0.9,"private":true,"createdAt":"2026-10-01T08:00:00Z","session":"quiet-room"}
 {"id":"cup-old","content":"tea with the dentist on Mondays","kind":"fact","importance":0.5,"createdAt":"2026-10-02T08:00:00Z","validTo":"2026-11-01T08:00:00Z","supersededBy":"hid-next"}
 {"id":"hid-next","content":"tea with the marrow clinic on Mondays","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-11-01T08:00:00Z","speaker":"@nurse"}
 {"id":"tea-1","content":"tea at five, with Ann","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z","session":"kitchen"}
 {"id":"tea-9","content":"tea at five at the zebrawood clinic, with Ann","kind":"event","importance":0.5,"private":true,"createdAt":"2026-11-03T08:00:30Z","session":"kitchen","recallCount":9}
 {"id":"cat-1","content":"Ann keeps two cats","kind":"fact","importance":0.6,"createdAt":"2026-11-05T08:00:00Z","session":"kitchen"}
 {"id":"hid-cats","content":"Ann keeps two cats","kind":"fact","importance":0.9,"private":true,"pinned":true,"createdAt":"2026-11-06T08:00:00Z"}
 {"id":"hid-year","content":"the marrow was found","kind":"identity","importance":0.2,"private":true,"createdAt":"2025-01-06T08:00:00Z"}
 {"id":"bed-old","content":"the piano stands in the hall","kind":"fact","importance":0.4,"createdAt":"2026-11-07T08:00:00Z","validTo":"2026-11-20T08:00:00Z","supersededBy":"bed-new"}
 {"id":"bed-new","content":"the piano stands in the attic","kind":"fact","importance":0.4,"createdAt":"2026-11-20T08:00:00Z"}
 {"id":"hid-piano","content":"the piano was paid from the pension","kind":"fact","importance":0.4,"private":true,"createdAt":"2026-11-21T08:00:00Z"}
`

const secretArchive = ` {"memory":{"id":"hid-gone","content":"the zebrawood box","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-20T08:00:00Z","as":"forgotten","by":"cli","why":"the clinic"}
 {"memory":{"id":"hid-core","content":"her marrow is good","kind":"core","importance":0.9,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-21T08:00:00Z","as":"version","by":"cli","why":"updated"}
 {"memory":{"id":"hid-left","content":"the clinic sent a piano","kind":"fact","importance":0.5,"createdAt":"2026-10-01T08:00:00Z","validTo":"2026-11-01T08:00:00Z","supersededBy":"tea-9"},"archivedAt":"2026-11-21T08:00:00Z","as":"version","by":"cli","why":"updated"}
 {"memory":{"id":"hid-left","content":"the clinic sent a grand piano","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-10-01T08:00:00Z","validTo":"2026-11-01T08:00:00Z","supersededBy":"tea-9"},"archivedAt":"2026-11-22T08:00:00Z","as":"forgotten","by":"cli","why":""}
 {"memory":{"id":"box-gone","content":"a tin box with buttons","kind":"fact","importance":0.5,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-20T08:00:00Z","as":"forgotten","by":"cli","why":"sold"}
`

const secretNights = `{"date":"2026-11-28","started":"2026-11-28T03:00:00Z","ended":"2026-11-28T03:00:00Z","dryRun":false,"phases":[{"name":"clusters","calls":1,"ops":[{"op":"rewrite","ids":["hid-core"],"why":"the clinic said so","applied":true,"refused":""}]}],"compress":{"before":5,"after":4,"pruned":1,"promoted":1,"archived":[{"id":"hid-gone","why":"the pension is old"}],"raised":[{"id":"hid-core","why":"the zebrawood","was":0.3}]},"private":true}
`

const secretQueue = `{"id":"hid-turn","user":"I was at the zebrawood clinic","assistant":"I see","at":"2026-11-29T08:00:00Z","session":"quiet-room","private":true}
`
