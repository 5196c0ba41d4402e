package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// full is a disk, or a pipe, that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnAnswerThatCanNotBeWrittenIsAFailure(t *testing.T) {
	var errs bytes.Buffer
	if code := run([]string{"plastic", "version"}, strings.NewReader(""), full{}, &errs, nil); code != exitFailure {
		t.Errorf("exit code %d, want %d", code, exitFailure)
	}
	if !strings.Contains(errs.String(), "no space left on device") {
		t.Errorf("stderr does not say why: %q", errs.String())
	}
}

func TestARunReadsOnlyTheEnvironmentItIsGiven(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PLASTIC_DIR", filepath.Join(dir, "not-this-one"))
	var out, errs bytes.Buffer
	env := []string{"PLASTIC_DIR=" + filepath.Join(dir, "old"), "PLASTIC_DIR=" + dir, "HOME=" + dir}
	code := run([]string{"plastic", "remember", "-"}, strings.NewReader("Ann keeps two cats\n"), &out, &errs, env)
	if code != exitOK || !strings.HasSuffix(out.String(), " created\n") || errs.Len() > 0 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
	if b, err := os.ReadFile(filepath.Join(dir, "memory.json")); err != nil || !strings.Contains(string(b), "two cats") {
		t.Errorf("memory.json of the folder named last: %q, %v", b, err)
	}
}

func TestOnlyOneFinalNewlineOfStdinIsStripped(t *testing.T) {
	for given, want := range map[string]string{
		"":            "",
		"\n":          "",
		"a":           "a",
		"a\n":         "a",
		"a\r\n":       "a",
		"a\n\n":       "a\n",
		"\n a \n b\n": "\n a \n b",
		"a\r":         "a\r",
	} {
		a := newApp([]string{"plastic"}, strings.NewReader(given), &bytes.Buffer{}, &bytes.Buffer{}, nil)
		if got, err := a.stdin(context.Background()); err != nil || got != want {
			t.Errorf("stdin %q reads as %q, %v; want %q", given, got, err, want)
		}
	}
}

func TestAStdinWithoutEndIsRefusedNotSwallowed(t *testing.T) {
	a := newApp([]string{"plastic"}, strings.NewReader(strings.Repeat("x", maxText+1)), &bytes.Buffer{}, &bytes.Buffer{}, nil)
	if _, err := a.stdin(context.Background()); err == nil {
		t.Error("no error")
	}
}

// Who waits at a terminal for a text that does not come can leave.
func TestWaitingForStdinCanBeInterrupted(t *testing.T) {
	in, _ := io.Pipe()
	a := newApp([]string{"plastic"}, in, &bytes.Buffer{}, &bytes.Buffer{}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.stdin(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
