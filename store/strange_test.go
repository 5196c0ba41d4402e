//go:build unix

package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"plastic/memory"
	"plastic/store"
)

// What stands under the name of a file and is none is told, never waited for:
// opening a pipe would last until somebody writes into it.
func TestWhatIsNoFileIsToldAndNeverWaitedFor(t *testing.T) {
	kinds := map[string]func(path string) error{
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"a link":   func(path string) error { return os.Symlink(filepath.Base(path), path) },
	}
	rows := []struct {
		name  string
		reads bool // the memory can be read all the same
		works bool // and written
	}{
		{"memory.json", false, false},
		{"archive.json", false, false},
		{"memory.journal", false, false},
		{"nights.jsonl", true, true},
		{".plastic/lock", true, false},
		{".plastic/state.json", true, true},
		{".plastic/last.json", true, true},
		{".plastic/guard.json", true, true},
		{".plastic", true, false},
	}
	for _, r := range rows {
		for kind, makes := range kinds {
			if r.name == ".plastic" && kind == "a folder" || r.name == ".plastic/lock" && kind == "a pipe" {
				continue // that is one, and a pipe can be locked
			}
			dir := folder(t)
			put(t, open(t, dir, store.Options{}), "a", "tea", start)
			if err := errors.Join(os.RemoveAll(filepath.Join(dir, r.name)), makes(filepath.Join(dir, r.name))); err != nil {
				t.Fatal(err)
			}
			s := open(t, dir, store.Options{})
			found, err := s.Check()
			if err != nil || len(found) != 1 || found[0].Path != r.name || !strings.Contains(found[0].Message, kind) || found[0].Hint == "" {
				t.Errorf("%s is %s: %+v %v", r.name, kind, found, err)
			}
			if st, err := s.Read(); r.reads != (err == nil && told(st.Memories()) == "a=tea") {
				t.Errorf("%s is %s: read %v", r.name, kind, err)
			}
			_, err = s.Update(ctx, func(tx *store.Tx) error {
				tx.Put(memory.Memory{ID: "b", Content: "cat", CreatedAt: start})
				return nil
			})
			if r.works != (err == nil) || !r.works && !errors.Is(err, memory.ErrCorrupt) {
				t.Errorf("%s is %s: written %v", r.name, kind, err)
			}
			if fixed, err := s.Fix(ctx); err != nil || !r.works && (len(fixed) != 1 || fixed[0].Fixed) {
				t.Errorf("%s is %s: fix gives %+v %v", r.name, kind, fixed, err)
			}
		}
	}
}

func TestAnOddImportanceIsSaidToBeWhatItIsReadAs(t *testing.T) {
	for odd, readAs := range map[string]string{`1e9`: "1", `-3`: "0", `"high"`: "0.5", `[1]`: "0.5"} {
		dir := folder(t)
		spit(t, dir, "memory.json", `{"version":1,"memories":[{"id":"a","content":"tea","importance":`+odd+`,"createdAt":"2026-01-01"}]}`)
		s := open(t, dir, store.Options{})
		m, _ := read(t, s).Get("a")
		want(t, "importance "+odd, strconv.FormatFloat(m.Importance, 'g', -1, 64), readAs)
		found, err := s.Check()
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		want(t, "told of "+odd, found[0].Message, "a: importance is "+odd+", which makes no sense; it is kept, and read as "+readAs)
	}
}

func TestAnOddPrivateIsReadAsPrivateAndSaidSo(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "memory.json", `{"version":1,"memories":[{"id":"a","content":"tea","private":"ann","pinned":"maybe","createdAt":"2026-01-01"}]}`)
	s := open(t, dir, store.Options{})
	if m, ok := read(t, s).Get("a"); !ok || !m.Private || m.Pinned {
		t.Errorf("%+v", m)
	}
	found, err := s.Check()
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	want(t, "pinned", found[0].Message, `a: pinned is "maybe", which makes no sense; it is kept, and read as not set`)
	want(t, "private", found[1].Message, `a: private is "ann", which makes no sense; it is kept, and read as private`)
}
