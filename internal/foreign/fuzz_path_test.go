package foreign_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/internal/foreign"
	"plastic/memory"
)

// names are what files are called that tell a format by it.
var names = []string{"MEMORY.md", "memory.json", "conversations.json", "users.json", "x.zip", "memory.jsonl", "notes.txt", "projects-000.zip", "USER.md", "2026-03-01.md", "x.json", "memory/MEMORY.md", "projects/a.json", "memories.json", ".engram/x.json"}

// The law: whatever a file or an archive of files holds, and whatever it is called,
// an import of it is an error or gives items that have a text or a reason.
func FuzzPath(f *testing.F) {
	for i, s := range seeds(f) {
		if len(s) < 20<<10 {
			f.Add(uint8(i), uint8(i+1), i%2 == 0, s, s[:len(s)/2])
		}
	}
	f.Add(uint8(4), uint8(0), false, []byte("PK\x05\x06"), []byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, one, other uint8, zipped bool, a, b []byte) {
		dir := t.TempDir()
		path := dir
		files := map[string][]byte{names[int(one)%len(names)]: a, names[int(other)%len(names)]: b}
		if zipped {
			path = filepath.Join(dir, "export.zip")
			var out bytes.Buffer
			z := zip.NewWriter(&out)
			for name, text := range files {
				w, err := z.Create(name)
				if err != nil {
					t.Fatal(err)
				}
				w.Write(text)
			}
			z.Close()
			if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			for name, text := range files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, p := range []string{path, filepath.Join(dir, names[int(one)%len(names)])} {
			format, err := foreign.Detect(p)
			if err != nil || format == foreign.JSONL {
				continue
			}
			got, err := foreign.Read(format, p, options())
			if err != nil {
				continue
			}
			checkResult(t, got)
		}
	})
}

// The law: what is exported comes back as it was, in every format that keeps all.
func FuzzAnExportComesBack(f *testing.F) {
	for i, s := range signs {
		f.Add(s, signs[(i+5)%len(signs)], "s1", "tool:x", "fact", i%2 == 0)
	}
	f.Add("a\n\n```\n- x\n", "b -->", "", "", "core", true)
	f.Fuzz(func(t *testing.T, one, other, session, source, kind string, private bool) {
		text := func(s string) string {
			return "M" + strings.NewReplacer("\r", " ", "\x00", "").Replace(strings.ToValidUTF8(s, "?")) + "."
		}
		label := func(s string) string {
			if s = strings.ToValidUTF8(s, "?"); strings.ContainsAny(s, "\x00\r\n\t\u0085\u2028\u2029") || len(s) > 100 || strings.TrimSpace(s) != s {
				return "x"
			}
			return s
		}
		ms := []memory.Memory{
			{ID: "a", Content: text(one), Kind: memory.Fact, Importance: 0.5, Private: private, Session: label(session)},
			{ID: "b", Content: text(other), Kind: memory.Kind(label(kind)), Importance: 0.8, Pinned: true, CreatedAt: options().Now, Source: label(source)},
		}
		if ms[1].Kind == "" {
			ms[1].Kind = memory.Fact
		}
		if blanks(ms[0].Content) == blanks(ms[1].Content) {
			ms = ms[:1]
		}
		for _, format := range []string{"markdown", "mem0"} {
			got, text := again(t, format, ms)
			if len(got) != len(ms) {
				t.Fatalf("%d memories became %d:\n%s", len(ms), len(got), text)
			}
			for i, m := range ms {
				if blanks(m.Content) == blanks(got[i].Content) {
					got[i].Content = m.Content
				}
				if x, y := string(memory.AppendJSON(nil, &m)), string(memory.AppendJSON(nil, &got[i])); x != y {
					t.Fatalf("%s\nbecame\n%s\nthrough\n%s", x, y, text)
				}
			}
		}
	})
}
