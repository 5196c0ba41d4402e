package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/internal/outage"
)

// powerVerbs are run one after the other in one folder. ID is a memory of it.
var powerVerbs = []struct {
	in   string
	args []string
}{
	{"", []string{"remember", "@ann keeps two cats"}},
	{"", []string{"update", "ID", "--content", "@ann keeps three cats"}},
	{`{"user":"I like tea","assistant":"noted"}`, []string{"retain"}},
	{"", []string{"recall", "cats"}},
	{"", []string{"compress"}},
	{"", []string{"nights", "undo", "2026-11-28"}},
	{"", []string{"forget", "ID"}},
	{"", []string{"restore", "ID"}},
	{`{"content":"one that was imported"}` + "\n" + `{"content":"another of these"}`, []string{"import", "-"}},
	{"", []string{"import", "undo"}},
	{"# card\n\nask before you cook\n", []string{"card", "set"}},
	{"# card\n\nask twice\n", []string{"card", "set", "--hash", "HASH"}},
	{"", []string{"config", "set", "memory.keepFraction", "0.6"}},
	{"", []string{"forget", "--purge", "ID"}},
	{"", []string{"checkpoint"}},
}

// Whatever verb is at work when the power goes: before it answers all of it is there or
// nothing, once it has answered all is there; and the folder opens, and goes on.
func TestFaultsThePowerIsCutInAnyVerb(t *testing.T) {
	if !outage.Possible() {
		t.Skip("strace is missing, or may not be used")
	}
	p := &powered{T: t, dir: t.TempDir(), home: t.TempDir(), f: &outage.Figures{Suite: "power cut at any moment of any verb"}}
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", p.home)
	t.Setenv("XDG_STATE_HOME", p.home)
	t.Setenv("PLASTIC_NOW", "2026-11-28T12:00:00Z")
	banktest.Write(t, p.dir, "config.yaml", "memory: {timezone: UTC}\n")
	p.must("", "import", p.many())
	rnd := rand.New(rand.NewPCG(9, 5))
	n := 0
	for _, v := range powerVerbs {
		before := p.state(p.dir)
		cmd := p.command(v.in, v.args)
		trace, err := outage.Record(cmd, p.dir)
		if err != nil {
			t.Fatalf("%v: %v", v.args, err)
		}
		after := p.state(p.dir)
		for cut := range trace.Cuts(rnd, 4) {
			if n++; !*long && n%40 != 0 {
				continue
			}
			p.f.Runs++
			p.f.Faults++
			if err := p.survives(cut, before, after); err != nil {
				p.f.Lost++
				t.Errorf("%v, cut after %q with %q answered, %s: %v", v.args, cut.After, cut.Said, cut.How, err)
				if p.f.Lost > 4 {
					t.FailNow()
				}
			}
		}
	}
	t.Logf("%d states, %d of them opened, %d lost", n, p.f.Runs, p.f.Lost)
	if err := p.f.Keep(); err != nil {
		t.Error(err)
	}
}

// powered is a folder in which the power will fail.
type powered struct {
	*testing.T
	dir, home string
	id        string
	f         *outage.Figures
}

// many is a file of events, so that a night has something to take.
func (p *powered) many() string {
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, `{"content":"event %d of a day about topic%d","kind":"event","createdAt":"2026-11-%02dT10:00:00Z"}`+"\n", i, i*7, 1+i/5)
	}
	path := filepath.Join(p.home, "many.jsonl")
	banktest.Write(p.T, p.home, "many.jsonl", lines.String())
	return path
}

func (p *powered) command(in string, args []string) *exec.Cmd {
	args = slices.Clone(args)
	for i := range args {
		switch args[i] {
		case "ID":
			if p.id == "" {
				p.id = regexp.MustCompile(`(?m)^(\w+) @ann`).FindStringSubmatch(p.state(p.dir)[0])[1]
			}
			args[i] = p.id
		case "HASH":
			args[i] = regexp.MustCompile(`"hash":\s*"([^"]+)"`).FindStringSubmatch(p.must("", "card", "--json"))[1]
		}
	}
	path, err := exec.LookPath("plastic")
	if err != nil {
		p.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"--dir", p.dir}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	return cmd
}

func (p *powered) must(in string, args ...string) string {
	p.Helper()
	out, err := p.command(in, args).Output()
	if err != nil {
		p.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

// state is all that was acknowledged in a folder: what the store keeps, the card, the
// settings.
func (p *powered) state(dir string) [3]string {
	p.Helper()
	got, err := acknowledged(dir)
	if err != nil {
		p.Fatal(err)
	}
	return got
}

func acknowledged(dir string) (got [3]string, err error) {
	b, err := plastic.Open(dir, nil)
	if err != nil {
		return got, err
	}
	defer b.Close()
	list, err := b.List(plastic.Filter{All: true})
	if err != nil {
		return got, err
	}
	a, err := b.Archive()
	if err != nil {
		return got, err
	}
	card, err := b.Card()
	if err != nil {
		return got, err
	}
	nights, err := b.Nights()
	if err != nil {
		return got, err
	}
	queue, err := b.Queue()
	if err != nil {
		return got, err
	}
	var told strings.Builder // counts of recalls are not: a power cut may take them
	for _, m := range list.Memories {
		fmt.Fprintln(&told, m.ID, m.Content, m.Kind, m.Importance)
	}
	for _, e := range a.Archive {
		fmt.Fprintln(&told, e.As, e.Memory.ID, e.Memory.Content, e.Why)
	}
	for _, n := range nights {
		fmt.Fprintln(&told, string(n))
	}
	for _, q := range queue.Turns {
		fmt.Fprintln(&told, q.ID, q.User)
	}
	config, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err != nil {
		return got, err
	}
	return [3]string{told.String(), card.Text, string(config)}, nil
}

// survives checks a folder after the power has come back.
func (p *powered) survives(cut outage.Cut, before, after [3]string) error {
	dir := filepath.Join(p.TempDir(), "cut")
	if err := cut.Make(dir); err != nil {
		return err
	}
	got, err := acknowledged(dir)
	if err != nil {
		return err
	}
	for i := range got {
		if got[i] != after[i] && (cut.Ended || cut.Said != "" || got[i] != before[i]) {
			return fmt.Errorf("it holds neither what was nor what is:\n%s", differ(after[i], got[i]))
		}
	}
	b, err := plastic.Open(dir, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	if _, err := b.Remember(context.Background(), plastic.Draft{Content: "light again"}); err != nil {
		return err
	}
	if _, err := b.Doctor(context.Background(), true); err != nil {
		return err
	}
	d, err := b.Doctor(context.Background(), false)
	if err == nil && len(d.Problems) > 0 {
		err = fmt.Errorf("doctor says %+v", d.Problems)
	}
	return err
}

// differ gives the lines of two texts that are not in both.
func differ(want, got string) string {
	var out strings.Builder
	for line := range strings.Lines(want) {
		if !strings.Contains(got, line) {
			out.WriteString("-" + line)
		}
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(want, line) {
			out.WriteString("+" + line)
		}
	}
	return out.String()
}
