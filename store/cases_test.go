package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

const day = 24 * time.Hour

// Reports from the field: damaged and odd files. Each row is one file as it is
// found, with what must be read from it, what is told about it, and what the file
// is after "x" was remembered.
func TestDamagedAndOddFiles(t *testing.T) {
	old := `{"version":1,"memories":[
 {"id":"a","content":"tea","kind":"fact","importance":0.5,"createdAt":"2026-01-01T00:00:00Z"}
,{"id":"b","content":"cat","kind":"fact","importance":0.5,"createdAt":"2026-01-02T00:00:00Z"}
]}
`
	rows := []struct {
		name    string
		history bool // the folder held a and b before
		file    string
		reads   string
		codes   string
		after   string // the ids in the file after x was put; "-": the file is as it was
		copies  int
	}{
		{"014 trailing comma and comment", false, `{"version":1,"memories":[{"id":"a","text":"tea"},{"id":"b","text":"cat"},]} // mine`, "a=tea b=cat", "", "a b x", 0},
		{"014 comments between", false, "{\"version\":1,\n// all of it\n\"memories\":[\n/* one */ {\"id\":\"a\",\"text\":\"tea\", // hot\n},\n]}", "a=tea", "", "a x", 0},
		{"016 odd entries", false, `{"version":1,"memories":["note to self",null,42,{"id":"a","text":"tea"},{"text":"no id"}]}`, "a=tea hezfzdrk=no id", "odd", "", 0},
		{"018 zero bytes with a history", true, "", "a=tea b=cat", "missing", "a b x", 0},
		{"018 one newline with a history", true, "\n", "a=tea b=cat", "missing", "a b x", 0},
		{"018 zero bytes in a new folder", false, "", "", "", "x", 0},
		{"018 one newline in a new folder", false, "\n", "", "", "x", 0},
		{"007 NUL bytes", true, strings.Repeat("\x00", 100), "a=tea b=cat", "corrupt", "a b x", 1},
		{"020 cut off", true, `{"version":1,"mem`, "a=tea b=cat", "corrupt", "a b x", 1},
		{"020 cut off without a history", false, `{"version":1,"mem`, "", "corrupt", "x", 1},
		{"020 cut off inside a line", true, old[:len(old)-40], "a=tea b=cat", "corrupt", "a b x", 1},
		{"020 one line is broken", true, strings.Replace(old, `"cat","kind"`, `"cat,kind"`, 1), "a=tea b=cat", "corrupt", "a b x", 1},
		{"020 a bracket is missing", true, strings.Replace(old, "]}\n", "", 1) + `,{"id":"c","content":"dog","x":[1,2` + "\n" + `,{"id":"d","content":"owl"}` + "\n]}\n", "a=tea b=cat d=owl", "corrupt", "a b d x", 1},
		{"020 text after the end", true, old + `,{"id":"c","content":"dog","createdAt":"2026-01-03T00:00:00Z"}` + "\n", "a=tea b=cat c=dog", "corrupt", "a b c x", 1},
		{"020 no list in it", true, `{"foo":1}`, "a=tea b=cat", "corrupt odd", "", 1},
		{"020 broken and pretty", false, "{\n \"memories\": [\n  {\n   \"id\": \"a\",\n   \"text\": \"tea\"\n  },\n  {\n   \"id\": \"b\n  }\n ]\n}\n", "a=tea", "corrupt", "a x", 1},
		{"022 one id twice", false, `{"version":1,"memories":[{"id":"a","text":"likes tea"},{"id":"a","text":"has a cat"}]}`, "a=likes tea xq533yb2=has a cat", "duplicate", "a xq533yb2 x", 0},
		{"022 one id at two times", false, `{"version":1,"memories":[{"id":"a","text":"has a cat","createdAt":"2026-01-02"},{"id":"a","text":"likes tea","createdAt":"2026-01-01"}]}`, "a=likes tea avkbqxhr=has a cat", "duplicate", "a avkbqxhr x", 0},
		{"022 the same line twice", false, `{"version":1,"memories":[{"id":"a","text":"tea"},{"id":"a","text":"tea"}]}`, "a=tea", "", "a x", 0},
		{"024 a newer version", false, `{"version":99,"links":[1],"memories":[{"id":"a","text":"tea","mood":"calm"}]}`, "a=tea", "newer", "-", 0},
		{"026 half an emoji and bytes", false, `{"version":1,"memories":[{"id":"a","text":"fox \ud83e tail"},{"id":"b","text":"x` + "\xff\xfe" + `"}]}`, "a=fox \uFFFD tail b=x\uFFFD", "corrupt", "a b x", 1},
		{"154 server-memory", false, `{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}` + "\n" + `{"type":"relation","from":"Ada","to":"B","relationType":"knows"}` + "\n", "", "foreign", "-", 0},
		{"a bare array", false, `[{"id":"a","text":"tea"}]`, "a=tea", "", "a x", 0},
		{"one memory a line", false, `{"id":"a","text":"tea"}` + "\n" + `{"id":"b","text":"cat"}` + "\n", "a=tea b=cat", "", "a b x", 0},
		{"a byte order mark", false, "\ufeff" + `{"memories":[{"id":"a","text":"tea"}]}`, "a=tea", "", "a x", 0},
		{"commas missing and doubled", false, "{\"version\":1,\"memories\":[\n {\"id\":\"a\",\"content\":\"tea\"}\n {\"id\":\"b\",\"content\":\"cat\"}\n,,{\"id\":\"c\",\"content\":\"owl\"}\n]}\n", "a=tea b=cat c=owl", "", "a b c x", 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			dir := folder(t)
			now := time.Now()
			if r.history {
				s := open(t, dir, at(now))
				put(t, s, "a", "tea", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
				put(t, s, "b", "cat", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
			}
			spit(t, dir, "memory.json", r.file)
			aged(t, dir, "memory.json", time.Hour)
			told1 := 0
			s := open(t, dir, store.Options{Now: func() time.Time { return now }, Notice: func(store.Problem) { told1++ }})
			st := read(t, s)
			want(t, "read", told(st.Memories()), r.reads)
			want(t, "problems", codes(st.Problems()), r.codes)
			for _, m := range st.Memories() {
				if got, ok := st.Get(m.ID); !ok || got.Content != m.Content {
					t.Errorf("Get(%s) = %+v, %v", m.ID, got, ok)
				}
			}
			read(t, s)
			if told1 != len(st.Problems()) {
				t.Errorf("%d problems were told %d times", len(st.Problems()), told1)
			}
			_, err := s.Update(ctx, func(tx *store.Tx) error {
				tx.Put(memory.Memory{ID: "x", Content: "new", CreatedAt: now.Add(day)})
				return nil
			})
			if r.after == "-" {
				if !errors.Is(err, memory.ErrReadOnly) {
					t.Error(err)
				}
				want(t, "file", slurp(t, dir, "memory.json"), r.file)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			again := open(t, dir, store.Options{})
			st = read(t, again)
			want(t, "read again", told(st.Memories()), strings.TrimSpace(r.reads+" x=new"))
			if r.after != "" {
				var ids []string
				for _, m := range st.Memories() {
					ids = append(ids, m.ID)
				}
				want(t, "ids", strings.Join(ids, " "), r.after)
			}
			copies, _ := filepath.Glob(filepath.Join(dir, "memory.json.corrupt-*"))
			if len(copies) != r.copies {
				t.Errorf("%d copies of the damaged file", len(copies))
			}
			if r.copies > 0 {
				want(t, "copy", slurp(t, "", copies[0]), r.file)
			}
			if r.name[:3] == "016" {
				for _, odd := range []string{"\n,\"note to self\"\n", "\n,null\n", "\n,42\n"} {
					if !strings.Contains(slurp(t, dir, "memory.json"), odd) {
						t.Errorf("%q is not kept", odd)
					}
				}
			}
		})
	}
}

func TestFixSettlesWhatCheckFinds(t *testing.T) {
	for _, file := range []string{
		`{"version":1,"memories":["note",{"id":"a","text":"tea"},{"id":"a","text":"cat"}]}`,
		`{"version":1,"memories":[{"id":"a","text":"tea"},{"id":"b`,
		"{\"version\":1,\"memories\":[\n<<<<<<< HEAD\n {\"id\":\"a\",\"text\":\"tea\"}\n=======\n {\"id\":\"b\",\"text\":\"cat\"}\n>>>>>>> origin/main\n]}\n",
	} {
		dir := folder(t)
		spit(t, dir, "memory.json", file)
		spit(t, dir, ".memory.json123", "left over")
		spit(t, dir, "memory.json.tmp123", "a stranger's")
		s := open(t, dir, store.Options{})
		before := told(read(t, s).Memories())
		found, err := s.Check()
		if err != nil || len(found) < 2 {
			t.Error(found, err)
		}
		fixed, err := s.Fix(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range fixed {
			if !p.Fixed {
				t.Errorf("not fixed: %+v", p)
			}
		}
		left, err := s.Check()
		if err != nil || len(left) > 0 {
			t.Errorf("left: %+v %v", left, err)
		}
		want(t, "memories", told(read(t, open(t, dir, store.Options{})).Memories()), before)
		copies, _ := filepath.Glob(filepath.Join(dir, "memory.json.corrupt-*"))
		if len(copies) != 1 || slurp(t, "", copies[0]) != file {
			t.Error(copies)
		}
		want(t, "a stranger's file", slurp(t, dir, "memory.json.tmp123"), "a stranger's")
		want(t, "a left-over file", slurp(t, dir, ".memory.json123"), "")
	}
}

func TestCase003AnEditOfTheFileIsNeverWipedOut(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	read(t, s)
	spit(t, dir, "memory.json", strings.Replace(slurp(t, dir, "memory.json"), "\n]}", "\n,{\"id\":\"x9\",\"text\":\"sister lives in Oslo\"}\n]}", 1))
	if err := s.Rehearse([]string{"a"}, start); err != nil {
		t.Fatal(err)
	}
	st := put(t, s, "b", "cat", start.Add(time.Hour))
	if m, ok := st.Get("x9"); !ok || m.Content != "sister lives in Oslo" {
		t.Error(m, ok)
	}
	if !strings.Contains(slurp(t, dir, "memory.json"), "Oslo") {
		t.Error(slurp(t, dir, "memory.json"))
	}
	if m, _ := st.Get("a"); m.RecallCount != 1 {
		t.Errorf("%+v", m)
	}
}

func TestCase009NoLeftLockIsAnObstacle(t *testing.T) {
	dir := folder(t)
	if err := os.MkdirAll(filepath.Join(dir, ".plastic"), 0o755); err != nil {
		t.Fatal(err)
	}
	spit(t, dir, ".plastic/lock", "4711")
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	dir = folder(t)
	if err := os.MkdirAll(filepath.Join(dir, ".plastic", "lock"), 0o755); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, store.Options{})
	_, err := s.Update(ctx, func(tx *store.Tx) error { tx.Put(memory.Memory{ID: "a", Content: "x"}); return nil })
	if err == nil || !strings.Contains(err.Error(), "is a folder where the lock file should be; remove it") {
		t.Error(err)
	}
	found, _ := s.Check()
	want(t, "check", codes(found), "lock")
}

func TestAWriterThatWaitsTooLongIsBusy(t *testing.T) {
	dir := folder(t)
	a := open(t, dir, store.Options{})
	b := open(t, dir, store.Options{LockWait: time.Millisecond})
	_, err := a.Update(ctx, func(tx *store.Tx) error {
		if _, err := b.Update(ctx, func(tx *store.Tx) error { return nil }); !errors.Is(err, memory.ErrBusy) {
			t.Error(err)
		}
		if err := b.Rehearse([]string{"a"}, start); !errors.Is(err, memory.ErrBusy) {
			t.Error(err)
		}
		stop, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := a.Update(stop, func(tx *store.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestADeletedOwnFolderDoesNotGiveTwoWriters(t *testing.T) {
	dir := folder(t)
	a, b := open(t, dir, store.Options{}), open(t, dir, store.Options{})
	calls := 0
	_, err := a.Update(ctx, func(tx *store.Tx) error {
		if calls++; calls == 1 {
			if err := os.RemoveAll(filepath.Join(dir, ".plastic")); err != nil {
				t.Fatal(err)
			}
			put(t, b, "b", "the other writer's", start)
		}
		tx.Put(memory.Memory{ID: "a", Content: "tea", CreatedAt: start})
		return nil
	})
	if err != nil || calls != 2 {
		t.Error(err, calls)
	}
	want(t, "memories", told(read(t, a).Memories()), "a=tea b=the other writer's")
}

func TestCase042BothSidesOfAConflictWorkAndTheFileWaits(t *testing.T) {
	for _, style := range []string{"", "||||||| 1234567\n ,{\"id\":\"old\",\"content\":\"of the base\"}\n"} {
		dir := folder(t)
		s := open(t, dir, store.Options{})
		put(t, s, "a", "tea", start)
		merged := slurp(t, dir, "memory.json")
		conflict := strings.Replace(merged, "\n]}", "\n<<<<<<< HEAD\n,{\"id\":\"m\",\"content\":\"ours\",\"createdAt\":\"2026-03-01T09:00:00Z\",\"updatedAt\":\"2026-03-01T10:00:00Z\"}\n"+style+
			"=======\n,{\"id\":\"m\",\"content\":\"theirs\",\"createdAt\":\"2026-03-01T09:00:00Z\",\"updatedAt\":\"2026-03-01T11:00:00Z\",\"recallCount\":2}\n,{\"id\":\"n\",\"content\":\"new there\",\"createdAt\":\"2026-03-01T09:30:00Z\"}\n>>>>>>> origin/main\n]}", 1)
		spit(t, dir, "memory.json", conflict)
		st := read(t, s)
		want(t, "both sides", told(st.Memories()), "a=tea m=theirs n=new there")
		want(t, "problems", codes(st.Problems()), "conflict")
		put(t, s, "x", "writ", start.Add(2*time.Hour))
		put(t, s, "x", "written meanwhile", start.Add(2*time.Hour))
		want(t, "the file", slurp(t, dir, "memory.json"), conflict)
		st = read(t, open(t, dir, store.Options{}))
		want(t, "with the journal", told(st.Memories()), "a=tea m=theirs n=new there x=written meanwhile")
		if _, err := s.Update(ctx, func(tx *store.Tx) error { tx.Purge("a"); return nil }); !errors.Is(err, memory.ErrCorrupt) {
			t.Error(err)
		}
		if ok, err := s.Checkpoint(ctx); ok || err != nil {
			t.Error(ok, err)
		}
		// The markers go by hand; the next write goes on.
		var lines []string
		for l := range strings.Lines(conflict) {
			if !strings.ContainsAny(l[:1], "<=>|") && !strings.Contains(l, "of the base") {
				lines = append(lines, l)
			}
		}
		spit(t, dir, "memory.json", strings.Join(lines, ""))
		st = put(t, s, "y", "after", start.Add(3*time.Hour))
		want(t, "settled", told(st.Memories())+"|"+archived(st.Archive()), "a=tea m=theirs n=new there x=written meanwhile y=after|version:m=ours")
		want(t, "problems", codes(st.Problems()), "")
		want(t, "journal", slurp(t, dir, "memory.journal"), "")
	}
}

func TestCase044AFileThatIsGoneForAMomentIsNoRemoval(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	file := slurp(t, dir, "memory.json")
	os.Remove(filepath.Join(dir, "memory.json"))
	st := read(t, s)
	want(t, "meanwhile", told(st.Memories())+"|"+codes(st.Problems()), "a=tea b=cat|missing")
	put(t, s, "c", "owl", start)
	if _, err := os.Stat(filepath.Join(dir, "memory.json")); err == nil {
		t.Error("the file was written at once")
	}
	spit(t, dir, "memory.json", file) // the checkout goes on
	st = put(t, s, "d", "fox", start)
	want(t, "after", told(st.Memories())+"|"+archived(st.Archive()), "a=tea b=cat c=owl d=fox|")
}

func TestCase046AForgottenMemoryStaysForgotten(t *testing.T) {
	dir := folder(t)
	now := start.Add(10 * day)
	s := open(t, dir, store.Options{Now: func() time.Time { return now }})
	for _, id := range []string{"m1", "m2", "m3"} {
		put(t, s, id, id+" tea", start)
	}
	file := slurp(t, dir, "memory.json")
	update(t, s, func(tx *store.Tx) {
		tx.Archive("m2", memory.Archived{})
		tx.Archive("m3", memory.Archived{As: memory.Pruned})
	})
	// The other clone recalled m2, and never knew that it was forgotten.
	spit(t, dir, "memory.json", strings.Replace(file, `2 tea","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"`, `2 tea","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z","recallCount":9`, 1))
	st := read(t, open(t, dir, store.Options{}))
	want(t, "after the merge", told(st.Memories())+"|"+archived(st.Archive()), "m1=m1 tea m3=m3 tea|forgotten:m2=m2 tea")
	now = now.Add(day)
	put(t, s, "x", "new", now)
	if strings.Contains(slurp(t, dir, "memory.json"), "m2") {
		t.Error(slurp(t, dir, "memory.json"))
	}
	// Edited there later, it lives.
	spit(t, dir, "memory.json", strings.Replace(file, `2 tea","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"`, `2 green tea","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z","updatedAt":"2026-03-11T08:00:00Z"`, 1))
	st = read(t, open(t, dir, store.Options{}))
	if m, ok := st.Get("m2"); !ok || m.Content != "m2 green tea" {
		t.Error(m, ok)
	}
	// Restored here, it lives although the other clone's tombstone comes back.
	grave := slurp(t, dir, "archive.json")
	update(t, s, func(tx *store.Tx) { tx.Restore("m2") })
	mine := slurp(t, dir, "archive.json")
	line := strings.Split(grave, "\n")[1]
	spit(t, dir, "archive.json", strings.Replace(mine, "[\n", "[\n"+line+"\n", 1))
	st = read(t, open(t, dir, store.Options{}))
	if _, ok := st.Get("m2"); !ok {
		t.Error("the mark does not hold: " + slurp(t, dir, "archive.json"))
	}
}

func TestCase048NoChangeNoDiff(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	for i, text := range []string{"a<b & c>d", "«да»", "日本"} {
		put(t, s, string(rune('a'+i)), text, start.Add(time.Duration(i)*time.Hour))
	}
	before := slurp(t, dir, "memory.json")
	fi, _ := os.Stat(filepath.Join(dir, "memory.json"))
	st := update(t, s, func(tx *store.Tx) { m, _ := tx.Get("a"); tx.Put(m) })
	if ok, err := s.Checkpoint(ctx); ok || err != nil {
		t.Error(ok, err)
	}
	fi2, _ := os.Stat(filepath.Join(dir, "memory.json"))
	if !os.SameFile(fi, fi2) || slurp(t, dir, "memory.json") != before || st.FileKey() != read(t, s).FileKey() {
		t.Error("written without a change")
	}
	if strings.Contains(before, `\u`) || !strings.HasSuffix(before, "]}\n") {
		t.Error(before)
	}
}

func TestCase052LineEndsAreKept(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	update(t, s, func(tx *store.Tx) {
		tx.Archive("b", memory.Archived{})
		tx.Night(map[string]string{"date": "2026-02-28"})
	})
	for _, name := range []string{"memory.json", "archive.json", "nights.jsonl"} {
		spit(t, dir, name, strings.ReplaceAll(slurp(t, dir, name), "\n", "\r\n"))
	}
	put(t, s, "c", "owl", start)
	update(t, s, func(tx *store.Tx) {
		tx.Archive("a", memory.Archived{})
		tx.Night(map[string]string{"date": "2026-03-01"})
	})
	put(t, s, "d", "fox", start)
	for _, name := range []string{"memory.json", "archive.json", "nights.jsonl"} {
		text := slurp(t, dir, name)
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") || strings.Count(text, "\n") < 2 {
			t.Errorf("%s: %q", name, text)
		}
	}
	want(t, "memories", told(read(t, s).Memories()), "c=owl d=fox")
}

func TestUnknownFieldsSurvive(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "memory.json", `{"version":1,"links": [1, 2],"memories":[{"id":"a","text":"tea","mood":"calm","createdAt":"2026-01-01"}],"after":{"x":"y"}}`)
	s := open(t, dir, store.Options{})
	put(t, s, "b", "cat", start)
	put(t, s, "c", "owl", start)
	want(t, "file", slurp(t, dir, "memory.json"), `{"version":1,"links":[1,2],"after":{"x":"y"},"memories":[
 {"id":"a","content":"tea","kind":"fact","importance":0.5,"createdAt":"2026-01-01T00:00:00Z","mood":"calm"}
,{"id":"b","content":"cat","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}
,{"id":"c","content":"owl","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}
]}
`)
}

func TestWhatWasGivenStays(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "memory.json", `{"memories":[{"text":"no id"},{"id":"bad id!","text":"odd id","createdAt":"soon"}]}`)
	aged(t, dir, "memory.json", 100*day)
	s := open(t, dir, store.Options{})
	first := read(t, s).Memories()
	again := read(t, open(t, dir, store.Options{})).Memories()
	put(t, s, "x", "new", time.Now())
	last := read(t, open(t, dir, store.Options{})).Memories()
	for i := range first {
		if first[i].ID != again[i].ID || first[i].ID != last[i].ID || !first[i].CreatedAt.Equal(last[i].CreatedAt) || first[i].CreatedAt.IsZero() {
			t.Errorf("%+v %+v %+v", first[i], again[i], last[i])
		}
		if first[i].Content == "odd id" && (string(last[i].Extra["idWas"]) != `"bad id!"` || string(last[i].Extra["createdAtWas"]) != `"soon"`) {
			t.Errorf("%+v", last[i])
		}
	}
}

func TestCase042NightsOfBothSidesAreRead(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "a", "tea", start)
	night := func(date, who string) string { return `{"date":"` + date + `","who":"` + who + `"}` + "\n" }
	spit(t, dir, "nights.jsonl", night("2026-02-01", "base")+"<<<<<<< HEAD\n"+night("2026-02-02", "ours")+"||||||| 123\n"+night("2026-02-02", "of the base")+"=======\n"+night("2026-02-02", "theirs")+">>>>>>> origin/main\n")
	nights, err := s.Nights()
	if err != nil || len(nights) != 3 {
		t.Errorf("%s %v", nights, err)
	}
	found, err := s.Check()
	want(t, "told", codes(found), "conflict")
	if fixed, ferr := s.Fix(ctx); err != nil || ferr != nil || len(fixed) != 1 || !fixed[0].Fixed {
		t.Error(fixed, err, ferr)
	}
	want(t, "merged", slurp(t, dir, "nights.jsonl"), night("2026-02-01", "base")+night("2026-02-02", "ours")+night("2026-02-02", "theirs"))
}
