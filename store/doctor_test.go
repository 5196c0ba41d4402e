package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// doctored is a folder with a memory that is there, one that was forgotten, and a night.
func doctored(t *testing.T) (dir string, s *store.Store) {
	t.Helper()
	dir = folder(t)
	now := start.Add(time.Hour)
	s = open(t, dir, store.Options{Now: func() time.Time { return now }})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	update(t, s, func(tx *store.Tx) {
		tx.Archive("b", memory.Archived{As: memory.Forgotten, ArchivedAt: now})
		tx.Night(map[string]string{"date": "2026-02-28"})
	})
	return dir, s
}

func told1(t *testing.T, s *store.Store) string {
	t.Helper()
	found, err := s.Check()
	if err != nil {
		t.Fatal(err)
	}
	return codes(found)
}

func mended(t *testing.T, s *store.Store) {
	t.Helper()
	if _, err := s.Fix(ctx); err != nil {
		t.Fatal(err)
	}
	want(t, "after Fix", told1(t, s), "")
}

// A damaged last copy was an end of the process at the next write by another hand.
func TestADamagedLastCopyEndsNothingAndIsMadeAnew(t *testing.T) {
	for _, text := range []string{"", "\x00\x00", `{"version":1,"memories":[` + "\n" + ` {"id":"a","cont`} {
		dir, s := doctored(t)
		good := slurp(t, dir, ".plastic/last.json")
		spit(t, dir, ".plastic/last.json", text)
		want(t, "told", told1(t, s), "last_copy")
		spit(t, dir, "memory.json", strings.Replace(slurp(t, dir, "memory.json"), "tea", "green tea", 1)) // by hand
		put(t, open(t, dir, store.Options{}), "c", "owl", start)
		spit(t, dir, ".plastic/last.json", text)
		s = open(t, dir, store.Options{})
		want(t, "told again", told1(t, s), "last_copy")
		mended(t, s)
		if now := slurp(t, dir, ".plastic/last.json"); now != slurp(t, dir, "memory.json") || now == good {
			t.Errorf("the copy is %q", now)
		}
	}
}

// What only its own file tells is missed when that is gone, until somebody says that it
// is to be so: the next write, which begins it anew, does not hide it.
func TestAMissingOrEmptyArchiveAndMissingNightsAreToldUntilSettled(t *testing.T) {
	for _, name := range []string{"archive.json", "nights.jsonl"} {
		for _, how := range []string{"missing", "empty"} {
			dir, s := doctored(t)
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			if how == "empty" {
				spit(t, dir, name, "")
			}
			want(t, name+" "+how, told1(t, s), "missing")
			s = open(t, dir, store.Options{})
			update(t, s, func(tx *store.Tx) {
				tx.Archive("a", memory.Archived{As: memory.Forgotten, ArchivedAt: start})
				tx.Night(map[string]string{"date": "2026-03-01"})
			})
			want(t, name+" "+how+", begun anew", told1(t, open(t, dir, store.Options{})), "missing")
			mended(t, open(t, dir, store.Options{}))
		}
	}
}

// An entry of the archive whose time can not be read was the first to expire.
func TestAnArchivedTextWithoutATimeDoesNotExpireAtOnce(t *testing.T) {
	dir, _ := doctored(t)
	spit(t, dir, "archive.json", strings.Replace(slurp(t, dir, "archive.json"), `"archivedAt":"2026-03-01T09:00:00Z"`, `"archivedAt":"last week"`, 1))
	aged(t, dir, "archive.json", time.Hour)
	s := open(t, dir, store.Options{})
	want(t, "told", told1(t, s), "odd_field")
	update(t, s, func(tx *store.Tx) { tx.ExpireArchive(30 * day) })
	want(t, "after a night", archived(read(t, open(t, dir, store.Options{})).Archive()), "forgotten:b=cat")
	mended(t, open(t, dir, store.Options{}))
	if text := slurp(t, dir, "archive.json"); !strings.Contains(text, `"archivedAtWas":"last week"`) {
		t.Error(text)
	}
}

// Zeros that a power cut left behind the journal are kept when the next write cuts them
// off; the beginning of a line that nobody acknowledged is not.
func TestAStrangeEndOfTheJournalIsKept(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{Delay: time.Hour})
	put(t, s, "a", "tea", start)
	for tail, kept := range map[string]bool{"\x00\x00\x00": true, "not of it": true, `{"at":"2026-03-01T08:00:00Z","ops":[{"pu`: false, "{": false} {
		os.Remove(filepath.Join(dir, "memory.journal.corrupt-lines"))
		spit(t, dir, "memory.journal", slurp(t, dir, "memory.journal")+tail)
		put(t, s, "b", "cat "+tail[:1], start)
		text, _ := os.ReadFile(filepath.Join(dir, "memory.journal.corrupt-lines"))
		if kept != strings.Contains(string(text), tail) {
			t.Errorf("behind %q kept %q", tail, text)
		}
	}
}

// Such an entry would keep a memory out that was restored since.
func TestTimesOfTheArchiveThatHaveNotComeYetAreTold(t *testing.T) {
	dir, _ := doctored(t)
	for _, name := range []string{"memory.json", "archive.json"} {
		spit(t, dir, name, strings.ReplaceAll(slurp(t, dir, name), `"2026-03-01T0`, `"2126-03-01T0`))
	}
	found, err := open(t, dir, store.Options{Now: func() time.Time { return start }}).Check()
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Message, "1 entries of archive.json") {
		t.Error(found, err)
	}
}
