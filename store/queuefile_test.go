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

// long is a folder whose queue is too long to be written anew by every change.
func long(t *testing.T, n int) (dir string, s *store.Store) {
	t.Helper()
	dir = folder(t)
	s = open(t, dir, at(start))
	turns := make([]store.Turn, n)
	for i := range turns {
		turns[i] = store.Turn{ID: fmt.Sprintf("t%d", i), User: "said " + strings.Repeat("word ", 1200), At: start}
	}
	enqueue(t, s, turns...)
	return dir, s
}

func TestALongQueueIsAppendedToAndShortenedWhenHalfIsGone(t *testing.T) {
	dir, s := long(t, 100)
	before := slurp(t, dir, "queue.jsonl")
	for i := range 20 {
		if err := distil(s, fmt.Sprintf("t%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if now := slurp(t, dir, "queue.jsonl"); !strings.HasPrefix(now, before) || len(now) > len(before)+1000 {
		t.Errorf("20 turns that left have cost %d bytes of %d", len(now)-len(before), len(before))
	}
	again := open(t, dir, at(start))
	if ids := strings.Fields(queued(t, again)); len(ids) != 80 || ids[0] != "t20" {
		t.Errorf("%d turns wait", len(ids))
	}
	for i := 20; i < 60; i++ {
		if err := distil(s, fmt.Sprintf("t%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if now := slurp(t, dir, "queue.jsonl"); len(now) > len(before)*7/10 {
		t.Errorf("with 60 of 100 turns left the file has %d of %d bytes", len(now), len(before))
	}
	if ids := strings.Fields(queued(t, again)); len(ids) != 40 || ids[0] != "t60" {
		t.Errorf("%d turns wait", len(ids))
	}
}

func TestAChangedTurnKeepsItsPlace(t *testing.T) {
	dir, s := long(t, 100)
	for range 2 {
		if n, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries++; x.ID = "other"; return true }); err != nil || n != 100 {
			t.Fatalf("%d changed, error %v", n, err)
		}
	}
	turns, odd, err := open(t, dir, at(start)).Queue()
	if err != nil || odd != 0 || len(turns) != 100 || turns[3].ID != "t3" || turns[3].Tries != 2 {
		t.Fatalf("%d turns, %d odd, error %v", len(turns), odd, err)
	}
	if err := distil(s, "t3"); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Unqueue(ctx, func(x *store.Turn) bool { return x.ID == "t4" }); err != nil || n != 1 {
		t.Fatalf("%d taken out, error %v", n, err)
	}
	want(t, "after t1", strings.Join(strings.Fields(queued(t, s))[2:4], " "), "t2 t5")
	enqueue(t, s, store.Turn{ID: "t4", User: "again", At: start})
	if ids := strings.Fields(queued(t, s)); ids[len(ids)-1] != "t4" {
		t.Errorf("a turn put in again is not the last, but %v", ids[len(ids)-1])
	}
}

func TestUnknownFieldsOfATurnStay(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "queue.jsonl", `{"mood":{"a":[1,"x"]},"user":"u","n":1e3,"id":"a"}`+"\n")
	s := open(t, dir, at(start))
	for range 2 {
		if _, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries++; return true }); err != nil {
			t.Fatal(err)
		}
	}
	text := slurp(t, dir, "queue.jsonl")
	for _, field := range []string{`"mood":{"a":[1,"x"]}`, `"n":1e3`, `"tries":2`} {
		if strings.Count(text, field) != 1 {
			t.Errorf("%s is not there once: %s", field, text)
		}
	}
}

func TestTurnsThatAHandWroteAreReadInTheirObviousSense(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "queue.jsonl", "\uFEFF"+`{"user":"one","private":"true"}`+",\r\n"+
		`{"id":7,"user":"two","private":null,"tries":"2","setAside":"false","at":"soon"}`+"\n"+
		`{"id":"x","user":null,"assistant":"three","private":false,"session":5}`+"\n"+
		`{"user":" "}`+"\n"+`["user"]`+"\n")
	when := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "queue.jsonl"), when, when); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, at(start))
	turns, odd, err := s.Queue()
	if err != nil || len(turns) != 3 || odd != 2 {
		t.Fatalf("%+v, %d odd lines, error %v", turns, odd, err)
	}
	for i, is := range []store.Turn{{User: "one", Private: true}, {User: "two", Private: true, Tries: 2}, {Assistant: "three"}} {
		x := turns[i]
		if x.User != is.User || x.Assistant != is.Assistant || x.Private != is.Private || x.Tries != is.Tries || x.SetAside || !x.At.Equal(when) {
			t.Errorf("turn %d is %+v", i, x)
		}
	}
	if _, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Reason = "r"; return x.User == "one" }); err != nil {
		t.Fatal(err)
	}
	if again, _, _ := s.Queue(); len(again) != 3 || again[0].ID != turns[0].ID || !again[0].At.Equal(when) || again[0].Reason != "r" {
		t.Errorf("after a change %+v", again)
	}
}

func TestAHandThatSavesWhileTheQueueIsWrittenLosesNothing(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	enqueue(t, s, store.Turn{ID: "a", User: "a", At: start})
	saved := false
	s.SetFault(func(step string) error {
		if step == "queue.jsonl:sync" && !saved {
			saved = true
			spit(t, dir, "queue.jsonl", slurp(t, dir, "queue.jsonl")+`{"id":"b","user":"by hand"}`+"\n")
		}
		return nil
	})
	if _, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries++; return x.ID == "a" }); err != nil || !saved {
		t.Fatal(saved, err)
	}
	want(t, "waiting", queued(t, s), "a b")
}

func TestATurnIsNotPutIntoAFileThatIsNoLongerThere(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	enqueue(t, s, store.Turn{ID: "a", User: "a", At: start})
	saved := false
	s.SetFault(func(step string) error {
		if step == "queue:write" && !saved {
			saved = true
			spit(t, dir, "new", `{"id":"b","user":"by an editor that renames"}`+"\n")
			return os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "queue.jsonl"))
		}
		return nil
	})
	if n := enqueue(t, s, store.Turn{ID: "c", User: "c", At: start}); n != 1 || !saved {
		t.Errorf("%d new turns", n)
	}
	want(t, "waiting", queued(t, s), "b c")
}

func TestADeletedQueueIsAnEmptyOne(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	enqueue(t, s, store.Turn{ID: "a", User: "a", At: start})
	if err := os.Remove(filepath.Join(dir, "queue.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := distil(s, "a"); err != nil {
		t.Fatal(err)
	}
	want(t, "memories", told(read(t, s).Memories()), "")
	enqueue(t, s, store.Turn{ID: "b", User: "b", At: start})
	want(t, "waiting", queued(t, s), "b")
}

func TestWhatIsNoFileInTheQueuesPlaceIsSaid(t *testing.T) {
	dir := folder(t)
	if err := os.Mkdir(filepath.Join(dir, "queue.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, at(start))
	if _, err := s.Enqueue(ctx, []store.Turn{{User: "a"}}); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
	put(t, s, "m", "memories are kept all the same", start)
}

// The process ends at every step of turns leaving a long queue: the first of them is a
// line behind the others, by the last the file is written anew.
func TestEndedAtAnyStepALongQueueLosesNothing(t *testing.T) {
	from, s := long(t, 60)
	for i := range 29 {
		if err := distil(s, fmt.Sprintf("t%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	shortened := false
	for n, failed := 0, true; failed; n++ {
		dir := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, at(start))
		failed = false
		steps, done := 0, 29
		s.SetFault(func(step string) error {
			if steps++; steps > n {
				failed = true
				return errors.New("ended here")
			}
			shortened = shortened || step == "queue.jsonl:rename"
			return nil
		})
		for done < 33 && distil(s, fmt.Sprintf("t%d", done)) == nil && !failed {
			done++
		}
		s.SetFault(nil)
		again := open(t, dir, at(start))
		st := read(t, again)
		waits := map[string]bool{}
		for _, id := range strings.Fields(queued(t, again)) {
			waits[id] = true
		}
		for i := range 60 {
			id := fmt.Sprintf("t%d", i)
			if _, fact := st.Get("f." + id); fact == waits[id] || i < done && !fact {
				t.Fatalf("step %d: turn %s waits %v, has its fact %v", n, id, waits[id], fact)
			}
		}
	}
	if !shortened {
		t.Error("the file was never written anew")
	}
}

func TestAPurgedTextLeavesALongQueueAlsoWhereItsTurnHasLeft(t *testing.T) {
	dir, s := long(t, 100)
	const secret = "the \"code\" of the gate is\nviolet seven"
	put(t, s, "m", secret, start)
	enqueue(t, s,
		store.Turn{ID: "a", User: "keep: " + secret, At: start},
		store.Turn{ID: "b", User: secret + "!", At: start})
	if err := distil(s, "b"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(slurp(t, dir, "queue.jsonl"), "violet seven!") {
		t.Fatal("the turn that left is not in the file any more: nothing is tried")
	}
	update(t, s, func(tx *store.Tx) { tx.Purge("m") })
	if strings.Contains(slurp(t, dir, "queue.jsonl"), "violet") {
		t.Error("the purged text is still in the queue")
	}
	if ids := strings.Fields(queued(t, s)); len(ids) != 100 {
		t.Errorf("%d turns wait", len(ids))
	}
}

// Whatever stands in the file: reading never fails, an edit of nothing is no edit, and
// an edited file comes to the same turns.
func FuzzQueueFile(f *testing.F) {
	f.Add(`{"id":"a","user":"u"}` + "\n" + `{"done":["a"]}` + "\nodd\n")
	f.Add("\uFEFF" + `{"user":"x","a":{},"a":1},` + "\r\n\r\n" + `{"id":"b","assistant":"y","private":0,"at":1e9}`)
	f.Add(`{"id":"a","user":"u"}` + "\n" + `{"id":"a","user":"v","tries":4}` + "\n" + `{"id":"a","us`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := folder(t)
		spit(t, dir, "queue.jsonl", text)
		s := open(t, dir, at(start))
		before, odd, err := s.Queue()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.ChangeQueue(ctx, func(*store.Turn) bool { return false }); err != nil || slurp(t, dir, "queue.jsonl") != text {
			t.Fatalf("an edit of nothing made %q, error %v", slurp(t, dir, "queue.jsonl"), err)
		}
		if n, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries = 3; return true }); err != nil || n != len(before) {
			t.Fatalf("%d of %d changed, error %v", n, len(before), err)
		}
		after, oddNow, err := s.Queue()
		if err != nil || len(after) != len(before) || oddNow != odd {
			t.Fatalf("%d turns and %d odd lines became %d and %d, error %v:\n%q\n%q", len(before), odd, len(after), oddNow, err, text, slurp(t, dir, "queue.jsonl"))
		}
		for i := range after {
			before[i].Tries = 3
			if before[i].At = after[i].At; before[i] != after[i] {
				t.Fatalf("%+v became %+v", before[i], after[i])
			}
		}
	})
}

// What waits is told without the texts, one turn is read alone, and a file that another
// process or an editor changes in its place is seen as it is.
func TestWhatWaitsIsSeenAsOthersLeaveIt(t *testing.T) {
	dir, s := long(t, 100)
	other := open(t, dir, at(start))
	waiting := func() (ids []string) {
		t.Helper()
		turns, odd, err := s.Waiting()
		if err != nil || odd != 0 {
			t.Fatalf("%d odd lines, error %v", odd, err)
		}
		for _, x := range turns {
			ids = append(ids, fmt.Sprintf("%s %v %v", x.ID, x.Private, x.SetAside))
		}
		return ids
	}
	if got := waiting(); len(got) != 100 || got[7] != "t7 false false" {
		t.Fatalf("%v", got)
	}
	if err := distil(other, "t0"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.ChangeQueue(ctx, func(x *store.Turn) bool { x.SetAside = true; return x.ID == "t7" }); err != nil {
		t.Fatal(err)
	}
	enqueue(t, other, store.Turn{ID: "p", User: "p", At: start, Private: true})
	if got := waiting(); len(got) != 100 || got[0] != "t1 false false" || got[6] != "t7 false true" || got[99] != "p true false" {
		t.Errorf("%v", got)
	}
	for id, there := range map[string]bool{"t0": false, "t1": true, "p": true, "nobody": false} {
		if x, ok, err := s.Turn(id); err != nil || ok != there || ok && x.ID != id {
			t.Errorf("%s: %+v, %v, error %v", id, x, ok, err)
		}
	}
	// An editor that keeps the size and the file, faster than its time shows.
	fi, err := os.Stat(filepath.Join(dir, "queue.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "queue.jsonl"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := slurp(t, dir, "queue.jsonl")
	if _, err := f.WriteAt([]byte(strings.ReplaceAll(text, `{"id":"t50"`, `{"id":"x50"`)), 0); err != nil {
		t.Fatal(err)
	}
	f.Close()
	os.Chtimes(f.Name(), time.Time{}, fi.ModTime())
	if err := distil(s, "t50"); err != nil {
		t.Fatal(err)
	}
	if _, fact := read(t, s).Get("f.t50"); fact {
		t.Error("a turn that is not there any more was distilled")
	}
	if err := distil(s, "x50"); err != nil {
		t.Fatal(err)
	}
	if _, fact := read(t, s).Get("f.x50"); !fact {
		t.Error("the one that took its place was not")
	}
}
