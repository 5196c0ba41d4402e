package plastic_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// anyPlan draws what a model might answer about a memory of life.
func anyPlan(t *rapid.T, shown []string) string {
	ids := append([]string{"zz", "heart", "me"}, shown...)
	text := rapid.SampledFrom([]string{"", "Ann keeps two grey cats, Mia and Tom, in Berlin", "Лена не любит зелёный чай", "Bob drives a yellow tram", "nothing", "rain fell and the bus was blue"})
	type op map[string]any
	ops := []op{}
	for range rapid.IntRange(1, 6).Draw(t, "n") {
		ops = append(ops, op{
			"op":  rapid.SampledFrom([]string{"merge", "supersede", "rewrite", "split", "derive", "forget", "set"}).Draw(t, "op"),
			"ids": rapid.SliceOfN(rapid.SampledFrom(ids), 1, 3).Draw(t, "ids"), "content": text.Draw(t, "content"),
			"contents": rapid.SliceOfN(text, 1, 3).Draw(t, "contents"), "kind": rapid.SampledFrom([]string{"fact", "event", "core"}).Draw(t, "kind"),
			"importance": rapid.SampledFrom([]float64{0, 0.2, 0.9, 7}).Draw(t, "importance"), "why": "x",
		})
	}
	raw, _ := json.Marshal(map[string]any{"ops": ops})
	return string(raw)
}

// TestANightOfAnyPlanIsUndoneToTheVeryByte: whatever a model answers in three nights,
// core and what is important and young stand, what is private stays so, and undoing
// the nights, the last first, gives the very same file.
func TestANightOfAnyPlanIsUndoneToTheVeryByte(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &script{reply: func(_ string, shown []string, _ memory.Ask) (memory.Reply, error) {
			return memory.Reply{Arguments: []string{anyPlan(rt, shown)}}, nil
		}}
		b := asleep(t, s, sleepConfig)
		before := memoryFile(t, b)
		private := map[string]bool{"cats2": true}
		var dates []string
		for range rapid.IntRange(1, 3).Draw(rt, "nights") {
			night := sleepNow(t, b, plastic.Nightly{})
			dates = append(dates, night.Date)
			for _, ph := range night.Phases {
				for _, op := range ph.Ops {
					if op.Applied && op.Op != "set" && op.Op != "derive" && strings.Contains(strings.Join(op.IDs, " "), "new") && night.Date == "2026-11-30" && op.Op != "supersede" {
						rt.Fatalf("something young was changed: %+v", op)
					}
				}
			}
			for _, m := range b.All() {
				if private[m.ID] && !m.Private {
					rt.Fatalf("%s is private no more", m.ID)
				}
				private[m.ID] = m.Private
			}
			b.Show("me")
			b.Show("heart")
			b.Pass(24 * time.Hour)
		}
		for i := len(dates) - 1; i >= 0; i-- {
			if out, err := b.UndoNight(t.Context(), dates[i], false); err != nil || len(out.Left) > 0 {
				rt.Fatalf("undo of %s: %+v %v", dates[i], out.Left, err)
			}
		}
		if after := memoryFile(t, b); after != before {
			rt.Fatalf("memory.json is not what it was:\n%s\n%s", before, after)
		}
	})
}

func TestCommandsOfANightGetItsReport(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	out := t.TempDir()
	b := asleep(t, &script{reply: good}, sleepConfig)
	tell := func(name string) string {
		raw, _ := json.Marshal([]string{"sh", "-c", fmt.Sprintf("{ echo dry=$PLASTIC_DRY_RUN; cat; } > '%s'", filepath.Join(out, name))})
		return string(raw)
	}
	for key, name := range map[string]string{"sleep.after": "after", "sleep.notify": "notify"} {
		if err := b.SetConfig(t.Context(), key, tell(name)); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string { text, _ := os.ReadFile(filepath.Join(out, name)); return string(text) }
	sleepNow(t, b, plastic.Nightly{DryRun: true})
	if text := read("after"); !strings.HasPrefix(text, "dry=1\n{") || !strings.Contains(text, `"dryRun":true`) || read("notify") != "" {
		t.Errorf("on a dry run: after got %.80q, notify %.80q", text, read("notify"))
	}
	sleepNow(t, b, plastic.Nightly{})
	for _, name := range []string{"after", "notify"} {
		if text := read(name); !strings.HasPrefix(text, "dry=\n{") || !strings.Contains(text, `"op":"merge"`) {
			t.Errorf("%s got %.200q", name, text)
		}
	}
	os.Remove(filepath.Join(out, "notify"))
	b.Pass(24 * time.Hour)
	if sleepNow(t, b, plastic.Nightly{}); read("notify") != "" {
		t.Errorf("a night without anything notable was told: %s", read("notify"))
	}
}

func TestCommandsThatCameWithTheFolderDoNotRun(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	mark := filepath.Join(t.TempDir(), "ran")
	b := asleep(t, &script{reply: good}, strings.Replace(sleepConfig, "minMemories: 1", fmt.Sprintf("minMemories: 1, after: [touch, '%s']", mark), 1))
	sleepNow(t, b, plastic.Nightly{})
	if _, err := os.Stat(mark); err == nil {
		t.Error("a command of a folder that nobody allowed here was run")
	}
}

func TestAPersonaSpeaksInTheSystemPrompt(t *testing.T) {
	s := &script{reply: nothing}
	b := asleep(t, s, strings.Replace(sleepConfig, "minMemories: 1", "minMemories: 1, persona: who.md", 1))
	banktest.Write(t, b.Dir(), "who.md", "I am Eva; people before things.")
	sleepNow(t, b, plastic.Nightly{})
	if s.calls() == 0 || !strings.Contains(s.asks[0].System, "people before things") {
		t.Error("the persona is not in the system prompt")
	}
}
