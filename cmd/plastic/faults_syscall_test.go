package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/internal/banktest"
	"plastic/internal/outage"
)

// Whatever error a system call answers while a verb writes, the verb fails and all is as it
// was, or it goes well and all is there; the next one works.
func TestFaultsAnErrorOfEverySystemCallOfAVerb(t *testing.T) {
	if !outage.Possible() {
		t.Skip("strace is missing, or may not be used")
	}
	p := &powered{T: t, dir: t.TempDir(), home: t.TempDir(), f: &outage.Figures{Suite: "an error of each system call of a verb"}}
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", p.home)
	t.Setenv("XDG_STATE_HOME", p.home)
	t.Setenv("PLASTIC_NOW", "2026-11-28T12:00:00Z")
	banktest.Write(t, p.dir, "config.yaml", "memory: {timezone: UTC}\n")
	banktest.Write(t, p.dir, "memory.md", "# card\n\nask before you cook\n")
	p.must("", "import", p.many())
	p.must("", "compress")
	step := 80
	if *long {
		step = 1
	}
	for _, v := range []struct {
		in   string
		args []string
	}{
		{"# card\n\nask twice\n", []string{"card", "set", "--hash", "HASH"}},
		{"", []string{"config", "set", "memory.keepFraction", "0.6"}},
		{"", []string{"nights", "undo", "2026-11-28"}},
	} {
		at := p.copied()
		if out, err := at.command(v.in, v.args).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", v.args, out)
		}
		after := at.state(at.dir)
		for _, name := range []string{"openat", "write", "fsync", "renameat", "unlinkat", "fchmod", "ftruncate", "flock"} {
			for n := 1; p.failsAtCall(v.in, v.args, after, name, fmt.Sprintf("%s:when=%d", []string{"EIO", "ENOSPC", "EROFS"}[n%3], n)); n += step {
			}
		}
	}
	t.Logf("%d runs, %d faults, %d lost", p.f.Runs, p.f.Faults, p.f.Lost)
	if err := p.f.Keep(); err != nil {
		t.Error(err)
	}
}

// failsAtCall runs a verb in a copy of the folder, and reports whether there was such a
// call.
func (p *powered) failsAtCall(in string, args []string, after [3]string, name, answer string) bool {
	at := p.copied()
	defer os.RemoveAll(at.dir)
	before := at.state(at.dir)
	cmd := at.command(in, args)
	log := filepath.Join(p.TempDir(), "strace")
	strace, err := exec.LookPath("strace")
	if err != nil {
		p.Fatal(err)
	}
	run := exec.Command(strace, append([]string{"-f", "-qq", "--seccomp-bpf", "-e", "signal=none", "-e", "trace=" + name,
		"-e", "inject=" + name + ":error=" + answer, "-o", log}, cmd.Args...)...)
	run.Stdin = strings.NewReader(in)
	limit := time.AfterFunc(time.Minute, func() { run.Process.Kill() })
	failed := run.Run()
	limit.Stop()
	told, err := os.ReadFile(log)
	if err != nil {
		p.Fatal(err)
	}
	p.f.Runs++
	if !strings.Contains(string(told), "INJECTED") {
		return false
	}
	p.f.Faults++
	got := at.state(at.dir)
	for i := range got {
		if got[i] != after[i] && (failed == nil || got[i] != before[i]) {
			p.f.Lost++
			p.Errorf("%v, %s %s, which says %v:\n%s", args, name, answer, failed, differ(after[i], got[i]))
		}
	}
	at.must("", "remember", "after all")
	return true
}

// copied gives a copy of the folder.
func (p *powered) copied() *powered {
	at := &powered{T: p.T, dir: filepath.Join(p.TempDir(), "copy"), home: p.home}
	if err := os.CopyFS(at.dir, os.DirFS(p.dir)); err != nil {
		p.Fatal(err)
	}
	return at
}
