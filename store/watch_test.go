package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// patience is how long a test waits for what must come; nothing waits so long
// but a failure.
const patience = 30 * time.Second

// watching is a Watch under way. Each call of changed tells what was there then.
type watching struct {
	t    *testing.T
	told chan string
	end  func()
}

// watch watches names; looks says what is there. No call may tell what the one
// before it told: what has not changed is no news.
func watch(t *testing.T, s *store.Store, looks func() string, names ...string) *watching {
	t.Helper()
	stop, cancel := context.WithCancel(ctx)
	w := &watching{t: t, told: make(chan string, 1000)}
	ended := make(chan error, 1)
	last := ""
	go func() {
		ended <- s.Watch(stop, names, func() {
			now := looks()
			if now == last {
				t.Errorf("called without a change: %s", now)
			}
			last = now
			w.told <- now
		})
	}()
	done := false
	w.end = func() {
		if done {
			return
		}
		done = true
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Error("the watch does not end")
		}
	}
	t.Cleanup(w.end)
	return w
}

// sees waits for a call that tells want.
func (w *watching) sees(want string) {
	w.t.Helper()
	limit := time.After(patience)
	last := "nothing"
	for {
		select {
		case last = <-w.told:
			if last == want {
				return
			}
		case <-limit:
			w.t.Fatalf("not seen: %s; the last was %s", want, last)
		}
	}
}

func do(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if name == "git" {
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_NAME=ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=ann", "GIT_COMMITTER_EMAIL=ann@example.org")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// A saver writes text to the file at path as some program does.
var savers = []struct {
	name  string
	needs string // a program
	saves func(t *testing.T, path, text string)
}{
	{"in place", "", func(t *testing.T, path, text string) { do(t, os.WriteFile(path, []byte(text), 0o644)) }},
	{"vim with a backup", "", func(t *testing.T, path, text string) {
		dir := filepath.Dir(path)
		do(t, os.WriteFile(filepath.Join(dir, "4913"), nil, 0o644), os.Remove(filepath.Join(dir, "4913")),
			os.Rename(path, path+"~"), os.WriteFile(path, []byte(text), 0o644), os.Remove(path+"~"))
	}},
	{"nano", "", func(t *testing.T, path, text string) {
		swap := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".swp")
		do(t, os.WriteFile(swap, []byte("lock"), 0o644))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		do(t, err)
		for _, part := range strings.SplitAfter(text, " ") {
			_, err := f.WriteString(part)
			do(t, err)
		}
		do(t, f.Close(), os.Remove(swap))
	}},
	{"renamed over it", "", func(t *testing.T, path, text string) {
		do(t, os.WriteFile(path+".tmp", []byte(text), 0o644), os.Rename(path+".tmp", path))
	}},
	{"removed first", "", func(t *testing.T, path, text string) { do(t, os.Remove(path), os.WriteFile(path, []byte(text), 0o644)) }},
	{"sed -i", "sed", func(t *testing.T, path, text string) { run(t, "", "sed", "-i", "s/.*/"+text+"/", path) }},
	{"vim itself", "vim", func(t *testing.T, path, text string) {
		run(t, "", "vim", "-u", "NONE", "-es", "+set backup writebackup backupcopy=no", "+%s/.*/"+text+"/", "+wq", path)
	}},
	{"mv", "mv", func(t *testing.T, path, text string) {
		do(t, os.WriteFile(path+".new", []byte(text), 0o644))
		run(t, "", "mv", path+".new", path)
	}},
}

func TestCase028EverySaveOfEveryKindIsSeen(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	path := filepath.Join(dir, "memory.md")
	spit(t, dir, "memory.md", "start\n")
	s := open(t, dir, store.Options{})
	w := watch(t, s, func() string { return strings.TrimSpace(slurp(t, dir, "memory.md")) }, "memory.md", "config.yaml")
	w.sees("start")
	for _, saver := range savers {
		if _, err := exec.LookPath(saver.needs); saver.needs != "" && err != nil {
			t.Logf("%s: no %s here", saver.name, saver.needs)
			continue
		}
		for n := range 2 { // the second save is the one that others miss
			text := fmt.Sprintf("%s number %d", saver.name, n)
			saver.saves(t, path, text)
			w.sees(text)
		}
	}
	do(t, os.Remove(path))
	w.sees("")
	spit(t, dir, "memory.md", "back")
	w.sees("back")
}

func TestCase036DroppingsAreNoNews(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	spit(t, dir, "memory.md", "a")
	s := open(t, dir, store.Options{})
	w := watch(t, s, func() string { return slurp(t, dir, "memory.md") }, "memory.md")
	w.sees("a")
	for _, name := range []string{".memory.md.swp", "memory.md~", "4913", "#memory.md#", ".#memory.md", "sedAb12", "memory.json.tmp123"} {
		spit(t, dir, name, "dropping")
	}
	spit(t, dir, "memory.md", "a") // written, but not changed: no news either
	spit(t, dir, "memory.md", "b")
	w.sees("b")
}

// rev tells what the memory is, so that a call without a change is found out.
func rev(t *testing.T, s *store.Store) func() string {
	return func() string {
		st, err := s.Read()
		if err != nil {
			t.Error(err)
			return err.Error()
		}
		return fmt.Sprintf("%s|%s", told(st.Memories()), archived(st.Archive()))
	}
}

func TestCase034NoWriteOfItsOwnMakesAnother(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := open(t, dir, store.Options{Delay: 10 * time.Millisecond})
	put(t, s, "a", "tea", start)
	w := watch(t, s, rev(t, s))
	w.sees("a=tea|")
	put(t, s, "b", "cat", start) // by this process: in the journal, then in memory.json
	w.sees("a=tea b=cat|")
	other := open(t, dir, store.Options{})
	if _, err := other.Checkpoint(ctx); err != nil { // the same memories in other files
		t.Fatal(err)
	}
	update(t, other, func(tx *store.Tx) { tx.Archive("a", memory.Archived{}) })
	w.sees("b=cat|forgotten:a=tea")
	edit(t, dir, `"cat"`, `"two cats"`)
	w.sees("b=two cats|forgotten:a=tea")
	before := slurp(t, dir, "memory.json")
	w.end()
	want(t, "watching writes nothing", slurp(t, dir, "memory.json"), before)
}

func TestCase044WatchingThroughCheckouts(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := folder(t)
	spit(t, dir, ".gitignore", "/.plastic/\n/memory.journal\n")
	s := open(t, dir, store.Options{})
	run(t, dir, "git", "init", "-q", "-b", "main")
	put(t, s, "a", "tea", start)
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "commit", "-q", "-m", "main")
	run(t, dir, "git", "checkout", "-q", "-b", "other")
	put(t, s, "b", "cat", start)
	run(t, dir, "git", "commit", "-q", "-a", "-m", "other")
	empty := func() string {
		st := read(t, s)
		if len(st.Memories()) == 0 {
			t.Error("no memories in between")
		}
		return told(st.Memories())
	}
	w := watch(t, s, empty)
	w.sees("a=tea b=cat")
	for range 5 {
		run(t, dir, "git", "checkout", "-q", "main")
		empty()
		run(t, dir, "git", "checkout", "-q", "other")
		empty()
	}
	run(t, dir, "git", "checkout", "-q", "main")
	w.sees("a=tea")
	w.end()
	want(t, "exactly the branch", told(read(t, s).Memories()), "a=tea")
}

func TestCase150AQueueThatRanOverIsAFullLook(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	spit(t, dir, "memory.md", "a")
	s := open(t, dir, store.Options{})
	called, goOn := make(chan struct{}), make(chan struct{})
	w := watch(t, s, func() string {
		text := slurp(t, dir, "memory.md")
		if text == "b" { // this call lasts while the events come in
			close(called)
			<-goOn
		}
		return text
	}, "memory.md")
	w.sees("a")
	spit(t, dir, "memory.md", "b")
	select {
	case <-called:
	case <-time.After(patience):
		close(goOn)
		t.Fatal("not seen: b")
	}
	for i := range 9000 {
		spit(t, dir, fmt.Sprintf("file%d", i), "x")
		if i == 8000 {
			spit(t, dir, "memory.md", "c")
		}
	}
	close(goOn)
	w.sees("c")
}

func TestAnotherFolderInItsPlaceIsWatchedOn(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memory")
	do(t, store.Create(dir))
	s := open(t, dir, store.Options{})
	put(t, s, "a", "tea", start)
	w := watch(t, s, rev(t, s))
	w.sees("a=tea|")
	for n := range 2 {
		next := fmt.Sprintf("%s.next%d", dir, n)
		do(t, store.Create(next))
		put(t, open(t, next, store.Options{}), "b", fmt.Sprintf("cat %d", n), start)
		do(t, os.Rename(dir, fmt.Sprintf("%s.old%d", dir, n)))
		if _, err := s.Read(); err == nil {
			t.Error("a folder that is gone was read")
		}
		do(t, os.Rename(next, dir))
		w.sees(fmt.Sprintf("b=cat %d|", n))
	}
	put(t, open(t, dir, store.Options{}), "c", "owl", start)
	w.sees("b=cat 1 c=owl|")
}

func TestTheTargetOfALinkIsWatched(t *testing.T) {
	t.Parallel()
	dir, elsewhere := folder(t), t.TempDir()
	spit(t, elsewhere, "card.md", "a")
	do(t, os.Symlink(filepath.Join(elsewhere, "card.md"), filepath.Join(dir, "memory.md")))
	s := open(t, dir, store.Options{})
	w := watch(t, s, func() string { return slurp(t, dir, "memory.md") }, "memory.md")
	w.sees("a")
	spit(t, elsewhere, "card.md", "b")
	w.sees("b")
	spit(t, elsewhere, "other.md", "c")
	do(t, os.Remove(filepath.Join(dir, "memory.md")), os.Symlink(filepath.Join(elsewhere, "other.md"), filepath.Join(dir, "memory.md")))
	w.sees("c")
	spit(t, elsewhere, "other.md", "d")
	w.sees("d")
}

func TestWithoutEventsTheFilesAreLookedAt(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := open(t, dir, store.Options{})
	s.SetFault(func(step string) error {
		if step == "watch" {
			return errors.New("too many open files")
		}
		return nil
	})
	w := watch(t, s, func() string { return rev(t, s)() + slurp(t, dir, "memory.md") }, "memory.json", "memory.md")
	w.sees("|")
	put(t, open(t, dir, store.Options{}), "a", "tea", start)
	spit(t, dir, "memory.md", "card")
	w.sees("a=tea|card")
}

func TestAWatchLeavesNothingBehind(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	before := runtime.NumGoroutine()
	for range 5 {
		w := watch(t, s, rev(t, s))
		w.sees("|")
		w.end()
	}
	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines after %d", n, before)
	}
}
