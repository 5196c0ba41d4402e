package store_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// The law: whatever stands in memory.json, reading it does not fail or change it;
// after a write the file is JSON, reading it again gives the same memories and the
// new one, and writing once more changes nothing.
func FuzzMemoryFile(f *testing.F) {
	for _, text := range []string{
		``, `{"version":1,"memories":[{"id":"a","text":"tea"},]} // mine`, `{"memories":["x",null,{"id":"a","text":"t"},{"id":"a","text":"u"}]}`,
		"{\"version\":1,\"memories\":[\n {\"id\":\"a\",\"content\":\"tea\"}\n<<<<<<< a\n,{\"id\":\"b\",\"content\":\"x\"}\n=======\n>>>>>>> b\n]}\n",
		`{"version":1,"mem`, `[{"id":"a","text":"x","createdAt":5}`, "{\"id\":\"a\",\"text\":\"tea\"}\r\n{\"text\":\"x\"}\r\n", `{"version":2}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		spit(t, dir, "memory.json", text)
		aged(t, dir, "memory.json", time.Hour)
		s, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		st := read(t, s)
		before := told(st.Memories())
		again, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		want(t, "read twice", told(read(t, again).Memories()), before)
		if slurp(t, dir, "memory.json") != text {
			t.Fatal("reading changed the file")
		}
		if st.Writable() != nil {
			return
		}
		n := len(st.Memories())
		_, ok := st.Get("zz.new")
		st = put(t, s, "zz.new", "one more", time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
		if !ok && len(st.Memories()) != n+1 {
			t.Fatalf("%d memories became %d", n, len(st.Memories()))
		}
		for _, p := range st.Problems() {
			if p.Code == store.CodeConflict {
				return
			}
		}
		file := slurp(t, dir, "memory.json")
		if !json.Valid([]byte(file)) {
			t.Fatalf("not JSON: %q", file)
		}
		third, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer third.Close()
		want(t, "written and read", told(read(t, third).Memories()), told(st.Memories()))
		update(t, third, func(tx *store.Tx) { m, _ := tx.Get("zz.new"); m.Pinned = true; tx.Put(m) })
		update(t, third, func(tx *store.Tx) { m, _ := tx.Get("zz.new"); m.Pinned = false; tx.Put(m) })
		want(t, "there and back", slurp(t, dir, "memory.json"), file)
	})
}

// The law: whatever stands in the journal, what the file has is not lost, and
// folding the journal in gives the memories that were read.
func FuzzJournal(f *testing.F) {
	f.Add("{\"journal\":\"x\",\"base\":{}}\n{\"at\":\"2026-01-01\",\"ops\":[{\"put\":{\"id\":\"b\",\"content\":\"cat\",\"createdAt\":\"2026-01-01\"}}]}\n{\"at\":\"\",\"recalled\":{\"a\":5}}\n{\"torn")
	f.Add("{\"ops\":[{\"put\":{\"id\":\"a\",\"content\":\"cat\"},\"was\":{\"id\":\"a\",\"content\":\"tea\"}},{\"drop\":{\"memory\":{\"id\":\"a\",\"content\":\"cat\"},\"as\":\"pruned\"}}]}\n")
	f.Add("{\"ops\":[{\"keep\":{\"id\":\"a\",\"restoredAt\":\"2026-01-01\"}},{\"expire\":\"2026-01-01\",\"end\":\"\"},{\"night\":{}}]}\n{\"checkpoint\":{\"size\":3,\"sum\":\"\"}}\n\x00\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		m := memory.Memory{ID: "a", Content: "tea", CreatedAt: start}
		spit(t, dir, "memory.json", "{\"version\":1,\"memories\":[\n "+line(m)+"\n]}\n")
		if err := os.WriteFile(filepath.Join(dir, "memory.journal"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		st := read(t, s)
		before := told(st.Memories())
		for _, m := range st.Memories() {
			if got, ok := st.Get(m.ID); !ok || got.Content != m.Content {
				t.Fatalf("Get(%s) = %v %v", m.ID, got, ok)
			}
		}
		if _, err := s.Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		other, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		want(t, "folded in", told(read(t, other).Memories()), before)
	})
}
