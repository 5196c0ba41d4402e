package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// later is a store that leaves its updates in the journal, as a server does
// until its goroutine comes.
func later(now time.Time) store.Options {
	return store.Options{Now: func() time.Time { return now }, Delay: time.Hour}
}

func edit(t *testing.T, dir, from, to string) {
	t.Helper()
	text := slurp(t, dir, "memory.json")
	if !strings.Contains(text, from) {
		t.Fatalf("%q is not in %s", from, text)
	}
	spit(t, dir, "memory.json", strings.Replace(text, from, to, 1))
}

func TestAHandBeatsThePendingJournalOnTheSameField(t *testing.T) {
	dir := folder(t)
	put(t, open(t, dir, at(start)), "a", "tea", start)
	s := open(t, dir, later(start.Add(time.Hour)))
	update(t, s, func(tx *store.Tx) {
		m, _ := tx.Get("a")
		m.Content, m.Pinned = "black tea", true
		tx.Put(m)
	})
	if err := s.Rehearse([]string{"a"}, start.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	edit(t, dir, `"tea"`, `"green tea"`)
	st := read(t, s)
	m, _ := st.Get("a")
	if m.Content != "green tea" || !m.Pinned || m.RecallCount != 1 {
		t.Errorf("%+v", m)
	}
	st = put(t, open(t, dir, at(start.Add(3*time.Hour))), "b", "cat", start)
	want(t, "settled", told(st.Memories())+"|"+archived(st.Archive()), "a=green tea b=cat|version:a=black tea")
	if text := slurp(t, dir, "memory.json"); !strings.Contains(text, `"green tea","kind":"fact","importance":0.5,"pinned":true`) {
		t.Error(text)
	}
	want(t, "journal", slurp(t, dir, "memory.journal"), "")
}

func TestAHandEditOfAMemoryForgottenInTheJournalStays(t *testing.T) {
	dir := folder(t)
	put(t, open(t, dir, at(start)), "a", "tea", start)
	s := open(t, dir, later(start.Add(time.Hour)))
	update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
	edit(t, dir, `"tea"`, `"green tea"`)
	want(t, "edited", told(read(t, s).Memories()), "a=green tea")
	st := put(t, open(t, dir, at(start.Add(2*time.Hour))), "b", "cat", start)
	want(t, "settled", told(st.Memories())+"|"+archived(st.Archive()), "a=green tea b=cat|version:a=tea")
}

func TestAJournalOverAFileThatHasItAlreadyComesToTheSame(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, later(start.Add(time.Hour)))
	if err := life(s, func(string) {}); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *store.Tx) {
		m, _ := tx.Get("two")
		for _, text := range []string{"A", "B", "A", "C"} {
			m.Content = text
			tx.Put(m)
		}
	})
	journal, before := slurp(t, dir, "memory.journal"), lived(t, dir)
	if ok, err := s.Checkpoint(ctx); !ok || err != nil {
		t.Fatal(ok, err)
	}
	want(t, "after a checkpoint", lived(t, dir), before)
	spit(t, dir, "memory.journal", journal)
	want(t, "journal again", lived(t, dir), before)
	edit(t, dir, `]}`, `,{"id":"h","text":"by hand","createdAt":"2026-03-01"}`+"\n]}")
	st := read(t, open(t, dir, store.Options{}))
	want(t, "journal again over another file", told(st.Memories()), "h=by hand cats=two cats three=third two=C")
}

func TestWhatAHandRemovedIsArchivedAtTheNextWrite(t *testing.T) {
	dir := folder(t)
	now := start.Add(time.Hour)
	s := open(t, dir, store.Options{Now: func() time.Time { return now }})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	whole := slurp(t, dir, "memory.json")
	edit(t, dir, slurpLine(t, dir, "b"), "")
	st := read(t, s)
	want(t, "on reading", told(st.Memories())+"|"+archived(st.Archive()), "a=tea|")
	if err := s.Rehearse([]string{"a"}, now); err != nil {
		t.Fatal(err)
	}
	want(t, "on recall", slurp(t, dir, "archive.json"), "")
	st = put(t, s, "c", "owl", start)
	want(t, "on writing", told(st.Memories())+"|"+archived(st.Archive()), "a=tea c=owl|removed:b=cat")
	// git brings it back: the removal is void.
	edit(t, dir, `]}`, slurpLine2(whole, "b")+`]}`)
	now = now.Add(time.Hour)
	st = read(t, s)
	want(t, "back again", told(st.Memories())+"|"+archived(st.Archive()), "a=tea b=cat c=owl|")
	st = put(t, s, "d", "fox", start)
	want(t, "and written", told(st.Memories())+"|"+archived(st.Archive()), "a=tea b=cat c=owl d=fox|")
	// Without a last copy nothing can be said to be removed.
	os.RemoveAll(filepath.Join(dir, ".plastic"))
	edit(t, dir, slurpLine(t, dir, "d"), "")
	st = put(t, s, "e", "elk", start)
	want(t, "without a copy", told(st.Memories())+"|"+archived(st.Archive()), "a=tea b=cat c=owl e=elk|")
}

func slurpLine(t *testing.T, dir, id string) string {
	t.Helper()
	return slurpLine2(slurp(t, dir, "memory.json"), id)
}

func slurpLine2(text, id string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, `{"id":"`+id+`"`) {
			return "," + line[1:]
		}
	}
	return ""
}

func TestRemovedInAJournalOfALargeFile(t *testing.T) {
	dir := filled(t, 12000) // above what is written with every update
	s := open(t, dir, at(start))
	key := read(t, s).FileKey()
	if key.Size < 4<<20 {
		t.Fatal(key)
	}
	put(t, s, "x", "new", start.Add(-time.Hour))
	st := update(t, s, func(tx *store.Tx) {
		m, _ := tx.Get("m0000005")
		m.Content = "five"
		tx.Put(m)
		tx.Archive("m0000006", memory.Archived{})
	})
	if st.FileKey() != key {
		t.Error("a large memory.json was written for one memory")
	}
	for _, st := range []*store.State{st, read(t, open(t, dir, store.Options{}))} {
		five, _ := st.Get("m0000005")
		_, six := st.Get("m0000006")
		x, _ := st.Get("x")
		if five.Content != "five" || six || x.Content != "new" || st.Memories()[0].ID != "x" || len(st.Memories()) != 12000 {
			t.Error(five, six, x, len(st.Memories()))
		}
	}
	spliced := folder(t)
	copyDir(t, dir, spliced)
	if ok, err := s.Checkpoint(ctx); !ok || err != nil {
		t.Fatal(ok, err)
	}
	// The file that was spliced is the file that is written from nothing.
	os.Remove(filepath.Join(spliced, ".plastic", "state.json"))
	other := open(t, spliced, at(start))
	if ok, err := other.Checkpoint(ctx); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if slurp(t, dir, "memory.json") != slurp(t, spliced, "memory.json") {
		t.Error("spliced differently")
	}
	// Past a twentieth the file is written.
	key = read(t, s).FileKey()
	st = update(t, s, func(tx *store.Tx) {
		for i := range 800 {
			tx.Put(memory.Memory{ID: fmt.Sprintf("n%d", i), Content: strings.Repeat("x", 300), CreatedAt: start})
		}
	})
	if st.FileKey() == key || len(st.Memories()) != 12800 {
		t.Error("not written", len(st.Memories()))
	}
	// A line that goes from a large file is seen too.
	edit(t, dir, slurpLine(t, dir, "m0000007"), "")
	st = put(t, s, "y", "after", start)
	want(t, "archive", archived(st.Archive())[:len("forgotten:m0000006")]+" "+archived(st.Archive())[strings.Index(archived(st.Archive()), "removed"):][:len("removed:m0000007")], "forgotten:m0000006 removed:m0000007")
}

func copyDir(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func TestVersionsThatGitPutSideBySideAreMerged(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "memory.json", `{"version":1,"memories":[
 {"id":"a","content":"old words","kind":"fact","importance":0.9,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z","recallCount":5}
 {"id":"a","content":"new words","kind":"event","importance":0.5,"private":true,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-03T00:00:00Z"}
,{"id":"b","content":"tea","kind":"fact","importance":0.5,"createdAt":"2026-01-02T00:00:00Z","recallCount":1}
,{"id":"b","content":"tea","kind":"fact","importance":0.5,"createdAt":"2026-01-02T00:00:00Z","recallCount":3}
]}
`)
	s := open(t, dir, at(start))
	st := read(t, s)
	want(t, "merged", told(st.Memories())+"|"+codes(st.Problems()), "a=new words b=tea|")
	m, _ := st.Get("a")
	b, _ := st.Get("b")
	if m.Importance != 0.9 || m.RecallCount != 5 || !m.Private || m.Kind != memory.Event || b.RecallCount != 3 {
		t.Errorf("%+v %+v", m, b)
	}
	st = put(t, s, "c", "owl", start)
	want(t, "kept", archived(st.Archive()), "version:a=old words")
	if e := st.Archive()[0]; !e.Memory.Private {
		t.Error("the version of a private memory is not private")
	}
}

func TestADamagedFileWaitsForTheEditor(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	half := slurp(t, dir, "memory.json")[:60]
	spit(t, dir, "memory.json", half) // an editor is writing
	put(t, s, "b", "cat", start)
	want(t, "the file", slurp(t, dir, "memory.json"), half)
	aged(t, dir, "memory.json", 3*time.Second)
	st := put(t, s, "c", "owl", start)
	want(t, "memories", told(st.Memories())+"|"+codes(st.Problems()), "a=tea b=cat c=owl|quarantined")
	want(t, "told until it is settled", codes(read(t, open(t, dir, store.Options{})).Problems()), "quarantined")
	if _, err := s.Fix(ctx); err != nil {
		t.Fatal(err)
	}
	want(t, "settled", codes(read(t, open(t, dir, store.Options{})).Problems()), "")
}

func TestTenCopiesOfDamagedFilesAreKept(t *testing.T) {
	dir := folder(t)
	now := start
	s := open(t, dir, store.Options{Now: func() time.Time { return now }})
	for i := range 13 {
		if i%2 == 0 {
			now = now.Add(time.Minute)
		}
		spit(t, dir, "memory.json", fmt.Sprintf("broken %d", i))
		aged(t, dir, "memory.json", time.Hour)
		put(t, s, fmt.Sprintf("m%02d", i), "x", start)
	}
	copies, _ := filepath.Glob(filepath.Join(dir, "memory.json.corrupt-*"))
	if len(copies) != 10 || slurp(t, "", copies[len(copies)-1]) != "broken 12" {
		t.Error(copies)
	}
	if n := len(read(t, s).Memories()); n != 13 {
		t.Error(n)
	}
}

func TestModeAndSymbolicLinksAreKept(t *testing.T) {
	dir, elsewhere := folder(t), t.TempDir()
	path := filepath.Join(dir, "memory.json")
	target := filepath.Join(elsewhere, "real.json")
	if err := os.Rename(path, target); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	update(t, s, func(tx *store.Tx) {
		tx.Archive("a", memory.Archived{})
		tx.Night(map[string]string{"date": "2026-03-01"})
	})
	if fi, err := os.Lstat(path); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
	for _, p := range []string{target, filepath.Join(dir, "archive.json"), filepath.Join(dir, "memory.journal"), filepath.Join(dir, "nights.jsonl"), filepath.Join(dir, ".plastic", "last.json")} {
		if fi, err := os.Stat(p); err != nil || fi.Mode().Perm() != 0o640 {
			t.Error(p, fi.Mode(), err)
		}
	}
	if !strings.Contains(slurp(t, elsewhere, "real.json"), "cat") {
		t.Error(slurp(t, elsewhere, "real.json"))
	}
}

func TestCase005OwnerAndGroupAreKept(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := folder(t)
	const bot = 4242
	os.Chown(dir, bot, bot)
	os.Chown(filepath.Join(dir, "memory.json"), bot, bot)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	update(t, s, func(tx *store.Tx) {
		tx.Archive("a", memory.Archived{})
		tx.Night(map[string]string{"date": "2026-03-01"})
	})
	filepath.Walk(dir, func(path string, fi os.FileInfo, err error) error {
		if uid, gid := ownerOf(fi); uid != bot || gid != bot {
			t.Errorf("%s belongs to %d:%d", path, uid, gid)
		}
		return err
	})
}

func TestAPurgeReachesTheCopyOfADamagedFile(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "the blue door in Oslo", start)
	put(t, s, "b", "tea", start)
	spit(t, dir, "memory.json", slurp(t, dir, "memory.json")[:200])
	aged(t, dir, "memory.json", time.Hour)
	st := update(t, s, func(tx *store.Tx) { tx.Purge("a") })
	want(t, "memories", told(st.Memories()), "b=tea")
	copies, _ := filepath.Glob(filepath.Join(dir, "memory.json.corrupt-*"))
	if len(copies) != 1 || strings.Contains(slurp(t, "", copies[0]), "blue") {
		t.Error(copies)
	}
}

func TestAPurgeThatCouldNotEraseSaysSo(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "the blue door in Oslo", start)
	full := errors.New("no space left on device")
	s.SetFault(func(step string) error {
		if strings.HasPrefix(step, "memory.json:") {
			return full
		}
		return nil
	})
	_, err := s.Update(ctx, func(tx *store.Tx) error { tx.Purge("a"); return nil })
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if _, ok := read(t, s).Get("a"); ok {
		t.Error("it is not forgotten")
	}
	found, _ := s.Check()
	want(t, "told until it is erased", codes(found), "unerased")
	s.SetFault(nil)
	if _, err := s.Fix(ctx); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"memory.json", "archive.json", "memory.journal", ".plastic/last.json"} {
		if strings.Contains(slurp(t, dir, name), "blue") {
			t.Error(name, slurp(t, dir, name))
		}
	}
	found, _ = s.Check()
	want(t, "then it is settled", codes(found), "")
}
