package plastic_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// told is a difference by what each memory says.
func told(d plastic.Difference) string {
	out := ""
	for _, m := range d.Learnt {
		out += "+ " + m.Content + "\n"
	}
	for _, c := range d.Changed {
		was := ""
		if c.Was != nil {
			was = c.Was.Content + " → "
		}
		out += fmt.Sprintf("~ %s %s%s\n", c.How, was, c.Memory.Content)
	}
	for _, e := range d.Forgotten {
		out += fmt.Sprintf("- %s %s\n", e.As, e.Memory.Content)
	}
	return out
}

func TestTheDifferenceOfTwoDates(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	say := func(text string) string { b.Pass(time.Second); return b.Say(text) }
	start := b.Clock().Now()
	cats, home, tea, dog, often := say("Ann keeps two cats"), say("Ann lives in Oslo"), say("Bo drinks tea"), say("Cleo has a dog"), say("Dan plays chess")
	b.Pass(24 * time.Hour)
	from := b.Clock().Now()
	for _, text := range []string{"Ann keeps three cats", "Ann keeps four cats"} {
		b.Pass(time.Hour)
		if _, err := b.Update(ctx, cats, plastic.Change{Content: &text}); err != nil {
			t.Fatal(err)
		}
	}
	b.Pass(time.Hour)
	moved := b.Remember(plastic.Draft{Content: "Ann lives in Bergen", Supersedes: home}).ID
	b.Pass(time.Hour)
	brief := say("the train is late")
	if _, err := b.Forget(ctx, []string{tea, dog, brief}, plastic.Forgetting{Why: "stale"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Restore(ctx, []string{dog}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		b.Recall(plastic.Query{Text: "who plays chess?"})
	}
	b.Compress(plastic.Nightly{})
	until := b.Clock().Now().Add(time.Second)
	b.Pass(24 * time.Hour)
	later := say("Ann sings in a choir")
	if _, err := b.Forget(ctx, []string{often}, plastic.Forgetting{}); err != nil {
		t.Fatal(err)
	}

	want := "+ Ann lives in Bergen\n+ the train is late\n" +
		"~ updated Ann keeps two cats → Ann keeps four cats\n~ superseded Ann lives in Oslo\n~ raised Dan plays chess\n" +
		"- forgotten Bo drinks tea\n- forgotten the train is late\n"
	d, err := b.Diff(from, until)
	if err != nil || told(d) != want {
		t.Errorf("%v, got\n%swant\n%s", err, told(d), want)
	}
	if d.String() != "learnt 2, changed 3, forgotten 2" || d.Changed[1].Next != moved || d.Changed[2].Memory.Layer != "" || d.Changed[2].Why == "" {
		t.Errorf("%s, %+v", d, d.Changed)
	}
	if d, err = b.Diff(start, from); err != nil || len(d.Learnt) != 5 || len(d.Changed)+len(d.Forgotten) != 0 {
		t.Errorf("the day before: %v\n%s", err, told(d))
	}
	if d, err = b.Diff(until, b.Clock().Now().Add(time.Second)); err != nil || told(d) != "+ Ann sings in a choir\n- forgotten Dan plays chess\n" || d.Learnt[0].ID != later {
		t.Errorf("the day after: %v\n%s", err, told(d))
	}
	if d, err = b.Diff(from, from); err != nil || told(d) != "" || d.Learnt == nil || d.Changed == nil || d.Forgotten == nil {
		t.Errorf("no time at all: %v, %+v", err, d)
	}
	if _, err = b.Diff(until, from); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("backwards: %v", err)
	}
	if _, err = b.As(memory.Owner).Diff(from, until); !errors.Is(err, memory.ErrDenied) {
		t.Errorf("others read along: %v", err)
	}
}
