package plastic_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plastic"
	"plastic/memory"
)

// What an error is about is told by its code. A sentence that ends with the word of its
// kind ("…: invalid") says nothing to a person: memory.Errorf keeps the two apart.
func TestNoErrorEndsWithTheWordOfItsKind(t *testing.T) {
	glued := regexp.MustCompile(`: %w"[^\n]*\b(memory\.)?Err(Usage|Invalid|Busy|Corrupt|ReadOnly)\)`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if glued.MatchString(line) && !strings.Contains(line, "Errorf(memory.Err") {
				t.Errorf("%s: %s", path, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	inner := errors.New("what was read")
	if err := memory.Errorf(memory.ErrInvalid, "no plan: %w", inner); !errors.Is(err, memory.ErrInvalid) || !errors.Is(err, inner) || err.Error() != "no plan: what was read" {
		t.Errorf("%v", err)
	}
}

func TestOpenOfNoFolderSaysTheNextStep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	_, err := plastic.Open(dir, nil)
	if plastic.Code(err) != "invalid" || !errors.Is(err, fs.ErrNotExist) || plastic.NextStep(err) != "`plastic init "+dir+"` makes it" {
		t.Errorf("%v (%s, hint %q)", err, plastic.Code(err), plastic.NextStep(err))
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plastic.Open(file, nil); plastic.Code(err) != "invalid" || plastic.NextStep(err) == "" {
		t.Errorf("%v (%s, hint %q)", err, plastic.Code(err), plastic.NextStep(err))
	}
}
