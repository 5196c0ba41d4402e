package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"plastic"
	"plastic/internal/outage"
)

// crowd is all that works in one folder at once: writers, an editor, git and nights.
type crowd struct {
	*yard
	folder string
	ends   time.Time // when it has worked for its time
	least  int       // but each hand does so much

	hand sync.Mutex // held by the editor or by git: they do not know of each other

	mu    sync.Mutex // guards all below
	texts map[string]string
	runs  int
	fails map[string]int
	saves int
}

var crowdTime = flag.Duration("crowd", 2*time.Minute, "how long a crowd works with -long")

// Eight writers, an editor, git and nights at once: every text that was acknowledged, and
// every one that a hand has saved, is remembered or in the archive.
func TestFaultsACrowdLosesNothing(t *testing.T) {
	c := &crowd{yard: newYard(t, true, 1), least: 3, texts: map[string]string{}, fails: map[string]int{}}
	c.folder = filepath.Join(c.dir, "first")
	c.clone("first", "second")
	for text := range c.yard.texts {
		c.texts[text] = "the first days"
	}
	c.ends = time.Now()
	if *long {
		c.ends = c.ends.Add(*crowdTime)
	}
	var hands, others sync.WaitGroup
	done := make(chan struct{})
	const writers = 8
	for i := range writers {
		hands.Go(func() { c.writer(i) })
	}
	for _, other := range []func(stop <-chan struct{}){c.editor, c.nights, c.gitAtWork} {
		others.Go(func() { other(done) })
	}
	hands.Wait()
	close(done)
	others.Wait()
	c.settle()
	f := &outage.Figures{Suite: "8 writers, an editor, git and nights at once", Runs: c.runs, Faults: c.saves, Lost: c.lost()}
	t.Logf("%d runs, %d saves by other hands, %d texts, %d lost; failed: %v", f.Runs, f.Faults, len(c.texts), f.Lost, c.fails)
	if err := f.Keep(); err != nil {
		t.Error(err)
	}
}

// plastic runs the binary, and gives what it answered and whether it went well.
func (c *crowd) plastic(in string, args ...string) (string, bool) {
	cmd := exec.Command("plastic", append([]string{"--dir", c.folder}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs++
	if err != nil {
		c.fails[args[0]]++
		if strings.Contains(errs.String(), "panic") {
			c.Errorf("%v: %s", args, errs.String())
		}
	}
	return string(out), err == nil
}

func (c *crowd) keeps(text, whose string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts[text] = whose
}

func (c *crowd) saved() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saves++
}

// writer does what programs do, with memories of its own.
func (c *crowd) writer(n int) {
	rnd := rand.New(rand.NewPCG(uint64(n), 9))
	var mine []string
	for k := 0; k < c.least || time.Now().Before(c.ends); k++ {
		text, id := madeUp(rnd), ""
		if len(mine) > 0 {
			id = mine[rnd.IntN(len(mine))]
		}
		switch do := rnd.IntN(20); {
		case id == "" || do < 7:
			if out, ok := c.plastic("", "remember", text); ok {
				c.keeps(text, "remembered")
				mine = append(mine, strings.Fields(out)[0])
			}
		case do < 11:
			if _, ok := c.plastic("", "update", id, "--content", text); ok {
				c.keeps(text, "updated "+id)
			}
		case do < 13:
			c.plastic("", "forget", id, "--why", "drawn")
		case do < 15:
			c.plastic("", "restore", id)
		case do < 17:
			second := madeUp(rnd)
			if _, ok := c.plastic(fmt.Sprintf("{\"content\":%q}\n{\"content\":%q}\n", text, second), "import", "-"); ok {
				c.keeps(text, "imported")
				c.keeps(second, "imported")
			}
		default:
			c.plastic("", "recall", text[:6])
		}
	}
}

func working(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return false
	default:
		return true
	}
}

// editor saves memory.json and memory.md whole, as editors do: in place, by rename, and
// slowly, so that half a file stands there for a while.
func (c *crowd) editor(stop <-chan struct{}) {
	rnd := rand.New(rand.NewPCG(77, 9))
	for n := 0; working(stop) || n < 3; n++ {
		text := madeUp(rnd)
		if ok, err := c.edit(text, n%3); err != nil {
			c.Error(err)
		} else if ok {
			c.saved()
			c.keeps(text, fmt.Sprint("saved by hand, manner ", n%3))
		}
	}
}

// edit adds a memory by hand; not ok is that somebody else is at it.
func (c *crowd) edit(text string, manner int) (ok bool, err error) {
	c.hand.Lock()
	defer c.hand.Unlock()
	path := filepath.Join(c.folder, "memory.json")
	old, err := os.ReadFile(path)
	at := strings.LastIndex(string(old), "\n]}")
	if err != nil || at < 0 || !json.Valid(old) {
		return false, err
	}
	whole := string(old[:at]) + fmt.Sprintf("\n,{\"content\":%q}", text) + string(old[at:])
	switch manner {
	case 0:
		err = os.WriteFile(path, []byte(whole), 0o644)
	case 1:
		if err = os.WriteFile(path+"~", []byte(whole), 0o644); err == nil {
			err = os.Rename(path+"~", path)
		}
	case 2:
		err = slowly(path, whole)
	}
	return err == nil, errors.Join(err, os.WriteFile(filepath.Join(c.folder, "memory.md"), []byte("# card\n\n"+text+"\n"), 0o644))
}

// slowly writes a file in two halves, with time for others in between.
func slowly(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(text[:len(text)/2]); err != nil {
		return err
	}
	exec.Command("plastic", "--dir", filepath.Dir(path), "list").Run() // meanwhile somebody reads
	_, err = f.WriteString(text[len(text)/2:])
	return err
}

// nights run again and again.
func (c *crowd) nights(stop <-chan struct{}) {
	for n := 0; working(stop) || n < 2; n++ {
		c.plastic("", "compress", "--again")
	}
}

// gitAtWork commits, goes back and forth, and merges what another clone has learnt.
func (c *crowd) gitAtWork(stop <-chan struct{}) {
	rnd := rand.New(rand.NewPCG(88, 9))
	second := filepath.Join(c.dir, "second")
	branch := c.branch()
	git := func(dir string, args ...string) bool {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		_, err := cmd.CombinedOutput()
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil {
			c.fails["git "+args[0]]++
		}
		return err == nil
	}
	for n := 0; working(stop) || n < 2; n++ {
		text := madeUp(rnd)
		if exec.Command("plastic", "--dir", second, "remember", text).Run() == nil && git(second, "commit", "-q", "-am", "learnt") {
			c.keeps(text, "merged")
		}
		commit := func(name string) {
			git(c.folder, "add", "-A")
			git(c.folder, "commit", "-q", "--allow-empty", "-m", name)
			git(c.folder, "branch", "-f", fmt.Sprint(name, n)) // so that no commit is left behind
		}
		commit("beside") // while others write
		back := false
		c.alone(func() {
			commit("now")
			git(c.folder, "pull", "-q", "--no-rebase", "--no-edit", second, "HEAD")
			back = git(c.folder, "checkout", "-q", "HEAD~1")
		})
		c.plastic("", "list") // others write in the past
		c.alone(func() {
			commit("past")
			git(c.folder, "checkout", "-q", branch)
			git(c.folder, "merge", "-q", "--no-edit", fmt.Sprint("past", n))
		})
		if back {
			c.saved()
		}
	}
}

// alone holds the editor off, and the lock of plastic. Where git's own check of the work
// tree fails, it puts files back that were written since: a merge into a folder in which
// others write must hold the lock, as flock .plastic/lock git pull does.
func (c *crowd) alone(do func()) {
	c.hand.Lock()
	defer c.hand.Unlock()
	f, err := os.Open(filepath.Join(c.folder, ".plastic", "lock"))
	if err == nil {
		defer f.Close()
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		c.Error(err)
	}
	do()
}

func (c *crowd) branch() string {
	return strings.TrimSpace(c.git("second", "symbolic-ref", "--short", "HEAD"))
}

// settle lets git end what it has begun and plastic what waits.
func (c *crowd) settle() {
	if _, ok := c.plastic("", "doctor", "--fix"); !ok {
		c.Log("doctor --fix leaves something")
	}
	c.git("first", "add", "-A")
	c.git("first", "commit", "-q", "--allow-empty", "-m", "settled")
	c.git("first", "branch", "settled")
	c.git("first", "checkout", "-q", c.branch())
	for _, name := range strings.Fields(c.git("first", "branch", "--format=%(refname:short)", "--no-merged")) {
		c.git("first", "merge", "-q", "--no-edit", name)
	}
	second := filepath.Join(c.dir, "second")
	c.git("first", "pull", "-q", "--no-rebase", "--no-edit", second, "HEAD")
	if _, ok := c.plastic("", "checkpoint"); !ok {
		c.Error("the last checkpoint failed")
	}
	if out, ok := c.plastic("", "doctor", "--fix"); !ok {
		c.Errorf("doctor: %s", out)
	}
	for _, name := range []string{"memory.json", "archive.json"} {
		if text, err := os.ReadFile(filepath.Join(c.folder, name)); err != nil || !json.Valid(text) {
			c.Errorf("%s does not parse: %v", name, err)
		}
	}
}

// lost counts the texts that are nowhere.
func (c *crowd) lost() (n int) {
	have := map[string]bool{}
	b, err := plastic.Open(c.folder, nil)
	c.check(err)
	defer b.Close()
	list, err := b.List(plastic.Filter{All: true})
	c.check(err)
	for _, m := range list.Memories {
		have[m.Content] = true
	}
	a, err := b.Archive()
	c.check(err)
	for _, e := range a.Archive {
		have[e.Memory.Content] = true
	}
	for text, whose := range c.texts {
		if !have[text] {
			n++
			c.Errorf("%q is lost: %s", text, whose)
		}
	}
	return n
}
