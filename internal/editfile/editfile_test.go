package editfile_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"plastic/internal/editfile"
	"plastic/memory"
)

func noon(day int) time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }

var some = []memory.Memory{
	{ID: "k3v9x2", Content: "@ann told me she keeps two cats", Kind: memory.Fact, Importance: 0.5, CreatedAt: noon(1)},
	{ID: "a81b2c", Content: "a list:\n\n- one\n    code()\n}", Kind: memory.Event, Importance: 0.3, Pinned: true, Private: true, CreatedAt: noon(1)},
	{ID: "n0te", Content: "大肥魚 says {core}", Kind: "my, kind}", Importance: 0.5, CreatedAt: noon(2)},
}

const given = `
<!-- 2026-11-01 -->
- [k3v9x2] @ann told me she keeps two cats
- [a81b2c] a list:

  - one
      code()
  } {event 0.3 pinned private}

<!-- 2026-11-02 -->
- [n0te] 大肥魚 says {core} {kind="my\x2c\x20kind\x7d"}
`

func TestAMemoryIsAnItemWithItsID(t *testing.T) {
	text := editfile.Render(some, time.UTC)
	if !strings.HasSuffix(text, "-->\n"+given) {
		t.Errorf("rendered:\n%s", text)
	}
	items, err := editfile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range some {
		if i >= len(items) || !items[i].Equal(editfile.ItemOf(&some[i])) {
			t.Fatalf("memory %d was read back as %+v", i, items)
		}
	}
}

func TestWhatEditorsDoByThemselvesIsNoChange(t *testing.T) {
	text := editfile.Render(some, time.UTC)
	for name, edited := range map[string]string{
		"nothing":               text,
		"line ends of Windows":  strings.ReplaceAll(text, "\n", "\r\n"),
		"a byte order mark":     "\uFEFF" + text,
		"blanks at the ends":    strings.ReplaceAll(text, "\n", " \t\n"),
		"no line break at last": strings.TrimRight(text, "\n"),
		"other bullets":         strings.ReplaceAll(text, "\n- [", "\n*   ["),
		"tabs that indent":      strings.ReplaceAll(text, "\n  ", "\n\t"),
		"an empty bullet":       text + "-\n",
		"no comments":           text[strings.Index(text, "- [k"):],
	} {
		if plan, err := editfile.Compare(text, edited); err != nil || !plan.Empty() {
			t.Errorf("%s: %+v, %v", name, plan, err)
		}
	}
}

func TestDeletedChangedAndNewItemsAreThePlan(t *testing.T) {
	text := editfile.Render(some, time.UTC)
	edited := strings.Replace(text, "two cats", "three cats {core 1, pinned}", 1)
	edited = edited[:strings.Index(edited, "- [n0te]")] +
		"- Bo has a dog {Event importance=0.8 private}\n  it barks\n\nhe plays {x}\n\n- [ ] call Bo\n- [] [x] is a sign\n"
	plan, err := editfile.Compare(text, edited)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Changed) != 1 || plan.Changed[0].Was.Content != "@ann told me she keeps two cats" {
		t.Fatalf("changed: %+v", plan.Changed)
	}
	if is := plan.Changed[0].Is; is.Content != "@ann told me she keeps three cats" || is.Kind != memory.Core || is.Importance != 1 || !is.Pinned || is.Private {
		t.Errorf("it became %+v", is)
	}
	if len(plan.Gone) != 1 || plan.Gone[0].ID != "n0te" {
		t.Errorf("gone: %+v", plan.Gone)
	}
	want := []string{"Bo has a dog {Event importance=0.8 private}\nit barks", "he plays {x}", "[ ] call Bo", "[x] is a sign"}
	if len(plan.New) != len(want) {
		t.Fatalf("new: %+v", plan.New)
	}
	for i, it := range plan.New {
		if it.Content != want[i] || it.Kind != memory.Fact || it.Importance != 0.5 {
			t.Errorf("new: %+v, want %q", it, want[i])
		}
	}
}

func TestBracesAtTheEndSayWhatANewOneIs(t *testing.T) {
	items, err := editfile.Parse("- Bo has a dog\n  it barks {Event importance=0.8 private}\n")
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	if it := items[0]; it.Content != "Bo has a dog\nit barks" || it.Kind != memory.Event || it.Importance != 0.8 || !it.Private || it.Pinned {
		t.Errorf("%+v", it)
	}
}

func TestWhatCanNotBeReadSaysWhere(t *testing.T) {
	base := editfile.Render(some, time.UTC)
	for edited, want := range map[string]string{
		"- [k3v9x2] a\nb":                     "line 2: it begins at the left edge",
		"  a":                                 "line 1: it is indented",
		"# Ann":                               "line 1: a heading",
		"- [k3v9x2] a\n\n<!-- b\n- [n0te] c":  "line 3: the comment",
		"- [k3v9x2] a\n- [k3v9x2] b":          "line 2: k3v9x2 stands on line 1",
		"- [k3v9x2]\n- b":                     "line 1: k3v9x2 has no text",
		"- [zzz] a":                           "line 1: no memory in this text had the id zzz",
		"- [k3v9x2] a {evnt 0.3}":             `line 1: {evnt 0.3}: "evnt"`,
		"- [k3v9x2] a\n- b {pinned 3}":        `line 2: {pinned 3}: "3"`,
		"- [k3v9x2] use {x}":                  "put {} after",
		"- [k3v9x2] f() {\n  }":               "put {} after",
		"<!-- a --> b":                        "line 1: something stands behind",
		"- [k3v9x2] a {private} {importance}": "line 1",
	} {
		_, err := editfile.Compare(base, edited)
		var syntax *editfile.SyntaxError
		if !errors.As(err, &syntax) || !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", edited, err)
		}
	}
}

// The laws: what was rendered reads back as it was, but for line ends and white
// space at the ends of lines; and what was not changed asks for nothing, after
// an editor's own habits too.
func FuzzWhatIsNotChangedAsksForNothing(f *testing.F) {
	for _, m := range some {
		f.Add(m.Content, string(m.Kind), m.Importance, m.Pinned, m.Private)
	}
	f.Add(" \r\n<!-- a\n# b\n- [c] d", "Event", 0.1, false, false)
	f.Add("a\n\t\n {}\n{core}", "pinned", 1.0, true, false)
	f.Add("\u00a0a\u2028\n\u00a0", "\xff }", 0.0, false, true)
	f.Fuzz(func(t *testing.T, content, kind string, importance float64, pinned, private bool) {
		if memory.CheckImportance(importance) != nil {
			t.Skip()
		}
		m := memory.Memory{ID: "id1", Content: content, Kind: memory.Kind(kind), Importance: importance, Pinned: pinned, Private: private, CreatedAt: noon(1)}
		after := memory.Memory{ID: "id2", Content: "after it", Importance: 0.5, CreatedAt: noon(2)}
		text := editfile.Render([]memory.Memory{m, after}, time.UTC)
		items, err := editfile.Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		want := []editfile.Item{editfile.ItemOf(&m), editfile.ItemOf(&after)}
		if want[0].Content == "" {
			want = want[1:]
		}
		if len(items) != len(want) {
			t.Fatalf("%d items in\n%s", len(items), text)
		}
		for i := range want {
			if !items[i].Equal(want[i]) {
				t.Fatalf("%+v became %+v", want[i], items[i])
			}
		}
		for _, edited := range []string{text, strings.ReplaceAll(text, "\n", " \r\n")} {
			if plan, err := editfile.Compare(text, edited); err != nil || !plan.Empty() {
				t.Fatalf("%+v, %v of\n%q", plan, err, edited)
			}
		}
	})
}

func TestATextInAnotherEncodingIsRefusedWithItsLine(t *testing.T) {
	for name, edited := range map[string]string{
		"line 2:": "- [k1] Ann sings\n- \xc4\xe3\xba\xc3\n",       // GBK
		"line 1:": "\xff\xfe-\x00 \x00[\x00k\x001\x00]\x00\n\x00", // UTF-16
	} {
		_, err := editfile.Compare("- [k1] Ann sings\n", edited)
		var syntax *editfile.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), name) || !strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("%q: %v", edited, err)
		}
	}
	if p, err := editfile.Compare("- [k1] Ann \uFFFD sings\n", "\uFEFF- [k1] Ann \uFFFD sings\r\n"); err != nil || !p.Empty() {
		t.Errorf("%+v, %v", p, err)
	}
}

// Whatever an editor leaves, reading it ends, and what it reads can be written.
func FuzzWhatWasReadReadsTheSameAgain(f *testing.F) {
	f.Add(given)
	f.Add("a {core}\n\n\tb\n* [] [x] {} {1}")
	f.Fuzz(func(t *testing.T, text string) {
		items, err := editfile.Parse(text)
		if err != nil {
			return
		}
		var again strings.Builder
		for _, it := range items {
			again.WriteString(it.String())
		}
		back, err := editfile.Parse(again.String())
		if err != nil || len(back) != len(items) {
			t.Fatalf("%v, %d items of %d from %q", err, len(back), len(items), again.String())
		}
		for i := range items {
			if !back[i].Equal(items[i]) {
				t.Fatalf("%+v became %+v", items[i], back[i])
			}
		}
	})
}
