package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"plastic/internal/banktest"
)

var kills = flag.Int("kills", 12, "how often a flush is killed")

var said = regexp.MustCompile(`note number (\d+)`)

// A flush that is killed with -9 at any moment, again and again: each turn has its fact
// once, or waits.
func TestAFlushKilledAnywhereLosesNoTurnAndStoresNoFactTwice(t *testing.T) {
	m := newMemoryWith(t, "model: {chat: c, embed: e}\n")
	m.model.Chat = func(q banktest.Asked) banktest.Said {
		n := said.FindStringSubmatch(q.User)
		if n == nil {
			return banktest.Said{Status: 400}
		}
		return banktest.Said{Arguments: fmt.Sprintf(`{"facts":[{"content":"@ann wrote note number %s about topic%s"}]}`, n[1], n[1])}
	}
	turns := 0
	retain := func(n int) {
		for range n {
			turns++
			m.ok(fmt.Sprintf(`{"user":"I wrote note number %d about topic%d","assistant":"ok"}`, turns, turns), "retain")
		}
	}
	flush := func() *exec.Cmd {
		cmd := exec.Command("plastic", "--dir", m.dir, "flush")
		cmd.Env = append(os.Environ(), m.env...)
		return cmd
	}
	retain(5)
	start := time.Now()
	if out, err := flush().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(start)
	for n := range *kills {
		retain(5)
		cmd := flush()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(n%16) / 16)
		cmd.Process.Kill()
		cmd.Wait()
	}
	facts := map[string]int{}
	for line := range strings.Lines(m.ok("", "export")) {
		if n := said.FindStringSubmatch(line); n != nil {
			facts[n[1]]++
		}
	}
	waiting := map[string]bool{}
	for line := range strings.Lines(m.ok("", "--json", "queue")) {
		for _, n := range said.FindAllStringSubmatch(line, -1) {
			waiting[n[1]] = true
		}
	}
	for i := range turns {
		n := fmt.Sprint(i + 1)
		if facts[n] > 1 || (facts[n] == 1) == waiting[n] {
			t.Errorf("turn %s: %d facts, waits %v", n, facts[n], waiting[n])
		}
	}
	m.ok("", "flush")
	if got := strings.Count(m.ok("", "export"), "note number"); got != turns {
		t.Errorf("after the last flush there are %d facts of %d turns", got, turns)
	}
	if left, _ := filepath.Glob(filepath.Join(m.dir, "*.tmp*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	t.Logf("%d kills, %d turns, %d waited before the last flush", *kills, turns, len(waiting))
}
