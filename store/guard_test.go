package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"plastic/store"
)

// A write in place that was cut off leaves any mixture of both texts, and some of these
// read as a list that is only shorter.
func TestAWriteInPlaceThatWasCutOffIsKnownWhereverItWas(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "a", "tea", start)
	put(t, s, "c", "cat", start)
	over := slurp(t, dir, "memory.json")
	s.SetFault(func(step string) error {
		switch step {
		case "memory.json:rename":
			return syscall.EBUSY // as where the file is a mount of its own
		case "memory.json:inplace":
			return errors.New("the power is gone")
		}
		return nil
	})
	put(t, s, "b", "owl", start)
	s.SetFault(nil)
	writes, guard, journal := slurp(t, dir, "memory.json"), slurp(t, dir, ".plastic/guard.json"), slurp(t, dir, "memory.journal")
	for n := range len(writes) {
		text := writes[:n] + over[min(n, len(over)):]
		do(t, os.RemoveAll(filepath.Join(dir, ".plastic")), os.Mkdir(filepath.Join(dir, ".plastic"), 0o755))
		spit(t, dir, "memory.json", text)
		spit(t, dir, ".plastic/guard.json", guard)
		spit(t, dir, "memory.journal", journal)
		want(t, text, told(read(t, open(t, dir, at(start))).Memories()), "a=tea b=owl c=cat")
		if _, err := open(t, dir, at(start)).Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		want(t, "written", slurp(t, dir, "memory.json"), writes)
	}
	// What no write can have left was mended by a hand.
	spit(t, dir, ".plastic/guard.json", guard)
	edit(t, dir, `"cat"`, `"two cats"`)
	want(t, "mended", told(read(t, open(t, dir, store.Options{})).Memories()), "a=tea b=owl c=two cats")
}
