package plastic_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// A running process makes vectors at once, distils when it is quiet, and after a failure
// leaves the model alone for a while; a text without a vector is not asked for again.
func TestWorkIsDoneWhenThereIsSome(t *testing.T) {
	ctx := context.Background()
	now := banktest.Start
	embedded, asked, down := 0, 0, false
	b := withModel(t, "sleep: {idleFor: 10m}\n", plastic.Options{
		Now: func() time.Time { return now },
		Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			if down {
				return nil, fmt.Errorf("%w: scripted", memory.ErrUnreached)
			}
			embedded += len(texts)
			out := make([][]float32, len(texts))
			for i, x := range texts {
				if x != "poison" {
					out[i] = banktest.Words(x)
				}
			}
			return out, nil
		},
		Chat: func(context.Context, memory.Ask) (memory.Reply, error) {
			asked++
			return memory.Reply{Arguments: []string{`{"facts":[{"content":"@ann keeps two cats"}]}`}}, nil
		},
	})
	work := func() {
		t.Helper()
		if !b.WorkDue() {
			t.Fatal("there is work, and it is not due")
		}
		if err := b.Work(ctx); err != nil {
			t.Fatal(err)
		}
	}
	idle := func(when string) {
		t.Helper()
		if b.WorkDue() {
			t.Errorf("%s there is nothing to do, and work is due", when)
		}
	}
	idle("at the beginning")
	for _, text := range []string{"she likes tea", "poison"} {
		if _, err := b.Remember(ctx, plastic.Draft{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	work()
	if embedded != 2 {
		t.Errorf("%d texts were embedded, want 2", embedded)
	}
	idle("after the vectors are made")
	retain(t, b, "I keep two cats")
	idle("while somebody is here")
	now = now.Add(11 * time.Minute)
	work()
	if asked != 1 {
		t.Errorf("%d questions, want one", asked)
	}
	idle("after all is distilled") // the fact has its vector already
	down = true
	if _, err := b.Remember(ctx, plastic.Draft{Content: "the rent is due"}); err != nil {
		t.Fatal(err)
	}
	for _, rest := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute} {
		if err := b.Work(ctx); err == nil {
			t.Fatal("a dead model is no error")
		}
		now = now.Add(rest - time.Second)
		idle("during the rest after a failure")
		now = now.Add(2 * time.Second)
		if !b.WorkDue() {
			t.Errorf("after %v it is not tried again", rest)
		}
	}
}
