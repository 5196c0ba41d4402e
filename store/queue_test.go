package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

func enqueue(t *testing.T, s *store.Store, turns ...store.Turn) int {
	t.Helper()
	n, err := s.Enqueue(ctx, turns)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func queued(t *testing.T, s *store.Store) string {
	t.Helper()
	turns, _, err := s.Queue()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, x := range turns {
		ids = append(ids, x.ID)
	}
	return strings.Join(ids, " ")
}

// distil stores a fact of a turn in the update that takes it out of the queue.
func distil(s *store.Store, id string) error {
	_, err := s.Update(ctx, func(tx *store.Tx) error {
		if tx.Done(id) {
			tx.Put(memory.Memory{ID: "f." + id, Content: "fact of " + id, CreatedAt: start})
		}
		return nil
	})
	return err
}

func TestATurnLeavesTheQueueWithItsFacts(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	enqueue(t, s, store.Turn{ID: "a", User: "I keep <two> cats & a 狗", At: start, Session: "s", Private: true}, store.Turn{ID: "b", User: "b", At: start})
	want(t, "the queue", slurp(t, dir, "queue.jsonl"),
		`{"id":"a","user":"I keep <two> cats & a 狗","assistant":"","at":"2026-03-01T08:00:00Z","session":"s","private":true}`+"\n"+
			`{"id":"b","user":"b","assistant":"","at":"2026-03-01T08:00:00Z"}`+"\n")
	if fi, _ := os.Stat(dir + "/queue.jsonl"); fi.Mode().Perm() != 0o600 {
		t.Errorf("queue.jsonl has the mode %o", fi.Mode().Perm())
	}
	for range 2 { // the second time it is done already
		if err := distil(s, "a"); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "waiting", queued(t, s), "b")
	want(t, "memories", told(read(t, s).Memories()), "f.a=fact of a")
	if strings.Contains(slurp(t, dir, "queue.jsonl"), "two") {
		t.Error("after a checkpoint the turn still stands in queue.jsonl")
	}
}

func TestATurnIsQueuedOnce(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	id := store.TurnID("chatgpt:1")
	if n := enqueue(t, s, store.Turn{ID: id, User: "x", At: start}, store.Turn{ID: id, User: "x", At: start}); n != 1 {
		t.Errorf("%d new turns, want 1", n)
	}
	if n := enqueue(t, s, store.Turn{ID: id, User: "x", At: start}); n != 0 {
		t.Errorf("%d new turns, want none: it waits", n)
	}
	if err := distil(s, id); err != nil {
		t.Fatal(err)
	}
	if n := enqueue(t, s, store.Turn{ID: id, User: "x", At: start}); n != 0 {
		t.Errorf("%d new turns, want none: it was distilled", n)
	}
}

func TestTheQueueIsBounded(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	turns := make([]store.Turn, store.MaxQueue)
	for i := range turns {
		turns[i] = store.Turn{User: "x", At: start}
	}
	enqueue(t, s, turns...)
	if n, err := s.Enqueue(ctx, turns[:1]); n != 0 || !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "flush") {
		t.Errorf("%d more were taken, error %v", n, err)
	}
}

func TestOddLinesOfTheQueueStayAndHoldNothingUp(t *testing.T) {
	dir := folder(t)
	spit(t, dir, "queue.jsonl", "not json\n"+`{"user":"by hand","at":"2026-03-01","mood":"good"}`+"\r\n\n"+`{"id":"c","user":"c","at":1772366400000}`+"\n"+`{"id":"d","us`)
	s := open(t, dir, at(start))
	enqueue(t, s, store.Turn{ID: "e", User: "e", At: start})
	turns, odd, err := s.Queue()
	if err != nil || len(turns) != 3 || odd != 2 || turns[0].User != "by hand" || !turns[1].At.Equal(time.UnixMilli(1772366400000)) {
		t.Fatalf("%+v, %d odd lines, error %v", turns, odd, err)
	}
	if n, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries++; return x.User == "by hand" }); n != 1 || err != nil {
		t.Fatalf("%d changed, error %v", n, err)
	}
	if err := distil(s, "c"); err != nil {
		t.Fatal(err)
	}
	text := slurp(t, dir, "queue.jsonl")
	for _, want := range []string{"not json\n", `"mood":"good"`, `"tries":1`, `{"id":"d","us` + "\n", `"id":"e"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the queue any more:\n%s", want, text)
		}
	}
	if strings.Contains(text, `"id":"c"`) {
		t.Error("the distilled turn is")
	}
	problems, err := s.Check()
	if err != nil || !strings.Contains(codes(problems), store.CodeOdd) {
		t.Errorf("doctor says %v, error %v", codes(problems), err)
	}
}

func TestATurnCanBePutInWhileAnUpdateGoesOn(t *testing.T) {
	dir := folder(t)
	s, other := open(t, dir, at(start)), open(t, dir, at(start))
	_, err := s.Update(ctx, func(tx *store.Tx) error {
		enqueue(t, other, store.Turn{ID: "a", User: "a", At: start})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "waiting", queued(t, s), "a")
}

func TestAPurgedTextLeavesTheQueue(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	put(t, s, "m", "the code of the gate is violet seven", start)
	enqueue(t, s, store.Turn{ID: "a", User: "remember: the code of the gate is violet seven", At: start}, store.Turn{ID: "b", User: "b", At: start})
	update(t, s, func(tx *store.Tx) { tx.Purge("m") })
	want(t, "waiting", queued(t, s), "b")
}

// childQueues puts turns into the queue for ever, each told when it is acknowledged;
// childDistils distils whatever waits.
func childQueues(dir string) {
	s, err := store.Open(dir, store.Options{LockWait: time.Minute})
	must(err)
	for i := 0; ; i++ {
		id := fmt.Sprintf("%d.%d", os.Getpid(), i)
		_, err := s.Enqueue(ctx, []store.Turn{{ID: id, User: "said " + id, At: start}})
		must(err)
		fmt.Println(id)
	}
}

func childDistils(dir string) {
	s, err := store.Open(dir, store.Options{LockWait: time.Minute, Delay: time.Duration(os.Getpid()%2) * time.Millisecond})
	must(err)
	for {
		turns, _, err := s.Queue()
		must(err)
		for _, x := range turns {
			must(distil(s, x.ID))
		}
	}
}

// Turns are put in by two processes and distilled by two others, all killed again and
// again: a turn that was acknowledged waits or has its fact, never both or neither.
func TestKilledAnywhereNoTurnIsLostAndNoFactStoredTwice(t *testing.T) {
	dir := folder(t)
	acknowledged := map[string]bool{}
	for range unlessShort(25, 5) {
		var ends []func()
		for _, job := range []string{"queue", "queue", "distil", "distil"} {
			cmd := child(t, job, dir)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, func() {
				cmd.Process.Signal(syscall.SIGKILL)
				lines := bufio.NewScanner(out)
				for lines.Scan() {
					acknowledged[lines.Text()] = true
				}
				cmd.Wait()
			})
		}
		time.Sleep(80 * time.Millisecond)
		for _, end := range ends {
			end()
		}
	}
	s := open(t, dir, store.Options{})
	st := read(t, s)
	waiting := map[string]bool{}
	for _, id := range strings.Fields(queued(t, s)) {
		waiting[id] = true
	}
	facts := 0
	for id := range acknowledged {
		_, fact := st.Get("f." + id)
		if fact == waiting[id] {
			t.Errorf("turn %s: waits %v, has its fact %v", id, waiting[id], fact)
		}
		if fact {
			facts++
		}
	}
	if len(acknowledged) < 20 || facts == 0 {
		t.Errorf("%d turns, %d facts: nothing was tried", len(acknowledged), facts)
	}
}

func TestEndedAtAnyStepOfADistillationNothingIsLost(t *testing.T) {
	for n := 0; ; n++ {
		dir := folder(t)
		s := open(t, dir, at(start))
		steps, failed := 0, false
		s.SetFault(func(string) error {
			if steps++; steps == n+1 {
				failed = true
				return errors.New("ended here")
			}
			return nil
		})
		_, qerr := s.Enqueue(ctx, []store.Turn{{ID: "a", User: "a", At: start}})
		derr := distil(s, "a")
		s.SetFault(nil)
		again := open(t, dir, at(start))
		_, fact := read(t, again).Get("f.a")
		waits := queued(t, again) == "a"
		if qerr == nil && fact == waits || derr == nil && qerr == nil && !fact {
			t.Errorf("step %d: waits %v, has its fact %v (errors %v, %v)", n, waits, fact, qerr, derr)
		}
		if !failed {
			if n < 5 {
				t.Errorf("only %d steps", n)
			}
			return
		}
	}
}

// A hand that saves the queue while it is written anew is not overwritten.
func TestAHandThatSavesTheQueueMeanwhileIsKept(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start))
	enqueue(t, s, store.Turn{ID: "a", User: "a", At: start})
	once := false
	s.SetFault(func(step string) error {
		if strings.HasPrefix(step, "queue.jsonl:") && !once {
			once = true
			spit(t, dir, "queue.jsonl", slurp(t, dir, "queue.jsonl")+`{"id":"hand","user":"by hand"}`+"\n")
		}
		return nil
	})
	n, err := s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries++; return x.ID == "a" })
	s.SetFault(nil)
	if n != 1 || err != nil || !once {
		t.Fatalf("%d changed, error %v, a hand was there: %v", n, err, once)
	}
	want(t, "waiting", queued(t, s), "a hand")
	if !strings.Contains(slurp(t, dir, "queue.jsonl"), `"tries":1`) {
		t.Error("the change is lost")
	}
}
