package plastic_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
)

func forgetAgain(t *testing.T, b *banktest.Bank, id string) {
	t.Helper()
	if _, err := b.Restore(t.Context(), []string{id}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Forget(t.Context(), []string{id}, plastic.Forgetting{Why: "not wanted"}); err != nil {
		t.Fatal(err)
	}
}

func away(b *banktest.Bank, id string) bool {
	_, err := b.Bank.Show(id)
	return plastic.Code(err) == "not_found"
}

func TestUndoListsWhatWasForgottenByHandAfterTheNight(t *testing.T) {
	for name, pass := range map[string]time.Duration{"an hour later": time.Hour, "in the same second": 0} {
		t.Run(name, func(t *testing.T) {
			b := banktest.New(t)
			days(t, b, 30, 6)
			night := b.Compress(plastic.Nightly{})
			gone := night.Archived[0]
			b.Pass(pass)
			forgetAgain(t, b, gone)
			out, err := b.UndoNight(t.Context(), night.Date, false)
			if err != nil || len(out.Restored) != night.Pruned-1 || len(out.Left) != 1 || out.Left[0].ID != gone || !strings.Contains(out.Left[0].Why, "forgotten") {
				t.Fatalf("undo: %d of %d back, left %v, %v", len(out.Restored), night.Pruned, out.Left, err)
			}
			if !away(b, gone) {
				t.Fatal("what was forgotten by hand lives again")
			}
			if out, err = b.UndoNight(t.Context(), night.Date, true); err != nil || !slices.Equal(out.Restored, []string{gone}) || away(b, gone) {
				t.Errorf("by force: %+v %v", out, err)
			}
		})
	}
}

func TestUndoOfAModelsOperationListsWhatWasForgottenByHandSince(t *testing.T) {
	b := asleep(t, &script{reply: good}, sleepConfig)
	night := sleepNow(t, b, plastic.Nightly{})
	b.Pass(time.Hour)
	forgetAgain(t, b, "cats2") // the merge had taken it into cats1
	out, err := b.UndoOperation(t.Context(), night.Date, 1, false)
	if err != nil || len(out.Reverted) != 0 || len(out.Left) != 1 || !strings.Contains(out.Left[0].Why, "cats2 was forgotten since") || !away(b, "cats2") {
		t.Fatalf("undo: %+v %v", out, err)
	}
	if out, err = b.UndoOperation(t.Context(), night.Date, 1, true); err != nil || len(out.Reverted) != 1 || away(b, "cats2") {
		t.Errorf("by force: %+v %v", out, err)
	}
}

func TestASecondUndoSaysOnceThatTheNightIsUndone(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	night := b.Compress(plastic.Nightly{})
	if _, err := b.UndoNight(t.Context(), night.Date, false); err != nil {
		t.Fatal(err)
	}
	before := memoryFile(t, b)
	out, err := b.UndoNight(t.Context(), night.Date, false)
	if err == nil || !strings.Contains(err.Error(), "undone already") || plastic.Code(err) != "not_found" || len(out.Left) != 0 {
		t.Errorf("the second undo: %+v %v", out, err)
	}
	if memoryFile(t, b) != before {
		t.Error("the second undo changed memory.json")
	}
}
