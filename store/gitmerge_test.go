package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"plastic/memory"
	"plastic/store"
)

var updateGoldens = flag.Bool("update", false, "write the goldens anew")

// TestGitMergesByTheRules holds each merge of testdata/gitmerge against what is
// wanted, in both directions.
func TestGitMergesByTheRules(t *testing.T) {
	cases, err := filepath.Glob("testdata/gitmerge/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, text := "", map[string][]byte{}
			for _, f := range ar.Files {
				side, file, _ := strings.Cut(f.Name, "/")
				name, text[side] = file, f.Data
			}
			got := merged(t, name, text["base"], text["ours"], text["theirs"])
			if *updateGoldens {
				ar.Files = slices.DeleteFunc(ar.Files, func(f txtar.File) bool { return f.Name == "merged/"+name })
				ar.Files = append(ar.Files, txtar.File{Name: "merged/" + name, Data: got})
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want(t, "merged", string(got), string(text["merged"]))
		})
	}
}

// merged merges in both directions, which must come to the same bytes, and once
// more with each side, which must change nothing.
func merged(t interface {
	Helper()
	Fatalf(string, ...any)
}, name string, base, ours, theirs []byte) []byte {
	t.Helper()
	got, err := store.GitMerge(name, base, ours, theirs)
	if err != nil {
		t.Fatalf("%v", err)
	}
	back, err := store.GitMerge(name, base, theirs, ours)
	if err != nil || !bytes.Equal(got, back) {
		t.Fatalf("the other direction gives, %v:\n%s\nnot\n%s", err, back, got)
	}
	for _, side := range [][]byte{ours, theirs} {
		if again, err := store.GitMerge(name, side, got, side); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("merged again with its own ancestor, %v:\n%s\nnot\n%s", err, again, got)
		}
	}
	return got
}

func TestGitMergeFindsOutWhichFileItIs(t *testing.T) {
	for _, ours := range []string{`{"version":1,"memories":[]}`, `[{"content":"tea"}]`, `{"content":"tea"}` + "\n" + `{"content":"cat"}`,
		`{"version":1,"archive":[]}`, `{"date":"2026-03-01","phases":[]}`} {
		if _, err := store.GitMerge("ours.tmp", nil, []byte(ours), []byte(ours+"\n")); err != nil {
			t.Errorf("%s: %v", ours, err)
		}
	}
	if _, err := store.GitMerge("notes.txt", nil, []byte("a"), []byte("b")); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a file of another kind: %v", err)
	}
}

func TestGitMergeKeepsLineEnds(t *testing.T) {
	crlf := func(s string) []byte { return []byte(strings.ReplaceAll(s, "\n", "\r\n")) }
	a, b, c := `{"version":1,"memories":[`+"\n]}\n", oneMemory("a", "tea"), oneMemory("b", "cat")
	got := string(merged(t, "memory.json", crlf(a), crlf(b), crlf(c)))
	if strings.Count(got, "\n") != 4 || strings.Count(got, "\r\n") != 4 {
		t.Errorf("%q", got)
	}
	if got := string(merged(t, "memory.json", crlf(a), crlf(b), []byte(c))); strings.Contains(got, "\r") {
		t.Errorf("one side changed the line ends: %q", got)
	}
	if got := string(merged(t, "nights.jsonl", nil, []byte("{\"date\":\"1\"}\r\n"), []byte("{\"date\":\"2\"}\r\n"))); got != "{\"date\":\"1\"}\r\n{\"date\":\"2\"}\r\n" {
		t.Errorf("%q", got)
	}
}

func oneMemory(id, content string) string {
	return `{"version":1,"memories":[` + "\n {\"id\":\"" + id + `","content":"` + content + `","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}` + "\n]}\n"
}

func TestGitMergeRefusesWhatItCanNotRead(t *testing.T) {
	good := []byte(oneMemory("a", "tea"))
	for text, wrong := range map[string]error{
		`{"version":1,"memories":[{"id":"a","content":"te`:                       memory.ErrCorrupt,
		`{"version":2,"memories":[]}`:                                            memory.ErrReadOnly,
		`{"type":"entity","name":"x","entityType":"y","observations":[]}` + "\n": memory.ErrInvalid,
	} {
		for _, sides := range [][2][]byte{{good, []byte(text)}, {[]byte(text), good}} {
			if got, err := store.GitMerge("memory.json", nil, sides[0], sides[1]); !errors.Is(err, wrong) || got != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if _, err := store.GitMerge("archive.json", nil, []byte(`{"archive":[`), []byte(`{"archive":[]}`)); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("a damaged archive: %v", err)
	}
	got, err := store.GitMerge("memory.json", []byte("not JSON"), good, []byte(oneMemory("b", "cat")))
	if err != nil || !bytes.Contains(got, []byte("tea")) || !bytes.Contains(got, []byte("cat")) {
		t.Errorf("a base that can not be read counts as none: %v\n%s", err, got)
	}
}

// A file with git's markers in it, committed by mistake, is merged on both sides.
func TestGitMergeReadsBothSidesOfACommittedConflict(t *testing.T) {
	text := "{\"version\":1,\"memories\":[\n<<<<<<< HEAD\n" + ` {"id":"a","content":"tea"}` + "\n=======\n" + ` {"id":"b","content":"cat"}` + "\n>>>>>>> theirs\n]}\n"
	got := merged(t, "memory.json", nil, []byte(text), []byte(oneMemory("c", "dog")))
	for _, word := range []string{"tea", "cat", "dog"} {
		if !bytes.Contains(got, []byte(word)) || bytes.Contains(got, []byte("<<<")) {
			t.Fatalf("%s", got)
		}
	}
}

// What lost waits in memory.json and is in the archive after the next write.
func TestATextThatLostGoesToTheArchive(t *testing.T) {
	base := oneMemory("a", "tea")
	ours := strings.Replace(strings.Replace(base, "tea", "green tea", 1), `"}`, `","updatedAt":"2026-03-02T08:00:00Z","recallCount":2}`, 1)
	theirs := strings.Replace(strings.Replace(base, "tea", "black tea", 1), `"}`, `","updatedAt":"2026-03-03T08:00:00Z","recallCount":1}`, 1)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "memory.json"), merged(t, "memory.json", []byte(base), []byte(ours), []byte(theirs)), 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, store.Options{Notice: func(p store.Problem) { t.Errorf("told: %+v", p) }})
	st, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := st.Get("a"); len(st.Memories()) != 1 || m.Content != "black tea" || m.RecallCount != 3 {
		t.Fatalf("%+v", st.Memories())
	}
	st, err = s.Update(t.Context(), func(tx *store.Tx) error {
		tx.Put(memory.Memory{ID: "b", Content: "cat"})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	old := st.Archive()
	if len(old) != 1 || old[0].Memory.Content != "green tea" || old[0].As != memory.Version || old[0].By != "merge" {
		t.Errorf("%+v", old)
	}
	text, err := os.ReadFile(filepath.Join(dir, "memory.json"))
	if err != nil || bytes.Contains(text, []byte("green")) {
		t.Errorf("%v\n%s", err, text)
	}
}

// drawn draws a memory.json with versions of some of the memories a, b and c.
func drawn(t *rapid.T, name string) []byte {
	text := []byte(`{"version":1,"memories":[` + "\n")
	for _, id := range []string{"a", "b", "c"} {
		if !rapid.Bool().Draw(t, name+" has "+id) {
			continue
		}
		m := version(t, name+" "+id)
		m.ID = id
		if m.UpdatedAt.IsZero() {
			m.UpdatedAt = start
		}
		if name == "base" { // what only grows is least here
			m.UpdatedAt, m.LastRecalledAt, m.RecallCount = start.Add(-time.Hour), time.Time{}, 0
		}
		m.UpdatedAt = m.UpdatedAt.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, name+" later")) * time.Second) // a changed field moves it
		text = append(memory.AppendJSON(append(text, ','), &m), '\n')
	}
	return append(text, "]}\n"...)
}

// The laws: whichever side is ours, and in whatever order three clones are merged,
// the memory is the same, and every new text is in the file.
func TestGitMergeIsTheSameInEveryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawn(t, "base")
		a, b, c := drawn(t, "a"), drawn(t, "b"), drawn(t, "c")
		one := merged(t, "memory.json", base, merged(t, "memory.json", base, a, b), c)
		for _, order := range [][3][]byte{{a, c, b}, {b, c, a}} {
			got := merged(t, "memory.json", base, merged(t, "memory.json", base, order[0], order[1]), order[2])
			if x, y := asRead(t, one), asRead(t, got); x != y {
				t.Fatalf("another order gives\n%s\nnot\n%s", y, x)
			}
		}
		for _, text := range [][]byte{a, b, c} {
			for _, told := range contents(text) {
				if !slices.Contains(contents(base), told) && !slices.Contains(contents(one), told) {
					t.Fatalf("%s is lost in\n%s", told, one)
				}
			}
		}
	})
}

// asRead is the memory that a file gives, without the archive beside it.
func asRead(t *rapid.T, text []byte) string {
	dir, err := os.MkdirTemp("", "gitmerge")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "memory.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	st, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, m := range st.Memories() {
		out += line(m) + "\n"
	}
	return out
}

// contents are the id and text of each line.
func contents(text []byte) []string {
	var file struct {
		Memories []struct{ ID, Content string }
	}
	if err := json.Unmarshal(bytes.Replace(text, []byte("[\n,"), []byte("[\n"), 1), &file); err != nil {
		panic(err)
	}
	var out []string
	for _, m := range file.Memories {
		out = append(out, fmt.Sprintf("%s: %s", m.ID, m.Content))
	}
	return out
}

// The laws: whatever the texts are, both directions come to the same bytes or the
// same refusal, and what was merged can be merged again.
func FuzzGitMerge(f *testing.F) {
	names := []string{"memory.json", "archive.json", "nights.jsonl", "of its content"}
	cases, _ := filepath.Glob("testdata/gitmerge/*.txtar")
	for _, path := range cases {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(slices.Index(names, filepath.Base(ar.Files[0].Name))), string(ar.Files[0].Data), string(ar.Files[1].Data), string(ar.Files[2].Data))
	}
	f.Fuzz(func(t *testing.T, which uint8, base, ours, theirs string) {
		name := names[int(which)%len(names)]
		got, err := store.GitMerge(name, []byte(base), []byte(ours), []byte(theirs))
		back, backErr := store.GitMerge(name, []byte(base), []byte(theirs), []byte(ours))
		if (err == nil) != (backErr == nil) || err == nil && !bytes.Equal(got, back) {
			t.Fatalf("%s, %v\n%s, %v", got, err, back, backErr)
		}
		if err != nil || ours == theirs {
			return
		}
		again, err := store.GitMerge(name, []byte(base), got, []byte(theirs))
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, got, again)
		}
	})
}

func BenchmarkGitMerge(b *testing.B) {
	file := func(n, recalled int) []byte {
		text := []byte(`{"version":1,"memories":[` + "\n")
		for i := range n {
			m := memory.Memory{ID: fmt.Sprintf("m%06d", i), Content: strings.Repeat("Ann keeps two cats ", 5), Importance: 0.5, CreatedAt: start.Add(time.Duration(i) * time.Minute)}
			if recalled > 0 && i%recalled == 0 {
				m.RecallCount = 1
			}
			text = append(memory.AppendJSON(append(text, ','), &m), '\n')
		}
		return append(text, "]}\n"...)
	}
	base, ours, theirs := file(10_000, 0), file(10_050, 3), file(10_100, 5)
	b.SetBytes(int64(len(base)))
	for b.Loop() {
		if _, err := store.GitMerge("memory.json", base, ours, theirs); err != nil {
			b.Fatal(err)
		}
	}
}
