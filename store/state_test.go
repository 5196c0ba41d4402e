package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"plastic/memory"
	"plastic/store"
)

func changed(t *testing.T, st, prev *store.State) string {
	t.Helper()
	ids, ok := st.Changed(prev)
	if !ok {
		return "unknown"
	}
	return strings.Join(ids, " ")
}

func TestAStateKnowsWhatChangedSinceAnother(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	s0 := read(t, s)
	s1 := put(t, s, "a", "tea", start)
	s2 := put(t, s, "b", "cat", start)
	if err := s.Rehearse([]string{"a"}, start); err != nil {
		t.Fatal(err)
	}
	s3 := read(t, s)
	s4 := update(t, s, func(tx *store.Tx) { tx.Archive("b", memory.Archived{}) })
	want(t, "0 to 1", changed(t, s1, s0), "a")
	want(t, "1 to 2", changed(t, s2, s1), "b")
	want(t, "2 to 3", changed(t, s3, s2), "a")
	want(t, "0 to 4", changed(t, s4, s0), "a b")
	want(t, "4 to 4", changed(t, s4, s4), "")
	want(t, "an old state", told(s2.Memories())+"|"+told(s1.Memories()), "a=tea b=cat|a=tea")
	// Another process, a hand.
	put(t, open(t, dir, store.Options{}), "c", "owl", start)
	s5 := read(t, s)
	want(t, "by another process", changed(t, s5, s4), "c")
	edit(t, dir, `"owl"`, `"elk"`)
	s6 := read(t, s)
	want(t, "by a hand", changed(t, s6, s5), "c")
	want(t, "from nothing", changed(t, s6, nil), "unknown")
}

func TestRevChangesExactlyWithWhatRecallSees(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, later(start))
	revs := map[string]string{}
	see := func(what string, st *store.State) string {
		if old, ok := revs[st.Rev()]; ok {
			t.Errorf("%s has the revision of %s", what, old)
		}
		revs[st.Rev()] = what
		return st.Rev()
	}
	see("nothing", read(t, s))
	rev := see("one", put(t, s, "a", "tea", start))
	if read(t, s).Rev() != rev {
		t.Error("reading changed it")
	}
	if ok, err := s.Checkpoint(ctx); !ok || err != nil {
		t.Fatal(ok, err)
	}
	st := read(t, s)
	if st.Rev() != rev || st.Pending() != 0 {
		t.Error("a checkpoint changed it")
	}
	if err := s.Rehearse([]string{"a"}, start); err != nil {
		t.Fatal(err)
	}
	see("recalled", read(t, s))
	edit(t, dir, `"tea"`, `"cat"`)
	see("edited", read(t, s))
	edit(t, dir, `"cat"`, `"dog"`) // as long, and in the same tick of the clock
	st = read(t, s)
	see("edited at once again", st)
	want(t, "seen", told(st.Memories()), "a=dog")
}

func TestGetAtNeedsNoSearch(t *testing.T) {
	dir := filled(t, 3000)
	s := open(t, dir, store.Options{})
	st := read(t, s)
	off := int64(strings.Index(slurp(t, dir, "memory.json"), `{"id":"m0002000"`))
	for _, o := range []int64{off, off + 1, -1, 1 << 40} {
		if m, ok := st.GetAt("m0002000", o); !ok || m.ID != "m0002000" {
			t.Error(o, m, ok)
		}
	}
	for _, id := range []string{"none", "m000200", `m"`, ""} {
		if m, ok := st.Get(id); ok {
			t.Error(id, m)
		}
	}
	if m, ok := st.Get("m0002999"); !ok || m.ID != "m0002999" {
		t.Error(m, ok)
	}
}

func TestAServerWritesTheFileWithinItsDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		if err := store.Create(dir); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, store.Options{Delay: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, "a", "tea", start)
		if strings.Contains(slurp(t, dir, "memory.json"), "tea") {
			t.Error("written at once")
		}
		time.Sleep(time.Second + time.Millisecond) // the bubble's clock
		synctest.Wait()
		if !strings.Contains(slurp(t, dir, "memory.json"), "tea") || slurp(t, dir, "memory.journal") != "" {
			t.Error("not written after the delay")
		}
		put(t, s, "b", "cat", start)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if !strings.Contains(slurp(t, dir, "memory.json"), "cat") {
			t.Error("not written when closed")
		}
		if _, err := s.Read(); err == nil {
			t.Error("read after Close")
		}
	})
}

func TestManyGoroutinesShareAStore(t *testing.T) {
	s := open(t, folder(t), store.Options{Delay: time.Millisecond})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 25 {
				id := fmt.Sprintf("g%d.%d", g, i)
				put(t, s, id, id, start)
				st := read(t, s)
				if _, ok := st.Get(id); !ok || len(st.Memories()) == 0 {
					t.Errorf("%s is not there", id)
				}
				s.Rehearse([]string{id}, start)
				st.Archive()
				st.Problems()
			}
		})
	}
	wg.Wait()
	if n := len(read(t, s).Memories()); n != 100 {
		t.Error(n)
	}
}

func TestTheJournalOfRecallsIsCompacted(t *testing.T) {
	dir := filled(t, 400)
	s := open(t, dir, at(start))
	ids := make([]string, 400)
	for i := range ids {
		ids[i] = fmt.Sprintf("m%07d", i)
	}
	fi, _ := os.Stat(filepath.Join(dir, "memory.json"))
	for i := range 200 {
		if err := s.Rehearse(ids, start.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(slurp(t, dir, "memory.journal")); n > 1<<20 {
		t.Errorf("%d bytes of journal", n)
	}
	fi2, _ := os.Stat(filepath.Join(dir, "memory.json"))
	if !os.SameFile(fi, fi2) || fi.ModTime() != fi2.ModTime() {
		t.Error("memory.json was written for recalls")
	}
	for _, s := range []*store.Store{s, open(t, dir, at(start))} {
		m, _ := read(t, s).Get("m0000399")
		if m.RecallCount != 200 || !m.LastRecalledAt.Equal(start.Add(199*time.Minute)) {
			t.Errorf("%+v", m)
		}
	}
}

func TestTheArchiveExpires(t *testing.T) {
	dir := folder(t)
	now := start
	s := open(t, dir, store.Options{Now: func() time.Time { return now }})
	for _, id := range []string{"f", "p", "v", "live"} {
		put(t, s, id, id+" text", start)
	}
	update(t, s, func(tx *store.Tx) {
		tx.Archive("f", memory.Archived{})
		tx.Archive("p", memory.Archived{As: memory.Pruned})
		m, _ := tx.Get("v")
		tx.Keep(memory.Archived{Memory: m, As: memory.Version})
		m.Content = "v anew"
		tx.Put(m)
	})
	expire := func(ttl time.Duration) string {
		t.Helper()
		st := update(t, s, func(tx *store.Tx) { tx.ExpireArchive(ttl) })
		_, ok := st.Tombstone("f")
		return fmt.Sprintf("%s %v %d", archived(st.Archive()), ok, strings.Count(slurp(t, dir, "archive.json"), "\n"))
	}
	now = start.Add(89 * day)
	want(t, "before", expire(90*day), "forgotten:f=f text pruned:p=p text version:v=v text true 5")
	now = start.Add(91 * day)
	want(t, "never", expire(0), "forgotten:f=f text pruned:p=p text version:v=v text true 5")
	want(t, "after", expire(90*day), " true 4")
	now = start.Add(366 * day)
	want(t, "after a year", expire(90*day), " false 2")
	want(t, "memories", told(read(t, s).Memories()), "live=live text v=v anew")
}

func TestNightsAreKeptTwoYears(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "nights.jsonl", `{"date":"2023-12-31"}`+"\n"+`{"date":"2024-06-01"}`+"\n<<<<<<< HEAD\n"+`{"note":"undated"}`)
	s := open(t, dir, at(start))
	update(t, s, func(tx *store.Tx) { tx.Night(map[string]any{"date": "2026-03-01", "why": "a<b"}) })
	nights, err := s.Nights()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range nights {
		lines = append(lines, string(n))
	}
	want(t, "nights", strings.Join(lines, " "), `{"date":"2024-06-01"} {"note":"undated"} {"date":"2026-03-01","why":"a<b"}`)
}

func TestAFileOfItsOwnMountIsWrittenInPlace(t *testing.T) {
	dir := folder(t)
	put(t, open(t, dir, store.Options{}), "a", "tea", start)
	s := open(t, dir, store.Options{})
	s.SetFault(func(step string) error {
		if step == "memory.json:rename" {
			return busyMount
		}
		return nil
	})
	before, _ := os.Stat(filepath.Join(dir, "memory.json"))
	put(t, s, "b", "cat", start)
	after, _ := os.Stat(filepath.Join(dir, "memory.json"))
	if !os.SameFile(before, after) || !strings.Contains(slurp(t, dir, "memory.json"), "cat") {
		t.Error(slurp(t, dir, "memory.json"))
	}
	// Cut off in the middle of it, the guarded text serves and is written again.
	s.SetFault(func(step string) error {
		switch step {
		case "memory.json:rename":
			return busyMount
		case "memory.json:inplace":
			os.Truncate(filepath.Join(dir, "memory.json"), 50)
			return os.ErrClosed
		}
		return nil
	})
	put(t, s, "c", "owl", start)
	other := open(t, dir, store.Options{})
	st := read(t, other)
	want(t, "cut off", told(st.Memories())+"|"+codes(st.Problems()), "a=tea b=cat c=owl|")
	st = put(t, other, "d", "fox", start)
	want(t, "again", told(st.Memories())+"|"+codes(st.Problems()), "a=tea b=cat c=owl d=fox|")
	os.RemoveAll(filepath.Join(dir, ".plastic"))
	want(t, "on disk", told(read(t, open(t, dir, store.Options{})).Memories()), "a=tea b=cat c=owl d=fox")
}

func TestAHandThatMendsAFileCutOffInPlaceIsHeard(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	whole := slurp(t, dir, "memory.json")
	s.SetFault(func(step string) error {
		switch step {
		case "memory.json:rename":
			return busyMount
		case "memory.json:inplace":
			os.Truncate(filepath.Join(dir, "memory.json"), 50)
			return os.ErrClosed
		}
		return nil
	})
	put(t, s, "b", "cat", start)
	want(t, "cut off", told(read(t, open(t, dir, store.Options{})).Memories()), "a=tea b=cat")
	spit(t, dir, "memory.json", strings.Replace(whole, "tea", "green tea", 1))
	other := open(t, dir, store.Options{})
	want(t, "mended", told(read(t, other).Memories()), "a=green tea b=cat")
	put(t, other, "c", "owl", start) // over it, no longer in place
	if _, err := os.Stat(filepath.Join(dir, ".plastic", "guard.json")); err == nil {
		t.Error("the guarded text stays and would hide a later damage")
	}
	want(t, "written", told(read(t, open(t, dir, store.Options{})).Memories()), "a=green tea b=cat c=owl")
}

func TestTheStepsOfAWriteStandInTheirOrder(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "a", "tea", start)
	var steps []string
	s.SetFault(func(step string) error { steps = append(steps, step); return nil })
	update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
	want(t, "steps", strings.Join(steps, " "), "lock journal:write journal:sync journal:kept "+
		"archive.json:create archive.json:write archive.json:sync archive.json:rename archive.json:dir "+
		"journal:write journal:sync journal:kept "+
		"memory.json:create memory.json:write memory.json:sync memory.json:rename memory.json:dir last cut")
}

// A large file in another layout is put in form by the first change: until then all of
// it is decoded at every start.
func TestALargeFileInAnotherLayoutIsPutInForm(t *testing.T) {
	dir := folder(t)
	var b strings.Builder
	b.WriteString(`{"version": 1, "memories": [` + "\n")
	for i := range 30_000 {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"id": "m%d", "content": "%s", "kind": "fact", "importance": 0.5, "createdAt": "2026-01-02T03:04:05Z"}`, i, strings.Repeat("long ", 20))
	}
	b.WriteString("\n]}\n")
	spit(t, dir, "memory.json", b.String())
	s := open(t, dir, at(start))
	put(t, s, "new", "one more", start)
	if text := slurp(t, dir, "memory.json"); !strings.HasPrefix(text, `{"version":1,"memories":[`+"\n"+` {"id":"m0",`) || !strings.Contains(text, `"id":"new"`) {
		t.Errorf("memory.json begins %.80q", text)
	}
}
