package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plastic/internal/outage"
)

// changing and looking are the system calls that a save may be made of.
var (
	changing = []string{"openat", "write", "pwrite64", "fsync", "ftruncate", "truncate", "renameat", "unlinkat", "utimensat", "flock",
		"fchmod", "fchmodat", "mkdirat", "copy_file_range"}
	looking = []string{"lseek", "fstat", "newfstatat", "read", "pread64", "getdents64", "close"}
)

// answers are what they may say, once or from then on. (A call that is interrupted for
// ever is made again for ever.)
var answers = []string{"EIO:when=%d", "ENOSPC:when=%d", "EINTR:when=%d", "EACCES:when=%d", "EROFS:when=%d+", "ENOSPC:when=%d+", "EMFILE:when=%d", "EIO:when=%d+"}

// Whatever error any system call of a save answers, the process answers with an error or
// the thing is done; nothing is half there, and the next process writes on.
func TestFaultsAnErrorOfEverySystemCall(t *testing.T) {
	if !outage.Possible() {
		t.Skip("strace is missing, or may not be used")
	}
	c := newCourse(t, atOnce)
	f := figures(t, "an error of each system call of a save")
	kinds := 1
	if *atLength {
		kinds = 3
	}
	for i, name := range changing {
		failsAtCalls(t, f, c, name, i, kinds)
	}
	for i, name := range looking {
		failsAtCalls(t, f, c, name, i, 1)
	}
}

// failsAtCalls tries so many kinds of answers at each call of this name.
func failsAtCalls(t *testing.T, f *outage.Figures, c *course, name string, i, kinds int) {
	for n := 1; ; n += stride(90) {
		more := false
		for k := range kinds {
			answer := answers[(i+n+k*3)%len(answers)]
			more = failsAtCall(t, f, c, name, fmt.Sprintf(answer, n)) || more
		}
		if !more {
			return
		}
	}
}

// failsAtCall reports whether there was such a call.
func failsAtCall(t *testing.T, f *outage.Figures, c *course, name, answer string) bool {
	dir := folder(t)
	defer os.RemoveAll(dir)
	cmd := child(t, "live", dir, string(c.manner), "0")
	log := filepath.Join(t.TempDir(), "strace")
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args = append([]string{strace, "-f", "-qq", "--seccomp-bpf", "-e", "signal=none", "-e", "trace=" + name, "-e", "inject=" + name + ":error=" + answer, "-o", log, cmd.Path}, cmd.Args[1:]...)
	cmd.Path, cmd.Stderr = strace, nil
	limit := time.AfterFunc(time.Minute, func() {
		t.Errorf("%s %s: it does not end", name, answer)
		cmd.Process.Signal(syscall.SIGTERM)
	})
	out, err := cmd.Output()
	limit.Stop()
	told, rerr := os.ReadFile(log)
	if rerr != nil {
		t.Fatal(rerr)
	}
	f.Runs++
	if !strings.Contains(string(told), "INJECTED") {
		if err != nil {
			t.Fatalf("without a fault: %v", err)
		}
		return false
	}
	f.Faults++
	done := deedsSaid(string(out))
	if err := c.stand(dir, done); err != nil {
		lose(t, f, "%s %s, after %d deeds: %v", name, answer, done, err)
	}
	if err := c.goesOn(dir, done); err != nil {
		lose(t, f, "%s %s, after %d deeds: %v", name, answer, done, err)
	}
	return true
}
