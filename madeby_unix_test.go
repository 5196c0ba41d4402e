//go:build unix

package plastic_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

// Several users may share a folder, and root may act in another's: whatever one of them makes,
// the others can go on with. What a model adds is no exception.
func TestWhatIsMadeBesideTheMemoryIsAsTheMemoryIs(t *testing.T) {
	ctx := context.Background()
	b := withModel(t, "channel: {recall: session}\n", plastic.Options{
		Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i, x := range texts {
				out[i] = banktest.Words(x)
			}
			return out, nil
		},
	})
	file := filepath.Join(b.Dir(), "memory.json")
	if err := os.Chmod(file, 0o660); err != nil {
		t.Fatal(err)
	}
	root := os.Geteuid() == 0
	if root { // as if all were another's
		err := filepath.WalkDir(b.Dir(), func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(path, 4242, 4243)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Remember(ctx, plastic.Draft{Content: "she likes tea"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reindex(ctx, plastic.Reindexing{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Prompt(ctx, plastic.Turn{Text: "tea", Session: "s"}); err != nil {
		t.Fatal(err)
	}
	modes := map[string]fs.FileMode{}
	err := filepath.WalkDir(b.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(b.Dir(), path)
		modes[name] = info.Mode().Perm()
		if filepath.Dir(name) == ".plastic" && info.Mode().Perm() != 0o660 {
			t.Errorf("%s has mode %v, want that of memory.json", name, info.Mode())
		}
		if st := info.Sys().(*syscall.Stat_t); root && (st.Uid != 4242 || st.Gid != 4243) {
			t.Errorf("%s belongs to %d:%d", name, st.Uid, st.Gid)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".plastic/vectors", ".plastic/vectors.lock", ".plastic/sessions"} {
		if modes[name] != 0o660 {
			t.Errorf("%s has mode %v, want that of memory.json", name, modes[name])
		}
	}
}
