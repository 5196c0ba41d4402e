package plastic_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

var lineShown = regexp.MustCompile(`(?m)^\{"id":"[^\n]*`)

// shortened is a text without the last three of its words that are no names, numbers or
// dates, as a model would leave them out.
func shortened(text string) string {
	words := strings.Fields(text)
	for i, n := len(words)-1, 0; i >= 0 && n < 3; i-- {
		if w := words[i]; len(w) > 2 && strings.ToLower(w) == w && w[0] > '9' {
			words, n = slices.Delete(words, i, i+1), n+1
		}
	}
	return strings.Join(words, " ")
}

// TestTenNightsOfAModelThatShortensLeaveTheFacts: each night the model takes three
// words out of all that it is shown. Names, dates, amounts and most of the words stand after ten
// nights as after one, what is alone is never shown, and the first wordings can be had.
func TestTenNightsOfAModelThatShortensLeaveTheFacts(t *testing.T) {
	const (
		loan  = "Ann lent 250 euros to Bob on 3 May 2026 because his old car broke down near the harbour of Hamburg that week"
		loan2 = "Ann lent 250 euros to Bob on 3 May 2026, as his old car broke down near the harbour of Hamburg in the rain"
		alone = "Zoe was born on 12 March 1991 in the small town of Tula and pays 430 for her room"
	)
	b := banktest.New(t, "config.yaml", sleepConfig)
	load(t, b, `{"id":"loan","content":"`+loan+`","createdAt":"2026-09-20T08:00:00Z"}
{"id":"loan2","content":"`+loan2+`","createdAt":"2026-09-21T08:00:00Z"}
{"id":"alone","content":"`+alone+`","createdAt":"2026-09-22T08:00:00Z"}
`)
	var rewritten int
	s := &script{reply: func(phase string, _ []string, ask memory.Ask) (memory.Reply, error) {
		var ops []string
		for _, line := range lineShown.FindAllString(ask.User, -1) {
			var m struct{ ID, Content string }
			if phase != "clusters" || json.Unmarshal([]byte(line), &m) != nil {
				continue
			}
			if m.ID == "alone" {
				t.Error("a memory that nothing is like was shown to be rewritten")
			}
			raw, _ := json.Marshal(map[string]any{"op": "rewrite", "ids": []string{m.ID}, "content": shortened(m.Content), "why": "shorter"})
			ops = append(ops, string(raw))
			rewritten++
		}
		return plan(ops...)
	}}
	b = withChat(t, b, s)
	for night := range 10 {
		b.Pass(24 * time.Hour)
		// A touch of the words by the owner's hand, so that the cluster is looked at again.
		if _, err := b.Update(t.Context(), "loan2", plastic.Change{Importance: new(0.5 + float64(night%2)/100)}); err != nil {
			t.Fatal(err)
		}
		sleepNow(t, b, plastic.Nightly{})
	}
	if rewritten < 10 {
		t.Fatalf("only %d rewritings were proposed", rewritten)
	}
	changed := false
	for id, first := range map[string]string{"loan": loan, "loan2": loan2, "alone": alone} {
		got := b.Show(id).Content
		n, of := len(strings.Fields(got)), len(strings.Fields(first))
		if n*10 < of*6 || n < of && !strings.Contains(listArchive(t, b), first) {
			t.Errorf("%s says %q", id, got)
		}
		changed = changed || n < of
	}
	if !changed {
		t.Error("no night changed anything: nothing was tried")
	}
	for _, word := range []string{"Ann", "Bob", "250", "3 May 2026", "Hamburg"} {
		if got := b.Show("loan").Content; !strings.Contains(got, word) {
			t.Errorf("%s is lost: %q", word, got)
		}
	}
	if got := b.Show("alone").Content; got != alone {
		t.Errorf("alone says %q", got)
	}
}

func listArchive(t *testing.T, b *banktest.Bank) string {
	t.Helper()
	archive, err := b.Archive()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, e := range archive.Archive {
		fmt.Fprintln(&out, e.Memory.Content)
	}
	return out.String()
}

// TestANightThatDiedComesToTheEndOfACleanOne: whichever question it dies at, the next
// run finishes it, and what stands then is what one clean night leaves.
func TestANightThatDiedComesToTheEndOfACleanOne(t *testing.T) {
	state := func(b *banktest.Bank) string {
		var out []string
		for _, m := range b.All() {
			out = append(out, fmt.Sprint(m.ID, m.Content, m.RecallCount, m.Importance, m.Private, m.SupersededBy))
		}
		return strings.Join(out, "\n") + "\n" + listArchive(t, b)
	}
	clean := asleep(t, &script{reply: good}, sleepConfig)
	sleepNow(t, clean, plastic.Nightly{})
	want := state(clean)
	for n := 1; ; n++ {
		b := asleep(t, nil, sleepConfig)
		asked, died := 0, false
		func() {
			defer func() { died = recover() != nil }()
			s := &script{reply: func(phase string, ids []string, ask memory.Ask) (memory.Reply, error) {
				if asked++; asked == n {
					panic("the power is gone")
				}
				return good(phase, ids, ask)
			}}
			_, _ = withChat(t, b, s).Sleep(t.Context(), plastic.Nightly{})
		}()
		if !died {
			if n < 4 {
				t.Errorf("a night asks %d questions only", n-1)
			}
			return
		}
		again := withChat(t, b, &script{reply: good})
		sleepNow(t, again, plastic.Nightly{})
		if got := state(again); got != want {
			t.Errorf("after a death at question %d:\n%s\nwant\n%s", n, got, want)
		}
		sleepNow(t, again, plastic.Nightly{})
		if got := state(again); got != want {
			t.Errorf("the third run changed\n%s\nto\n%s", want, got)
		}
	}
}

// TestTwoGroupsOfOneTitleLoseNothing: a model that gives two clusters the same words makes
// two memories at worst; what they said before can be had.
func TestTwoGroupsOfOneTitleLoseNothing(t *testing.T) {
	const all = "Ann keeps cats in Berlin and bees in Berlin"
	b := banktest.New(t, "config.yaml", sleepConfig)
	load(t, b, `{"id":"cat1","content":"Ann keeps cats in Berlin","createdAt":"2026-09-20T08:00:00Z"}
{"id":"cat2","content":"Ann still keeps cats in Berlin","createdAt":"2026-09-21T08:00:00Z"}
{"id":"bee1","content":"our bees in Berlin have Ann","createdAt":"2026-09-22T08:00:00Z"}
{"id":"bee2","content":"our bees in Berlin do have Ann","createdAt":"2026-09-23T08:00:00Z"}
`)
	b = withChat(t, b, &script{reply: func(phase string, ids []string, _ memory.Ask) (memory.Reply, error) {
		if phase != "clusters" {
			return plan()
		}
		raw, _ := json.Marshal(ids)
		return plan(`{"op":"merge","ids":` + string(raw) + `,"content":"` + all + `","why":"one topic"}`)
	}})
	for range 3 {
		sleepNow(t, b, plastic.Nightly{Again: true})
		b.Pass(24 * time.Hour)
	}
	had := listArchive(t, b)
	for _, m := range b.All() {
		had += m.Content + "\n"
	}
	for _, said := range []string{"Ann keeps cats in Berlin\n", "Ann still keeps", "our bees in Berlin have", "our bees in Berlin do"} {
		if !strings.Contains(had, said) {
			t.Errorf("%q is lost; there is\n%s", said, had)
		}
	}
	if n := len(b.All()); n > 4 || n == 0 {
		t.Errorf("%d memories", n)
	}
}
