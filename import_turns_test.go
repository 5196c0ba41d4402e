package plastic_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/store"
)

// talks writes a Claude export of one conversation a name, and gives its folder.
func talks(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	var all []string
	for i, name := range names {
		all = append(all, fmt.Sprintf(`{"uuid":"c-%s","created_at":"2026-01-%02dT10:00:00Z","chat_messages":[
{"uuid":"m-%s","sender":"human","text":"I am %s, my key is sk-ant-api03-%s","created_at":"2026-01-%02dT10:00:00Z"},
{"uuid":"a-%s","sender":"assistant","text":"Hello","created_at":"2026-01-%02dT10:00:05Z"}]}`, name, i+1, name, name, strings.Repeat("aB3", 31)+"AA", i+1, name, i+1))
	}
	text := `[` + strings.Join(all, ",") + `]`
	if err := os.WriteFile(filepath.Join(dir, "conversations.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// queue opens the queue beside b.
func queue(t *testing.T, b *banktest.Bank) *store.Store {
	t.Helper()
	s, err := store.Open(b.Dir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// waiting are the turns that wait, those set aside not.
func waiting(t *testing.T, s *store.Store) []store.Turn {
	t.Helper()
	all, _, err := s.Queue()
	if err != nil {
		t.Fatal(err)
	}
	var out []store.Turn
	for _, turn := range all {
		if !turn.SetAside {
			out = append(out, turn)
		}
	}
	return out
}

func takeTalks(t *testing.T, b *banktest.Bank, dir string, o plastic.ImportOptions) plastic.Imported {
	t.Helper()
	got, err := b.ImportPath(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestConversationsGoIntoTheQueueOnce(t *testing.T) {
	b := banktest.New(t)
	s := queue(t, b)
	dir := talks(t, "ann", "bo")
	if got := takeTalks(t, b, dir, plastic.ImportOptions{DryRun: true}); len(waiting(t, s)) != 0 || !strings.Contains(strings.Join(got.Notes, "\n"), "up to 2 turns") {
		t.Errorf("a dry run: %+v", got)
	}
	for range 2 {
		got := takeTalks(t, b, dir, plastic.ImportOptions{})
		turns := waiting(t, s)
		if len(turns) != 2 || got.Imported != 0 || len(got.Refused) > 0 || len(b.All()) != 0 {
			t.Fatalf("%+v, %+v", got, turns)
		}
		first := turns[0]
		if first.User != "I am ann, my key is [secret]" || first.Assistant != "Hello" || first.Session != "c-ann" || first.Source != "import:claude-export:c-ann/m-ann" || first.At.Format("2006-01-02") != "2026-01-01" {
			t.Errorf("%+v", first)
		}
	}
}

func TestDistilledTurnsAreTakenAgainOnlyWithRestore(t *testing.T) {
	b := banktest.New(t)
	s := queue(t, b)
	dir := talks(t, "ann")
	takeTalks(t, b, dir, plastic.ImportOptions{})
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		for _, turn := range waiting(t, s) {
			tx.Done(turn.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Checkpoint(context.Background()); err != nil {
		t.Fatal(err)
	}
	if takeTalks(t, b, dir, plastic.ImportOptions{}); len(waiting(t, s)) != 0 {
		t.Errorf("distilled twice: %+v", waiting(t, s))
	}
	takeTalks(t, b, dir, plastic.ImportOptions{Restore: true})
	if takeTalks(t, b, dir, plastic.ImportOptions{Restore: true}); len(waiting(t, s)) != 1 {
		t.Errorf("with restore: %+v", waiting(t, s))
	}
}

func TestAnUndoneImportOfConversationsIsNotDistilled(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	s := queue(t, b)
	takeTalks(t, b, talks(t, "ann"), plastic.ImportOptions{})
	dir := talks(t, "bo", "cy")
	takeTalks(t, b, dir, plastic.ImportOptions{})
	undone, err := b.UndoImport(ctx)
	if err != nil || len(undone.Warnings) != 1 || !strings.HasPrefix(undone.Warnings[0], "2 turns") {
		t.Errorf("%+v, %v", undone, err)
	}
	if turns := waiting(t, s); len(turns) != 1 || turns[0].Session != "c-ann" {
		t.Errorf("waiting: %+v", turns)
	}
	takeTalks(t, b, dir, plastic.ImportOptions{})
	if turns := waiting(t, s); len(turns) != 3 {
		t.Errorf("imported again: %+v", turns)
	}
	if _, err := b.UndoImport(ctx); err != nil || len(waiting(t, s)) != 1 {
		t.Errorf("undone again: %v, %+v", err, waiting(t, s))
	}
}

func TestConversationsStayOutWhereNothingIsRetained(t *testing.T) {
	b := banktest.New(t, "config.yaml", "channel: {retain: false}\n")
	s := queue(t, b)
	got := takeTalks(t, b, talks(t, "ann"), plastic.ImportOptions{})
	if len(waiting(t, s)) != 0 || !strings.Contains(strings.Join(got.Notes, "\n"), "retain on") {
		t.Errorf("%+v", got)
	}
}

// What does not fit is the oldest, and what was said is bounded.
func TestAFullQueueTakesTheNewestTurns(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	s := queue(t, b)
	many := make([]store.Turn, store.MaxQueue-1)
	for i := range many {
		many[i] = store.Turn{User: "x"}
	}
	if _, err := s.Enqueue(ctx, many); err != nil {
		t.Fatal(err)
	}
	got := takeTalks(t, b, talks(t, "ann", "bo", strings.Repeat("cy", 20_000)), plastic.ImportOptions{})
	turns := waiting(t, s)
	last := turns[len(turns)-1]
	if len(turns) != store.MaxQueue || !strings.Contains(last.User, "cycy") || len(last.User) > 33_000 || len(got.Refused) != 1 || !strings.Contains(got.Refused[0].Reason, "oldest 2") {
		t.Errorf("%d turns, the last of %d bytes, %+v", len(turns), len(last.User), got)
	}
	if got = takeTalks(t, b, talks(t, "di"), plastic.ImportOptions{}); len(waiting(t, s)) != store.MaxQueue || len(got.Refused) != 1 {
		t.Errorf("%+v", got)
	}
}
