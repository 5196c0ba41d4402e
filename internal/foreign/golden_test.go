package foreign_test

import (
	"archive/zip"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/internal/foreign"
	"plastic/memory"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Every import below has its golden in testdata/golden.
var imports = []struct{ format, path string }{
	{"plastic", "seed"},
	{"plastic", "broken"},
	{"server-memory", "memory.jsonl"},
	{"server-memory", "graph.json"},
	{"mem0", "get_all.json"},
	{"mem0", "cli.json"},
	{"mem0", "lines.jsonl"},
	{"openclaw", "workspace"},
	{"claude-code", "memory"},
	{"hermes", "memories"},
	{"claude-export", "data"},
	{"claude-export", "batch"},
	{"claude-export", "cut.json"},
	{"chatgpt-export", "data"},
	{"chatgpt-export", "memory.json"},
	{"basic-memory", "notes"},
	{"markdown", "notes"},
	{"codex", "memories"},
	{"letta", "fs"},
	{"nanobot", "ws"},
	{"engram", "export.json"},
}

// east is a zone where a day begins before it does in UTC.
var east = time.FixedZone("east", 8*60*60)

func options() foreign.Options {
	return foreign.Options{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Location: east}
}

func TestEveryFormatIsDetectedAndReadAsItsGolden(t *testing.T) {
	for _, c := range imports {
		t.Run(c.format+"/"+c.path, func(t *testing.T) {
			path := filepath.Join("testdata", c.format, c.path)
			if format, err := foreign.Detect(path); err != nil || format != c.format {
				t.Errorf("detected as %q, %v", format, err)
			}
			got := describe(mustRead(t, c.format, path))
			golden := filepath.Join("testdata", "golden", c.format+"-"+strings.ReplaceAll(c.path, ".", "-")+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("it reads as\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestAnArchiveReadsAsTheFolderInIt(t *testing.T) {
	for _, c := range imports {
		path := filepath.Join("testdata", c.format, c.path)
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		for _, top := range []string{"", "data-2026-09-28-batch-0000/"} {
			packed := pack(t, path, top)
			if format, err := foreign.Detect(packed); err != nil || format != c.format {
				t.Errorf("%s below %q is detected as %q, %v", path, top, format, err)
			}
			if got, want := describe(mustRead(t, c.format, packed)), describe(mustRead(t, c.format, path)); got != want {
				t.Errorf("%s below %q packed reads as\n%s\nthe folder as\n%s", path, top, got, want)
			}
		}
	}
}

func TestReadingTwiceGivesTheSameKeys(t *testing.T) {
	for _, c := range imports {
		path := filepath.Join("testdata", c.format, c.path)
		later := options()
		later.Now = later.Now.Add(48 * time.Hour)
		a := mustRead(t, c.format, path)
		b, err := foreign.Read(c.format, path, later)
		if err != nil || len(a.Items) != len(b.Items) {
			t.Fatalf("%s: %d items, then %d, %v", path, len(a.Items), len(b.Items), err)
		}
		seen := map[string]bool{}
		for i := range a.Items {
			x, y := a.Items[i], b.Items[i]
			if x.Memory.ID != y.Memory.ID || x.Memory.Source != y.Memory.Source || x.Memory.Content != y.Memory.Content {
				t.Errorf("%s: first %+v\nthen %+v", path, x, y)
			}
			key := x.Memory.ID + " " + x.Memory.Source
			if x.Refused == "" && seen[key] {
				t.Errorf("%s: the key %q stands for two memories", path, key)
			}
			seen[key] = true
		}
	}
}

func mustRead(t testing.TB, format, path string) foreign.Result {
	t.Helper()
	r, err := foreign.Read(format, path, options())
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, r)
	return r
}

// checkResult holds what is true of every import.
func checkResult(t testing.TB, r foreign.Result) {
	t.Helper()
	for _, it := range r.Items {
		m := it.Memory
		switch {
		case it.Where == "":
			t.Errorf("an item without a place: %+v", it)
		case it.Refused != "" && (m.Content != "" || m.ID != "" || m.Source != ""):
			t.Errorf("refused and taken: %+v", it)
		case it.Refused == "" && strings.TrimSpace(m.Content) == "":
			t.Errorf("neither text nor reason: %+v", it)
		case it.Refused == "" && m.ID == "" && !strings.HasPrefix(m.Source, "import:"+r.Format+":") && r.Format != "plastic" && !strings.HasPrefix(m.Source, "import:"):
			t.Errorf("no key: %+v", it)
		case strings.ContainsRune(m.Content, 0) || strings.ToValidUTF8(m.Content, "") != m.Content:
			t.Errorf("no text: %q", m.Content)
		case len([]rune(m.Source)) > 200 && m.ID == "" || len([]rune(m.Session)) > 200 || strings.ContainsAny(m.Source, "\n\r\t"):
			t.Errorf("no label: %q %q", m.Source, m.Session)
		case it.Refused == "" && memory.CheckImportance(m.Importance) != nil:
			t.Errorf("importance %v", m.Importance)
		}
	}
	seen := map[string]bool{}
	for i, turn := range r.Turns {
		if seen[turn.Source] {
			t.Errorf("two turns have the key %q", turn.Source)
		}
		seen[turn.Source] = true
		if strings.TrimSpace(turn.User) == "" || i > 0 && turn.At.Before(r.Turns[i-1].At) {
			t.Errorf("turn %d is empty or out of order: %+v", i, turn)
		}
	}
}

// describe is a result in lines that a person can check.
func describe(r foreign.Result) string {
	var b strings.Builder
	for _, it := range r.Items {
		if it.Refused != "" {
			fmt.Fprintf(&b, "%s\n\tREFUSED %s\n", it.Where, it.Refused)
			continue
		}
		m := it.Memory
		fmt.Fprintf(&b, "%s\n\t%s\n\t%s %.2f%s", it.Where, strings.ReplaceAll(m.Content, "\n", "\n\t"), m.Kind, m.Importance, stamp(" created", m.CreatedAt))
		b.WriteString(stamp(" updated", m.UpdatedAt) + stamp(" until", m.ValidTo) + stamp(" recalled", m.LastRecalledAt))
		for _, f := range []struct {
			name string
			is   bool
		}{{"pinned", m.Pinned}, {"private", m.Private}} {
			if f.is {
				b.WriteString(" " + f.name)
			}
		}
		for _, f := range []struct{ name, value string }{{"id", m.ID}, {"speaker", m.Speaker}, {"session", m.Session}, {"source", m.Source}} {
			if f.value != "" {
				fmt.Fprintf(&b, " %s=%s", f.name, f.value)
			}
		}
		if it.Level > 0 {
			fmt.Fprintf(&b, " level=%d", it.Level)
		}
		for _, k := range []string{"trigger", "project", "category", "mood"} {
			if raw, ok := m.Extra[k]; ok {
				fmt.Fprintf(&b, " %s=%s", k, raw)
			}
		}
		b.WriteByte('\n')
	}
	for _, t := range r.Turns {
		fmt.Fprintf(&b, "turn %s%s source=%s\n\t> %s\n\t< %s\n", t.Session, stamp(" at", t.At), t.Source, strings.ReplaceAll(t.User, "\n", "\n\t  "), strings.ReplaceAll(t.Assistant, "\n", "\n\t  "))
	}
	if r.Card != nil {
		fmt.Fprintf(&b, "card %q\n", r.Card)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	return b.String()
}

func stamp(name string, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return name + "=" + t.Format(time.RFC3339)
}

// pack puts the folder into a zip, below top.
func pack(t testing.TB, dir, top string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	err = fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil {
			return err
		}
		w, err := z.Create(top + p)
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	})
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}
