package plastic_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/config"
	"plastic/memory"
)

// A command of sleep.after that fails is in the night's answer and in nights.jsonl, and is
// no night: the operations of the date keep their numbers, and undo goes on.
func TestAFailedCommandAfterTheNightIsKeptInTheJournal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	b := asleep(t, &script{reply: good}, strings.Replace(sleepConfig, "minMemories: 1", "minMemories: 1, after: [no-such-program-of-anns]", 1))
	c, err := b.Config()
	must(t, err)
	must(t, config.Allow(b.Dir(), c))
	night := sleepNow(t, b, plastic.Nightly{})
	failed := night.Phases[len(night.Phases)-1]
	if failed.Name != "after" || failed.Failed == "" {
		t.Fatalf("the last phase of the night is %s", failed.Name)
	}
	records, err := b.NightRecords()
	if err != nil || len(records) != 2 || !records[1].After || records[1].Date != night.Date || len(records[1].Phases) != 1 || records[1].Phases[0].Failed != failed.Failed {
		t.Fatalf("nights.jsonl says %+v, error %v", records, err)
	}
	if due, is := b.NightDue(); is {
		t.Errorf("the night of %v is due again", due)
	}
	if out, err := b.UndoNight(t.Context(), night.Date, false); err != nil || len(out.Reverted) == 0 {
		t.Errorf("undo: %+v, error %v", out, err)
	}
}

// The second night of a date says the numbers by which its operations are undone.
func TestASecondNightOfADateNumbersItsOperationsAsUndoDoes(t *testing.T) {
	reply := good
	s := &script{reply: func(phase string, ids []string, ask memory.Ask) (memory.Reply, error) { return reply(phase, ids, ask) }}
	b := asleep(t, s, sleepConfig)
	first := sleepNow(t, b, plastic.Nightly{})
	n := 0
	for _, ph := range first.Phases {
		n += len(ph.Ops)
	}
	b.Pass(time.Minute)
	load(t, b, `{"id":"oak1","content":"Eve planted an oak by the lake","createdAt":"2026-09-20T08:00:00Z"}
{"id":"oak2","content":"Eve planted an oak by the lake, it grows","createdAt":"2026-09-21T08:00:00Z"}
`)
	reply = func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
		if phase == "clusters" && slices.Contains(ids, "oak1") {
			return plan(`{"op":"merge","ids":["oak1","oak2"],"content":"Eve planted an oak by the lake, it grows","why":"said twice"}`)
		}
		return plan()
	}
	again := sleepNow(t, b, plastic.Nightly{Again: true})
	if first.First != 0 && first.First != 1 || again.First != n+1 || !again.Phases[0].Ops[0].Applied {
		t.Fatalf("the first of %d operations is number %d, the first of the second night %d: %+v", n, first.First, again.First, again.Phases)
	}
	out, err := b.UndoOperation(t.Context(), again.Date, again.First, false)
	if err != nil || !slices.Contains(out.Restored, "oak1") && !slices.Contains(out.Restored, "oak2") {
		t.Errorf("undo of %d: %+v, error %v", again.First, out, err)
	}
}

// Facts of a model that are not taken are counted.
func TestFlushSaysHowManyFactsWereNotTaken(t *testing.T) {
	b := withModel(t, "", plastic.Options{Embed: embeds, Chat: gives(`{"facts":[{"content":"@ann keeps two cats"},{"content":"Лена любит оперу"},{"content":"Zoe collects old violins"},` +
		`{"content":"the key to the cats is AKIAIOSFODNN7EXAMPLE"}]}`)})
	retain(t, b, "I keep two cats, the key is AKIAIOSFODNN7EXAMPLE")
	got, err := b.Flush(context.Background(), plastic.Flushing{})
	if err != nil || got.Facts+got.Refused != 4 || got.Refused < 2 {
		t.Errorf("%+v, error %v", got, err)
	}
}
