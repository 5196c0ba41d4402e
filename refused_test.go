package plastic_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// A text that the model can not take counts as missing, whatever it is asked with, and a
// running process asks for it once: not again with each new memory, but by hand, and of
// another model (case 110).
func TestATextThatHasNoVectorIsAskedForOnce(t *testing.T) {
	ctx := context.Background()
	asked, takes := 0, false
	b := withModel(t, "", plastic.Options{
		Now: func() time.Time { return banktest.Start },
		Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i, x := range texts {
				out[i] = banktest.Words(x)
				if strings.Contains(x, "poison") {
					if asked++; !takes {
						return nil, fmt.Errorf("%w: it can not be read", memory.ErrModel)
					}
				}
			}
			return out, nil
		},
	})
	say := func(text string) {
		t.Helper()
		if _, err := b.Remember(ctx, plastic.Draft{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	say("she likes tea")
	say("poison in the well")
	say("he repairs old clocks")
	got, err := b.Reindex(ctx, plastic.Reindexing{Probe: true})
	if err != nil || got.Embedded != 2 || got.Missing != 1 || len(got.Notes) != 1 {
		t.Errorf("%+v, error %v; want 2 made, 1 missing", got, err)
	}
	before := asked
	for i := range 5 {
		say(fmt.Sprintf("a new thing called thing%d", i))
		if !b.WorkDue() {
			t.Error("a new memory is no work")
		}
		if err := b.Work(ctx); err != nil {
			t.Fatal(err)
		}
		if b.WorkDue() {
			t.Error("there is work still")
		}
	}
	if asked != before {
		t.Errorf("it was asked for %d times more", asked-before)
	}
	if st, _ := b.Stats(); st.Vectors.Have != 7 || st.Vectors.Missing != 1 {
		t.Errorf("vectors %+v", st.Vectors)
	}
	if got, err := b.Reindex(ctx, plastic.Reindexing{}); err != nil || asked == before || got.Missing != 1 {
		t.Errorf("by hand: asked %d times more, %+v, error %v", asked-before, got, err)
	}
	takes = true
	if err := b.SetConfig(ctx, "model.embed", "another"); err != nil {
		t.Fatal(err)
	}
	if !b.WorkDue() {
		t.Error("of another model nothing is asked for")
	}
	if err := b.Work(ctx); err != nil {
		t.Fatal(err)
	}
	if st, _ := b.Stats(); st.Vectors.Have != 8 || st.Vectors.Missing != 0 {
		t.Errorf("of another model: vectors %+v", st.Vectors)
	}
}
