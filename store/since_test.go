package store_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// since is what a later process learns: the memories that may have changed, and
// those that were recalled only.
func since(t *testing.T, dir string, mark []byte) (changed, recalled []string, ok bool) {
	t.Helper()
	c, ok := read(t, open(t, dir, store.Options{})).Since(mark)
	return slices.Sorted(maps.Keys(c.IDs)), slices.Sorted(maps.Keys(c.Recalled)), ok
}

func TestALaterProcessLearnsWhatChangedSinceAMark(t *testing.T) {
	for _, delay := range []time.Duration{0, time.Hour} { // in memory.json at once, and in the journal only
		dir := folder(t)
		old := time.Now().Add(-time.Hour) // so that another hand can not still be at it
		if err := os.Chtimes(filepath.Join(dir, "memory.json"), old, old); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, store.Options{Delay: delay})
		for i := range 40 {
			put(t, s, fmt.Sprint("m", i), "a memory", start.Add(time.Duration(i)*time.Hour))
		}
		mark := read(t, s).Mark()
		if changed, recalled, ok := since(t, dir, mark); !ok || len(changed)+len(recalled) > 0 {
			t.Fatalf("delay %v, nothing happened: %v, %v, %v", delay, changed, recalled, ok)
		}
		put(t, s, "new", "another", start)
		put(t, s, "m3", "changed", start.Add(3*time.Hour))
		update(t, s, func(tx *store.Tx) { tx.Archive("m5", memory.Archived{}) })
		if err := s.Rehearse([]string{"m3", "m7"}, start); err != nil {
			t.Fatal(err)
		}
		changed, recalled, ok := since(t, dir, mark)
		if !ok || !slices.Equal(changed, []string{"m3", "m5", "new"}) || !slices.Equal(recalled, []string{"m7"}) {
			t.Errorf("delay %v: changed %v, recalled %v, %v", delay, changed, recalled, ok)
		}
		if _, err := s.Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		changed, _, ok = since(t, dir, mark)
		for _, id := range []string{"m3", "m5", "m7", "new"} {
			if !ok || !slices.Contains(changed, id) {
				t.Errorf("delay %v, after a checkpoint: %s is not among %v, %v", delay, id, changed, ok)
			}
		}
	}
}

func TestAfterAnotherHandOnlyAComparisonTells(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	mark := read(t, s).Mark()
	spit(t, dir, "memory.json", strings.Replace(slurp(t, dir, "memory.json"), "tea", "tee", 1))
	if _, _, ok := since(t, dir, mark); ok {
		t.Error("a foreign edit is taken for a step")
	}
	put(t, s, "b", "milk", start)
	if _, _, ok := since(t, dir, mark); ok {
		t.Error("a step after a foreign edit hides it")
	}
}

func TestStepsThatAreDamagedAreNone(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	mark := read(t, s).Mark()
	put(t, s, "bcd", "milk", start)
	steps := filepath.Join(dir, ".plastic", "steps")
	whole, err := os.ReadFile(steps)
	if err != nil {
		t.Fatal(err)
	}
	if changed, _, ok := since(t, dir, mark); !ok || !slices.Equal(changed, []string{"bcd"}) {
		t.Fatalf("changed %v, %v", changed, ok)
	}
	last := strings.LastIndex(strings.TrimRight(string(whole), "\n"), "\n") + 1
	for at := last; at < len(whole)-1; at++ {
		b := slices.Clone(whole)
		b[at] ^= 1
		if err := os.WriteFile(steps, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if changed, _, ok := since(t, dir, mark); ok {
			t.Fatalf("with byte %d changed it says %v", at, changed)
		}
	}
	for _, bad := range []string{"", "nonsense", string(mark) + " \x00", strings.Repeat("9 ", 20)} {
		if _, _, ok := since(t, dir, []byte(bad)); ok {
			t.Errorf("the mark %q is taken", bad)
		}
	}
}

func TestAWrongOffsetCostsASearchOnly(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	update(t, s, func(tx *store.Tx) {
		for i := range 3000 {
			tx.Put(memory.Memory{ID: fmt.Sprintf("m%04d", i), Content: strings.Repeat("x", 100), Kind: memory.Fact, CreatedAt: start.Add(time.Duration(i) * time.Minute)})
		}
	})
	st := read(t, open(t, dir, store.Options{}))
	places := map[string]int64{}
	st.Offsets(func(id string, offset int64) { places[id] = offset })
	if len(places) != 3000 {
		t.Fatalf("%d offsets", len(places))
	}
	for _, id := range []string{"m0000", "m1500", "m2999"} {
		for _, off := range []int64{0, 1, -700, 9000, -40_000, 300_000, -1 << 40, 1 << 40} {
			if m, ok := st.GetAt(id, places[id]+off); !ok || m.ID != id {
				t.Errorf("%s, %d bytes off: %v %v", id, off, m.ID, ok)
			}
		}
	}
	if _, ok := st.GetAt("nobody", 100); ok {
		t.Error("found a memory that is not there")
	}
}
