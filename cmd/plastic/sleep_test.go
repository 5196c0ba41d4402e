package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/internal/banktest"
)

const twoCats = `{"version":1,"memories":[
 {"id":"a","content":"Ann keeps two grey cats","kind":"fact","importance":0.5,"createdAt":"2026-09-10T08:00:00Z"}
,{"id":"b","content":"Ann keeps two grey cats in Berlin","kind":"fact","importance":0.5,"createdAt":"2026-09-12T08:00:00Z"}
]}
`

const sleepsSoon = "model: {chat: some}\nsleep: {minMemories: 1}\n"

// mergesCats answers what a sound model would.
func mergesCats(q banktest.Asked) banktest.Said {
	if strings.Contains(q.User, "short form") {
		return banktest.Said{Arguments: `{"ops":[]}`}
	}
	return banktest.Said{Text: "<think>{}</think>```json\n" + `{"ops":[{"op":"merge","ids":["a","b"],"content":"Ann keeps two grey cats in Berlin","why":"said twice"}]}` + "\n```"}
}

func memoryFile(t *testing.T, m *memoryWith) string {
	text, err := os.ReadFile(filepath.Join(m.dir, "memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A plan is made, read, applied without another question, and taken back.
func TestAPlanGoesFromADryRunToTheMemoryAndBack(t *testing.T) {
	m := newMemoryWith(t, sleepsSoon)
	m.model.Chat = mergesCats
	banktest.Write(t, m.dir, "memory.json", twoCats)
	at := []string{"--now", "2026-11-28T12:00:00Z"}
	plan := m.ok("", append(at, "--json", "sleep", "--dry-run")...)
	if asked := m.model.Chats(); asked != 2 || memoryFile(t, m) != twoCats {
		t.Fatalf("the dry run asked %d times; memory.json:\n%s", asked, memoryFile(t, m))
	}
	out := m.ok(plan, append(at, "sleep", "--apply", "-")...)
	if !strings.Contains(out, "1. merge a b: done (said twice)") || strings.Contains(out, "nothing changed") || m.model.Chats() != 2 {
		t.Errorf("applied with %d questions:\n%s", m.model.Chats(), out)
	}
	if text := memoryFile(t, m); strings.Contains(text, `"b"`) || !strings.Contains(text, "grey cats in Berlin") {
		t.Errorf("memory.json:\n%s", text)
	}
	m.ok("", "--now", "2026-11-28T13:00:00Z", "nights", "undo", "2026-11-28")
	if out := m.ok("", "nights", "show", "2026-11-28"); !strings.Contains(out, "1. merge a b: undone (said twice)") {
		t.Errorf("an operation that was undone is told as\n%s", out)
	}
	if memoryFile(t, m) != twoCats {
		t.Errorf("after the undo:\n%s", memoryFile(t, m))
	}
}

// A model that hangs holds up nothing but its own night, and wake ends that.
func TestASleeperOverAHangingModelIsWokenFromElsewhere(t *testing.T) {
	m := newMemoryWith(t, sleepsSoon)
	banktest.Write(t, m.dir, "memory.json", twoCats)
	asked := make(chan bool, 1)
	m.model.Before = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		asked <- true
		<-r.Context().Done()
		return true
	}
	type ended struct {
		code int
		errs string
	}
	over := make(chan ended)
	go func() {
		code, _, errs := m.run("", "--now", "2026-11-28T12:00:00Z", "sleep")
		over <- ended{code, errs}
	}()
	<-asked
	if code, _, errs := m.run("", "--now", "2026-11-28T12:00:00Z", "sleep"); code != exitBusy {
		t.Errorf("a second sleeper: exit %d, %s", code, errs)
	}
	m.ok("", "remember", "a word in the night")
	if out := m.ok("", "wake"); out != "woken\n" {
		t.Errorf("wake says %q", out)
	}
	if got := <-over; got.code != exitBusy || !strings.Contains(got.errs, "ended before") {
		t.Errorf("the sleeper: exit %d, %s", got.code, got.errs)
	}
	if text := memoryFile(t, m); !strings.Contains(text, `"b"`) || !strings.Contains(text, "a word in the night") {
		t.Errorf("memory.json:\n%s", text)
	}
	if out := m.ok("", "nights"); out != "there was no night yet\n" {
		t.Errorf("nights: %s", out)
	}
}
