package plastic_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
)

func memoryFile(t *testing.T, b *banktest.Bank) string {
	t.Helper()
	if _, err := b.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(b.Dir(), "memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestUndoGivesBackTheVerySameFile(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	for range 3 {
		b.Recall(plastic.Query{Text: "day 12 thing 0", Limit: 1})
	}
	before := memoryFile(t, b)
	night := b.Compress(plastic.Nightly{})
	if night.Pruned == 0 || night.Promoted == 0 {
		t.Fatalf("the night: %+v", night)
	}
	b.Pass(time.Hour)
	out, err := b.UndoNight(t.Context(), night.Date, false)
	if err != nil || len(out.Restored) != night.Pruned || len(out.Lowered) != night.Promoted || len(out.Left) != 0 {
		t.Fatalf("undo: %d back, %d lowered, left %v, %v", len(out.Restored), len(out.Lowered), out.Left, err)
	}
	if after := memoryFile(t, b); after != before {
		t.Errorf("memory.json is not what it was")
	}
	b.Pass(24 * time.Hour)
	next := b.Compress(plastic.Nightly{})
	for _, id := range next.Archived {
		for _, spared := range out.Restored {
			if id == spared {
				t.Fatalf("%s was pruned again untouched", id)
			}
		}
	}
}

func TestTheNightAfterAnUndoTakesNothingThatTheUndoneOneKept(t *testing.T) {
	b := banktest.New(t)
	var lines strings.Builder
	for i := range 34 {
		fmt.Fprintf(&lines, `{"id":"m%02d","content":"thing number %d of that morning","importance":0.3,"createdAt":"2026-10-01T08:%02d:00Z"}`+"\n", i, i, i)
	}
	load(t, b, lines.String())
	first := b.Compress(plastic.Nightly{})
	if first.Pruned != 9 {
		t.Fatalf("the first night: %+v", first)
	}
	if _, err := b.UndoNight(t.Context(), first.Date, false); err != nil {
		t.Fatal(err)
	}
	b.Pass(24 * time.Hour)
	look, err := b.Forecast(1, nil)
	if err != nil || look.Days[0].Pruned != 0 {
		t.Errorf("the forecast: %+v, %v", look.Days, err)
	}
	if dry := b.Compress(plastic.Nightly{DryRun: true}); dry.Pruned != 0 {
		t.Errorf("the dry run: %+v", dry)
	}
	if next := b.Compress(plastic.Nightly{}); next.Pruned != 0 || next.After != 34 {
		t.Errorf("the next night: %+v", next)
	}
}

func TestUndoLeavesWhatWasEditedSince(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	for range 3 {
		b.Recall(plastic.Query{Text: "day 12 thing 0", Limit: 1})
	}
	night := b.Compress(plastic.Nightly{})
	high := 0.9
	if _, err := b.Update(t.Context(), night.Raised[0], plastic.Change{Importance: &high}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Restore(t.Context(), night.Archived[:1]); err != nil {
		t.Fatal(err)
	}
	out, err := b.UndoNight(t.Context(), night.Date, false)
	if err != nil || len(out.Left) != 2 || len(out.Restored) != night.Pruned-1 || len(out.Lowered) != 0 {
		t.Errorf("undo: %+v %v", out.Left, err)
	}
	if b.Show(night.Raised[0]).Importance != high {
		t.Error("an edit was undone")
	}
	if _, err := b.UndoNight(t.Context(), "2020-01-01", false); plastic.Code(err) != "not_found" {
		t.Errorf("a night that never was: %v", err)
	}
}
