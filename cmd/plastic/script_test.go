package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scripts compare with anew")

// TestMain lets the scripts run this program under both of its names.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plastic": main, memoryName: main, "append": appendLine})
}

// appendLine is an editor: append [LINE] FILE… adds LINE to each FILE.
func appendLine() {
	if len(os.Args) < 3 {
		return // nothing to add: the file stays as it is
	}
	for _, path := range os.Args[2:] {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(os.Args[1] + "\n")
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// TestScripts runs the transcripts of testdata/script. One is one verb and case.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               setup,
		Cmds:                commands,
		Condition:           condition,
		UpdateScripts:       *update,
		RequireExplicitExec: false,
		RequireUniqueNames:  true,
	})
}

// setup fixes what the answers depend on: the home folder, the zone, the time.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("HOME", home)
	env.Setenv("TZ", "UTC")
	env.Setenv("PLASTIC_NOW", "2026-11-28T12:00:00Z")
	return os.MkdirAll(home, 0o755)
}

// commands are the words of the scripts beside those of testscript.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":   exits,
	"capture": capture,
	"hold":    hold,
	"within":  within,
	"nowhere": nowhere,
	"mask":    mask,
	"fill":    fill,
}

// exits CODE PROGRAM ARG… runs a program that must end with CODE.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%s ended with %d, not %d", strings.Join(args[1:], " "), got, want)
	}
}

// capture NAME [REGEXP] keeps the first word that the last command printed, or
// the first group of REGEXP in it.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: capture NAME [REGEXP]")
	}
	re := regexp.MustCompile(`(\S+)`)
	if len(args) == 2 {
		re = regexp.MustCompile(args[1])
	}
	found := re.FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) < 2 {
		ts.Fatalf("nothing like %s was printed", re)
	}
	ts.Setenv(args[0], found[1])
}

// mask REGEXP TEXT FILE writes what the last command printed to FILE, with TEXT
// wherever the first group of REGEXP stands: ids are given by chance.
func mask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: mask REGEXP TEXT FILE")
	}
	printed := ts.ReadFile("stdout")
	found := regexp.MustCompile(args[0]).FindStringSubmatch(printed)
	if len(found) < 2 {
		ts.Fatalf("nothing like %s was printed", args[0])
	}
	printed = strings.ReplaceAll(printed, found[1], args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(printed), 0o644))
}

// nowhere TEXT DIR checks that no file under DIR holds TEXT, nor is there one
// that could not be read.
func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nowhere TEXT DIR")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), args[0]) {
			err = fmt.Errorf("%s holds %q", path, args[0])
		}
		return err
	}))
}

// fill BYTES FILE writes a file of so many letters.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fill BYTES FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Repeat("x", n)), 0o644))
}

// hold FILE has FILE locked until the script ends, as another process would.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold FILE")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_RDWR|os.O_CREATE, 0o600)
	ts.Check(err)
	ts.Check(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
	ts.Defer(func() { f.Close() })
}

// within COLUMNS FILE checks that no line of FILE is wider in a terminal.
func within(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: within COLUMNS FILE")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	for n, line := range strings.Split(ts.ReadFile(args[1]), "\n") {
		if cells(line) > most {
			ts.Fatalf("line %d takes %d columns: %s", n+1, cells(line), line)
		}
	}
}

// condition adds [readonly]: a folder without the write bit can not be written,
// which does not hold for the superuser; and [root]: who may act for another user.
func condition(name string) (bool, error) {
	if name == "root" {
		return os.Geteuid() == 0, nil
	}
	if name != "readonly" {
		return false, errors.New("unknown condition " + name)
	}
	dir, err := os.MkdirTemp("", "plastic-readonly-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o555); err != nil {
		return false, err
	}
	return os.WriteFile(filepath.Join(dir, "f"), nil, 0o644) != nil, nil
}
