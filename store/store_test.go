package store_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errors"

	"plastic/memory"
	"plastic/store"
)

var (
	ctx   = context.Background()
	start = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
)

// folder is a new memory folder, and open a store on it whose files are checked
// when the test ends.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := store.Create(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, dir string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func at(now time.Time) store.Options {
	return store.Options{Now: func() time.Time { return now }}
}

func update(t *testing.T, s *store.Store, fn func(*store.Tx)) *store.State {
	t.Helper()
	st, err := s.Update(ctx, func(tx *store.Tx) error { fn(tx); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func put(t *testing.T, s *store.Store, id, content string, created time.Time) *store.State {
	t.Helper()
	return update(t, s, func(tx *store.Tx) {
		tx.Put(memory.Memory{ID: id, Content: content, Kind: memory.Fact, Importance: 0.5, CreatedAt: created})
	})
}

func read(t *testing.T, s *store.Store) *store.State {
	t.Helper()
	st, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func slurp(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

func spit(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// aged makes a file look as if it was last changed so long ago.
func aged(t *testing.T, dir, name string, age time.Duration) {
	t.Helper()
	when := time.Now().Add(-age)
	if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
		t.Fatal(err)
	}
}

// told lists the memories as id=content.
func told(mems []memory.Memory) string {
	var b strings.Builder
	for _, m := range mems {
		fmt.Fprintf(&b, "%s=%s ", m.ID, m.Content)
	}
	return strings.TrimSpace(b.String())
}

func archived(entries []memory.Archived) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%s:%s=%s ", e.As, e.Memory.ID, e.Memory.Content)
	}
	return strings.TrimSpace(b.String())
}

func codes(problems []store.Problem) string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Code)
	}
	return strings.Join(list, " ")
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func TestOpenOfNoFolderIsAnError(t *testing.T) {
	if _, err := store.Open(filepath.Join(t.TempDir(), "no"), store.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestOpenAndReadWriteNothing(t *testing.T) {
	dir := t.TempDir()
	spit(t, dir, "memory.json", `{"version":1,"memories":[{"id":"a","text":"tea"}]}`)
	s := open(t, dir, store.Options{})
	want(t, "memories", told(read(t, s).Memories()), "a=tea")
	files, _ := os.ReadDir(dir)
	if len(files) != 1 {
		t.Error(files)
	}
}

func TestWhatIsPutIsOneLine(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "b", "a<b & c>d «да» 日本", start.Add(time.Hour))
	st := put(t, s, "a", "tea", start)
	const file = `{"version":1,"memories":[
 {"id":"a","content":"tea","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}
,{"id":"b","content":"a<b & c>d «да» 日本","kind":"fact","importance":0.5,"createdAt":"2026-03-01T09:00:00Z"}
]}
`
	want(t, "memory.json", slurp(t, dir, "memory.json"), file)
	want(t, "memories", told(st.Memories()), "a=tea b=a<b & c>d «да» 日本")
	if _, err := s.Checkpoint(ctx); err != nil {
		t.Error(err)
	}
	want(t, "after a checkpoint", slurp(t, dir, "memory.json"), file)
	update(t, s, func(tx *store.Tx) {
		m, _ := tx.Get("a")
		m.Content = "green tea"
		tx.Put(m)
	})
	want(t, "one line changed", slurp(t, dir, "memory.json"), strings.Replace(file, `"tea"`, `"green tea"`, 1))
	want(t, "journal", slurp(t, dir, "memory.journal"), "")
	want(t, "copy", slurp(t, dir, ".plastic/last.json"), slurp(t, dir, "memory.json"))
}

func TestAFailedUpdateWritesNothing(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	before := slurp(t, dir, "memory.json")
	no := errors.New("no")
	_, err := s.Update(ctx, func(tx *store.Tx) error {
		tx.Put(memory.Memory{ID: "a", Content: "x"})
		return no
	})
	if !errors.Is(err, no) {
		t.Error(err)
	}
	for _, bad := range []func(*store.Tx){
		func(tx *store.Tx) { tx.Put(memory.Memory{ID: "a\nb", Content: "x"}) },
		func(tx *store.Tx) { tx.Put(memory.Memory{ID: "a"}) },
	} {
		_, err := s.Update(ctx, func(tx *store.Tx) error { bad(tx); return nil })
		if !errors.Is(err, memory.ErrInvalid) {
			t.Error(err)
		}
	}
	for _, bad := range []func(*store.Tx){
		func(tx *store.Tx) { tx.Archive("none", memory.Archived{}) },
		func(tx *store.Tx) { tx.Restore("none") },
		func(tx *store.Tx) { tx.Purge("none") },
	} {
		_, err := s.Update(ctx, func(tx *store.Tx) error { bad(tx); return nil })
		if !errors.Is(err, memory.ErrNotFound) {
			t.Error(err)
		}
	}
	want(t, "memory.json", slurp(t, dir, "memory.json"), before)
	want(t, "journal", slurp(t, dir, "memory.journal"), "")
}

func TestForgetRestorePurge(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start.Add(time.Hour)))
	put(t, s, "a", "the blue door", start)
	put(t, s, "b", "tea", start)
	st := update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{By: "cli", Why: "moved"}) })
	want(t, "forgotten", told(st.Memories())+"|"+archived(st.Archive()), "b=tea|forgotten:a=the blue door")
	if _, ok := st.Tombstone("a"); !ok {
		t.Error("no tombstone")
	}
	want(t, "archive.json", slurp(t, dir, "archive.json"), `{"version":1,"archive":[
 {"memory":{"id":"a","content":"the blue door","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"},"archivedAt":"2026-03-01T09:00:00Z","as":"forgotten","by":"cli","why":"moved"}
]}
`)
	st = update(t, s, func(tx *store.Tx) { tx.Restore("a") })
	want(t, "restored", told(st.Memories())+"|"+archived(st.Archive()), "a=the blue door b=tea|")
	if _, ok := st.Tombstone("a"); ok {
		t.Error("a tombstone stands")
	}
	st = update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
	want(t, "forgotten in the same second", told(st.Memories())+"|"+archived(st.Archive()), "b=tea|forgotten:a=the blue door")
	update(t, s, func(tx *store.Tx) { tx.Restore("a") })
	put(t, s, "c", "owl", start)
	update(t, s, func(tx *store.Tx) {
		tx.Archive("c", memory.Archived{Why: "sat on the blue door"})
		tx.Night(map[string]any{"date": "2026-03-01", "phases": []any{map[string]any{"ops": []any{map[string]any{"op": "merge", "ids": []string{"a"}, "why": "doors"}}}}})
		tx.Night(map[string]any{"date": "2026-03-02", "note": "saw the blue door"})
	})
	spit(t, dir, "queue.jsonl", `{"user":"I have the blue door"}`+"\n"+`{"user":"hi"}`+"\n")
	spit(t, dir, "memory.json.corrupt-20260101T000000Z", ` {"id":"a","content":"x"}`+"\n"+` {"id":"b","content":"y"}`+"\n")
	update(t, s, func(tx *store.Tx) {
		m, _ := tx.Get("a")
		tx.Keep(memory.Archived{Memory: m, As: memory.Version})
		m.Content = "a red door, really"
		tx.Put(m)
	})
	st = update(t, s, func(tx *store.Tx) { tx.Purge("a") })
	want(t, "purged", told(st.Memories())+"|"+archived(st.Archive()), "b=tea|forgotten:c=owl")
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			b, _ := os.ReadFile(path)
			if strings.Contains(string(b), "door") {
				t.Errorf("%s: %s", path, b)
			}
		}
		return nil
	})
	want(t, "queue", slurp(t, dir, "queue.jsonl"), `{"user":"hi"}`+"\n")
	want(t, "corrupt copy", slurp(t, dir, "memory.json.corrupt-20260101T000000Z"), ` {"id":"b","content":"y"}`+"\n")
	if e, ok := st.Tombstone("a"); !ok || !e.Textless() {
		t.Error("no tombstone")
	}
}

func TestRecallsNeverWriteMemoryJSON(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "a", "tea", start)
	before := slurp(t, dir, "memory.json")
	rev := read(t, s).Rev()
	for i := range 3 {
		if err := s.Rehearse([]string{"a", "none"}, start.Add(time.Duration(2-i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	st := read(t, s)
	m, _ := st.Get("a")
	if m.RecallCount != 3 || !m.LastRecalledAt.Equal(start.Add(2*time.Hour)) || st.Rev() == rev {
		t.Errorf("%+v %s", m, st.Rev())
	}
	want(t, "memory.json", slurp(t, dir, "memory.json"), before)
	m, _ = read(t, open(t, dir, at(start))).Get("a")
	if m.RecallCount != 3 {
		t.Errorf("%+v", m)
	}
	if ok, err := s.Checkpoint(ctx); !ok || err != nil {
		t.Error(ok, err)
	}
	if !strings.Contains(slurp(t, dir, "memory.json"), `"recallCount":3,"lastRecalledAt":"2026-03-01T10:00:00Z"`) {
		t.Error(slurp(t, dir, "memory.json"))
	}
	if ok, err := s.Checkpoint(ctx); ok || err != nil {
		t.Error("a second checkpoint wrote", ok, err)
	}
}
