package plastic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// kept lists what a folder holds, living or in the archive, by text.
func kept(t *testing.T, b *banktest.Bank) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, m := range b.All() {
		out[m.Content] = true
	}
	gone, err := b.Archive()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range gone.Archive {
		out[e.Memory.Content] = true
	}
	return out
}

// planOf makes a plan of four bytes an operation: what it does, and to which memories.
func planOf(ops []byte, content, kind string, importance float64) string {
	verbs := []string{"merge", "supersede", "rewrite", "split", "derive", "forget", "set", "Merge", ""}
	ids := []string{"cats1", "cats2", "tea1", "tea2", "me", "new1", "new2", "rain", "bus", "heart", "zz", ""}
	plan := plastic.Night{Date: "2026-11-30", DryRun: true, Phases: []plastic.Phase{{Name: "clusters"}}}
	for ; len(ops) >= 4 && len(plan.Phases[0].Ops) < 12; ops = ops[4:] {
		op := plastic.Op{Op: verbs[int(ops[0])%len(verbs)], Content: content, Contents: strings.Split(content, "|"), Why: "x"}
		for _, id := range ops[1 : 2+int(ops[0]/16)%3] {
			op.IDs = append(op.IDs, ids[int(id)%len(ids)])
		}
		if op.Op == "set" {
			op.Kind, op.Importance = memory.Kind(kind), &importance
		}
		plan.Phases[0].Ops = append(plan.Phases[0].Ops, op)
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return "" // no number
	}
	return string(text)
}

// The law: whatever stands in a plan that is applied, no text is lost but to the archive,
// core stays, private stays private, and the night can be undone.
func FuzzAPlanLosesNothing(f *testing.F) {
	f.Add([]byte{16, 0, 1, 0, 17, 2, 3, 0, 2, 7, 0, 0}, "Ann keeps two grey cats, Mia and Tom, in Berlin", "fact", 0.5)
	f.Add([]byte{37, 4, 7, 8, 6, 4, 0, 0, 17, 3, 2, 0}, "x", "", 1e9)
	f.Add([]byte{3, 1, 0, 0, 20, 7, 8, 0, 18, 5, 6, 0, 32, 0, 1, 0, 17, 2, 2, 0}, "Ann keeps cats|in Berlin|", "core", -1.0)
	f.Add([]byte{32, 9, 1, 4, 36, 0, 1, 2, 16, 5, 6, 0, 5, 5, 0, 0}, "Bob drives a yellow tram, and Ann fears for her father's heart", "event", 0.9)
	f.Fuzz(func(t *testing.T, ops []byte, content, kind string, importance float64) {
		text := planOf(ops, content, kind, importance)
		var night plastic.Night
		if text == "" || len(ops) < 4 || len(content) > 500 {
			return
		}
		if err := json.Unmarshal([]byte(text), &night); err != nil {
			t.Fatal(err)
		}
		b := banktest.New(t, "config.yaml", sleepConfig)
		load(t, b, life)
		before := kept(t, b)
		got, err := b.Sleep(t.Context(), plastic.Nightly{Plan: &night})
		if err != nil {
			if after := kept(t, b); len(after) != len(before) {
				t.Fatalf("%v, and %d texts became %d", err, len(before), len(after))
			}
			return
		}
		after := kept(t, b)
		for m := range before {
			if !after[m] {
				t.Fatalf("%q is lost by %s", m, text)
			}
		}
		if m := b.Show("me"); m.Content != "I write to Ann every morning" {
			t.Fatalf("core became %q by %s", m.Content, text)
		}
		for _, m := range b.All() {
			if m.ID == "cats2" && !m.Private {
				t.Fatalf("%+v is private no more by %s", m, text)
			}
		}
		if _, err := b.UndoNight(t.Context(), got.Date, false); err != nil {
			return // nothing was done
		}
		for _, line := range strings.Split(strings.TrimSpace(life), "\n") {
			want, err := memory.ParseJSON([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if m := b.Show(want.ID); m.Content != want.Content || m.Private != want.Private || m.Importance != want.Importance {
				t.Fatalf("%s is %+v after the undo of %s", line, m, text)
			}
		}
	})
}

// The law: whatever stands in nights.jsonl, the nights are told, and undoing one of them
// loses no text.
func FuzzNightsThatOthersWrote(f *testing.F) {
	f.Add(`{"date":"2026-11-29","started":"2026-11-29T03:00:00Z","ended":"2026-11-29T03:00:01Z","compress":{"archived":[{"id":"a","why":"x"}],"raised":[{"id":"b","was":7}]}}`, "2026-11-29", 1)
	f.Add(`{"date":"2026-11-29","phases":[{"ops":[{"op":"merge","ids":["a","b"],"applied":true,"before":[{"id":"a","content":"old"}],"after":[{"id":"a","content":"Ann keeps two cats"}]}]}]}`, "2026-11-29", 1)
	f.Add(`{"date":"2026-11-29","phases":[{"ops":[{"op":"split","ids":["b"],"applied":true,"after":[{"id":"a","content":"x"},{"id":"b"}]}]}]}`+"\n"+`{"date":"2026-11-29","undo":true,"reverted":[1,-1],"restored":["a"]}`, "2026-11-29", -1)
	f.Add(`{"date":5}`+"\n"+`{"date":"2026-13-41","compress":null}`, "", 0)
	f.Fuzz(func(t *testing.T, nights, date string, op int) {
		b := banktest.New(t, "memory.json", "{\"version\":1,\"memories\":[\n {\"id\":\"a\",\"content\":\"Ann keeps two cats\",\"kind\":\"fact\",\"importance\":0.5,\"createdAt\":\"2026-11-01T08:00:00Z\"}\n,{\"id\":\"b\",\"content\":\"Bob drives a tram\",\"kind\":\"fact\",\"importance\":0.9,\"createdAt\":\"2026-11-02T08:00:00Z\"}\n]}\n")
		path := filepath.Join(b.Dir(), "nights.jsonl")
		if err := os.WriteFile(path, []byte(nights), 0o644); err != nil {
			t.Fatal(err)
		}
		before := kept(t, b)
		if _, err := b.NightRecords(); err != nil {
			t.Fatal(err)
		}
		for _, force := range []bool{false, true} {
			_, _ = b.UndoOperation(t.Context(), date, op, force) // an error, or done
			_, _ = b.UndoNight(t.Context(), date, force)
		}
		if _, err := b.Stats(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.Night(t.Context()); err != nil {
			t.Fatal(err)
		}
		after := kept(t, b)
		for m := range before {
			if !after[m] {
				t.Fatalf("%q is lost, there is %v", m, after)
			}
		}
		if err := os.Remove(path); err != nil { // what it held is no matter of the doctor's here
			t.Fatal(err)
		}
		if _, err := b.Doctor(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	})
}

// The law: what came in by an import goes out by an export so that an import of that
// elsewhere gives the same export, and a second import of it adds nothing.
func FuzzAnExportIsAWholeCopy(f *testing.F) {
	for _, s := range []string{
		`{"content":"tea"}` + "\n" + `{"id":"a","content":"b","importance":"0.5","private":1,"x":[1,]}`, "{\"content\":\"a\",\"level\":5}\r\n\r\nnot json\n{\"content\":\"\xff\"}", `{"id":"a","content":"x"}` + "\n" + `{"id":"a","content":"y","updatedAt":"2026-01-01"}`,
		"# Memories\n\n- [2026-03-01] - Ann keeps two cats\n", `[{"memory":"likes tea","id":"x","created_at":"2026-01-01"}]`, `{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea",""]}`,
		`{"content":"a","validTo":"2020-01-01","supersededBy":"zz","recallCount":-1,"lastRecalledAt":1e300}`, `{"content":"a","createdAt":"9999-12-31T23:59:59-12:00"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one := banktest.New(t)
		got, err := one.Import(t.Context(), strings.NewReader(text), plastic.ImportOptions{})
		if err != nil {
			return
		}
		if n := len(one.All()); n != got.Imported {
			lines := fmt.Sprint(got)
			if n > got.Imported { // of several with one id the last stands
				t.Fatalf("%s, and there are %d", lines, n)
			}
		}
		out := func(b *banktest.Bank) string {
			var w bytes.Buffer
			if err := b.Export(&w, ""); err != nil {
				t.Fatal(err)
			}
			return w.String()
		}
		whole := out(one)
		again, err := one.Import(t.Context(), strings.NewReader(whole), plastic.ImportOptions{From: "jsonl"})
		if err != nil || again.Imported != 0 || len(again.Refused) != 0 {
			t.Fatalf("a second import: %+v, %v of\n%s", again, err, whole)
		}
		two := banktest.New(t)
		copied, err := two.Import(t.Context(), strings.NewReader(whole), plastic.ImportOptions{From: "jsonl"})
		if err != nil || len(copied.Refused) != 0 {
			t.Fatalf("%+v, %v of\n%s", copied, err, whole)
		}
		if there := out(two); there != whole {
			t.Fatalf("exported\n%s\nand from the copy\n%s", whole, there)
		}
		ids := []string{}
		for _, m := range two.All() {
			ids = append(ids, m.ID)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != len(two.All()) {
			t.Fatalf("an id twice: %q", ids)
		}
	})
}

// The law: what stands in a folder's files that may be deleted at any time changes no
// answer, and fails nothing.
func FuzzWhatMayBeDeletedChangesNoAnswer(f *testing.F) {
	names := []string{"index", "index.shared", "steps", "state.json", "seen.json", "last.json", "sessions", "turns", "vectors"}
	for i := range names {
		f.Add(uint8(i), uint32(90), []byte{0xff, 0, 0x80})
		f.Add(uint8(i), uint32(1<<31), []byte("{\"x\":[1]}\n"))
	}
	f.Fuzz(func(t *testing.T, which uint8, at uint32, junk []byte) {
		b := banktest.New(t, "config.yaml", sleepConfig)
		load(t, b, life)
		if _, err := b.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		asked := []string{"who keeps cats", "чай", "Bob drives a tram"}
		before := answersOf(b, asked)
		path := filepath.Join(b.Dir(), ".plastic", names[int(which)%len(names)])
		text, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if len(text) > 0 && at < 1<<30 {
			copy(text[int(at)%len(text):], junk)
		} else {
			text = junk // a whole other file
		}
		if err := os.WriteFile(path+".new", text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		other := banktest.Open(t, b.Dir(), b.Clock())
		if after := answersOf(other, asked); !slices.Equal(after, before) {
			t.Fatalf("%q became %q by %s", before, after, path)
		}
		other.Say("Ann likes the colour violet")
		if got := other.Find("which colour does Ann like"); len(got) == 0 {
			t.Fatalf("what was written after is not found")
		}
		if _, err := other.Doctor(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	})
}

// answersOf is what each question finds in b, with its scores, as the owner and as others.
func answersOf(b *banktest.Bank, asked []string) (out []string) {
	for _, who := range []memory.Audience{memory.Trusted, memory.Public} {
		for _, q := range asked {
			for _, a := range b.As(who).Recall(plastic.Query{Text: q, NoRehearse: true}).Memories {
				out = append(out, fmt.Sprintf("%s %s %.4f", who, a.ID, a.Score))
			}
		}
	}
	return out
}

// The law: whatever an editor leaves of a list, carrying it out is refused or loses no
// text but to the archive, and the list that is made then asks for nothing.
func FuzzAnEditLosesNothing(f *testing.F) {
	f.Add(uint16(0), uint16(0), "- Ann plays the harp {core}\n")
	f.Add(uint16(0), uint16(60000), "")
	f.Add(uint16(120), uint16(40), " \n\n- [zz] a\n- [cats1] b\n")
	f.Add(uint16(60), uint16(3), "\r\n  {private} {0.9}\n")
	f.Add(uint16(30), uint16(10), "<!-- x -->")
	f.Fuzz(func(t *testing.T, at, gone uint16, junk string) {
		b := banktest.New(t, "config.yaml", sleepConfig)
		load(t, b, life)
		sheet, err := b.EditSheet("")
		if err != nil {
			t.Fatal(err)
		}
		i := int(at) % (len(sheet.Text) + 1)
		edited := sheet.Text[:i] + junk + sheet.Text[min(len(sheet.Text), i+int(gone)):]
		plan, err := plastic.ReadEdit(sheet, edited)
		if err != nil {
			return
		}
		before := kept(t, b)
		_, err = b.Edit(t.Context(), plan)
		after := kept(t, b)
		for m := range before {
			if !after[m] {
				t.Fatalf("%q is lost (%v) by\n%s", m, err, edited)
			}
		}
		if err != nil {
			return
		}
		next, err := b.EditSheet("")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := plastic.ReadEdit(next, next.Text); err != nil || !again.Empty() {
			t.Fatalf("what was made asks for %+v, %v:\n%s", again, err, next.Text)
		}
	})
}
