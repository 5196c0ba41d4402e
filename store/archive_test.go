package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

func TestADamagedArchiveIsSavedByLines(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start.Add(time.Hour)))
	for _, id := range []string{"a", "b", "c"} {
		put(t, s, id, id+" tea", start)
	}
	update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}); tx.Archive("b", memory.Archived{}) })
	broken := strings.Replace(slurp(t, dir, "archive.json"), `"a tea","kind`, `"a tea,kind`, 1)
	spit(t, dir, "archive.json", broken)
	st := read(t, s)
	want(t, "saved", archived(st.Archive()), "forgotten:b=b tea")
	update(t, s, func(tx *store.Tx) { tx.Archive("c", memory.Archived{}) })
	want(t, "an editor may be at it", slurp(t, dir, "archive.json"), broken)
	aged(t, dir, "archive.json", time.Hour)
	put(t, s, "d", "owl", start)
	copies, _ := filepath.Glob(filepath.Join(dir, "archive.json.corrupt-*"))
	if len(copies) != 1 || slurp(t, "", copies[0]) != broken {
		t.Error(copies)
	}
	other := open(t, dir, store.Options{})
	want(t, "told until it is settled", archived(read(t, other).Archive())+"|"+codes(read(t, other).Problems()), "forgotten:b=b tea forgotten:c=c tea|quarantined")
	if _, err := s.Fix(ctx); err != nil {
		t.Fatal(err)
	}
	want(t, "settled", codes(read(t, open(t, dir, store.Options{})).Problems()), "")
}

func TestCase024ANewerArchiveIsOnlyRead(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	newer := `{"version":99,"x":[1],"archive":[{"memory":{"id":"q","content":"old"},"archivedAt":"2026-01-01T00:00:00Z","as":"forgotten","mood":"z"}]}`
	spit(t, dir, "archive.json", newer)
	for _, s := range []*store.Store{s, open(t, dir, store.Options{})} {
		for _, does := range []func(tx *store.Tx){
			func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) },
			func(tx *store.Tx) { tx.Purge("a") },
			func(tx *store.Tx) { tx.Put(memory.Memory{ID: "c", Content: "owl"}) },
		} {
			if _, err := s.Update(ctx, func(tx *store.Tx) error { does(tx); return nil }); !errors.Is(err, memory.ErrReadOnly) {
				t.Error(err)
			}
		}
	}
	want(t, "the file", slurp(t, dir, "archive.json"), newer)
	// In a version of ours, what is not known stays.
	spit(t, dir, "archive.json", strings.Replace(newer, "99", "1", 1))
	update(t, s, func(tx *store.Tx) { tx.Archive("b", memory.Archived{}) })
	if text := slurp(t, dir, "archive.json"); !strings.Contains(text, `{"version":1,"x":[1],`) || !strings.Contains(text, `"as":"forgotten","mood":"z"}`) || strings.Contains(text, `""`) {
		t.Error(text)
	}
}

func TestAnEmptyArchiveIsTold(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
	spit(t, dir, "archive.json", "")
	found, err := s.Check()
	want(t, "told", codes(found), "missing")
	if fixed, ferr := s.Fix(ctx); err != nil || ferr != nil || len(fixed) != 1 || !fixed[0].Fixed {
		t.Error(fixed, err, ferr)
	}
	found, _ = s.Check()
	want(t, "then", codes(found)+slurp(t, dir, "archive.json"), "{\"version\":1,\"archive\":[\n]}\n")
}

func TestWhatTwoClonesArchivedStandsOnceAndInOneOrder(t *testing.T) {
	entry := func(id, at, as, why string) string {
		return `{"memory":{"id":"` + id + `","content":"` + id + ` tea","kind":"fact","importance":0.5,"createdAt":"2026-01-01T00:00:00Z"},"archivedAt":"` + at + `","as":"` + as + `","why":"` + why + `"}`
	}
	lines := []string{
		entry("a", "2026-02-01T03:00:00Z", "pruned", "3 of 4"), entry("a", "2026-02-01T03:00:00Z", "pruned", "4 of 4"),
		entry("b", "2026-02-01T03:00:00Z", "version", "one"), entry("b", "2026-02-01T03:00:00Z", "version", "two"),
		entry("c", "2026-02-01T03:00:00Z", "forgotten", "early"), entry("c", "2026-02-02T03:00:00Z", "forgotten", "late"),
	}
	var texts []string
	for range 2 {
		dir := folder(t)
		spit(t, dir, "archive.json", "{\"version\":1,\"archive\":[\n "+strings.Join(lines, "\n,")+"\n]}\n")
		s := open(t, dir, at(start))
		put(t, s, "x", "owl", start)
		update(t, s, func(tx *store.Tx) { tx.Archive("x", memory.Archived{}) })
		var whys []string
		for _, e := range read(t, s).Archive() {
			whys = append(whys, e.Memory.ID+":"+e.Why)
		}
		want(t, "entries", strings.Join(whys, " "), "a:4 of 4 b:one b:two c:late x:")
		texts = append(texts, slurp(t, dir, "archive.json"))
		slices.Reverse(lines)
	}
	want(t, "in another order", texts[1], texts[0])
}

// An entry that is none costs only itself: it stands aside, word for word, through every write.
func TestOddEntriesOfTheArchiveStandAside(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
	odd := []string{`"note"`, `null`, `42`, `{"memory":null}`, `{"memory":["x"],"as":"version"}`, `{"as":"forgotten"}`}
	text := slurp(t, dir, "archive.json")
	spit(t, dir, "archive.json", strings.Replace(text, "\n]", "\n,"+strings.Join(odd, "\n,")+"\n]", 1))
	st := read(t, s)
	want(t, "read", archived(st.Archive())+"|"+codes(st.Problems()), "forgotten:a=tea|odd")
	update(t, s, func(tx *store.Tx) { tx.Archive("b", memory.Archived{}) })
	want(t, "after a write", archived(read(t, s).Archive()), "forgotten:a=tea forgotten:b=cat")
	for _, line := range odd {
		if !strings.Contains(slurp(t, dir, "archive.json"), "\n,"+line+"\n") {
			t.Errorf("%s is gone: %s", line, slurp(t, dir, "archive.json"))
		}
	}
	if copies, _ := filepath.Glob(filepath.Join(dir, "*.corrupt-*")); len(copies) > 0 {
		t.Errorf("taken for damaged: %v", copies)
	}
}

func TestOddLinesOfTheNightsAreKeptPassedOverAndTold(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	update(t, s, func(tx *store.Tx) { tx.Night(map[string]string{"date": "2026-02-28"}) })
	odd := "garbage\n[1]\nnull\n{\"date\":\"2026-02-28\"\n"
	spit(t, dir, "nights.jsonl", slurp(t, dir, "nights.jsonl")+odd)
	update(t, s, func(tx *store.Tx) { tx.Night(map[string]string{"date": "2026-03-01"}) })
	nights, err := s.Nights()
	if err != nil || len(nights) != 2 {
		t.Errorf("%s, error %v", nights, err)
	}
	if text := slurp(t, dir, "nights.jsonl"); !strings.Contains(text, odd) || !strings.Contains(text, "2026-03-01") {
		t.Errorf("the file is now %s", text)
	}
	found, err := s.Check()
	want(t, "told", codes(found), "odd")
	if err != nil || !strings.Contains(found[0].Message, "4") {
		t.Error(found, err)
	}
}

// Git takes a file away before it writes another: an archive that is not there for a moment,
// or empty, is not begun anew.
func TestAnArchiveThatIsAwayForAMomentIsWaitedFor(t *testing.T) {
	for _, empty := range []bool{false, true} {
		dir := folder(t)
		s := open(t, dir, at(start))
		for _, id := range []string{"a", "b", "c"} {
			put(t, s, id, "tea "+id, start)
		}
		update(t, s, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
		path := filepath.Join(dir, "archive.json")
		do(t, os.Rename(path, path+"~"))
		if empty {
			spit(t, dir, "archive.json", "")
		}
		update(t, open(t, dir, at(start)), func(tx *store.Tx) { tx.Archive("b", memory.Archived{}) })
		do(t, os.Rename(path+"~", path))
		update(t, open(t, dir, at(start)), func(tx *store.Tx) { tx.Archive("c", memory.Archived{}) })
		want(t, "archived", archived(read(t, open(t, dir, at(start))).Archive()), "forgotten:a=tea a forgotten:b=tea b forgotten:c=tea c")
	}
}
