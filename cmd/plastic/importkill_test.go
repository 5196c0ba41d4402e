package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An import that is killed with -9 at any moment has taken all or nothing, and the next
// one takes the rest: nothing is there twice.
func TestAnImportKilledAnywhereIsThereWholeOrNotAtAll(t *testing.T) {
	m := newMemoryWith(t, "")
	const items = 1500
	var lines strings.Builder
	for i := range items {
		fmt.Fprintf(&lines, `{"content":"item number %d of a list about topic%d"}`+"\n", i, i*7)
	}
	file := filepath.Join(t.TempDir(), "items.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	load := func(dir string) *exec.Cmd {
		cmd := exec.Command("plastic", "--dir", dir, "import", file)
		cmd.Env = append(os.Environ(), m.env...)
		return cmd
	}
	count := func() int {
		t.Helper()
		var got struct{ Memories int }
		if err := json.Unmarshal([]byte(m.ok("", "--json", "stats")), &got); err != nil {
			t.Fatal(err)
		}
		return got.Memories
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if out, err := load(other).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(start)
	took := 0
	for n := range *kills {
		cmd := load(m.dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(n%16) / 16)
		cmd.Process.Kill()
		cmd.Wait()
		if got := count(); got != 0 && got != items {
			t.Fatalf("after kill %d there are %d of %d", n+1, got, items)
		} else if got == items {
			took++
			break // what is there stays; the rest is as said again
		}
	}
	if out := m.ok("", "import", file); !strings.Contains(out, fmt.Sprintf("imported %d, skipped %d, refused 0", items*(1-took), items*took)) {
		t.Errorf("the last import says %s", out)
	}
	if got := count(); got != items {
		t.Errorf("there are %d of %d", got, items)
	}
	m.ok("", "doctor")
}
