package plastic_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic"
	"plastic/internal/banktest"
)

func TestAnUndoneImportLeavesNothingOfAnIdThatItGaveTwice(t *testing.T) {
	b := banktest.New(t)
	got, err := b.Import(t.Context(), strings.NewReader(`{"id":"i1","content":"A","updatedAt":"2026-01-01T00:00:00Z"}
{"id":"i1","content":"B","updatedAt":"2026-02-01T00:00:00Z"}
`), plastic.ImportOptions{})
	if err != nil || got.Tonight.Before != 1 || len(b.All()) != 1 {
		t.Errorf("imported %+v, %v; there are %d", got, err, len(b.All()))
	}
	undone, err := b.UndoImport(t.Context())
	if err != nil || len(undone.IDs) != 1 || len(b.All()) != 0 {
		t.Errorf("undone %+v, %v; left is %+v", undone, err, b.All())
	}
}

// anyImport draws JSON lines of a few ids and texts, so that ids come twice and are
// there already, with the same text or another, and texts come under another id.
func anyImport() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var lines strings.Builder
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			fmt.Fprintf(&lines, `{"content":"Ann grows %s"`, rapid.SampledFrom([]string{"roses", "oats", "leeks", "figs", "mint"}).Draw(t, "text"))
			if id := rapid.IntRange(0, 5).Draw(t, "id"); id > 0 {
				fmt.Fprintf(&lines, `,"id":"i%d"`, id)
			}
			if day := rapid.IntRange(0, 3).Draw(t, "created"); day > 0 {
				fmt.Fprintf(&lines, `,"createdAt":"2026-0%d-01T00:00:00Z"`, day)
			}
			if day := rapid.IntRange(0, 4).Draw(t, "updated"); day > 0 {
				fmt.Fprintf(&lines, `,"updatedAt":"2026-0%d-02T00:00:00Z"`, day)
			}
			fmt.Fprintf(&lines, `,"recallCount":%d,"pinned":%v,"colour":"green"}`+"\n", rapid.IntRange(0, 2).Draw(t, "recalls"), rapid.Bool().Draw(t, "pinned"))
		}
		return lines.String()
	})
}

func TestAnImportUndoneIsTheVeryFileThatWas(t *testing.T) {
	undone := 0
	rapid.Check(t, func(rt *rapid.T) {
		b := banktest.New(t)
		first, second := anyImport().Draw(rt, "first"), anyImport().Draw(rt, "second")
		if _, err := b.Import(t.Context(), strings.NewReader(first), plastic.ImportOptions{}); err != nil {
			rt.Fatal(err)
		}
		if ms := b.All(); rapid.Bool().Draw(rt, "forget one") {
			if _, err := b.Forget(t.Context(), []string{ms[0].ID}, plastic.Forgetting{}); err != nil {
				rt.Fatal(err)
			}
		}
		os.Remove(filepath.Join(b.Dir(), ".plastic", "import.json")) // that import is not to be undone
		before := memoryFile(t, b)
		b.Pass(time.Hour)
		o := plastic.ImportOptions{Restore: rapid.Bool().Draw(rt, "restore")}
		got, err := b.Import(t.Context(), strings.NewReader(second), o)
		if err != nil || got.Tonight.Before != len(b.All()) {
			rt.Fatalf("import: %+v, %v; there are %d", got, err, len(b.All()))
		}
		b.Pass(time.Hour)
		if _, err := b.UndoImport(t.Context()); (err == nil) != (got.Imported > 0) {
			rt.Fatalf("%d were imported; undo: %v", got.Imported, err)
		}
		if got.Imported > 0 {
			undone++
		}
		if after := memoryFile(t, b); after != before {
			rt.Fatalf("before\n%s\nafter\n%s", before, after)
		}
	})
	if undone == 0 {
		t.Error("no import took anything")
	}
}
