package plastic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// script is a chat model that answers by a function and counts what it is asked.
type script struct {
	mu    sync.Mutex // guards asks
	asks  []memory.Ask
	reply func(phase string, ids []string, ask memory.Ask) (memory.Reply, error)
}

func (s *script) chat(ctx context.Context, ask memory.Ask) (memory.Reply, error) {
	s.mu.Lock()
	s.asks = append(s.asks, ask)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return memory.Reply{}, err
	}
	return s.reply(phaseOf(ask), shownIn(ask), ask)
}

func (s *script) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asks)
}

func phaseOf(ask memory.Ask) string {
	switch {
	case strings.Contains(ask.User, "short form"):
		return "overview"
	case strings.Contains(ask.User, "by arithmetic"):
		return "forget"
	}
	return "clusters"
}

var idOfLine = regexp.MustCompile(`(?m)^\{"id":"([^"]+)"`)

func shownIn(ask memory.Ask) []string {
	var out []string
	for _, m := range idOfLine.FindAllStringSubmatch(ask.User, -1) {
		out = append(out, m[1])
	}
	return out
}

func plan(ops ...string) (memory.Reply, error) {
	return memory.Reply{Arguments: []string{`{"ops":[` + strings.Join(ops, ",") + `]}`}}, nil
}

func nothing(string, []string, memory.Ask) (memory.Reply, error) { return plan() }

const sleepConfig = "memory: {timezone: UTC, anchorCount: 0, recentCount: 0, keepFraction: 1}\nmodel: {chat: some}\nsleep: {minMemories: 1}\n"

// life is a small memory of two months ago: twins, a contradiction, something glued,
// something private, a core, something young, small talk.
const life = `{"id":"cats1","content":"Ann keeps two grey cats in Berlin","createdAt":"2026-09-20T08:00:00Z","recallCount":2,"lastRecalledAt":"2026-10-01T08:00:00Z"}
{"id":"cats2","content":"Ann keeps two grey cats, Mia and Tom, in Berlin","private":true,"createdAt":"2026-09-21T08:00:00Z","recallCount":1}
{"id":"tea1","content":"Лена любит зелёный чай","createdAt":"2026-09-22T08:00:00Z"}
{"id":"tea2","content":"Лена не любит зелёный чай","createdAt":"2026-10-22T08:00:00Z"}
{"id":"me","content":"I write to Ann every morning","kind":"core","createdAt":"2026-09-20T09:00:00Z"}
{"id":"new1","content":"Bob drives a yellow tram","createdAt":"2026-11-29T20:00:00Z"}
{"id":"new2","content":"Bob drives the yellow tram","createdAt":"2026-11-29T21:00:00Z"}
{"id":"rain","content":"it rained at noon","importance":0.2,"createdAt":"2026-09-25T08:00:00Z"}
{"id":"bus","content":"the bus had a blue door","importance":0.1,"createdAt":"2026-09-26T08:00:00Z"}
{"id":"heart","content":"Ann fears for her father's heart","importance":0.9,"createdAt":"2026-09-27T08:00:00Z"}
`

// asleep opens a memory of life with a scripted model.
func asleep(t *testing.T, s *script, config string) *banktest.Bank {
	t.Helper()
	b := banktest.New(t, "config.yaml", config)
	load(t, b, life)
	if _, err := b.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	return withChat(t, b, s)
}

// withChat is another Bank over the folder of b, whose nights ask s.
func withChat(t *testing.T, b *banktest.Bank, s *script) *banktest.Bank {
	t.Helper()
	o := plastic.Options{Now: b.Clock().Now}
	if s != nil {
		o.Chat = s.chat
	}
	bank, err := plastic.Open(b.Dir(), &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bank.Close() })
	same := *b
	same.Bank = bank
	return &same
}

func sleepNow(t *testing.T, b *banktest.Bank, n plastic.Nightly) plastic.Night {
	t.Helper()
	out, err := b.Sleep(t.Context(), n)
	if err != nil {
		t.Fatalf("sleep: %v", err)
	}
	return out
}

// good is a model that does what a person would.
func good(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
	has := func(id string) bool { return slices.Contains(ids, id) }
	switch {
	case phase == "clusters" && has("cats1"):
		return plan(`{"op":"merge","ids":["cats1","cats2"],"content":"Ann keeps two grey cats, Mia and Tom, in Berlin","why":"said twice"}`)
	case phase == "clusters" && has("tea1"):
		return plan(`{"op":"supersede","ids":["tea1","tea2"],"why":"she has changed her mind"}`)
	case phase == "forget":
		return plan(`{"op":"forget","ids":["bus"],"why":"small talk"}`)
	case phase == "overview":
		return plan(`{"op":"set","ids":["rain"],"importance":0.1,"why":"weather"}`)
	}
	return plan()
}

func summary(n plastic.Night) string {
	var out []string
	for _, p := range n.Phases {
		for _, op := range p.Ops {
			state := "done"
			if !op.Applied {
				state = "no"
			}
			out = append(out, fmt.Sprintf("%s:%s:%s:%s", p.Name, op.Op, strings.Join(op.IDs, "+"), state))
		}
		if p.Failed != "" {
			out = append(out, p.Name+" failed")
		}
	}
	return strings.Join(out, " ")
}

func TestANightWithAGoodModelAndTheNextOneAsksNothing(t *testing.T) {
	s := &script{reply: good}
	b := asleep(t, s, sleepConfig)
	night := sleepNow(t, b, plastic.Nightly{})
	want := "clusters:merge:cats1+cats2:done clusters:supersede:tea1+tea2:done forget:forget:bus:done overview:set:rain:done"
	if got := summary(night); got != want {
		t.Fatalf("the night did\n%s, want\n%s", got, want)
	}
	cats := b.Show("cats1")
	if cats.RecallCount != 3 || !cats.Private || !strings.Contains(cats.Content, "Mia") || !cats.UpdatedAt.IsZero() {
		t.Errorf("the merged memory: %+v", cats)
	}
	if tea := b.Show("tea1"); tea.SupersededBy != "tea2" {
		t.Errorf("the older taste: %+v", tea)
	}
	as := map[string]memory.As{}
	archive, _ := b.Archive()
	for _, e := range archive.Archive {
		as[e.Memory.ID] = e.As
		if e.By != "sleep" || e.Why == "" {
			t.Errorf("an entry without its story: %+v", e)
		}
	}
	if as["cats1"] != memory.Version || as["cats2"] != memory.Version || as["bus"] != memory.Forgotten || len(as) != 3 {
		t.Errorf("the archive holds %v", as)
	}
	for _, ask := range s.asks {
		if ask.Tool.Name != "sleep_finish" || ask.Effort != "high" || ask.MaxTokens != 0 || !json.Valid(ask.Tool.Schema) {
			t.Errorf("asked with %+v", ask.Tool)
		}
	}
	calls := s.calls()
	b.Pass(24 * time.Hour)
	if second := sleepNow(t, b, plastic.Nightly{}); s.calls() != calls || len(second.Phases) != 0 {
		t.Errorf("the second night made %d calls: %s", s.calls()-calls, summary(second))
	}
	lines, _ := b.Nights()
	if len(lines) != 2 {
		t.Errorf("%d lines tell of two nights", len(lines))
	}
	b.Say("Zoe plays the harp")
	b.Pass(24 * time.Hour)
	sleepNow(t, b, plastic.Nightly{})
	if got := s.calls() - calls; got != 1 || phaseOf(s.asks[len(s.asks)-1]) != "overview" {
		t.Errorf("one new memory cost %d calls", got)
	}
}

func TestANightIsUndoneToTheVeryByte(t *testing.T) {
	s := &script{reply: good}
	b := asleep(t, s, sleepConfig)
	before := memoryFile(t, b)
	night := sleepNow(t, b, plastic.Nightly{})
	b.Pass(time.Hour)
	out, err := b.UndoNight(t.Context(), night.Date, false)
	if err != nil || len(out.Left) != 0 || len(out.Reverted) != 4 {
		t.Fatalf("undo: %+v %v", out, err)
	}
	if after := memoryFile(t, b); after != before {
		t.Errorf("memory.json is not what it was:\n%s\n%s", before, after)
	}
	b.Pass(24 * time.Hour)
	again := sleepNow(t, b, plastic.Nightly{})
	for _, p := range again.Phases {
		for _, op := range p.Ops {
			if op.Applied || !strings.Contains(op.Refused, "took this back") {
				t.Errorf("it was done again: %+v", op)
			}
		}
	}
	calls := s.calls()
	b.Pass(24 * time.Hour)
	if sleepNow(t, b, plastic.Nightly{}); s.calls() != calls {
		t.Errorf("what was rejected is asked about every night")
	}
}

func TestOneOperationIsUndoneAndWhatWasEditedStays(t *testing.T) {
	b := asleep(t, &script{reply: good}, sleepConfig)
	night := sleepNow(t, b, plastic.Nightly{})
	b.Recall(plastic.Query{Text: "grey cats", Limit: 1})
	out, err := b.UndoOperation(t.Context(), night.Date, 1, false)
	if err != nil || len(out.Reverted) != 1 || len(out.Restored) != 1 || out.Restored[0] != "cats2" {
		t.Fatalf("undo of the merge: %+v %v", out, err)
	}
	if m := b.Show("cats1"); m.RecallCount != 3 || m.Private || strings.Contains(m.Content, "Mia") {
		t.Errorf("counts gained stay, the rest is as it was: %+v", m)
	}
	if _, err := b.UndoOperation(t.Context(), night.Date, 1, false); plastic.Code(err) != "not_found" {
		t.Errorf("undone twice: %v", err)
	}
	if _, err := b.UndoOperation(t.Context(), night.Date, 9, false); plastic.Code(err) != "not_found" {
		t.Errorf("an operation that never was: %v", err)
	}
	text := "Лена теперь пьёт только воду"
	if _, err := b.Update(t.Context(), "tea2", plastic.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	out, err = b.UndoNight(t.Context(), night.Date, false)
	if err != nil || len(out.Left) != 1 || !strings.Contains(out.Left[0].Why, "edited since") || len(out.Reverted) != 2 {
		t.Fatalf("undo of the rest: %+v %v", out, err)
	}
	if out, err = b.UndoNight(t.Context(), night.Date, true); err != nil || len(out.Left) != 0 || b.Show("tea2").Content != "Лена не любит зелёный чай" {
		t.Errorf("by force: %+v %v", out, err)
	}
}

func TestADryRunIsAPlanThatAPersonReadsAndApplies(t *testing.T) {
	s := &script{reply: good}
	b := asleep(t, s, sleepConfig)
	before := memoryFile(t, b)
	dry := sleepNow(t, b, plastic.Nightly{DryRun: true})
	if memoryFile(t, b) != before || !dry.DryRun || len(dry.Phases) != 3 {
		t.Fatalf("the dry run: %s", summary(dry))
	}
	if lines, _ := b.Nights(); len(lines) != 0 {
		t.Errorf("a dry run by hand is in the journal: %s", lines)
	}
	raw, err := json.Marshal(dry)
	if err != nil {
		t.Fatal(err)
	}
	var read plastic.Night
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	read.Phases[1].Ops[0].Reject = true // the bus stays
	calls := s.calls()
	text := "Лена пьёт зелёный чай"
	if _, err := b.Update(t.Context(), "tea1", plastic.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	night := sleepNow(t, b, plastic.Nightly{Plan: &read})
	if got := summary(night); got != "clusters:merge:cats1+cats2:done clusters:supersede:tea1+tea2:no overview:set:rain:done" || s.calls() != calls {
		t.Errorf("applied %s with %d calls", got, s.calls()-calls)
	}
	b.Pass(24 * time.Hour)
	for _, p := range sleepNow(t, b, plastic.Nightly{}).Phases {
		if p.Name == "forget" {
			t.Errorf("what the dry run has judged is asked about again: %+v", p)
		}
		for _, op := range p.Ops {
			if op.IDs[0] == "bus" && op.Applied {
				t.Errorf("what a person rejected was done: %+v", op)
			}
		}
	}
}

// TestAfterABadModelTheMemoryIsOneAPersonWouldSign: lazy, hostile and broken models.
func TestAfterABadModelTheMemoryIsOneAPersonWouldSign(t *testing.T) {
	all := []string{"cats1", "cats2", "tea1", "tea2", "me", "new1", "new2", "rain", "bus", "heart"}
	quoted := func(ids []string) string { raw, _ := json.Marshal(ids); return string(raw) }
	text := func(s string) (memory.Reply, error) { return memory.Reply{Text: s, Finish: "stop"}, nil }
	for _, r := range []struct {
		name   string
		reply  func(phase string, ids []string, ask memory.Ask) (memory.Reply, error)
		gone   string // of all, sorted
		failed bool
	}{
		{"lazy", nothing, "", false},
		{"deletes all", func(_ string, _ []string, _ memory.Ask) (memory.Reply, error) {
			return plan(`{"op":"forget","ids":` + quoted(all) + `,"why":"tidy"}`)
		}, "bus cats1 cats2 rain tea1 tea2", false},
		{"invents ids", func(_ string, _ []string, _ memory.Ask) (memory.Reply, error) {
			return plan(`{"op":"forget","ids":["zz1","zz2"],"why":"x"}`, `{"op":"merge","ids":["zz1","heart"],"content":"Ann","why":"x"}`)
		}, "", false},
		{"merges everything it sees", func(_ string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return plan(`{"op":"merge","ids":` + quoted(ids) + `,"content":"Ann and Лена and Bob have things","why":"x"}`)
		}, "", false},
		{"drops negations", func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return plan(`{"op":"rewrite","ids":["tea2"],"content":"Лена любит зелёный чай","why":"shorter"}`, `{"op":"merge","ids":["tea1","tea2"],"content":"Лена любит зелёный чай","why":"x"}`)
		}, "", false},
		{"speaks another language", func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return plan(`{"op":"rewrite","ids":["tea1"],"content":"Lena likes green tea","why":"x"}`, `{"op":"merge","ids":["cats1","cats2"],"content":"Аня держит в Берлине двух серых котов, Мию и Тома","why":"x"}`)
		}, "", false},
		{"rewrites what is young", func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return plan(`{"op":"merge","ids":["new1","new2"],"content":"Bob drives a yellow tram","why":"x"}`)
		}, "", false},
		{"loops", func(_ string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return plan(strings.TrimSuffix(strings.Repeat(`{"op":"set","ids":["rain"],"importance":0.3,"why":"x"},`, 5000), ","))
		}, "", false},
		{"talks", func(string, []string, memory.Ask) (memory.Reply, error) {
			return text("Sure! I have tidied everything up for you.")
		}, "", true},
		{"thinks without end", func(string, []string, memory.Ask) (memory.Reply, error) {
			return text(`<think>maybe {"ops":[{"op":"forget","ids":["heart"],"why":"x"}]}`)
		}, "", true},
		{"wraps it in prose", func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return text("<think>{\"ops\":[]}</think>Here you are:\n```json\n{\"ops\":[{\"op\":\"forget\",\"ids\":[\"bus\"],\"why\":\"small talk\"}]}\n```\nDone.")
		}, "bus", false},
		{"is cut off", func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
			return memory.Reply{Arguments: []string{`{"ops":[{"op":"forget","ids":["bus"],"why":"small talk"},{"op":"forget","ids":["ra`}, Finish: "length"}, nil
		}, "bus", false},
		{"is not there", func(string, []string, memory.Ask) (memory.Reply, error) {
			return memory.Reply{}, errors.Join(memory.ErrModel, memory.ErrUnreached)
		}, "", true},
	} {
		t.Run(r.name, func(t *testing.T) {
			b := asleep(t, &script{reply: r.reply}, sleepConfig)
			before := memoryFile(t, b)
			night := sleepNow(t, b, plastic.Nightly{})
			var gone []string
			left := map[string]plastic.Memory{}
			for _, m := range b.All() {
				left[m.ID] = m
			}
			for _, id := range all {
				if _, ok := left[id]; !ok {
					gone = append(gone, id)
				}
			}
			slices.Sort(gone)
			if strings.Join(gone, " ") != r.gone {
				t.Errorf("gone are %v, want %s\n%s", gone, r.gone, summary(night))
			}
			if failed := strings.Contains(summary(night), "failed"); failed != r.failed {
				t.Errorf("failed %v: %s", failed, summary(night))
			}
			for id, want := range map[string]string{"me": "I write to Ann every morning", "heart": "Ann fears for her father's heart", "new1": "Bob drives a yellow tram", "new2": "Bob drives the yellow tram"} {
				if left[id].Content != want {
					t.Errorf("%s says %q", id, left[id].Content)
				}
			}
			if m, ok := left["tea2"]; ok && m.Content != "Лена не любит зелёный чай" {
				t.Errorf("tea2 says %q", m.Content)
			}
			if _, err := b.UndoNight(t.Context(), night.Date, false); err != nil {
				t.Fatal(err)
			}
			if after := memoryFile(t, b); after != before {
				t.Errorf("after the undo memory.json is not what it was:\n%s\n%s", before, after)
			}
		})
	}
}

func TestAFailedPhaseKeepsNoOtherFromComing(t *testing.T) {
	b := asleep(t, &script{reply: func(phase string, ids []string, ask memory.Ask) (memory.Reply, error) {
		if phase == "clusters" {
			return memory.Reply{}, fmt.Errorf("%w: 500", memory.ErrModel)
		}
		return good(phase, ids, ask)
	}}, sleepConfig)
	night := sleepNow(t, b, plastic.Nightly{})
	if got := summary(night); got != "clusters failed forget:forget:bus:done overview:set:rain:done" || !night.Compress.Done || !night.Notable() {
		t.Errorf("the night: %s", got)
	}
}

func TestASleeperWokenAppliesNothingMoreAndTheNightIsStillDue(t *testing.T) {
	var b *banktest.Bank
	s := &script{}
	s.reply = func(phase string, ids []string, ask memory.Ask) (memory.Reply, error) {
		if phase == "forget" {
			if woken, err := b.WakeFolder(); !woken.Woken || err != nil {
				t.Errorf("wake: %v %v", woken, err)
			}
		}
		return good(phase, ids, ask)
	}
	b = asleep(t, s, sleepConfig)
	if _, err := b.Sleep(t.Context(), plastic.Nightly{}); plastic.Code(err) != "busy" {
		t.Fatalf("woken: %v", err)
	}
	records, err := b.NightRecords()
	if err != nil || len(records) != 1 || records[0].Compress != nil || len(records[0].Phases) != 1 {
		t.Fatalf("what was applied is told: %+v %v", records, err)
	}
	if b.Show("cats1").RecallCount != 3 || b.Show("bus").ID != "bus" {
		t.Error("the first phase stays, the second was not applied")
	}
	s.reply = good
	night := sleepNow(t, b, plastic.Nightly{})
	if got := summary(night); got != "forget:forget:bus:done overview:set:rain:done" {
		t.Errorf("the night goes on with %s", got)
	}
	if out, err := b.UndoNight(t.Context(), night.Date, false); err != nil || len(out.Left) != 0 || len(out.Reverted) != 4 {
		t.Errorf("an undo takes back both parts: %+v %v", out, err)
	}
}

func TestOnlyOneSleepsOverAFolderAndAnotherMayWakeIt(t *testing.T) {
	asked, answer := make(chan bool), make(chan bool)
	first := &script{reply: func(string, []string, memory.Ask) (memory.Reply, error) {
		asked <- true
		<-answer
		return plan()
	}}
	b := asleep(t, first, sleepConfig)
	other := withChat(t, b, &script{reply: nothing})
	over := make(chan error)
	go func() {
		_, err := b.Sleep(context.Background(), plastic.Nightly{})
		over <- err
	}()
	<-asked
	if _, err := other.Sleep(t.Context(), plastic.Nightly{}); plastic.Code(err) != "busy" {
		t.Errorf("a second sleeper: %v", err)
	}
	if woken, err := other.WakeFolder(); err != nil || !woken.Woken {
		t.Errorf("wake from elsewhere: %v %v", woken, err)
	}
	for b.Sleeping() { // until the sleeper has heard of it
		if _, err := os.Stat(filepath.Join(b.Dir(), ".plastic", "wake")); err != nil {
			break
		}
	}
	answer <- true
	if err := <-over; plastic.Code(err) != "busy" {
		t.Errorf("the sleeper was not woken: %v", err)
	}
	if woken, err := other.WakeFolder(); err != nil || woken.Woken {
		t.Errorf("nobody sleeps: %v %v", woken, err)
	}
}

func TestANightThatDiedIsToldAndUndone(t *testing.T) {
	b := asleep(t, nil, sleepConfig)
	before := memoryFile(t, b)
	func() {
		defer func() { _ = recover() }()
		s := &script{reply: func(phase string, ids []string, ask memory.Ask) (memory.Reply, error) {
			if phase == "forget" {
				panic("the power is gone")
			}
			return good(phase, ids, ask)
		}}
		_, _ = withChat(t, b, s).Sleep(t.Context(), plastic.Nightly{})
	}()
	if b.Show("cats1").RecallCount != 3 {
		t.Fatal("the first phase was not applied")
	}
	if out, err := b.UndoNight(t.Context(), "2026-11-30", false); err != nil || len(out.Left) != 0 || len(out.Reverted) != 2 {
		t.Fatalf("undo: %+v %v", out, err)
	}
	if after := memoryFile(t, b); after != before {
		t.Errorf("memory.json is not what it was")
	}
}

func TestPrivateMemoriesAreNotSentWhereTheyMayNot(t *testing.T) {
	s := &script{reply: nothing}
	b := asleep(t, s, sleepConfig+"# no private\n")
	config := strings.Replace(sleepConfig, "chat: some", "chat: some, sendPrivate: false", 1)
	banktest.Write(t, b.Dir(), "config.yaml", config)
	sleepNow(t, b, plastic.Nightly{})
	for _, ask := range s.asks {
		if strings.Contains(ask.User, "Mia") {
			t.Errorf("a private memory was sent: %s", ask.User)
		}
	}
	if s.calls() == 0 {
		t.Error("nothing was asked at all")
	}
}

func TestAFewMemoriesAndSleepOffCostNoCall(t *testing.T) {
	for name, config := range map[string]string{
		"few": strings.Replace(sleepConfig, "minMemories: 1", "minMemories: 11", 1), "off": strings.Replace(sleepConfig, "minMemories: 1", "minMemories: 1, enabled: false", 1),
		"no model": strings.Replace(sleepConfig, "chat: some", `chat: ""`, 1),
	} {
		s := &script{reply: good}
		if night := sleepNow(t, asleep(t, s, config), plastic.Nightly{}); s.calls() != 0 || len(night.Phases) != 0 || !night.Compress.Done {
			t.Errorf("%s: %d calls, %s", name, s.calls(), summary(night))
		}
	}
}

func TestSleepDryRunPlansAndLogsOnly(t *testing.T) {
	s := &script{reply: good}
	b := asleep(t, s, strings.Replace(sleepConfig, "minMemories: 1", "minMemories: 1, dryRun: true", 1))
	before := memoryFile(t, b)
	night := sleepNow(t, b, plastic.Nightly{})
	if memoryFile(t, b) != before || len(night.Phases) != 3 {
		t.Errorf("it was done: %s", summary(night))
	}
	records, _ := b.NightRecords()
	if len(records) != 1 || len(records[0].Phases) != 3 || records[0].Phases[0].Ops[0].After == nil {
		t.Errorf("the journal: %+v", records)
	}
}

func TestWhatIsPurgedIsGoneFromTheNightsToo(t *testing.T) {
	b := asleep(t, &script{reply: good}, sleepConfig)
	night := sleepNow(t, b, plastic.Nightly{})
	if _, err := b.Forget(t.Context(), []string{"cats1"}, plastic.Forgetting{Purge: true}); err != nil {
		t.Fatal(err)
	}
	lines, err := b.Nights()
	if err != nil || len(lines) != 1 {
		t.Fatalf("%v %v", lines, err)
	}
	for _, word := range []string{"grey cats in Berlin", "grey cats, Mia"} {
		if strings.Contains(string(lines[0]), word) {
			t.Errorf("%q stands in the nights: %s", word, lines[0])
		}
	}
	if _, err := b.UndoOperation(t.Context(), night.Date, 2, false); err != nil {
		t.Errorf("another operation: %v", err)
	}
	out, err := b.UndoNight(t.Context(), night.Date, true)
	if err != nil || len(out.Reverted) != 2 || len(out.Left) != 2 {
		t.Errorf("the rest of the night: %+v %v", out, err)
	}
	if _, err := b.Bank.Show("cats1"); plastic.Code(err) != "not_found" {
		t.Errorf("what was purged is back: %v", err)
	}
}

// TestVectorsAreMadeAtNightAndJoinWhatWordsDoNot: two memories without a common word
// that lie close together are shown to the model together.
func TestVectorsAreMadeAtNightAndJoinWhatWordsDoNot(t *testing.T) {
	s := &script{reply: nothing}
	b := asleep(t, nil, strings.Replace(sleepConfig, "chat: some", "chat: some, embed: any", 1))
	embedded := 0
	bank, err := plastic.Open(b.Dir(), &plastic.Options{Now: b.Clock().Now, Chat: s.chat, Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		var out [][]float32
		for _, text := range texts {
			embedded++
			v := banktest.Words(text)
			if strings.Contains(text, "rain") || strings.Contains(text, "yellow") {
				v = banktest.Words("wet")
			}
			out = append(out, v)
		}
		return out, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer bank.Close()
	if _, err := bank.Sleep(t.Context(), plastic.Nightly{}); err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, ask := range s.asks {
		if phaseOf(ask) == "clusters" {
			groups = append(groups, strings.Join(shownIn(ask), "+"))
		}
	}
	if embedded != 10 || !slices.Contains(groups, "rain+new1+new2") {
		t.Errorf("%d texts were embedded, the groups are %v", embedded, groups)
	}
}

func TestAModelThatIsNotConfiguredIsANightWithoutOne(t *testing.T) {
	b := asleep(t, &script{reply: func(string, []string, memory.Ask) (memory.Reply, error) { return memory.Reply{}, memory.ErrNoModel }}, sleepConfig)
	if night := sleepNow(t, b, plastic.Nightly{}); len(night.Phases) != 0 || !night.Compress.Done || night.Notable() {
		t.Errorf("the night: %s", summary(night))
	}
}

// TestAScheduledNightAsksToo: what is due is run whole, once.
func TestAScheduledNightAsksToo(t *testing.T) {
	s := &script{reply: good}
	b := asleep(t, s, sleepConfig)
	if _, ran, err := b.Night(t.Context()); ran || err != nil {
		t.Fatalf("it is not due: %v", err)
	}
	b.Pass(24 * time.Hour)
	night, ran, err := b.Night(t.Context())
	if err != nil || !ran || !strings.Contains(summary(night), "clusters:merge:cats1+cats2:done") {
		t.Fatalf("ran %v: %s %v", ran, summary(night), err)
	}
	calls := s.calls()
	if _, ran, _ := b.Night(t.Context()); ran || s.calls() != calls {
		t.Error("it ran twice")
	}
	records, _ := b.NightRecords()
	if len(records) != 1 || records[0].Compress == nil || len(records[0].Phases) != 3 {
		t.Errorf("the journal: %+v", records)
	}
}

// TestAModelThatWantsToDeleteFortyANightDoesNot: a hundred memories, five nights, and
// each night is taken back by one command.
func TestAModelThatWantsToDeleteFortyANightDoesNot(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC, keepFraction: 1}\nmodel: {chat: some}\n")
	var lines strings.Builder
	for i := range 100 {
		importance := 0.2
		if i%10 == 9 {
			importance = 0.8
		}
		fmt.Fprintf(&lines, `{"id":"m%02d","content":"thing number %d of %d stood at the window","importance":%v,"createdAt":"2026-08-%02dT08:00:00Z"}`+"\n", i, i, i*i, importance, i%28+1)
	}
	load(t, b, lines.String())
	s := &script{reply: func(_ string, ids []string, _ memory.Ask) (memory.Reply, error) {
		raw, _ := json.Marshal(append([]string{"m00", "m09", "m19"}, ids[:min(40, len(ids))]...))
		return plan(`{"op":"forget","ids":` + string(raw) + `,"why":"tidy"}`)
	}}
	b = withChat(t, b, s)
	before := memoryFile(t, b)
	anchors := map[string]bool{}
	for _, m := range b.All() {
		if m.Layer == "anchor" || m.Layer == "important" {
			anchors[m.ID] = true
		}
	}
	var dates []string
	for range 5 {
		was := len(b.All())
		night := sleepNow(t, b, plastic.Nightly{})
		dates = append(dates, night.Date)
		if gone := was - len(b.All()); gone > 10 {
			t.Errorf("the night of %s took %d", night.Date, gone)
		}
		b.Pass(24 * time.Hour)
	}
	if len(b.All()) == 100 {
		t.Error("nothing was forgotten at all")
	}
	for id := range anchors {
		b.Show(id)
	}
	for _, date := range slices.Backward(dates) {
		if out, err := b.UndoNight(t.Context(), date, false); err != nil || len(out.Left) > 0 {
			t.Fatalf("undo of %s: %+v %v", date, out.Left, err)
		}
	}
	if memoryFile(t, b) != before {
		t.Error("memory.json is not what it was")
	}
}
