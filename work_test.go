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

// A model that gives another dimension under its old name: the vectors are made anew, by
// reindex, and in a server once a question has shown it.
func TestAnotherDimensionUnderTheSameNameIsMadeAnew(t *testing.T) {
	ctx := context.Background()
	dim := 16
	b := withModel(t, "", plastic.Options{Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i, x := range texts {
			out[i] = banktest.Words(x)[:dim]
		}
		return out, nil
	}})
	texts := []string{"she likes green tea", "the rent is due on Mondays", "he repairs old clocks"}
	for _, text := range texts {
		if _, err := b.Remember(ctx, plastic.Draft{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want int) {
		t.Helper()
		if got, err := b.Reindex(ctx, plastic.Reindexing{Probe: true}); err != nil || got.Missing != 0 {
			t.Fatalf("reindex: %+v, error %v", got, err)
		}
		if st, _ := b.Stats(); st.Vectors.Have != want || st.Vectors.Missing != 0 {
			t.Errorf("vectors %+v, want %d", st.Vectors, want)
		}
		if got, err := b.Recall(ctx, plastic.Query{Text: "green tea", NoRehearse: true}); err != nil || got.Degraded != "" || len(got.Memories) == 0 {
			t.Errorf("recall %+v, error %v", got, err)
		}
	}
	check(3)
	dim = 32
	check(3)
	dim = 48
	if got, _ := b.Recall(ctx, plastic.Query{Text: "green tea", NoRehearse: true}); got.Degraded == "" || len(got.Memories) == 0 {
		t.Errorf("with vectors of another dimension: %+v", got)
	}
	if !b.WorkDue() {
		t.Error("a server has nothing to do although no vector fits")
	}
	if err := b.Work(ctx); err != nil {
		t.Fatal(err)
	}
	if b.WorkDue() {
		t.Error("it has still something to do")
	}
	check(3)
}

// A second start finds the vectors of the first (case 146): recall answers at once, by words
// as long as there are none, and no text is sent twice.
func TestAStartMakesNoVectorsAnew(t *testing.T) {
	ctx := context.Background()
	dir, sent := "", map[string]int{}
	start := func() *plastic.Bank {
		o := plastic.Options{Now: func() time.Time { return banktest.Start }, Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i, x := range texts {
				sent[x]++
				out[i] = banktest.Words(x)
			}
			return out, nil
		}}
		if dir == "" {
			b := withModel(t, "", o)
			dir = b.Dir()
			return b
		}
		b, err := plastic.Open(dir, &o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	b := start()
	for i := range 40 {
		if _, err := b.Remember(ctx, plastic.Draft{Content: fmt.Sprintf("memory %d speaks of thing%d", i, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(sent) > 0 {
		t.Errorf("remembering sent %d texts", len(sent))
	}
	recall := func(b *plastic.Bank) plastic.Recalled {
		t.Helper()
		got, err := b.Recall(ctx, plastic.Query{Text: "thing7", NoRehearse: true})
		if err != nil || len(got.Memories) == 0 || got.Memories[0].Content != "memory 7 speaks of thing7" {
			t.Fatalf("%+v, error %v", got, err)
		}
		return got
	}
	if got := recall(b); got.Degraded == "" || len(sent) > 1 {
		t.Errorf("before there are vectors: degraded %q, %d texts sent", got.Degraded, len(sent))
	}
	for b.WorkDue() {
		if err := b.Work(ctx); err != nil {
			t.Fatal(err)
		}
	}
	delete(sent, "thing7")
	if len(sent) != 40 {
		t.Errorf("%d texts were sent", len(sent))
	}
	b.Close()
	b = start()
	if b.WorkDue() {
		t.Error("after the second start there is work")
	}
	if err := b.Work(ctx); err != nil {
		t.Fatal(err)
	}
	if got := recall(b); got.Degraded != "" {
		t.Errorf("after the second start: %s", got.Degraded)
	}
	delete(sent, "thing7")
	for text, n := range sent {
		if n != 1 {
			t.Fatalf("%q was sent %d times", text, n)
		}
	}
}
