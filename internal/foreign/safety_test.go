package foreign_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/internal/foreign"
	"plastic/memory"
)

// seeds are all test files.
func seeds(t testing.TB) [][]byte {
	var out [][]byte
	err := filepath.WalkDir("testdata", func(p string, d fs.DirEntry, err error) error {
		if d.IsDir() && (d.Name() == "golden" || d.Name() == "fuzz") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		out = append(out, b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// zipped writes an archive of names and contents.
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file(t, "export.zip", b.String())
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAnArchiveThatLeadsOutOrSwellsIsRefusedWhole(t *testing.T) {
	chats := `[{"uuid":"c","chat_messages":[{"sender":"human","text":"hi"}]}]`
	swollen := strings.Repeat("[", 8<<20)
	for name, path := range map[string]string{
		"parent":    zipped(t, "conversations.json", chats, "../evil.json", "{}"),
		"inner":     zipped(t, "conversations.json", chats, "a/../../evil.json", "{}"),
		"absolute":  zipped(t, "/etc/passwd", "x", "conversations.json", chats),
		"backslash": zipped(t, `..\evil.json`, "x", "conversations.json", chats),
		"bomb":      zipped(t, "conversations.json", chats, "pad.json", swollen),
		"broken":    file(t, "export.zip", "PK\x03\x04 and then nothing"),
	} {
		if _, err := foreign.Detect(path); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: detected with %v", name, err)
		}
		if r, err := foreign.Read("claude-export", path, options()); !errors.Is(err, memory.ErrInvalid) || len(r.Turns)+len(r.Items) > 0 {
			t.Errorf("%s: read %+v with %v", name, r, err)
		}
	}
	if r, err := foreign.Read("", zipped(t, "./conversations.json", chats), options()); err != nil || len(r.Turns) != 1 {
		t.Errorf("a name that begins with ./: %+v, %v", r, err)
	}
}

// Claude's export comes as several archives, which a person downloads into one
// folder; each may name its files alike.
func TestAnExportInPartsIsReadAsOne(t *testing.T) {
	chat := func(id string) string {
		return `[{"uuid":"` + id + `","chat_messages":[{"sender":"human","text":"hi ` + id + `"}]}]`
	}
	dir := t.TempDir()
	for name, packed := range map[string]string{
		"conversations-000.zip": zipped(t, "conversations.json", chat("c0")),
		"conversations-001.zip": zipped(t, "conversations.json", chat("c1")),
		"memories-000.zip":      zipped(t, "memories.json", `{"conversations_memory":"Ann sings.","project_memories":{"p1":"It ships in May."},"account_uuid":"a"}`),
		"projects-000.zip":      zipped(t, "p1.json", `{"uuid":"p1","name":"Ferry","docs":[]}`),
		"manifest-1.json":       file(t, "manifest.json", `{"files":[{"url":"https://example.com/conversations-000.zip"}]}`),
		"holiday.zip":           file(t, "holiday.zip", "PK\x03\x04 of no concern"),
	} {
		if err := os.Rename(packed, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := foreign.Read("", dir, options())
	if err != nil || r.Format != "claude-export" || len(r.Turns) != 2 || len(r.Items) != 2 || r.Items[1].Memory.Content != "Ferry: It ships in May." {
		t.Errorf("%+v, %v", r, err)
	}
	for _, bad := range []string{zipped(t, "../memories.json", "[]"), file(t, "x", "PK\x03\x04 and then nothing")} {
		if err := os.Rename(bad, filepath.Join(dir, "memories-001.zip")); err != nil {
			t.Fatal(err)
		}
		if r, err := foreign.Read("claude-export", dir, options()); !errors.Is(err, memory.ErrInvalid) || len(r.Items) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestAStreamIsKnownByItsHead(t *testing.T) {
	long := func(line string, n int) string { return strings.Repeat(line, n) }
	for head, format := range map[string]string{
		`{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}` + "\n": "server-memory",
		`{"results":[{"id":"1","memory":"likes tea","user_id":"ann"}]}`:                            "mem0",
		`[{"uuid":"c","chat_messages":[` + long(`{"sender":"human","text":"hi"},`, 4000):           "claude-export",
		"{\n \"version\": 1,\n \"memories\": [\n  {\"id\": \"a\", \"text\": \"tea\"}\n ]\n}\n":     "plastic",
		"likes tea\n§\nhas a cat\n":                             "hermes",
		"- tea <!-- plastic: {\"id\":\"a\"} -->\n":              "markdown",
		`{"content":"tea"}` + "\n" + `{"content":"cat"}` + "\n": foreign.JSONL,
		"{oops\n" + `{"content":"cat"}` + "\n":                  foreign.JSONL,
		"<html><body>502</body></html>":                         foreign.JSONL,
		"plain words\n":                                         foreign.JSONL,
		"":                                                      foreign.JSONL,
	} {
		if got, err := foreign.DetectHead([]byte(head[:min(len(head), foreign.HeadSize)])); err != nil || got != format {
			t.Errorf("%.60q is %q, %v; want %q", head, got, err, format)
		}
	}
	if _, err := foreign.DetectHead([]byte("PK\x03\x04zip")); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an archive: %v", err)
	}
}

func TestAnImportStopsAtItsBounds(t *testing.T) {
	text := strings.Repeat("- one more fact of the harbour\n", 1000)
	o := options()
	o.MaxBytes = 4000
	for name, path := range map[string]string{
		"a file": file(t, "facts.md", text),
		"a zip":  zipped(t, "a.md", strings.Repeat("a", 3000), "b.md", strings.Repeat("b", 3000)),
		"json":   file(t, "conversations.json", `[{"uuid":"c","chat_messages":[{"sender":"human","text":"`+strings.Repeat("x", 5000)+`"}]}]`),
	} {
		if r, err := foreign.Read("", path, o); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s: %d items, %v", name, len(r.Items), err)
		}
	}
	if _, err := foreign.ReadFrom("markdown", "-", strings.NewReader(text), o); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a stream: %v", err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, `{"observations":[{"id":1,"content":"`+strings.Repeat("0", 1<<20)+`"}]}`)
	z.Close()
	chunk := file(t, ".engram/chunks/a.jsonl.gz", packed.String())
	if _, err := foreign.Read("engram", strings.TrimSuffix(chunk, ".engram/chunks/a.jsonl.gz"), o); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a packed chunk: %v", err)
	}
}

func TestOnlySoManyTurnsAreKeptAndTheNewest(t *testing.T) {
	o := options()
	o.MaxTurns = 2
	path := filepath.Join("testdata", "claude-export", "data")
	r, err := foreign.Read("", path, o)
	if err != nil || len(r.Turns) != 2 || r.Turns[1].User != "明天提醒我買麵粉\n\n謝謝" || !strings.Contains(strings.Join(r.Notes, "\n"), "oldest 1") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAFolderIsNotLeftThroughItsLinks(t *testing.T) {
	secret := file(t, "secret.md", "- not yours\n")
	dir := filepath.Dir(file(t, "facts.md", "- mine\n"))
	if err := os.Symlink(secret, filepath.Join(dir, "out.md")); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := os.Symlink("facts.md", filepath.Join(dir, "in.md")); err != nil {
		t.Fatal(err)
	}
	r := mustRead(t, "markdown", dir)
	if text := describe(r); strings.Contains(text, "not yours") || strings.Count(text, "mine") != 2 {
		t.Errorf("read\n%s", text)
	}
}

func TestWhatIsInNoFormatNamesThemAll(t *testing.T) {
	for name, text := range map[string]string{"empty.md": "", "odd.json": `{"a":1}`, "number.json": "17", "picture.png": "\x89PNG\r\n\x1a\n\x00\x00", "turns.json": `[{"role":"user","content":"hi"}]`} {
		_, err := foreign.Detect(file(t, name, text))
		if name == "number.json" {
			continue // a number on a line is a text like any other
		}
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "server-memory") || !strings.Contains(err.Error(), "openclaw") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := foreign.Detect(t.TempDir()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := foreign.Detect("testdata/no/such/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := foreign.Read("no-such", "testdata/plastic/seed", options()); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("no such format: %v", err)
	}
	if err := foreign.Write(io.Discard, "hermes", nil); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("a format that is not written: %v", err)
	}
}

func TestOwnLinesAreTheHalls(t *testing.T) {
	path := file(t, "x.jsonl", `{"content":"one"}`+"\n"+`{"text":"two"}`+"\n")
	if format, err := foreign.Detect(path); err != nil || format != foreign.JSONL {
		t.Errorf("detected as %q, %v", format, err)
	}
	if _, err := foreign.Read(foreign.JSONL, path, options()); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("read with %v", err)
	}
}

func TestABrokenEntryCostsOnlyItself(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"results":[`)
	for i := range 500 {
		if i > 0 {
			b.WriteString(",\n")
		}
		switch i {
		case 249:
			b.WriteString(`{"id":"no text"}`)
		case 299:
			b.WriteString(`{"id":"d","memory":"a bad date","created_at":"someday"}`)
		case 399:
			b.WriteString(`{"id":"` + strings.Repeat("x", 10000) + `","memory":"an id of ten kilobytes"}`)
		default:
			b.WriteString(`{"memory":"fact number ` + strings.Repeat("i", i) + `"}`)
		}
	}
	b.WriteString(`]}`)
	r := mustRead(t, "", file(t, "all.json", b.String()))
	refused := 0
	for _, it := range r.Items {
		if it.Refused != "" {
			refused++
			if it.Where != "all.json: entry 250" {
				t.Errorf("refused: %+v", it)
			}
		}
	}
	if len(r.Items) != 500 || refused != 1 || !r.Items[299].Memory.CreatedAt.IsZero() {
		t.Errorf("%d items, %d refused, %+v", len(r.Items), refused, r.Items[299])
	}
}

func TestATextInAnotherEncodingIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"GBK":          "- \xcf\xb2\xbb\xb6\xc2\xcc\xb2\xe8\n",
		"windows-1251": "- \xeb\xfe\xe1\xe8\xf2 \xf7\xe0\xe9\n",
		"a picture":    "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x01\x00",
	} {
		r, err := foreign.Read("markdown", file(t, "notes.md", text), options())
		if err != nil || len(r.Items) != 1 || !strings.Contains(r.Items[0].Refused, "UTF-8") {
			t.Errorf("%s: %+v, %v", name, r.Items, err)
		}
	}
	for name, text := range map[string]string{
		"one odd byte": "- likes green tea, \xe9 and jasmine tea, and tells everybody of it\n",
		"UTF-16":       "\xff\xfe-\x00 \x00t\x00e\x00a\x00",
	} {
		r, err := foreign.Read("markdown", file(t, "notes.md", text), options())
		if err != nil || len(r.Items) != 1 || r.Items[0].Refused != "" {
			t.Errorf("%s: %+v, %v", name, r.Items, err)
		}
	}
}
