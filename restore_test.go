package plastic_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

func TestRestoreBringsBackTheLastTextHoweverMuchHappensInASecond(t *testing.T) {
	for seed := range uint64(25) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		b := banktest.New(t)
		text := fmt.Sprintf("delta %c", 'a'+rnd.IntN(26))
		id := b.Remember(plastic.Draft{Content: text}).ID
		for step := range 3 {
			for range 1 + rnd.IntN(3) {
				text = fmt.Sprintf("delta %c %d %d", 'a'+rnd.IntN(26), step, rnd.IntN(100))
				if _, err := b.Update(t.Context(), id, plastic.Change{Content: &text}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := b.Forget(t.Context(), []string{id}, plastic.Forgetting{}); err != nil {
				t.Fatal(err)
			}
			if rnd.IntN(2) == 0 {
				if _, err := b.Checkpoint(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := b.Restore(t.Context(), []string{id}); err != nil {
				t.Fatal(err)
			}
			if got := b.Show(id).Content; got != text {
				t.Fatalf("seed %d, time %d: %q came back, %q was forgotten", seed, step, got, text)
			}
		}
	}
}
