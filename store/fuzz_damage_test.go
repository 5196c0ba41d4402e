package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// damaged gives text with two places overwritten: the bytes at each place go, as many
// as its junk has, or half a line where it has none, and the junk stands there.
func damaged(text string, a, b uint16, junkA, junkB string) string {
	for _, d := range []struct {
		at   uint16
		junk string
	}{{a, junkA}, {b, junkB}} {
		at := int(d.at) % len(text)
		gone := min(len(text)-at, len(d.junk))
		if d.junk == "" {
			gone = min(len(text)-at, 40)
		}
		text = text[:at] + d.junk + text[at+gone:]
	}
	return text
}

// wholeLines gives the lines of list that stand whole and alone in text.
func wholeLines(text string, list []string) (whole []string) {
	have := strings.Split(text, "\n")
	for _, l := range list {
		if slices.Contains(have, " "+l) || slices.Contains(have, ","+l) {
			whole = append(whole, l)
		}
	}
	return whole
}

// claims reports whether junk does what may take a whole line along: a comment, or the
// common ancestor in a conflict, or a second memory of an id.
func claims(junk string) bool {
	return strings.Contains(junk, "/") || strings.Contains(junk, "|||||||") || strings.Contains(junk, "id") || strings.Contains(junk, `\u`)
}

var damages = []struct {
	a, b         uint16
	junkA, junkB string
}{
	{40, 90, "", ""}, {0, 400, "x", "\x00\x00\x00"}, {33, 34, "[", "{"}, {33, 500, "\n [\n", "\n]\n"}, {33, 500, "\n {\"a\":[\n", "\n]}\n"}, {100, 210, "\n<<<<<<< a\n", "\n=======\n>>>>>>> b\n"},
	{60, 130, "\"", "\""}, {60, 130, "\\", "\r\n"}, {33, 34, "]}", "]}"}, {2, 3, "\xff", "\ufeff"}, {33, 300, "\n \"\n", "\n,\"x\":[\n"}, {20, 21, "\"memories\":{", ""},
}

// swallowing is a member of n bytes that takes the lines behind it in.
func swallowing(n int) string { return fmt.Sprintf("%-*s", n, `"x":[`) }

// The law: of a damaged memory.json every line that is still whole goes on working.
func FuzzDamagedMemoryFile(f *testing.F) {
	for _, d := range damages {
		f.Add(d.a, d.b, d.junkA, d.junkB)
	}
	var lines []string
	for i := range 6 {
		lines = append(lines, line(memory.Memory{ID: fmt.Sprintf("m%d", i), Content: fmt.Sprintf("memory %d, %s", i, []string{"大肥魚", "кошка", "{\"tea\"}", "a, b", "[x]", "\\"}[i]), Importance: 0.5, CreatedAt: start.Add(time.Duration(i) * time.Hour)}))
	}
	whole := "{\"version\":1,\"memories\":[\n " + strings.Join(lines, "\n,") + "\n]}\n"
	f.Add(uint16(strings.Index(whole, "\"createdAt\"")), uint16(0), swallowing(len(`"createdAt":"2026-03-01T08:00:00Z"}`)), "{")
	f.Fuzz(func(t *testing.T, a, b uint16, junkA, junkB string) {
		if claims(junkA) || claims(junkB) {
			return
		}
		text := damaged(whole, a, b, junkA, junkB)
		dir := t.TempDir()
		spit(t, dir, "memory.json", text)
		aged(t, dir, "memory.json", time.Hour)
		s, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		st := read(t, s)
		for _, l := range wholeLines(text, lines) {
			m, err := memory.ParseJSON([]byte(l))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(st.Memories(), func(o memory.Memory) bool {
				return o.Content == m.Content || o.ID == m.ID && o.CreatedAt.Equal(m.CreatedAt) // two versions of one
			}) {
				t.Fatalf("%s is lost, there is %s in\n%s", l, told(st.Memories()), text)
			}
		}
	})
}

// The law: of a damaged archive.json every entry whose line is still whole is there.
func FuzzDamagedArchive(f *testing.F) {
	for _, d := range damages {
		f.Add(d.a, d.b, d.junkA, d.junkB)
	}
	var lines []string
	for i := range 6 {
		e := memory.Archived{Memory: memory.Memory{ID: fmt.Sprintf("m%d", i), Content: fmt.Sprintf("memory %d", i), Importance: 0.5, CreatedAt: start.Add(-time.Hour)}, ArchivedAt: start.Add(-time.Duration(i) * time.Minute), As: memory.Pruned}
		lines = append(lines, string(memory.AppendArchived(nil, &e)))
	}
	whole := "{\"version\":1,\"archive\":[\n " + strings.Join(lines, "\n,") + "\n]}\n"
	f.Add(uint16(strings.Index(whole, "\"as\"")), uint16(0), swallowing(len(`"as":"pruned"}`)), "{")
	f.Fuzz(func(t *testing.T, a, b uint16, junkA, junkB string) {
		if claims(junkA) || claims(junkB) || strings.Contains(junkA+junkB, "memory") {
			return
		}
		text := damaged(whole, a, b, junkA, junkB)
		dir := t.TempDir()
		spit(t, dir, "memory.json", "{\"version\":1,\"memories\":[\n]}\n")
		spit(t, dir, "archive.json", text)
		aged(t, dir, "archive.json", time.Hour)
		s, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		got := archived(read(t, s).Archive())
		for _, l := range wholeLines(text, lines) {
			e, err := memory.ParseArchived([]byte(l))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, archived([]memory.Archived{e})) {
				t.Fatalf("%s is lost, there is %s in\n%s", l, got, text)
			}
		}
	})
}

// The law: whatever stands in archive.json, reading it does not fail or change it; what
// was read is there after a memory was forgotten and the file was written, and that is
// JSON.
func FuzzArchiveFile(f *testing.F) {
	f.Add("{\"version\":1,\"archive\":[\n {\"memory\":{\"id\":\"a\",\"content\":\"tea\"},\"archivedAt\":\"2026-02-01T00:00:00Z\",\"as\":\"forgotten\"}\n,{\"id\":\"b\",\"restoredAt\":5}\n,7\n]}\n")
	f.Add(`{"archive":[{"memory":{"id":"x","content":"a"},"as":"version"},{"memory":{"id":"x","content":"b"},"as":"version"}`)
	f.Add("[{\"memory\":{\"id\":\"zz.new\",\"content\":\"cup\"},\"as\":\"pruned\",\"archivedAt\":\"2026-02-28\"}]")
	f.Add("{\"archive\":[\n<<<<<<< a\n {\"memory\":{\"id\":\"q\",\"content\":\"x\"},\"as\":\"pruned\"}\n=======\n>>>>>>> b\n]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		spit(t, dir, "memory.json", "{\"version\":1,\"memories\":[\n]}\n")
		spit(t, dir, "archive.json", text)
		aged(t, dir, "archive.json", time.Hour)
		s, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		st := read(t, s)
		before := counted(st.Archive())
		if slurp(t, dir, "archive.json") != text {
			t.Fatal("reading changed the file")
		}
		if st.Writable() != nil {
			return
		}
		put(t, s, "zz.new", "one more", start)
		m, _ := read(t, s).Get("zz.new")
		st = update(t, s, func(tx *store.Tx) {
			tx.Archive("zz.new", memory.Archived{Memory: m, ArchivedAt: start, As: memory.Forgotten})
		})
		if _, err := s.Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		other, err := store.Open(dir, at(start))
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		after := counted(read(t, other).Archive())
		for entry, n := range before {
			if after[entry] == 0 && !strings.Contains(entry, ":zz.new=") {
				t.Fatalf("%q (%d times) is lost, there is %v in\n%s", entry, n, after, slurp(t, dir, "archive.json"))
			}
		}
		if after["forgotten:zz.new=one more"] == 0 {
			t.Fatalf("what was forgotten is not there: %v", after)
		}
		for _, p := range st.Problems() {
			if p.Code == store.CodeConflict {
				return
			}
		}
		if file := slurp(t, dir, "archive.json"); !json.Valid([]byte(file)) {
			t.Fatalf("not JSON: %q", file)
		}
	})
}

// counted counts entries by what they say.
func counted(entries []memory.Archived) map[string]int {
	out := map[string]int{}
	for _, e := range entries {
		out[archived([]memory.Archived{e})]++
	}
	return out
}

// The law: whatever stands in nights.jsonl, each line of it that is an object is told,
// and a night that is written leaves every one of them there.
func FuzzNightsFile(f *testing.F) {
	f.Add("{\"night\":1}\n\n7\n{\"night\":\n{\"a\":1}")
	f.Add("{\"a\":1}\r\n{\"a\":1}\r\n<<<<<<< x\n{\"b\":1}\n=======\n{\"c\":2}\n>>>>>>> y\n")
	f.Add("\ufeff{\"a\":1}\n {\"b\":2} \n,{\"c\":3},\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := folder(t)
		spit(t, dir, "nights.jsonl", text)
		s := open(t, dir, at(start))
		nights := func() (list []string) {
			all, err := s.Nights()
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range all {
				list = append(list, string(n))
			}
			return list
		}
		before := nights()
		if !strings.Contains(text, "|||||||") {
			for l := range strings.Lines(text) {
				if l = strings.TrimSpace(l); strings.HasPrefix(l, "{") && json.Valid([]byte(l)) && !slices.Contains(before, l) {
					t.Fatalf("%q is not told: %q", l, before)
				}
			}
		}
		update(t, s, func(tx *store.Tx) { tx.Night(map[string]string{"date": "2026-03-01"}) })
		if _, err := s.Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		after := nights()
		for _, l := range before {
			if !slices.Contains(after, l) && !strings.Contains(l, "date") && !strings.Contains(l, `\u`) { // it may be too old
				t.Fatalf("%q is lost: %q in %q", l, after, slurp(t, dir, "nights.jsonl"))
			}
		}
		if !slices.Contains(after, `{"date":"2026-03-01"}`) {
			t.Fatalf("the night is not told: %q in %q", after, slurp(t, dir, "nights.jsonl"))
		}
	})
}

// The law: what stands in the files of this machine changes nothing of what is read
// from a memory.json that is whole, and nothing is lost by a write.
func FuzzOwnFiles(f *testing.F) {
	names := []string{"state.json", "seen.json", "last.json", "steps", "guard.json", "turns", "index"}
	f.Add(uint8(0), `{"memory":{"size":5},"nights":true,"unsettled":[{"code":"x"}]}`)
	f.Add(uint8(1), `{"memory":{},"archive":{}}`)
	f.Add(uint8(2), "{\"version\":1,\"memories\":[\n {\"id\":\"a\",\"content\":\"old\"}\n,{\"id\":\"z\",\"content\":\"gone\"}\n]}\n")
	f.Add(uint8(4), "xy{\"writes\":1,\"over\":1}\n")
	f.Add(uint8(4), "ab\n{\"writes\":-1,\"over\":4}\n")
	f.Add(uint8(4), "ab\n{\"writes\":99999999999999999999,\"over\":4}\n")
	f.Add(uint8(5), "{\"done\":[\"a\"]}\n")
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		dir := folder(t)
		name := names[int(which)%len(names)]
		s := open(t, dir, at(start))
		put(t, s, "a", "tea", start)
		put(t, s, "b", "a cup", start.Add(time.Hour))
		if _, err := s.Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		spit(t, dir, ".plastic/"+name, text)
		aged(t, dir, "memory.json", time.Hour)
		other := open(t, dir, at(start))
		want(t, "read", told(read(t, other).Memories()), "a=tea b=a cup")
		put(t, other, "c", "and milk", start.Add(2*time.Hour))
		want(t, "written", told(read(t, other).Memories()), "a=tea b=a cup c=and milk")
		if _, err := other.Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		third := open(t, dir, at(start))
		want(t, "read again", told(read(t, third).Memories()), "a=tea b=a cup c=and milk")
	})
}

// It would take many minutes if every line were looked for an end of it to the last.
func TestADamagedFileIsLookedThroughOnce(t *testing.T) {
	good := "\n {\"id\":\"a\",\"content\":\"tea\"}\n"
	for name, text := range map[string]string{
		"open":    strings.Repeat("{\"a\":[\n", 1<<16),
		"no end":  strings.Repeat("{\"id\":\"a\",\n", 1<<16),
		"comment": strings.Repeat("{/*\n", 1<<16),
		"quotes":  strings.Repeat("{\\\"\n", 1<<16),
		"long":    strings.Repeat("{\"a\":", 1<<19),
		"deep":    strings.Repeat("{", 1<<20),
		"no JSON": strings.Repeat("{\"a\":[\n", 1<<15) + strings.Repeat("]x}\n", 1<<15),
		"hiding":  strings.Repeat("{\"a\":[\n {\"id\":\n", 1<<14) + strings.Repeat("}]}\n", 1<<14),
	} {
		for file, list := range map[string]string{"memory.json": "memories", "archive.json": "archive"} {
			dir := folder(t)
			damaged := "{\"version\":1,\"" + list + "\":[\n" + text + good
			if file == "archive.json" {
				damaged = strings.ReplaceAll(damaged, good, "\n {\"memory\":{\"id\":\"a\",\"content\":\"tea\"},\"as\":\"pruned\"}\n")
			}
			spit(t, dir, file, damaged)
			aged(t, dir, file, time.Hour)
			st := read(t, open(t, dir, at(start)))
			if got := told(st.Memories()) + archived(st.Archive()); !strings.HasSuffix(got, "a=tea") {
				t.Errorf("%s of %s: %q is read", name, file, got)
			}
		}
	}
}

// A pretty-printed file is salvaged by its entries, whatever stands between them.
func TestPrettyPrintedEntriesAreSalvaged(t *testing.T) {
	entry := func(id, odd string) string {
		return "    {\n      \"id\": \"" + id + "\", // {\n      \"content\": \"tea } " + id + "\",\n      \"x\": {\n        \"y\": [1,\n 2]\n      }" + odd + "\n    },\n"
	}
	dir := folder(t)
	spit(t, dir, "memory.json", "{\n  \"version\": 1,\n  \"memories\": [\n"+entry("a", "")+entry("b", ",\n \"open")+entry("c", "")+"    { /* one {\n */ \"id\": \"d\",\n \"content\": \"tea d\" } , {\n \"id\": \"e\", \"content\": \"tea e\"\n }\n"+"    ]]\n{ \"q\": [\n"+entry("f", ""))
	aged(t, dir, "memory.json", time.Hour)
	want(t, "salvaged", told(read(t, open(t, dir, at(start))).Memories()), "a=tea } a c=tea } c d=tea d e=tea e f=tea } f")
}
