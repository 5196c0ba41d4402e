package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/outage"
)

// The binary is killed with -9 at a random moment of a random verb, again and again in one
// folder: what it has answered is there, and doctor finds nothing that stays.
func TestFaultsKilledInAnyVerbAtAnyMoment(t *testing.T) {
	kills := 25
	if *long {
		kills = 4000
	}
	m := newMemoryWith(t, "")
	f := &outage.Figures{Suite: "kill -9 of the binary at a random moment of a verb"}
	rnd := rand.New(rand.NewPCG(9, 6))
	texts := map[string]bool{} // that are acknowledged
	turns := map[string]bool{}
	var ids []string
	begin := time.Now()
	if out, err := m.verb("", "recall", "anything").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := int(2 * time.Since(begin))
	for range 12 {
		text := madeUp(rnd)
		ids = append(ids, strings.Fields(m.ok("", "remember", text))[0])
		texts[text] = true
	}
	for n := range kills {
		text, id := madeUp(rnd), ids[rnd.IntN(len(ids))]
		in, args := "", []string{}
		switch n % 8 {
		case 0, 1:
			args = []string{"remember", text}
		case 2:
			args = []string{"update", id, "--content", text}
		case 3:
			args = []string{"forget", id}
		case 4:
			args = []string{"restore", id}
		case 5:
			in, args = fmt.Sprintf(`{"user":%q,"assistant":"noted"}`, text), []string{"retain"}
		case 6:
			args = []string{"compress", "--again"}
		case 7:
			in, args = fmt.Sprintf(`{"content":%q}`, text), []string{"import", "-"}
		}
		f.Runs++
		answered, ok, killed := m.killed(in, time.Duration(rnd.IntN(whole)), args...)
		if killed {
			f.Faults++
		}
		switch {
		case !ok:
		case args[0] == "retain":
			turns[text] = true
		case args[0] == "remember":
			ids = append(ids, strings.Fields(answered)[0])
			texts[text] = true
		case args[0] == "update" || args[0] == "import":
			texts[text] = true
		}
		if n%100 == 99 || n == kills-1 {
			f.Lost += m.lost(texts, turns)
		}
	}
	m.ok("", "doctor", "--fix")
	m.ok("", "doctor")
	if left, _ := filepath.Glob(filepath.Join(m.dir, ".*[0-9]")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	t.Logf("%d runs, %d killed, %d texts and %d turns acknowledged, %d lost", f.Runs, f.Faults, len(texts), len(turns), f.Lost)
	if err := f.Keep(); err != nil {
		t.Error(err)
	}
}

func (m *memoryWith) verb(in string, args ...string) *exec.Cmd {
	cmd := exec.Command("plastic", append([]string{"--dir", m.dir}, args...)...)
	cmd.Env = append(os.Environ(), m.env...)
	cmd.Stdin = strings.NewReader(in)
	return cmd
}

// killed runs a verb and kills it after a while, and gives what it had answered by then, and
// whether that was all.
func (m *memoryWith) killed(in string, after time.Duration, args ...string) (answered string, ok, killed bool) {
	m.t.Helper()
	cmd := m.verb(in, args...)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	killed = !cmd.ProcessState.Exited()
	return out.String(), err == nil || killed && strings.HasSuffix(out.String(), "\n"), killed
}

// lost counts the texts that are nowhere, and the turns that do not wait.
func (m *memoryWith) lost(texts, turns map[string]bool) (n int) {
	m.t.Helper()
	b, err := plastic.Open(m.dir, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	defer b.Close()
	list, err := b.List(plastic.Filter{All: true})
	if err != nil {
		m.t.Fatal(err)
	}
	a, err := b.Archive()
	if err != nil {
		m.t.Fatal(err)
	}
	queue, err := b.Queue()
	if err != nil {
		m.t.Fatal(err)
	}
	have, wait := map[string]bool{}, map[string]bool{}
	for _, x := range list.Memories {
		have[x.Content] = true
	}
	for _, e := range a.Archive {
		have[e.Memory.Content] = true
	}
	for _, x := range queue.Turns {
		wait[x.User] = true
	}
	for text := range texts {
		if !have[text] {
			n++
			m.t.Errorf("%q is lost", text)
		}
	}
	for text := range turns {
		if !wait[text] {
			n++
			m.t.Errorf("the turn %q is lost", text)
		}
	}
	return n
}
