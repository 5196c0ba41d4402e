package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Processes that find no index build it at once, each for itself: every one answers
// right, and what they leave is a whole index.
func TestProcessesThatBuildTheIndexAtOnceHarmNobody(t *testing.T) {
	m := newMemoryWith(t, "")
	const memories = 3000
	var lines strings.Builder
	for i := range memories {
		fmt.Fprintf(&lines, `{"content":"note number %d about topic%d and the river"}`+"\n", i, i*7)
	}
	file := filepath.Join(t.TempDir(), "notes.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	m.ok("", "import", file)
	for round := range 5 {
		if err := os.RemoveAll(filepath.Join(m.dir, ".plastic")); err != nil {
			t.Fatal(err)
		}
		var cmds []*exec.Cmd
		var out [6]bytes.Buffer
		for i := range out {
			cmd := exec.Command("plastic", "--dir", m.dir, "recall", fmt.Sprintf("topic%d", (round*100+i)*7))
			if i%3 == 2 {
				cmd = exec.Command("plastic", "--dir", m.dir, "remember", fmt.Sprintf("written while it is built: round%d hand%d", round, i))
			}
			cmd.Env = append(os.Environ(), m.env...)
			cmd.Stdout, cmd.Stderr = &out[i], &out[i]
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			cmds = append(cmds, cmd)
		}
		for i, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Fatalf("round %d, process %d: %v: %s", round, i, err, &out[i])
			}
			if want := fmt.Sprintf("note number %d about", round*100+i); i%3 != 2 && !strings.Contains(out[i].String(), want) {
				t.Errorf("round %d: process %d was told %q, not %q", round, i, &out[i], want)
			}
		}
		for i := 2; i < len(out); i += 3 {
			if got := m.ok("", "recall", "--no-rehearse", fmt.Sprintf("round%d hand%d", round, i)); !strings.Contains(got, fmt.Sprintf("round%d hand%d", round, i)) {
				t.Errorf("what was written in round %d is not found: %q", round, got)
			}
		}
		m.ok("", "doctor")
	}
}
