package plastic_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

// TestNoNameOfAConversationIsAPath (case 140): whatever a conversation is called, it had its
// memories once, and no file anywhere is made, read or named for it.
func TestNoNameOfAConversationIsAPath(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC}\nchannel: {recall: session}\n")
	b.Say("@ann keeps two cats")
	above := filepath.Dir(b.Dir())
	files := func() (all []string) {
		err := filepath.WalkDir(above, func(path string, _ fs.DirEntry, err error) error {
			all = append(all, path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	ask := func(session string) bool {
		return strings.Contains(b.Prompt(plastic.Turn{Text: "the cats", Session: session}).Text, "two cats")
	}
	if !ask("first") {
		t.Fatal("nothing came to mind")
	}
	before := files()
	for _, name := range []string{"../../x", "..", ".", "/etc/x", "a/b", `a\b`, "con", strings.Repeat("x", 300), strings.Repeat("é", 200), "ann\n", "ann", "a\x00b", "a\u202eb"} {
		if first, second := ask(name), ask(name); !first || second {
			t.Errorf("%.20q: at first %v, then %v", name, first, second)
		}
	}
	if after := files(); !slices.Equal(before, after) {
		t.Errorf("files were\n%s\nand are\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}
