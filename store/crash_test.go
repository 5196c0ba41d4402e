package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// The test binary is also the other process: PLASTIC_STORE_CHILD says what it does.
func TestMain(m *testing.M) {
	switch job, dir, _ := strings.Cut(os.Getenv("PLASTIC_STORE_CHILD"), ":"); job {
	case "":
		os.Exit(m.Run())
	case "write":
		childWrites(dir)
	case "forever":
		childWritesForever(dir)
	case "live":
		childLives(dir)
	case "read":
		childReads(dir)
	case "one":
		childPutsOne(dir)
	case "queue":
		childQueues(dir)
	case "distil":
		childDistils(dir)
	case "shares":
		childShares(dir)
	}
}

func child(t testing.TB, job, dir string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "PLASTIC_STORE_CHILD="+job+":"+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// unlessShort gives n, or with -short few.
func unlessShort(n, few int) int {
	if testing.Short() {
		return few
	}
	return n
}

func childWrites(dir string) {
	who, n := os.Args[1], os.Args[2]
	count, err := strconv.Atoi(n)
	must(err)
	s, err := store.Open(dir, store.Options{LockWait: time.Minute})
	must(err)
	for i := range count {
		_, err := s.Update(ctx, func(tx *store.Tx) error {
			tx.Put(memory.Memory{ID: fmt.Sprintf("p%s.%d", who, i), Content: "item " + n, CreatedAt: start})
			shared, ok := tx.Get("shared")
			if !ok {
				return errors.New("the shared memory is gone")
			}
			shared.RecallCount++
			tx.Put(shared)
			return nil
		})
		must(err)
		if i%10 == 0 {
			fmt.Println(i)
		}
	}
	must(s.Close())
}

func TestCase001EightProcessesLoseNothing(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{})
	put(t, s, "shared", "counted by all", start)
	const processes = 8
	updates := unlessShort(200, 40)
	news := make(chan string)
	var wg sync.WaitGroup
	for p := range processes {
		cmd := child(t, "write", dir, strconv.Itoa(p), strconv.Itoa(updates))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				news <- lines.Text()
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	go func() { wg.Wait(); close(news) }()
	last := 0
	for range news { // a reader meanwhile sees whole states only, that never go back
		st := read(t, s)
		m, ok := st.Get("shared")
		n := len(st.Memories())
		if !ok || n < last || n != m.RecallCount+1 {
			t.Errorf("%d memories after %d, counted %d", n, last, m.RecallCount)
		}
		last = n
	}
	st := read(t, open(t, dir, store.Options{}))
	if n := len(st.Memories()); n != processes*updates+1 {
		t.Errorf("%d memories", n)
	}
	if m, _ := st.Get("shared"); m.RecallCount != processes*updates {
		t.Errorf("counted %d", m.RecallCount)
	}
	want(t, "problems", codes(st.Problems())+archived(st.Archive()), "")
}

// childWritesForever says each id when it is acknowledged.
func childWritesForever(dir string) {
	s, err := store.Open(dir, store.Options{Now: time.Now})
	must(err)
	for i := 0; ; i++ {
		id := os.Args[1] + "." + strconv.Itoa(i)
		_, err := s.Update(ctx, func(tx *store.Tx) error {
			tx.Put(memory.Memory{ID: id, Content: "kept " + id, CreatedAt: start})
			if m, ok := tx.Get(os.Args[1] + "." + strconv.Itoa(i-2)); ok {
				tx.Archive(m.ID, memory.Archived{})
			}
			return nil
		})
		must(err)
		fmt.Println(id)
		if i%3 == 0 {
			must(s.Rehearse([]string{id}, start))
		}
	}
}

func TestCase007KilledAnywhereLosesNothing(t *testing.T) {
	dir := folder(t)
	acknowledged := make(map[string]bool)
	runs := unlessShort(200, 40)
	for run := range runs {
		cmd := child(t, "forever", dir, "r"+strconv.Itoa(run))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := rand.IntN(5); n >= 0 && lines.Scan(); n-- {
			acknowledged[lines.Text()] = true
		}
		for end := time.Now().Add(time.Duration(rand.IntN(1500)) * time.Microsecond); time.Now().Before(end); {
		}
		cmd.Process.Kill()
		for lines.Scan() {
			acknowledged[lines.Text()] = true
		}
		cmd.Wait()
		if run%20 == 0 || run > runs-10 {
			checkAcknowledged(t, dir, acknowledged)
		}
	}
	if len(acknowledged) < runs {
		t.Errorf("only %d updates", len(acknowledged))
	}
	s := open(t, dir, store.Options{})
	put(t, s, "last", "after all", start)
	found, err := s.Check()
	if err != nil || len(found) > 0 {
		t.Errorf("%+v %v", found, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*[0-9]")); len(left) > 0 {
		t.Error(left)
	}
}

func checkAcknowledged(t *testing.T, dir string, ids map[string]bool) {
	t.Helper()
	st := read(t, open(t, dir, store.Options{}))
	if p := st.Problems(); len(p) > 0 {
		t.Fatalf("%+v", p)
	}
	have := make(map[string]int)
	for _, m := range st.Memories() {
		have[m.ID]++
	}
	for _, e := range st.Archive() {
		have[e.Memory.ID]++
	}
	for id := range ids {
		if have[id] != 1 {
			t.Fatalf("%s is there %d times", id, have[id])
		}
	}
}

func slurpTemps(t *testing.T, dir string) string {
	t.Helper()
	left, _ := filepath.Glob(filepath.Join(dir, ".*[0-9]"))
	return strings.Join(left, " ")
}

func TestATornLastLineIsCutOff(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, store.Options{Delay: time.Hour})
	put(t, s, "a", "tea", start)
	put(t, s, "b", "cat", start)
	whole := slurp(t, dir, "memory.journal")
	for _, cut := range []int{1, 2, 20, len(strings.SplitAfter(whole, "\n")[2])} {
		other := folder(t)
		spit(t, other, "memory.journal", whole[:len(whole)-cut])
		s := open(t, other, store.Options{Delay: time.Hour})
		want(t, "torn", told(read(t, s).Memories()), "a=tea")
		put(t, s, "c", "owl", start)
		want(t, "torn and written on", told(read(t, open(t, other, store.Options{})).Memories()), "a=tea c=owl")
	}
	for _, damage := range []string{"\x00\x00\x00\n", "{\"at\":\"x\",\"ops\":[{\"put\":{\"id\":\"q\"\n", "{\"later\":true}\n"} {
		other := folder(t)
		lines := strings.SplitAfter(whole, "\n")
		spit(t, other, "memory.journal", lines[0]+lines[1]+damage+lines[2])
		s := open(t, other, store.Options{})
		st := read(t, s)
		want(t, "a damaged line", told(st.Memories())+"|"+codes(st.Problems()), "a=tea b=cat|journal")
		put(t, s, "c", "owl", start)
		want(t, "kept", slurp(t, other, "memory.journal.corrupt-lines"), damage)
		want(t, "and settled", codes(read(t, s).Problems()), "")
	}
}

// childReads prints what it can read and why it can not write.
func childReads(dir string) {
	s, err := store.Open(dir, store.Options{})
	must(err)
	st, err := s.Read()
	must(err)
	_, werr := s.Update(ctx, func(tx *store.Tx) error { tx.Put(memory.Memory{ID: "x", Content: "x"}); return nil })
	fmt.Printf("%s|%v %v %v", told(st.Memories()), errors.Is(st.Writable(), memory.ErrReadOnly), errors.Is(werr, memory.ErrReadOnly), errors.Is(s.Rehearse([]string{"a"}, start), memory.ErrReadOnly))
}

// nobody is the user and group of asNobody.
const nobody = 65534

// asNobody has root's test run cmd, the test binary, as another user, to whom
// base is open.
func asNobody(t *testing.T, base string, cmd *exec.Cmd) {
	t.Helper()
	os.Chmod(base, 0o755)
	copied := filepath.Join(base, "exe")
	if _, err := os.Stat(copied); err != nil && os.Link(cmd.Path, copied) != nil {
		text, err := os.ReadFile(cmd.Path)
		if err == nil {
			err = os.WriteFile(copied, text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd.Path, cmd.Dir = copied, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// childPutsOne puts a memory and says what doctor says.
func childPutsOne(dir string) {
	s, err := store.Open(dir, store.Options{})
	must(err)
	st, err := s.Update(ctx, func(tx *store.Tx) error {
		tx.Put(memory.Memory{ID: "n", Content: "by nobody", CreatedAt: start})
		return nil
	})
	must(err)
	found, err := s.Check()
	must(err)
	fmt.Printf("%s|%s", told(st.Memories()), codes(found))
}

// One run as root must not shut the folder's user out, whatever it left behind.
func TestCase005WhatRootLeftShutsNobodyOut(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can leave files that others can not write")
	}
	base, err := os.MkdirTemp("", "plastic-root-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	for _, row := range []struct{ left, want string }{
		{"", "a=tea n=by nobody|"}, // made by root in nobody's folder: it is nobody's
		{"memory.json", "a=tea n=by nobody|"},
		{"memory.journal", "a=tea n=by nobody|"},
		{".plastic/lock", "a=tea n=by nobody|"},
		{".plastic/state.json", "a=tea n=by nobody|"},
		{".plastic", "a=tea n=by nobody|read_only"},
	} {
		dir := filepath.Join(base, "of"+filepath.Base(row.left))
		if err := errors.Join(os.Mkdir(dir, 0o755), os.Chown(dir, nobody, nobody), store.Create(dir)); err != nil {
			t.Fatal(err)
		}
		put(t, open(t, dir, later(start)), "a", "tea", start)
		if row.left != "" {
			os.Chown(filepath.Join(dir, row.left), 0, 0)
		}
		cmd := child(t, "one", dir)
		asNobody(t, base, cmd)
		got, err := cmd.Output()
		want(t, "after root's "+row.left, fmt.Sprintf("%s %v", got, err), row.want+" <nil>")
	}
}

func TestTheOwnFolderIsOpenToWhomTheFolderIs(t *testing.T) {
	dir := folder(t)
	if err := os.Chmod(dir, 0o770|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, dir, store.Options{}), "a", "tea", start)
	fi, err := os.Stat(filepath.Join(dir, ".plastic"))
	if err != nil || fi.Mode() != os.ModeDir|os.ModeSetgid|0o770 {
		t.Error(fi.Mode(), err)
	}
}

func TestCase013AReadOnlyFolderCanBeRead(t *testing.T) {
	base, err := os.MkdirTemp("", "plastic-ro-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	dir := filepath.Join(base, "memory")
	if err := store.Create(dir); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, dir, store.Options{}), "a", "tea", start)
	cmd := child(t, "read", dir)
	if os.Geteuid() == 0 { // root may write everywhere
		asNobody(t, base, cmd)
	} else {
		os.Chmod(dir, 0o555)
		defer os.Chmod(dir, 0o755)
	}
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want(t, "read", string(got), "a=tea|true true true")
}
