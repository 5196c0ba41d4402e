package plastic_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
)

// grep gives the files below dir that hold text.
func grep(t testing.TB, dir, text string) []string {
	t.Helper()
	var holds []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && bytes.Contains(b, []byte(text)) {
			holds = append(holds, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return holds
}

func TestExportAndImportGiveTheSameMemoryBack(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 10, 3)
	old := b.Say("@lena lives in Kazan")
	b.Pass(time.Hour)
	b.Remember(plastic.Draft{Content: "@lena lives in Oslo", Supersedes: old})
	b.Recall(plastic.Query{Text: "Lena"})
	var out bytes.Buffer
	if err := b.Export(&out, ""); err != nil {
		t.Fatal(err)
	}
	c := banktest.New(t)
	c.Clock().Set(b.Clock().Now())
	load(t, c, out.String())
	x, y := fmt.Sprint(b.All()), fmt.Sprint(c.All())
	if x != y {
		t.Errorf("exported\n%s\nimported\n%s", x, y)
	}
	again, err := c.Import(context.Background(), bytes.NewReader(out.Bytes()), plastic.ImportOptions{})
	if err != nil || again.Imported != 0 || again.Skipped != 32 || len(again.Refused) != 0 {
		t.Errorf("the second import: %+v %v", again, err)
	}
}

func TestAnImportKnowsWhatIsThereByItsWordsAndItsDateIfItHasOne(t *testing.T) {
	b := banktest.New(t)
	b.Say("@lena likes green tea")
	was := b.Clock().Now().UTC().Truncate(time.Second)
	b.Pass(time.Hour)
	at := func(text, id string, t time.Time) string {
		return fmt.Sprintf(`{"content":"%s","id":"%s","createdAt":"%s"}`+"\n", text, id, t.Format(time.RFC3339))
	}
	for _, c := range []struct {
		lines   string
		skipped int
	}{
		{`{"content":"@Lena likes  green tea."}` + "\n", 1},               // it has no date: whenever it was said
		{at("@lena likes green tea", "", was), 1},                         // the same moment
		{at("@lena likes green tea", "x", was), 1},                        // … under another id
		{at("@lena likes green tea", "", was.Add(-24*time.Hour)), 0},      // said on another day as well
		{at("@lena likes green tea", "y", was.Add(time.Minute)), 0},       //
		{at("@bo likes tea", "", was) + `{"content":"@bo likes tea"}`, 1}, // of the import's own lines too
	} {
		got, err := b.Import(context.Background(), strings.NewReader(c.lines), plastic.ImportOptions{DryRun: true})
		if err != nil || got.Skipped != c.skipped || got.Imported+got.Skipped != strings.Count(strings.TrimSpace(c.lines), "\n")+1 {
			t.Errorf("%s%+v %v, want %d skipped", c.lines, got, err, c.skipped)
		}
	}
}

func TestAnImportListsWhatItCanNotTake(t *testing.T) {
	var in strings.Builder
	for i := range 50 {
		fmt.Fprintf(&in, `{"content":"item %d"}`+"\n", i)
	}
	bad := []string{
		`{"id":"x1"}`, `{"content":""}`, `not json`, `["a"]`, `{"content":"x","createdAt":"someday"}`, `{"content":"x","importance":5}`,
		`{"content":"x","id":"` + strings.Repeat("a", 10000) + `"}`, `{"content":"x","id":"../etc"}`, `{"content":"my key is sk-test-1234567890abcdef"}`,
		`{"content":"` + strings.Repeat("z", 2<<20) + `"}`, `{"content":"x","level":9}`, `{"content":"x","importance":"NaN"}`,
	}
	in.WriteString(strings.Join(bad, "\n"))
	in.WriteString("\n" + `{"text":"the seeds' own field","level":5}` + "\n")
	b := banktest.New(t)
	dry, err := b.Import(context.Background(), strings.NewReader(in.String()), plastic.ImportOptions{DryRun: true})
	if err != nil || dry.Imported != 51 || len(b.All()) != 0 {
		t.Fatalf("dry run: %+v %v", dry, err)
	}
	out, err := b.Import(context.Background(), strings.NewReader(in.String()), plastic.ImportOptions{})
	if err != nil || out.Imported != 51 || len(out.Refused) != len(bad) {
		t.Fatalf("%d taken, refused %+v, %v", out.Imported, out.Refused, err)
	}
	for i, r := range out.Refused {
		if r.Line != 51+i || r.Reason == "" {
			t.Errorf("refusal %d: %+v", i, r)
		}
	}
	if got := b.Find("the seeds' own field"); len(got) != 1 || b.Show(got[0]).Importance != 1 {
		t.Errorf("the seed's form: %v", got)
	}
}

func TestWhatWasForgottenStaysForgottenInAnImport(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	line := `{"id":"m1","content":"@ann likes tea"}` + "\n"
	load(t, b, line)
	if _, err := b.Forget(ctx, []string{"m1"}, plastic.Forgetting{}); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{line, `{"content":"@Ann likes tea."}` + "\n"} {
		if out, err := b.Import(ctx, strings.NewReader(in), plastic.ImportOptions{}); err != nil || out.Imported != 0 || out.Skipped != 1 {
			t.Errorf("import of %s: %+v %v", in, out, err)
		}
	}
	if out, err := b.Import(ctx, strings.NewReader(line), plastic.ImportOptions{Restore: true}); err != nil || out.Imported != 1 || len(b.All()) != 1 {
		t.Errorf("with restore: %+v %v", out, err)
	}
}

func TestAnImportTakesTheNewerWording(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	load(t, b, `{"id":"m1","content":"two cats","updatedAt":"2026-11-01T00:00:00Z"}`+"\n")
	older, err := b.Import(ctx, strings.NewReader(`{"id":"m1","content":"one cat"}`), plastic.ImportOptions{})
	if err != nil || len(older.Refused) != 1 {
		t.Errorf("an older wording: %+v %v", older, err)
	}
	newer, err := b.Import(ctx, strings.NewReader(`{"id":"m1","content":"three cats","updatedAt":"2026-11-02T00:00:00Z"}`), plastic.ImportOptions{})
	if err != nil || newer.Imported != 1 || b.Show("m1").Content != "three cats" {
		t.Errorf("a newer wording: %+v %v", newer, err)
	}
}

func TestMessagesOfAConversationAreNoMemories(t *testing.T) {
	b := banktest.New(t)
	got, err := b.Import(context.Background(), strings.NewReader(`{"role":"user","content":"I moved to Riga"}
{"role":"assistant","content":"Noted"}
{"content":"Ann lives in Riga","role":"neighbour"}
`), plastic.ImportOptions{})
	if err != nil || got.Imported != 1 || len(got.Refused) != 2 || !strings.Contains(got.Refused[0].Reason, "conversation") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAStreamInAnotherFormatIsRecognised(t *testing.T) {
	ctx := context.Background()
	for name, path := range sources(t) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if format, _, _ := strings.Cut(name, "/"); info.IsDir() || format == "markdown" {
			continue // prose has to be named
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		streamed, filed := banktest.New(t), banktest.New(t)
		want, err := filed.ImportPath(ctx, path, plastic.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := streamed.Import(ctx, bytes.NewReader(text), plastic.ImportOptions{})
		if err != nil || got.Imported != want.Imported || len(got.Refused) != len(want.Refused) {
			t.Errorf("%s: %+v, %v; as a file %+v", name, got, err, want)
		}
	}
	if _, err := banktest.New(t).Import(ctx, strings.NewReader("PK\x03\x04"), plastic.ImportOptions{}); plastic.Code(err) != "invalid" || plastic.NextStep(err) == "" {
		t.Errorf("an archive: %v", err)
	}
}

func TestAnUndoneImportLeavesForgottenWhatWasForgotten(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	id := b.Say("Bo drinks tea")
	var kept bytes.Buffer
	if err := b.Export(&kept, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Forget(ctx, []string{id}, plastic.Forgetting{Why: "he does not"}); err != nil {
		t.Fatal(err)
	}
	got, err := b.Import(ctx, bytes.NewReader(kept.Bytes()), plastic.ImportOptions{Restore: true})
	if err != nil || got.Imported != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if undone, err := b.UndoImport(ctx); err != nil || len(undone.IDs) != 1 {
		t.Fatalf("%+v, %v", undone, err)
	}
	if got, err = b.Import(ctx, bytes.NewReader(kept.Bytes()), plastic.ImportOptions{}); err != nil || got.Imported != 0 || got.Skipped != 1 {
		t.Errorf("it came back: %+v, %v", got, err)
	}
	list, err := b.Archive()
	if err != nil || len(list.Archive) != 1 || list.Archive[0].Why != "he does not" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAnUndoneImportLeavesAReplacementThatWasEditedSince(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	first, second := b.Say("Bo drinks tea"), b.Say("Ann sings in a choir")
	newer := fmt.Sprintf(`{"id":%q,"content":"Bo drinks cocoa","updatedAt":"2099-01-01T00:00:00Z"}
{"id":%q,"content":"Ann plays the cello","updatedAt":"2099-01-01T00:00:00Z"}
`, first, second)
	if got, err := b.Import(ctx, strings.NewReader(newer), plastic.ImportOptions{}); err != nil || got.Imported != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	mine := "Bo drinks water"
	if _, err := b.Update(ctx, first, plastic.Change{Content: &mine}); err != nil {
		t.Fatal(err)
	}
	undone, err := b.UndoImport(ctx)
	if err != nil || len(undone.IDs) != 1 || undone.IDs[0] != second {
		t.Errorf("%+v, %v", undone, err)
	}
	if b.Show(first).Content != mine || b.Show(second).Content != "Ann sings in a choir" {
		t.Errorf("%q, %q", b.Show(first).Content, b.Show(second).Content)
	}
}

func TestWhiteSpaceAroundATextIsNoOtherText(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	if got, err := b.Import(ctx, strings.NewReader(`{"id":"k1","content":"two cats \n","updatedAt":"2026-11-01T00:00:00Z"}`), plastic.ImportOptions{}); err != nil || got.Imported != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	var out bytes.Buffer
	if err := b.Export(&out, "markdown"); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Import(ctx, &out, plastic.ImportOptions{}); err != nil || got.Skipped != 1 || len(got.Refused) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
