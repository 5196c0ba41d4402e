package main

import (
	"math"
	"slices"
	"testing"
)

func measured(row string, values map[string]float64) *figures {
	f := newFigures()
	for tool, v := range values {
		f.set(row, tool, v)
	}
	return f
}

func only(t *testing.T, f *figures, n int) line {
	t.Helper()
	b := f.judge(n)
	if len(b.Lines) != 1 {
		t.Fatalf("judged %d rows, want 1", len(b.Lines))
	}
	return b.Lines[0]
}

func TestTheMarkIsARatioToTheStrongestPeer(t *testing.T) {
	for _, c := range []struct {
		row     string
		n       int
		own     float64
		verdict string
	}{
		{"cold recall", 1_000, 4.1, "ok"}, // 1.4× of 3
		{"cold recall", 1_000, 4.3, "short"},
		{"cold recall", 90_000, 1.1, "ok"}, // the marks of 100k: 0.4×
		{"cold recall", 90_000, 1.3, "short"},
		{"queries a second", 10_000, 32, "ok"}, // 4× of 8, and more is better
		{"queries a second", 10_000, 31, "short"},
		{"allocations a query", 1_000, 10, "ok"}, // a limit of its own
		{"allocations a query", 1_000, 11, "short"},
	} {
		l := only(t, measured(c.row, map[string]float64{product: c.own, "FTS5": 3, "bleve": 8}), c.n)
		if l.Verdict != c.verdict {
			t.Errorf("%s at %d with %g: %s, want %s", c.row, c.n, c.own, l.Verdict, c.verdict)
		}
	}
}

func TestAPeerThatFindsLittleIsNotTheStrongest(t *testing.T) {
	f := measured("warm query p50", map[string]float64{product: 1, "FTS5": 3, "FTS5 trigram": 0.1})
	for i := range 10 {
		f.asked("FTS5", true)
		f.asked("FTS5 trigram", i < 8)
	}
	if l := only(t, f, 1000); l.Strongest != "FTS5" || l.others() != "(FTS5 trigram 0.100 ms)" {
		t.Errorf("strongest %q, others %q", l.Strongest, l.others())
	}
}

func TestALinearScanCountsInTheNightAlone(t *testing.T) {
	values := map[string]float64{product: 1, "FTS5": 3, "linear": 2}
	if l := only(t, measured("durable insert p50", values), 1000); l.Strongest != "FTS5" {
		t.Errorf("insert: strongest is %s", l.Strongest)
	}
	if l := only(t, measured("night over all", values), 1000); l.Strongest != "linear" {
		t.Errorf("night: strongest is %s", l.Strongest)
	}
}

func TestAToolThatWasNotMeasuredIsNeverOk(t *testing.T) {
	l := only(t, measured("cold recall", map[string]float64{cli: 3}), 1000)
	if l.Verdict != "not measured" || l.ratio() != "-" {
		t.Errorf("verdict %q, ratio %q", l.Verdict, l.ratio())
	}
}

func TestGrowthIsTheExponentBetweenTheTwoLargestSizes(t *testing.T) {
	var blocks []block
	for n, own := range map[int]float64{100_000: 2, 1_000_000: 2 * math.Sqrt(10)} {
		blocks = append(blocks, measured("cold recall", map[string]float64{product: own, cli: float64(n) / 1e4}).judge(n))
	}
	slices.SortFunc(blocks, func(a, b block) int { return a.Memories - b.Memories })
	lines := growth(blocks)
	if len(lines) != 1 || math.Abs(lines[0].Figures[product]-0.5) > 1e-9 || math.Abs(lines[0].Figures[cli]-1) > 1e-9 || lines[0].Verdict != "ok" {
		t.Errorf("%+v", lines)
	}
}

func TestTheSameSeedGivesTheSameMemoriesInTheirShares(t *testing.T) {
	a, b := newGenerator(seed), newGenerator(seed)
	x, y := a.memories(4000), b.memories(4000)
	var by [3]int
	for i := range x {
		if x[i].Content != y[i].Content {
			t.Fatalf("memory %d differs: %q, %q", i, x[i].Content, y[i].Content)
		}
		by[language(x[i].Content)]++
	}
	for i, share := range []float64{0.45, 0.35, 0.20} {
		if got := float64(by[i]) / 4000; math.Abs(got-share) > 0.03 {
			t.Errorf("language %d has %.2f of the memories, want %.2f", i, got, share)
		}
	}
	if !slices.Equal(a.queries(50), b.queries(50)) {
		t.Error("the queries differ")
	}
}
