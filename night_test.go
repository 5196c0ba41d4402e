package plastic_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic"
	"plastic/internal/banktest"
	"plastic/layers"
	"plastic/memory"
)

// days fills b with perDay memories on each of n days, oldest first.
func days(t testing.TB, b *banktest.Bank, n, perDay int) {
	t.Helper()
	var lines strings.Builder
	for d := range n {
		for i := range perDay {
			at := banktest.Start.AddDate(0, 0, -n+d).Add(time.Duration(i) * time.Minute)
			fmt.Fprintf(&lines, `{"content":"day %d thing %d","importance":%.2f,"createdAt":%q}`+"\n", d, i, float64(i)/float64(perDay), at.Format(time.RFC3339))
		}
	}
	load(t, b, lines.String())
}

func TestANightRunsOnceADate(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	first := b.Compress(plastic.Nightly{})
	if first.Pruned == 0 || first.Before-first.After != first.Pruned || !first.Done || first.Date != "2026-11-30" {
		t.Fatalf("first: %+v", first)
	}
	if first.Before != 180 || len(b.All()) != first.After {
		t.Errorf("%d memories stand, the night said %d → %d", len(b.All()), first.Before, first.After)
	}
	b.Pass(time.Hour)
	second := b.Compress(plastic.Nightly{})
	if second.Pruned != 0 || second.Before != first.After || second.After != first.After || !second.Done {
		t.Errorf("second: %+v", second)
	}
	archive, err := b.Archive()
	if err != nil || len(archive.Archive) != first.Pruned {
		t.Errorf("archive holds %d of %d: %v", len(archive.Archive), first.Pruned, err)
	}
	b.Pass(24 * time.Hour)
	if third := b.Compress(plastic.Nightly{}); third.Pruned == 0 {
		t.Errorf("the next date's night did nothing: %+v", third)
	}
}

func TestADryNightChangesNothing(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 20, 5)
	dry := b.Compress(plastic.Nightly{DryRun: true})
	if dry.Pruned == 0 || !dry.DryRun || dry.Done || len(b.All()) != 100 {
		t.Errorf("dry run: %+v with %d left", dry, len(b.All()))
	}
	wet := b.Compress(plastic.Nightly{})
	if strings.Join(wet.Archived, " ") != strings.Join(dry.Archived, " ") {
		t.Errorf("the night took %v, the plan said %v", wet.Archived, dry.Archived)
	}
}

func TestWhatIsRecalledThriceIsKeptForGood(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	id := b.Find("day 12 thing 0")[0]
	for range 3 {
		b.Recall(plastic.Query{Text: "day 12 thing 0", Limit: 1})
	}
	night := b.Compress(plastic.Nightly{})
	if night.Promoted != 1 || len(night.Raised) != 1 || night.Raised[0] != id {
		t.Fatalf("promoted %+v, want %s", night.Raised, id)
	}
	m := b.Show(id)
	if m.Importance != 0.75 || m.Layer != layers.Important || !m.UpdatedAt.IsZero() {
		t.Errorf("after the night: %+v", m)
	}
}

func TestANightTakesOnlyWhatFades(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := banktest.New(t)
		var lines strings.Builder
		n := rapid.IntRange(0, 60).Draw(rt, "n")
		for i := range n {
			fmt.Fprintf(&lines, `{"id":"m%02d","content":"thing %d","kind":%q,"importance":%v,"pinned":%v,"recallCount":%d,"createdAt":%q}`+"\n", i, i,
				rapid.SampledFrom([]string{"fact", "event", "core", "identity", "odd"}).Draw(rt, "kind"),
				math.Round(rapid.Float64Range(0, 1).Draw(rt, "importance")*100)/100, rapid.IntRange(0, 9).Draw(rt, "pin") == 0,
				rapid.IntRange(0, 4).Draw(rt, "recalls"), banktest.Start.Add(-time.Duration(rapid.IntRange(-48, 900).Draw(rt, "hours"))*time.Hour).Format(time.RFC3339))
		}
		load(t, b, lines.String())
		before := map[string]plastic.Memory{}
		for _, m := range b.All() {
			before[m.ID] = m
		}
		night := b.Compress(plastic.Nightly{})
		if night.Before != n || night.Before-night.After != night.Pruned || len(b.All()) != night.After {
			rt.Fatalf("the counts are off: %+v with %d left of %d", night, len(b.All()), n)
		}
		for _, id := range night.Archived {
			if m := before[id]; m.Layer != layers.Fading {
				rt.Fatalf("the night took %s of layer %s", id, m.Layer)
			}
		}
	})
}

func TestWhatANightTookComesBack(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	night := b.Compress(plastic.Nightly{})
	id := night.Archived[0]
	if _, err := b.Restore(context.Background(), []string{id}); err != nil {
		t.Fatal(err)
	}
	m := b.Show(id)
	if !m.LastRecalledAt.Equal(b.Clock().Now()) {
		t.Errorf("restoring is a touch: %+v", m)
	}
	archive, _ := b.Archive()
	for _, a := range archive.Archive {
		if a.As != memory.Pruned || a.Why == "" || a.By != "night" {
			t.Errorf("entry without its story: %+v", a)
		}
		if a.Memory.ID == id {
			t.Errorf("%s is in the archive and in the memory", id)
		}
	}
}

func TestForecastShowsWhatNightsWillTake(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	f, err := b.Forecast(3, map[string]string{"memory.keepFraction": "1"})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Days) != 3 || len(f.Gone) == 0 || f.Compared == nil || len(f.Compared.Gone) != 0 {
		t.Fatalf("forecast: %d days, %d gone, compared %+v", len(f.Days), len(f.Gone), f.Compared)
	}
	b.Pass(15 * time.Hour) // 03:00 of the next date
	night := b.Compress(plastic.Nightly{})
	if night.Pruned != f.Days[0].Pruned || night.After != f.Days[0].After {
		t.Errorf("forecast %+v, the night was %+v", f.Days[0], night)
	}
	for i, id := range night.Archived {
		if f.Gone[i].ID != id {
			t.Errorf("the forecast's %d. to go was %s, the night took %s", i, f.Gone[i].ID, id)
			break
		}
	}
	if _, err := b.Forecast(3, map[string]string{"memory.nosuch": "1"}); err == nil {
		t.Error("an unknown setting was taken")
	}
}
