package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/memory"
)

var long = flag.Bool("long", false, "a thousand operations in each clone")

// A yard holds the clones of one memory, their common clock, and every text that
// was ever remembered, by the clone that it came from. Clones that are merged are
// named by what went into them: a-b-c.
type yard struct {
	*testing.T
	dir    string
	driver bool
	rnd    *rand.Rand
	now    time.Time
	texts  map[string]string
	in     string // the clone that lives
}

// newYard makes the folder "first" with some memories in it, in git.
func newYard(t *testing.T, driver bool, seed uint64) *yard {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	for k, v := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true", "TZ": "UTC",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c",
	} {
		t.Setenv(k, v)
	}
	y := &yard{T: t, dir: t.TempDir(), driver: driver, rnd: rand.New(rand.NewPCG(seed, 8)), now: time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC), texts: map[string]string{}}
	first := filepath.Join(y.dir, "first")
	y.init(first, plastic.InitOptions{Git: true, Program: y.program()})
	y.use("first", func(b *plastic.Bank) {
		for range 20 {
			y.remember(b)
		}
	})
	y.commit("first")
	return y
}

func (y *yard) program() string {
	path, err := exec.LookPath("plastic")
	y.check(err)
	return path
}

func (y *yard) check(err error) {
	y.Helper()
	if err != nil {
		y.Fatal(err)
	}
}

func (y *yard) init(dir string, o plastic.InitOptions) { y.check(plastic.Init(dir, o)) }

// git runs git in a clone; it must go well.
func (y *yard) git(clone string, args ...string) string {
	y.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = filepath.Join(y.dir, clone)
	out, err := cmd.CombinedOutput()
	if err != nil {
		status := exec.Command("git", "diff")
		status.Dir = cmd.Dir
		diff, _ := status.CombinedOutput()
		y.Fatalf("git %s in %s: %v\n%s\n%.3000s", strings.Join(args, " "), clone, err, out, diff)
	}
	return string(out)
}

// clone makes a clone, with every branch of the other clones that are named.
func (y *yard) clone(from, name string, others ...string) {
	y.Helper()
	y.git("", "clone", "-q", from, name)
	if y.driver {
		y.init(filepath.Join(y.dir, name), plastic.InitOptions{Git: true, Program: y.program()})
	}
	for _, other := range others {
		y.git(name, "fetch", "-q", "../"+other, "HEAD:refs/heads/from-"+other)
	}
}

func (y *yard) commit(clone string) {
	y.Helper()
	y.use(clone, func(b *plastic.Bank) {
		_, err := b.Checkpoint(y.Context())
		y.check(err)
	})
	y.git(clone, "add", "-A")
	y.git(clone, "commit", "-q", "--allow-empty", "-m", clone)
}

// use opens the memory of a clone.
func (y *yard) use(clone string, do func(b *plastic.Bank)) {
	y.Helper()
	b, err := plastic.Open(filepath.Join(y.dir, clone), &plastic.Options{
		Now:    func() time.Time { return y.now },
		Notice: func(p plastic.Problem) { y.Errorf("%s: told %+v", clone, p) },
	})
	y.check(err)
	do(b)
	y.check(b.Close())
}

func (y *yard) text() string {
	text := madeUp(y.rnd)
	y.texts[text] = y.in
	return text
}

// madeUp makes up a text unlike all others.
func madeUp(rnd *rand.Rand) string {
	var words []string
	for range 4 {
		word := make([]byte, 6)
		for i := range word {
			word[i] = "bcdfghklmnprstvz"[rnd.IntN(16)]
			if i%2 == 1 {
				word[i] = "aeiou"[rnd.IntN(5)]
			}
		}
		words = append(words, string(word))
	}
	return strings.Join(words, " ")
}

func (y *yard) remember(b *plastic.Bank) {
	_, err := b.Remember(y.Context(), plastic.Draft{Content: y.text(), Private: y.rnd.IntN(5) == 0})
	y.check(err)
	y.now = y.now.Add(time.Minute)
}

// live through n operations in a clone, committed now and then.
func (y *yard) live(clone string, n int) {
	y.in = clone
	for n > 0 {
		some := min(n, 12)
		y.use(clone, func(b *plastic.Bank) {
			for range some {
				y.operate(b)
			}
		})
		y.commit(clone)
		n -= some
	}
}

func (y *yard) operate(b *plastic.Bank) {
	ctx := y.Context()
	list, err := b.List(plastic.Filter{All: true})
	y.check(err)
	var any plastic.Memory
	if n := len(list.Memories); n > 0 {
		any = list.Memories[y.rnd.IntN(min(n, 12))] // often the same, so that clones meet
	}
	y.now = y.now.Add(time.Minute)
	switch do := y.rnd.IntN(20); {
	case any.ID == "" || do < 5:
		y.remember(b)
	case do < 9:
		_, err = b.Update(ctx, any.ID, y.change())
	case do < 11:
		_, err = b.Forget(ctx, []string{any.ID}, plastic.Forgetting{Why: "drawn"})
	case do < 13:
		err = y.restore(ctx, b)
	case do < 19:
		word, _, _ := strings.Cut(any.Content, " ")
		_, err = b.Recall(ctx, plastic.Query{Text: word})
	default:
		y.now = y.now.Add(2 * time.Hour)
		_, err = b.Compress(ctx, plastic.Nightly{Again: true})
	}
	y.check(err)
}

func (y *yard) change() plastic.Change {
	importance, pinned, text := float64(y.rnd.IntN(11))/10, y.rnd.IntN(2) == 0, ""
	kind := []memory.Kind{memory.Fact, memory.Event, memory.Core}[y.rnd.IntN(3)]
	switch y.rnd.IntN(6) {
	case 0:
		return plastic.Change{Importance: &importance}
	case 1:
		return plastic.Change{Pinned: &pinned}
	case 2:
		return plastic.Change{Kind: &kind}
	}
	text = y.text()
	return plastic.Change{Content: &text}
}

func (y *yard) restore(ctx context.Context, b *plastic.Bank) error {
	a, err := b.Archive()
	if err != nil {
		return err
	}
	for _, i := range y.rnd.Perm(len(a.Archive)) {
		if e := a.Archive[i]; e.As == memory.Forgotten || e.As == memory.Pruned {
			_, err := b.Restore(ctx, []string{e.Memory.ID})
			return err
		}
	}
	return nil
}

// whole checks that a clone has no conflict, lost no text, before and after the
// next write, and is in order. It gives what is remembered, and what is archived.
func (y *yard) whole(clone string) (living, archived string) {
	y.Helper()
	for _, name := range []string{"memory.json", "archive.json", "nights.jsonl"} {
		text, err := os.ReadFile(filepath.Join(y.dir, clone, name))
		if err == nil && strings.Contains(string(text), "<<<<<<<") {
			y.Fatalf("%s: markers in %s", clone, name)
		}
	}
	y.use(clone, func(b *plastic.Bank) {
		living = y.state(b)
		_, err := b.Remember(y.Context(), plastic.Draft{Content: "after the merge"})
		y.check(err)
		a, err := b.Archive()
		y.check(err)
		list, err := b.List(plastic.Filter{All: true})
		y.check(err)
		have := map[string]bool{}
		var lines []string
		for _, e := range a.Archive {
			have[e.Memory.Content] = true
			lines = append(lines, fmt.Sprintf("%s %s %s", e.Memory.ID, e.As, e.Memory.Content))
		}
		for _, m := range list.Memories {
			have[m.Content] = true
		}
		for text, from := range y.texts {
			if !have[text] && (from == "" || strings.Contains(clone, from)) {
				y.Errorf("%s: %q is lost", clone, text)
			}
		}
		slices.Sort(lines)
		archived = strings.Join(slices.Compact(lines), "\n")
		got, err := b.Doctor(y.Context(), false)
		y.check(err)
		for _, p := range got.Problems {
			if p.Code != "dangling" { // what superseded it may have been forgotten elsewhere
				y.Errorf("%s: doctor: %+v", clone, p)
			}
		}
	})
	return living, archived
}

func (y *yard) state(b *plastic.Bank) string {
	list, err := b.List(plastic.Filter{All: true})
	y.check(err)
	var out strings.Builder
	for _, m := range list.Memories {
		line, err := json.Marshal(m)
		y.check(err)
		out.Write(append(line, '\n'))
	}
	return out.String()
}

// words leaves of a state what rebase and cherry-pick must agree on: they merge
// commit by commit, so that counts may be counted twice.
func words(t *testing.T, state string) string {
	var out strings.Builder
	for line := range strings.Lines(state) {
		var m struct {
			ID, Content string
			Private     bool
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, m.ID, m.Content, m.Private)
	}
	return out.String()
}

// ops is how many operations a clone lives through.
func ops(short int) int {
	if *long {
		return 1000
	}
	return short
}

func seed() uint64 {
	if *long {
		return uint64(time.Now().UnixNano())
	}
	return 1
}

// Two and three clones live apart and are merged in every order.
func TestClonesMergeToOneMemory(t *testing.T) {
	for _, driver := range []bool{true, false} {
		t.Run(fmt.Sprintf("driver %v", driver), func(t *testing.T) {
			s := seed()
			t.Logf("seed %d", s)
			y := newYard(t, driver, s)
			clones := []string{"a", "b", "c"}
			for _, c := range clones {
				y.clone("first", c)
			}
			for _, c := range clones {
				y.live(c, ops(30))
			}
			for _, order := range []string{"a-b", "b-a", "a-b-c", "a-c-b", "b-c-a", "c-b-a"} {
				y.mergeAs(order)
			}
			if driver {
				y.alike("a-b", "b-a")
				y.alike("a-b-c", "a-c-b", "b-c-a", "c-b-a")
				return
			}
			for _, order := range []string{"a-b", "b-a", "a-b-c", "a-c-b", "b-c-a", "c-b-a"} {
				y.whole(order)
			}
		})
	}
}

// Two clones are put on top of each other by rebase and by cherry-pick.
func TestClonesRebaseToTheSameMemory(t *testing.T) {
	y := newYard(t, true, seed())
	for _, c := range []string{"a", "b"} {
		y.clone("first", c)
		y.live(c, ops(30))
	}
	y.mergeAs("a-b")
	merged, _ := y.whole("a-b")
	for _, order := range []string{"a-b", "b-a"} {
		top, under, _ := strings.Cut(order, "-")
		rebased, picked := order+"-rebased", order+"-picked"
		y.clone(top, rebased, under)
		y.git(rebased, "rebase", "-q", "from-"+under)
		y.clone(under, picked, top)
		y.git(picked, "cherry-pick", "--allow-empty", "--keep-redundant-commits", "HEAD..from-"+top)
		for _, c := range []string{rebased, picked} {
			if got, _ := y.whole(c); words(t, got) != words(t, merged) {
				t.Errorf("%s remembers other things than a merge:\n%s", c, changed(words(t, merged), words(t, got)))
			}
		}
	}
}

// Clones that pull from each other again and again, while they go on living, come
// to the same memory.
func TestClonesThatPullFromEachOtherAgree(t *testing.T) {
	y := newYard(t, true, seed())
	clones := []string{"a", "b", "c"}
	for _, c := range clones {
		y.clone("first", c)
	}
	for range 2 {
		for i, c := range clones {
			y.live(c, ops(10))
			y.pull(c, clones[(i+1)%3])
		}
	}
	for _, c := range []string{"a", "b", "c", "a", "b", "c"} {
		for _, other := range clones {
			if other != c {
				y.pull(c, other)
			}
		}
	}
	for _, c := range clones {
		y.git("", "clone", "-q", c, "a-b-c-from-"+c)
	}
	y.alike("a-b-c-from-a", "a-b-c-from-b", "a-b-c-from-c")
}

func (y *yard) pull(clone, from string) {
	y.Helper()
	y.git(clone, "pull", "-q", "--no-rebase", "--no-edit", "../"+from, "HEAD")
}

// mergeAs makes the clone a-b-c: the clone a, with b and then c merged in.
func (y *yard) mergeAs(order string) {
	y.Helper()
	names := strings.Split(order, "-")
	y.clone(names[0], order, names[1:]...)
	for _, other := range names[1:] {
		y.git(order, "merge", "-q", "--no-edit", "from-"+other)
	}
}

// alike checks that clones are whole and hold the same.
func (y *yard) alike(clones ...string) {
	y.Helper()
	living, archived := y.whole(clones[0])
	for _, c := range clones[1:] {
		l, a := y.whole(c)
		if l != living {
			y.Errorf("%s remembers other things than %s:\n%s", c, clones[0], changed(living, l))
		}
		if a != archived {
			y.Errorf("%s has archived other things than %s:\n%s", c, clones[0], changed(archived, a))
		}
	}
}

// changed gives the lines that are in one text only.
func changed(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out strings.Builder
	for _, line := range x {
		if !slices.Contains(y, line) {
			fmt.Fprintln(&out, "-", line)
		}
	}
	for _, line := range y {
		if !slices.Contains(x, line) {
			fmt.Fprintln(&out, "+", line)
		}
	}
	return out.String()
}
