package compress_test

import (
	"fmt"
	"testing"
	"time"

	"plastic/compress"
	"plastic/memory"
)

func TestTheFirstNightOfAForecastIsTheNextDue(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	early := time.Date(2026, 11, 30, 1, 0, 0, 0, time.UTC)
	rows := []struct {
		name  string
		now   time.Time
		done  string
		first string
	}{
		{"after the hour", noon, "2026-11-30", "2026-12-01"},
		{"before the hour", early, "2026-11-29", "2026-11-30"},
		{"before the hour, done by hand", early, "2026-11-30", "2026-12-01"},
		{"exactly at the hour", now, "", "2026-12-01"},
		{"a last night ahead of now is none", noon, "2031-01-01", "2026-12-01"},
	}
	for _, r := range rows {
		p := plain()
		p.Done = r.done
		got := compress.Forecast(nil, p, r.now, 2)
		second, _ := time.Parse(time.DateOnly, r.first)
		if got.Days[0].Date != r.first || got.Days[1].Date != second.AddDate(0, 0, 1).Format(time.DateOnly) {
			t.Errorf("%s: %v, want first %s", r.name, got.Days, r.first)
		}
	}
}

// Every date that exists has one night, also where clocks jump over the hour,
// over midnight, or over a whole day.
func TestAForecastHasOneNightForEachDate(t *testing.T) {
	rows := []struct {
		zone  string
		start string
	}{
		{"Europe/Berlin", "2026-01-01"},
		{"America/Sao_Paulo", "2018-01-01"}, // midnight of 2018-11-04 does not exist
		{"Africa/Cairo", "2026-01-01"},
		{"Australia/Lord_Howe", "2026-01-01"},
		{"Pacific/Apia", "2011-06-01"}, // 2011-12-30 does not exist
	}
	for _, r := range rows {
		loc, err := time.LoadLocation(r.zone)
		if err != nil {
			t.Fatal(err)
		}
		start, err := time.ParseInLocation(time.DateOnly, r.start, loc)
		if err != nil {
			t.Fatal(err)
		}
		for hour := range 24 {
			p := plain()
			p.Location, p.Hour = loc, hour
			date := start
			for _, d := range compress.Forecast(nil, p, start.Add(23*time.Hour+59*time.Minute), 365).Days {
				date = time.Date(date.Year(), date.Month(), date.Day()+1, 12, 0, 0, 0, loc)
				if r.zone == "Pacific/Apia" && d.Date == "2011-12-31" {
					date = time.Date(2011, 12, 31, 12, 0, 0, 0, loc)
				}
				if want := date.Format(time.DateOnly); d.Date != want {
					t.Fatalf("%s at %d: night of %s, want %s", r.zone, hour, d.Date, want)
				}
			}
		}
	}
}

func TestDifferShowsWhatAParameterChanges(t *testing.T) {
	var ms []memory.Memory
	for i := range 10 {
		ms = append(ms, at(fmt.Sprintf("m%d", i), "2026-11-20T12:00:00Z", float64(i)*0.05))
	}
	sharp := plain()
	sharp.KeepFraction = 0.6
	a, b := compress.Forecast(ms, plain(), now, 1), compress.Forecast(ms, sharp, now, 1)
	onlyA, onlyB := compress.Differ(a, b) // 6 go against 4
	if len(onlyA) != 2 || onlyA[0].ID != "m4" || onlyA[1].ID != "m5" || onlyB != nil {
		t.Errorf("only with 0.35 %v go, only with 0.6 %v", onlyA, onlyB)
	}
}

// A memory nobody comes back to ends as one trace of each date: with the newest
// 12 and the first 8 safe, 8 + 12 + one of each other date.
func TestAHundredDaysLeaveATraceOfEachDay(t *testing.T) {
	var ms []memory.Memory
	for i := range 200 {
		created := now.Add(-time.Duration(200-i) * 6 * time.Hour) // 50 dates of 4
		ms = append(ms, memory.Memory{ID: fmt.Sprintf("m%03d", i), Importance: 0.5, CreatedAt: created})
	}
	got := compress.Forecast(ms, compress.Default(), now, 30)
	last := got.Days[len(got.Days)-1]
	if last.Pruned != 0 || last.After != 200-len(got.Gone) {
		t.Errorf("the last night is %+v with %d gone", last, len(got.Gone))
	}
	dates := map[string]bool{}
	for _, m := range ms[8:188] {
		dates[m.CreatedAt.Format(time.DateOnly)] = true
	}
	if want := 8 + len(dates) + 12; last.After != want {
		t.Errorf("%d are left, want %d", last.After, want)
	}
}
