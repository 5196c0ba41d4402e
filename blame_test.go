package plastic_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// story is what Blame tells of id, a line for each event.
func story(t *testing.T, b *banktest.Bank, id string) string {
	t.Helper()
	got, err := b.Blame(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, e := range got.Events {
		out += e.String()
		if e.Content != "" {
			out += " | " + e.Content
		}
		out += "\n"
	}
	return out
}

func TestAMemoryTellsWhatHappenedToIt(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC, anchorCount: 0, recentCount: 0}\n")
	home := b.Say("Ann lives in Oslo")
	b.Pass(time.Hour)
	id := b.Remember(plastic.Draft{Content: "Ann lives in Bergen", Supersedes: home, Source: "turn:17", Session: "s1", Speaker: "ann"}).ID
	b.Pass(time.Hour)
	text, pinned := "Ann lives in Bergen by the harbour", true
	if _, err := b.Update(ctx, id, plastic.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Hour)
	for range 3 {
		b.Recall(plastic.Query{Text: "who lives by the harbour?"})
	}
	b.Pass(time.Hour)
	b.Compress(plastic.Nightly{})
	b.Pass(time.Hour)
	if _, err := b.Update(ctx, id, plastic.Change{Pinned: &pinned}); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Hour)
	b.UndoNight(ctx, "2026-11-30", false)
	b.Pass(time.Hour)
	if _, err := b.Forget(ctx, []string{id}, plastic.Forgetting{Why: "she moved"}); err != nil {
		t.Fatal(err)
	}
	want := "created, by ann, source turn:17, session s1\n" +
		"supersedes HOME | Ann lives in Oslo\n" +
		"reworded: updated | Ann lives in Bergen\n" +
		"recalled 3 times, here the last\n" +
		"raised, by night: recalled 3 times: importance 0.50 → 0.75\n" +
		"updated\n" +
		"lowered, by nights undo: the night of 2026-11-30 was undone\n" +
		"forgotten: she moved | Ann lives in Bergen by the harbour\n"
	got := strings.ReplaceAll(story(t, b, id[:5]), home, "HOME")
	got = strings.ReplaceAll(got, ", by go:", ":")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := story(t, b, home); got != "created\nsuperseded by "+id+"\n" {
		t.Errorf("what it took the place of:\n%s", got)
	}
}

func TestAPrunedMemoryTellsOfTheNightAndItsUndo(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC, anchorCount: 0, recentCount: 0, keepFraction: 0.1}\n",
		"memory.json", `{"version":1,"memories":[
{"id":"a1","content":"a bright thing","kind":"fact","importance":0.6,"createdAt":"2026-11-01T00:00:00Z"},
{"id":"b2","content":"a dull thing","kind":"fact","importance":0.1,"createdAt":"2026-11-01T01:00:00Z"}]}`)
	b.Compress(plastic.Nightly{})
	if got := story(t, b, "b2"); !strings.HasPrefix(got, "created\npruned, by night: ") || strings.Count(got, "\n") != 2 || !strings.HasSuffix(got, "| a dull thing\n") {
		t.Errorf("pruned:\n%s", got)
	}
	b.Pass(time.Hour)
	if _, err := b.UndoNight(context.Background(), "2026-11-30", false); err != nil {
		t.Fatal(err)
	}
	if got := story(t, b, "b2"); !strings.Contains(got, "pruned, by night: ") || !strings.HasSuffix(got, "restored, by nights undo: the night of 2026-11-30 was undone\n") {
		t.Errorf("and back:\n%s", got)
	}
	if _, err := b.Blame(context.Background(), "zz"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no such memory: %v", err)
	}
	if _, err := b.As(memory.Owner).Blame(context.Background(), "b2"); !errors.Is(err, memory.ErrDenied) {
		t.Errorf("others read along: %v", err)
	}
}

func TestGitTellsTheCommitThatBroughtAMemory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not at hand")
	}
	b := banktest.New(t)
	id := b.Say("Ann lives in Oslo")
	if got := story(t, b, id); strings.Contains(got, "committed") {
		t.Errorf("without a repository:\n%s", got)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = b.Dir()
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	if got := story(t, b, id); strings.Contains(got, "committed") {
		t.Errorf("without a commit:\n%s", got)
	}
	git("add", "memory.json")
	git("commit", "-q", "-m", "where Ann lives")
	b.Say("Bo drinks tea")
	text := "Ann lives in Bergen"
	if _, err := b.Update(context.Background(), id, plastic.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	git("commit", "-q", "-am", "later")
	got := story(t, b, id)
	if strings.Count(got, "committed") != 1 || !strings.Contains(got, ", by ann: where Ann lives\n") {
		t.Errorf("in a repository:\n%s", got)
	}
}
