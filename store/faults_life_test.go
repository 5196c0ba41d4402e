package store_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"plastic/internal/outage"
	"plastic/memory"
	"plastic/store"
)

// The suites of faults_*_test.go take memories through the same life and break it: at
// each step, at each system call, at each byte, in each state that a power cut can leave.
var atLength = flag.Bool("long", false, "faults: all of them, not a sample")

// stride is how far it is from one fault to the next: 1 with -long.
func stride(short int) int {
	if *atLength {
		return 1
	}
	return short
}

// secret is the text that life purges: from then on no file may hold it.
const secret = "first thing of all"

// deed is one thing that life does and acknowledges.
type deed struct {
	says string
	does func(s *store.Store) error
}

func updates(fn func(tx *store.Tx)) func(*store.Store) error {
	return func(s *store.Store) error {
		_, err := s.Update(ctx, func(tx *store.Tx) error { fn(tx); return nil })
		return err
	}
}

func queues(turn store.Turn) func(*store.Store) error {
	return func(s *store.Store) error {
		_, err := s.Enqueue(ctx, []store.Turn{turn})
		return err
	}
}

// allDeeds take memories through all that is written.
var allDeeds = []deed{
	{"put", updates(func(tx *store.Tx) {
		tx.Put(memory.Memory{ID: "one", Content: secret, CreatedAt: start})
		tx.Put(memory.Memory{ID: "two", Content: "second", CreatedAt: start})
	})},
	{"queued", queues(store.Turn{ID: "x", User: "I keep two cats", At: start})},
	{"queued again", queues(store.Turn{ID: "y", User: "said: " + secret, At: start})},
	{"recalled", func(s *store.Store) error {
		s.Rehearse([]string{"one", "two"}, start) // nothing is promised
		return nil
	}},
	{"changed", updates(func(tx *store.Tx) {
		m, _ := tx.Get("one")
		tx.Keep(memory.Archived{Memory: m, As: memory.Version})
		m.Content = secret + ", better"
		tx.Put(m)
	})},
	{"archived", updates(func(tx *store.Tx) { tx.Archive("two", memory.Archived{As: memory.Pruned}) })},
	{"tried", func(s *store.Store) error {
		return s.ChangeTurn(ctx, "x", func(t *store.Turn) { t.Tries++ })
	}},
	{"night", updates(func(tx *store.Tx) {
		tx.Night(map[string]any{"date": "2026-03-01", "ops": []map[string]string{{"op": "prune", "id": "two"}, {"op": "rewrite", "id": "one", "content": secret}}})
	})},
	{"distilled", updates(func(tx *store.Tx) {
		if tx.Done("x") {
			tx.Put(memory.Memory{ID: "cats", Content: "two cats", CreatedAt: start})
		}
	})},
	{"restored", updates(func(tx *store.Tx) { tx.Restore("two") })},
	{"purged", updates(func(tx *store.Tx) { tx.Purge("one") })},
	{"put after", updates(func(tx *store.Tx) {
		tx.Put(memory.Memory{ID: "three", Content: "third", CreatedAt: start})
	})},
}

// recalls are written into the journal of dir by another process, more than it is to hold.
func recalls(dir string) func(*store.Store) error {
	return func(*store.Store) error {
		f, err := os.OpenFile(filepath.Join(dir, "memory.journal"), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		for n := range 3 {
			_, err = fmt.Fprintf(f, `{"at":"2026-03-01T08:00:00Z","recalled":{"two":%d},"%s":0}`+"\n", n+2, strings.Repeat("x", 400<<10))
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// life does all deeds, and says what is acknowledged.
func life(s *store.Store, acknowledged func(string)) error { return doAll(s, allDeeds, acknowledged) }

func doAll(s *store.Store, deeds []deed, acknowledged func(string)) error {
	for _, d := range deeds {
		if err := d.does(s); err != nil {
			return fmt.Errorf("%s: %w", d.says, err)
		}
		acknowledged(d.says)
	}
	return nil
}

// lived says what has come of the deeds.
func lived(t *testing.T, dir string) string {
	t.Helper()
	got, err := outcome(dir)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func outcome(dir string) (string, error) {
	s, err := store.Open(dir, at(start.Add(time.Hour)))
	if err != nil {
		return "", err
	}
	defer s.Close()
	st, err := s.Read()
	if err != nil {
		return "", err
	}
	for _, p := range st.Problems() {
		// A line of the journal that was never synced may be half there.
		if p.Code != store.CodeJournal && p.Code != store.CodeQuarantined {
			return "", fmt.Errorf("%+v", p)
		}
	}
	nights, err := s.Nights()
	if err != nil {
		return "", err
	}
	turns, _, err := s.Queue()
	if err != nil {
		return "", err
	}
	var waiting []string
	for _, x := range turns {
		waiting = append(waiting, fmt.Sprintf("%s/%d", x.ID, x.Tries))
	}
	return fmt.Sprintf("%s|%s|%d nights|%v", told(st.Memories()), archived(st.Archive()), len(nights), waiting), nil
}

// course is a life in one manner, and what lived says at its start and after each deed,
// where nothing goes wrong.
type course struct {
	manner mannerOfLife
	deeds  []deed
	is     []string
}

func newCourse(t *testing.T, manner mannerOfLife) *course {
	t.Helper()
	dir := folder(t)
	c := &course{manner: manner, deeds: manner.deeds(dir), is: []string{lived(t, dir)}}
	do(t, doAll(open(t, dir, manner.options()), c.deeds, func(string) { c.is = append(c.is, lived(t, dir)) }))
	end := "cats=two cats three=third two=second||1 nights|[]"
	if manner == compacting {
		end = "one=first thing of all two=second, better||0 nights|[]"
		if size := len(slurp(t, dir, "memory.journal")); size > 1<<20 {
			t.Errorf("the journal was not compacted, it has %d bytes", size)
		}
	}
	want(t, "the end", c.is[len(c.is)-1], end)
	return c
}

// deedsSaid counts the deeds that a child has acknowledged.
func deedsSaid(out string) int { return strings.Count(out, "\n") }

// stand checks that the deeds, of which so many are acknowledged, stand whole in dir, and
// the next one all or nothing.
func (c *course) stand(dir string, done int) error {
	got, err := outcome(dir)
	if err != nil {
		return err
	}
	done = min(done, len(c.deeds))
	if got == c.is[done] || done < len(c.deeds) && (got == c.is[done+1] || got == c.purging(done)) {
		return nil
	}
	return fmt.Errorf("\n got %s\nwant %s", got, c.is[done])
}

// purging is a purge that is kept and not acknowledged yet: the queue has the text still.
func (c *course) purging(done int) string {
	if done >= len(c.deeds) || c.deeds[done].says != "purged" {
		return ""
	}
	queue := strings.LastIndex(c.is[done], "|")
	return c.is[done+1][:strings.LastIndex(c.is[done+1], "|")] + c.is[done][queue:]
}

// purged reports whether the purge is among so many deeds.
func (c *course) purged(done int) bool {
	for _, d := range c.deeds[:min(done, len(c.deeds))] {
		if d.says == "purged" {
			return true
		}
	}
	return false
}

// forgotten fails when a file below dir has the text that was purged. Temporary files of
// writes that were cut off go with the next write.
func forgotten(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), secret) {
			return fmt.Errorf("%s has the purged text: %s", filepath.Base(path), text)
		}
		return err
	})
}

// goesOn checks that whoever comes next can write, and leaves all in order.
func (c *course) goesOn(dir string, done int) error {
	s, err := store.Open(dir, at(start.Add(time.Hour)))
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Checkpoint(ctx); err != nil {
		return err
	}
	if err := c.stand(dir, done); err != nil {
		return fmt.Errorf("after a checkpoint: %w", err)
	}
	if got, err := outcome(dir); err != nil || got == c.purging(done) {
		return fmt.Errorf("a checkpoint leaves a purge half done: %s, %v", got, err)
	}
	_, err = s.Update(ctx, func(tx *store.Tx) error {
		tx.Put(memory.Memory{ID: "later", Content: "after all", CreatedAt: start.AddDate(1, 0, 0)})
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := s.Fix(ctx); err != nil {
		return err
	}
	found, err := s.Check()
	if err != nil || len(found) > 0 {
		return fmt.Errorf("after a write doctor says %+v, %v", found, err)
	}
	got, err := outcome(dir)
	if err != nil || !strings.Contains(got, "later=after all") {
		return errors.Join(err, fmt.Errorf("the next write is not there: %s", got))
	}
	if c.purged(done) {
		return forgotten(dir)
	}
	return nil
}

// A manner of living is how memory.json is written meanwhile.
type mannerOfLife string

const (
	atOnce  mannerOfLife = "at once"  // with every update
	late    mannerOfLife = "late"     // when the store is closed
	inPlace mannerOfLife = "in place" // as a mount of its own, which nothing can be renamed over

	compacting mannerOfLife = "compacting" // late, with a journal that is full of recalls
)

var mannersOfLife = []mannerOfLife{atOnce, late, inPlace, compacting}

func (m mannerOfLife) deeds(dir string) []deed {
	if m != compacting {
		return allDeeds
	}
	better := updates(func(tx *store.Tx) {
		m, _ := tx.Get("two")
		m.Content += ", better"
		tx.Put(m)
	})
	recalled := func(s *store.Store) error {
		s.Rehearse([]string{"two"}, start)
		return nil
	}
	return []deed{allDeeds[0], {"recalled", recalls(dir)}, {"compacted", recalled}, {"changed", better}, {"recalled again", recalled}}
}

func (m mannerOfLife) options() store.Options {
	o := at(start.Add(time.Hour))
	o.LockWait = time.Second
	if m == late || m == compacting {
		o.Delay = time.Hour
	}
	return o
}

// fault is what such a folder does at a step of a write.
func (m mannerOfLife) fault(step string) error {
	if m == inPlace && step == "memory.json:rename" {
		return syscall.EBUSY
	}
	return nil
}

// childLives lives in a manner, and dies at the step that is asked for; its files may
// get no larger than so many bytes.
func childLives(dir string) {
	manner := mannerOfLife(os.Args[1])
	die, err := strconv.Atoi(os.Args[2])
	must(err)
	if len(os.Args) > 3 {
		limitFiles(os.Args[3])
	}
	s, err := store.Open(dir, manner.options())
	must(err)
	step := 0
	s.SetFault(func(name string) error {
		if step++; step == die {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return manner.fault(name)
	})
	must(doAll(s, manner.deeds(dir), say))
	must(s.Close())
	say("closed")
}

// say acknowledges, once more if that meets an error of its own.
func say(what string) {
	if _, err := fmt.Println(what); err != nil {
		_, err = fmt.Println(what)
		must(err)
	}
}

// figures are kept when the test ends.
func figures(t *testing.T, suite string) *outage.Figures {
	f := &outage.Figures{Suite: suite}
	t.Cleanup(func() {
		t.Logf("%s: %d runs, %d faults, %d lost", f.Suite, f.Runs, f.Faults, f.Lost)
		if err := f.Keep(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// lose tells of a loss; a test that has told some stops.
func lose(t *testing.T, f *outage.Figures, format string, args ...any) {
	t.Helper()
	f.Lost++
	t.Errorf(format, args...)
	if f.Lost > 4 {
		t.FailNow()
	}
}
