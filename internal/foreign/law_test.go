package foreign_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/internal/foreign"
	"plastic/memory"
)

// pieces of text that other formats could take for their own signs.
var signs = []string{
	"Ada", "likes tea", "記憶", "дом", " ", "  ", "\n", "\n\n", "- ", "* ", "# ", "1. ", "12\\. ", "> ", "```", "```\nx  y\n```", "~~~", "|", "a | b\n--- | ---\n",
	"<!-- ", " -->", "&lt;!--", "&amp;lt;!--", "\\", "`", ": ", ":", "[2026-03-01] - ", "[unknown] - ", "[May 2025] - ", "2026-03-01: ", "---", "===", "•", "**bold**", "(x)", "{\"a\":1}", "§", "\t", ".", "plastic: x",
}

func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(signs), rapid.StringN(0, 8, -1)), 1, 12).Draw(t, "text"), "")
		text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r", " "), "?")
		return "M" + strings.ReplaceAll(text, "\x00", "") + "." // there is always something to remember
	})
}

func memories() *rapid.Generator[[]memory.Memory] {
	return rapid.Custom(func(t *rapid.T) []memory.Memory {
		all := rapid.SliceOfNDistinct(texts(), 1, 6, blanks).Draw(t, "texts")
		out := make([]memory.Memory, len(all))
		for i, text := range all {
			out[i] = memory.Memory{ID: string(rune('a' + i)), Content: text, Kind: memory.Fact, Importance: 0.5, Private: rapid.Bool().Draw(t, "private")}
			if rapid.Bool().Draw(t, "more") {
				out[i].Kind, out[i].Importance, out[i].Pinned = "core", 0.8, true
				out[i].CreatedAt = time.Date(2026, 3, 1, 20, 15, i, 0, time.UTC)
				out[i].ValidTo = out[i].CreatedAt.Add(time.Hour)
				out[i].Session, out[i].Source, out[i].Speaker = "s-->1", "tool:x", "ann"
			}
		}
		return out
	})
}

// blanks is a text as Markdown keeps it: blanks at the ends of lines and empty
// lines in a row say nothing there.
func blanks(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// again writes ms and reads what was written.
func again(t failer, format string, ms []memory.Memory) ([]memory.Memory, string) {
	var b bytes.Buffer
	if err := foreign.Write(&b, format, ms); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if got, err := foreign.ReadFrom("", "export", strings.NewReader(text), options()); err != nil || got.Format != format {
		t.Fatalf("the %s export is detected as %q, %v:\n%s", format, got.Format, err, text)
	}
	got, err := foreign.ReadFrom(format, "export", &b, options())
	if err != nil {
		t.Fatal(err)
	}
	var out []memory.Memory
	for _, it := range got.Items {
		if it.Refused != "" {
			t.Fatalf("refused: %+v in\n%s", it, text)
		}
		out = append(out, it.Memory)
	}
	return out, text
}

func TestWhatIsWrittenReadsBackTheSame(t *testing.T) {
	for _, format := range []string{"markdown", "mem0"} {
		t.Run(format, rapid.MakeCheck(func(t *rapid.T) {
			ms := memories().Draw(t, "memories")
			got, text := again(t, format, ms)
			if len(got) != len(ms) {
				t.Fatalf("%d memories became %d:\n%s", len(ms), len(got), text)
			}
			for i, m := range ms {
				x, y := string(memory.AppendJSON(nil, &m)), string(memory.AppendJSON(nil, &got[i]))
				if blanks(m.Content) == blanks(got[i].Content) {
					got[i].Content = m.Content
					y = string(memory.AppendJSON(nil, &got[i]))
				}
				if x != y {
					t.Fatalf("%s\nbecame\n%s\nthrough\n%s", x, y, text)
				}
			}
		}))
	}
}

func TestServerMemoryKeepsContentsAndWhatIsPrivate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := memories().Draw(t, "memories")
		got, text := again(t, "server-memory", ms)
		want := map[string]bool{}
		for _, m := range ms {
			want[strings.TrimSpace(m.Content)] = m.Private
		}
		if len(got) != len(want) {
			t.Fatalf("%d memories became %d:\n%s", len(want), len(got), text)
		}
		for _, m := range got {
			if private, ok := want[m.Content]; !ok || private != m.Private {
				t.Fatalf("%q (private %v) came out of\n%s", m.Content, m.Private, text)
			}
		}
	})
}

func TestServerMemoryExportNamesSubjects(t *testing.T) {
	var b bytes.Buffer
	ms := []memory.Memory{{Content: "Ada: likes tea"}, {Content: "the lift was repaired"}, {Content: "Ada: born in May"}, {Content: "Ada: is ill", Private: true}, {Content: "大明: 喜歡釣魚"}}
	if err := foreign.Write(&b, "server-memory", ms); err != nil {
		t.Fatal(err)
	}
	want := `{"type":"entity","name":"Ada","entityType":"subject","observations":["likes tea","born in May"]}
{"type":"entity","name":"plastic","entityType":"plastic","observations":["the lift was repaired"]}
{"type":"entity","name":"plastic (private)","entityType":"plastic","observations":["Ada: is ill"],"private":true}
{"type":"entity","name":"大明","entityType":"subject","observations":["喜歡釣魚"]}
`
	if b.String() != want {
		t.Errorf("written:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestAMarkdownExportReadsWellForPeople(t *testing.T) {
	var b bytes.Buffer
	ms := []memory.Memory{
		{ID: "k3v9x2", Content: "Ann keeps two cats", Kind: memory.Fact, Importance: 0.5, CreatedAt: time.Date(2026, 3, 1, 8, 0, 5, 0, time.UTC)},
		{ID: "b7", Content: "# of boats:\n- two\n\n```sh\nls  boats\n```", Kind: memory.Event, Importance: 0.8, Private: true},
	}
	if err := foreign.Write(&b, "markdown", ms); err != nil {
		t.Fatal(err)
	}
	want := "# Memories\n\n" +
		`- [2026-03-01] - Ann keeps two cats <!-- plastic: {"id":"k3v9x2","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:05Z"} -->` + "\n" +
		"- \\# of boats:  \n  \\- two\n  \n  ```sh\n  ls  boats\n  ```\n" +
		`  <!-- plastic: {"id":"b7","kind":"event","importance":0.8,"private":true,"createdAt":""} -->` + "\n"
	if b.String() != want {
		t.Errorf("written:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestALongMemoryComesBackAsOne(t *testing.T) {
	ms := []memory.Memory{{ID: "long", Content: strings.TrimSpace(strings.Repeat("words of a harbour. 港口的話。 ", 200)), Kind: memory.Fact, Importance: 0.5}}
	for _, format := range []string{"markdown", "mem0", "server-memory"} {
		if got, text := again(t, format, ms); len(got) != 1 || got[0].Content != ms[0].Content {
			t.Errorf("%s: %d came out of\n%s", format, len(got), text)
		}
	}
}

func TestAnEmptyExportIsWholeInEveryFormat(t *testing.T) {
	for format, want := range map[string]string{"markdown": "# Memories\n\n", "mem0": "[]\n", "server-memory": ""} {
		var b bytes.Buffer
		if err := foreign.Write(&b, format, nil); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v", format, b.String(), err)
		}
	}
}

// FuzzRead holds that nothing a file can hold makes an import panic, that every
// item has a text or a reason, and that reading again gives the same.
func FuzzRead(f *testing.F) {
	formats := foreign.Formats()
	for _, s := range signs {
		f.Add(uint8(0), []byte(s))
	}
	for i, s := range seeds(f) {
		for n := range formats {
			if (i+n)%3 == 0 {
				f.Add(uint8(n), s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		format := formats[int(n)%len(formats)].Name
		a, err := foreign.ReadFrom(format, "MEMORY.md", bytes.NewReader(data), options())
		if err != nil {
			return // the hall's own format
		}
		checkResult(t, a)
		b, _ := foreign.ReadFrom(format, "MEMORY.md", bytes.NewReader(data), options())
		if describe(a) != describe(b) {
			t.Errorf("%s reads as\n%s\nthen as\n%s", format, describe(a), describe(b))
		}
		var out bytes.Buffer
		var ms []memory.Memory
		for _, it := range a.Items {
			if it.Refused == "" {
				ms = append(ms, it.Memory)
			}
		}
		if err := foreign.Write(&out, "markdown", ms); err != nil {
			t.Error(err)
		}
		foreign.ReadFrom("", "-", bytes.NewReader(data), options())
	})
}

func TestAnExportIsReadableWithoutEscapes(t *testing.T) {
	const text = "a<b & c>d «да» 日本"
	for _, format := range foreign.Formats() {
		if !format.Writes || format.Name == foreign.JSONL {
			continue
		}
		var b strings.Builder
		if err := foreign.Write(&b, format.Name, []memory.Memory{{ID: "k1", Content: text}}); err != nil || !strings.Contains(b.String(), text) {
			t.Errorf("%s: %v\n%s", format.Name, err, b.String())
		}
	}
}
