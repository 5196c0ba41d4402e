package index_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"plastic/internal/index"
	"plastic/memory"
)

func write(t *testing.T, path string, parts ...[]byte) {
	t.Helper()
	if err := os.WriteFile(path, slices.Concat(parts...), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFileIsTheIndexItWasMadeOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	if _, _, err := index.OpenFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a missing file: %v", err)
	}
	ms := invented(400)
	ix := index.Build(ms, day)
	parts := ix.File([]byte("here"))
	write(t, path, parts[:]...)
	again, mark, err := index.OpenFile(path)
	if err != nil || string(mark) != "here" {
		t.Fatalf("mark %q, %v", mark, err)
	}
	for _, q := range questions(20) {
		if got, want := ask(again, q), ask(ix, q); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", q, got, want)
		}
	}
	parts = again.With(invented(1), nil).Merged(nil).File(nil)
	write(t, path+".new", parts[:]...)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if _, mark, err := index.OpenFile(path); err != nil || len(mark) != 0 {
		t.Errorf("the file that took its place: mark %q, %v", mark, err)
	}
}

func TestATornFileIsKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	parts := index.Build(invented(60), day).File([]byte("mark"))
	whole := slices.Concat(parts[:]...)
	for _, n := range []int{0, 5, 700, len(whole) / 2, len(whole) - 1} {
		write(t, path, whole[:n])
		if _, _, err := index.OpenFile(path); !errors.Is(err, memory.ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for at := 0; at < len(whole); at += 1 + at/50 {
		b := slices.Clone(whole)
		b[at] ^= 0x20
		write(t, path, b)
		if _, _, err := index.OpenFile(path); !errors.Is(err, memory.ErrCorrupt) {
			t.Fatalf("byte %d of %d changed: %v", at, len(whole), err)
		}
	}
}

// A large file is checked whole only if it is from before the machine started.
func TestAnOldLargeFileIsCheckedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	parts := index.Build(invented(1500), day).File(nil)
	whole := slices.Concat(parts[:]...)
	write(t, path, whole)
	old := time.Now().AddDate(-30, 0, 0)
	os.Chtimes(path, time.Time{}, old)
	if _, _, err := index.OpenFile(path); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(path); err != nil || !fi.ModTime().After(old) {
		t.Errorf("the check is not remembered: %v", err)
	}
	clear(whole[len(whole)/2:][:4096])
	write(t, path, whole)
	os.Chtimes(path, time.Time{}, old)
	if _, _, err := index.OpenFile(path); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("a page of zeros: %v", err)
	}
}
