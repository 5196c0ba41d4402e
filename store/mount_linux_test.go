package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plastic/memory"
	"plastic/store"
)

// mount mounts a file system for the test, or skips it where that is not allowed.
func mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		t.Skipf("no mounting here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(target, syscall.MNT_DETACH) })
}

func TestCase011AFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	mount(t, "tmpfs", dir, "tmpfs", 0, "size=96k")
	do(t, store.Create(dir))
	s := open(t, dir, store.Options{})
	update(t, s, func(tx *store.Tx) {
		for i := range 40 {
			tx.Put(memory.Memory{ID: fmt.Sprintf("m%02d", i), Content: "tea " + strings.Repeat("x", 800), CreatedAt: start})
		}
	})
	kept := 40
	for ; ; kept++ {
		before := told(read(t, s).Memories())
		_, err := s.Update(ctx, func(tx *store.Tx) error {
			tx.Put(memory.Memory{ID: fmt.Sprintf("n%02d", kept), Content: "cat " + strings.Repeat("y", 800), CreatedAt: start})
			return nil
		})
		if err == nil {
			continue
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		want(t, "after the failure", told(read(t, s).Memories()), before)
		break
	}
	other := open(t, dir, store.Options{})
	if n := len(read(t, other).Memories()); n != kept || n < 50 {
		t.Errorf("%d memories of %d", n, kept)
	}
	want(t, "left over", slurpTemps(t, dir), "")
	// There is room again.
	do(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=1m"))
	put(t, other, "x", "with space again", start)
	found, err := other.Check()
	if err != nil || len(found) > 0 || len(read(t, s).Memories()) != kept+1 || slurp(t, dir, "memory.journal") != "" {
		t.Error(found, err, len(read(t, s).Memories()))
	}
}

func TestAFileWithAMountOfItsOwn(t *testing.T) {
	dir, elsewhere := folder(t), t.TempDir()
	put(t, open(t, dir, store.Options{}), "a", "tea", start)
	outer := filepath.Join(elsewhere, "real.json")
	spit(t, elsewhere, "real.json", slurp(t, dir, "memory.json"))
	path := filepath.Join(dir, "memory.json")
	mount(t, outer, path, "", syscall.MS_BIND, "")
	s := open(t, dir, store.Options{})
	put(t, s, "b", "cat", start)
	if inner, there := slurp(t, dir, "memory.json"), slurp(t, elsewhere, "real.json"); inner != there || !strings.Contains(there, "cat") {
		t.Error(there)
	}
	// Read-only, it waits in the journal, and comes when the mount goes.
	do(t, syscall.Mount("", path, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	st := put(t, s, "c", "owl", start)
	want(t, "in the journal", told(st.Memories()), "a=tea b=cat c=owl")
	do(t, syscall.Unmount(path, syscall.MNT_DETACH))
	st = put(t, open(t, dir, store.Options{}), "d", "fox", start)
	if _, ok := st.Get("c"); !ok || !strings.Contains(slurp(t, dir, "memory.json"), "fox") {
		t.Error(told(st.Memories()))
	}
	if left, err := os.ReadDir(filepath.Join(dir, ".plastic")); err != nil || strings.Contains(fmt.Sprint(left), "guard") {
		t.Error(left, err)
	}
}
