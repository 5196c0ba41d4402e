package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"plastic/memory"
	"plastic/store"
)

// What lies in .plastic/ is not synced, so a power cut may leave it full of zeros or half
// written. Whatever it holds then, the memory is read and written on.
func TestWhatStandsInTheOwnFolderIsNoObstacle(t *testing.T) {
	damages := map[string]func(whole string) string{
		"nothing": func(string) string { return "" },
		"zeros":   func(whole string) string { return string(make([]byte, max(len(whole), 100))) },
		"noise":   func(string) string { return "\x81\x00{\"a\":[\n\xff}\n,,\n{\"id\":" },
		"a half":  func(whole string) string { return whole[:len(whole)/2] },
		"twice":   func(whole string) string { return whole + whole },
	}
	for how, damage := range damages {
		dir := folder(t)
		s := open(t, dir, at(start))
		put(t, s, "a", "tea", start)
		put(t, s, "b", "cat", start)
		update(t, s, func(tx *store.Tx) { tx.Archive("b", memory.Archived{}) })
		do(t, s.Rehearse([]string{"a"}, start))
		do(t, s.Close())
		files, err := filepath.Glob(filepath.Join(dir, ".plastic", "*"))
		if err != nil || len(files) < 3 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			do(t, os.WriteFile(file, []byte(damage(string(whole))), 0o600))
		}
		s = open(t, dir, at(start))
		want(t, how+": read", told(read(t, s).Memories()), "a=tea")
		put(t, s, "c", "owl", start)
		other := open(t, dir, at(start))
		want(t, how+": written on", told(read(t, other).Memories()), "a=tea c=owl")
		want(t, how+": the archive", archived(read(t, other).Archive()), "forgotten:b=cat")
		if m, _ := read(t, other).Get("a"); m.RecallCount != 1 {
			t.Errorf("%s: the recall is lost", how)
		}
	}
}

// The last good copy may be damaged beside a damaged memory.json: what either still has serves.
func TestADamagedCopyBesideADamagedFile(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	put(t, s, "c", "owl", start)
	do(t, s.Close())
	line := func(id, content string) string {
		return `{"id":"` + id + `","content":"` + content + `","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}`
	}
	spit(t, dir, "memory.json", `{"version":1,"memories":[`+"\n "+line("a", "tea")+"\n"+`,{"id":"b","content":"ca`)
	spit(t, filepath.Join(dir, ".plastic"), "last.json", "\x00\x00\x00\n,"+line("b", "cat")+"\n,{\"id\":\"c\",\"cont")
	other := open(t, dir, at(start))
	want(t, "served", told(read(t, other).Memories()), "a=tea b=cat")
	put(t, other, "d", "fox", start)
	want(t, "written on", told(read(t, open(t, dir, at(start))).Memories()), "a=tea b=cat d=fox")
}
