package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// large fills a memory whose copy is kept in two parts, and changes it some times.
func large(t *testing.T, s *store.Store) {
	t.Helper()
	update(t, s, func(tx *store.Tx) {
		for i := range 400 {
			tx.Put(memory.Memory{ID: fmt.Sprintf("m%03d", i), Content: fmt.Sprint("note ", i, " ", strings.Repeat("x", 300)), CreatedAt: start.Add(time.Duration(i) * time.Second)})
		}
	})
	for i := range 5 {
		update(t, s, func(tx *store.Tx) {
			tx.Put(memory.Memory{ID: fmt.Sprintf("m%03d", 7*i), Content: fmt.Sprint("changed ", i), CreatedAt: start.Add(time.Duration(i) * time.Hour)})
			tx.Put(memory.Memory{ID: fmt.Sprintf("new%d", i), Content: fmt.Sprint("a new one ", i), CreatedAt: start.Add(time.Hour)})
			tx.Archive(fmt.Sprintf("m%03d", 100+i), memory.Archived{As: memory.Pruned})
		})
	}
}

func said(st *store.State) string {
	var b strings.Builder
	for _, m := range st.Memories() {
		b.Write(append(memory.AppendJSON(nil, &m), '\n'))
	}
	return b.String()
}

func TestTheLastGoodCopyOfALargeMemoryIsWrittenByWhatChanged(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start.Add(time.Hour)))
	large(t, s)
	whole, more := slurp(t, dir, ".plastic/last.json"), slurp(t, dir, ".plastic/last.more")
	if strings.Contains(whole, "a new one") || len(more) > len(whole)/10 {
		t.Fatalf("all %d bytes were written again, or %d more", len(whole), len(more))
	}
	want(t, "the copy", missing(t, dir), "")
	for i := range 120 { // until all of it is written anew
		put(t, s, "m399", fmt.Sprint("again ", i, strings.Repeat(" and again", 30)), start)
	}
	if !strings.Contains(slurp(t, dir, ".plastic/last.json"), "again ") {
		t.Error("what is behind the copy grows for ever")
	}
	want(t, "the copy", missing(t, dir), "")
}

// missing damages memory.json and says what of it the last good copy did not bring back.
func missing(t *testing.T, dir string) string {
	t.Helper()
	text := slurp(t, dir, "memory.json")
	good := said(read(t, open(t, dir, store.Options{})))
	spit(t, dir, "memory.json", `{"version":1,"memories":[`)
	back := said(read(t, open(t, dir, store.Options{})))
	spit(t, dir, "memory.json", text)
	if back == good {
		return ""
	}
	for line := range strings.Lines(good) {
		if !strings.Contains(back, line) {
			return "not " + line
		}
	}
	return "more than there was"
}

func TestACopyThatIsCutOffGivesWhatItStillHas(t *testing.T) {
	dir := folder(t)
	large(t, open(t, dir, at(start.Add(time.Hour))))
	more := slurp(t, dir, ".plastic/last.more")
	for _, n := range []int{0, 1, len(more) / 3, len(more) / 2, len(more) - 1} {
		spit(t, dir, ".plastic/last.more", more[:n])
		spit(t, dir, "memory.json", `{"version":1,"memories":[`)
		got := read(t, open(t, dir, store.Options{})).Memories()
		if len(got) != 400 {
			t.Errorf("cut at %d of %d: %d memories", n, len(more), len(got))
		}
	}
	bad := strings.Replace(more, "changed 2", "chanced 2", 1)
	spit(t, dir, ".plastic/last.more", bad)
	if st := said(read(t, open(t, dir, store.Options{}))); strings.Contains(st, "chanced") || strings.Contains(st, "changed 3") || !strings.Contains(st, "changed 1") {
		t.Error("what is not as it was written was taken, or what stands behind it, or what stands before it was not")
	}
}

func TestWhatIsPurgedStandsInNoPartOfTheCopy(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start.Add(time.Hour)))
	large(t, s)
	put(t, s, "secret", "the word is xylophone", start)
	update(t, s, func(tx *store.Tx) { tx.Archive("secret", memory.Archived{}) })
	if !strings.Contains(slurp(t, dir, ".plastic/last.more"), "xylophone") {
		t.Fatal("this test is of a copy in two parts")
	}
	update(t, s, func(tx *store.Tx) { tx.Purge("secret") })
	files, err := filepath.Glob(filepath.Join(dir, ".plastic", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "xylophone") {
			t.Error(filepath.Base(path), "has it still")
		}
	}
	want(t, "the copy", missing(t, dir), "")
}

func TestACopyInTwoPartsIsCheckedAndMadeAnew(t *testing.T) {
	dir := folder(t)
	large(t, open(t, dir, at(start.Add(time.Hour))))
	want(t, "in order", told1(t, open(t, dir, store.Options{})), "")
	more := slurp(t, dir, ".plastic/last.more")
	spit(t, dir, ".plastic/last.more", more[:len(more)/2])
	s := open(t, dir, store.Options{})
	want(t, "cut off", told1(t, s), "last_copy")
	mended(t, s)
	want(t, "made anew", slurp(t, dir, ".plastic/last.json"), slurp(t, dir, "memory.json"))
}
