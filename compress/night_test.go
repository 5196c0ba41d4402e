package compress_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"plastic/compress"
	"plastic/memory"
)

var now = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

// plain is Default without the places that would protect a small memory.
func plain() compress.Params {
	p := compress.Default()
	p.AnchorCount, p.RecentCount = 0, 0
	return p
}

// at gives a fact of that importance, made at a time given as RFC 3339.
func at(id, created string, importance float64) memory.Memory {
	t, err := time.Parse(time.RFC3339, created)
	if err != nil {
		panic(err)
	}
	return memory.Memory{ID: id, Kind: memory.Fact, Importance: importance, CreatedAt: t}
}

func pruned(p compress.Plan) string   { return ids(p.Prune) }
func promoted(p compress.Plan) string { return ids(p.Promote) }

func ids(items []compress.Item) string {
	var out []string
	for _, i := range items {
		out = append(out, i.ID)
	}
	return strings.Join(out, " ")
}

// Ten fading ones of one date, made at the same moment, so that clarity goes by
// importance alone: a 0.05, b 0.10 … j 0.50. ceil(10 · 0.35) = ceil(3.5) = 4 stay.
func TestTheClearestOfADateStay(t *testing.T) {
	var ms []memory.Memory
	for i := range 10 {
		ms = append(ms, at(string(rune('a'+i)), "2026-11-20T12:00:00Z", float64(i+1)*0.05))
	}
	got := compress.Night(ms, plain(), now)
	if pruned(got) != "a b c d e f" || got.Before != 10 || got.After != 4 || got.Date != "2026-11-30" {
		t.Errorf("got %+v", got)
	}
	// j is 9.625 days old: exp(−9.625/21)·(0.35 + 0.65·0.05) = 0.632350·0.3825 = 0.241874 for a
	if want := "fading, clarity 0.24: number 10 of the 10 fading of 2026-11-20, 4 stay"; got.Prune[0].Why != want {
		t.Errorf("a goes because %q, want %q", got.Prune[0].Why, want)
	}
	if want := "sleep compression: 10 → 4 memories (pruned 6, promoted 0)"; got.String() != want {
		t.Errorf("the log line is %q, want %q", got, want)
	}
}

func TestHowManyOfADateStay(t *testing.T) {
	rows := []struct {
		n        int
		fraction float64
		stay     int
	}{
		{1, 0.35, 1}, // a day never goes as a whole
		{2, 0.35, 1}, // ceil 0.7
		{3, 0.35, 2}, // ceil 1.05
		{20, 0.35, 7},
		{100, 0.07, 7}, // the product is 7.000000000000001 in binary
		{100, 0.29, 29},
		{5, 0, 0},
		{5, 1, 5},
		{5, 1.5, 5},
		{5, -1, 0},
		{1000, 0.0001, 1},
	}
	for _, r := range rows {
		var ms []memory.Memory
		for i := range r.n {
			ms = append(ms, at(fmt.Sprintf("m%03d", i), "2026-11-20T12:00:00Z", 0.5))
		}
		p := plain()
		p.KeepFraction = r.fraction
		if got := compress.Night(ms, p, now).After; got != r.stay {
			t.Errorf("of %d at %v stay %d, want %d", r.n, r.fraction, got, r.stay)
		}
	}
}

// With one recalled on the same second as the others all are equally clear.
func TestOfEquallyClearTheNewerStaysThenTheLowerID(t *testing.T) {
	same := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	old, b, a := at("old", "2026-11-20T10:00:00Z", 0.5), at("b", "2026-11-20T12:00:00Z", 0.5), at("a", "2026-11-20T12:00:00Z", 0.5)
	for _, m := range []*memory.Memory{&old, &b, &a} {
		m.LastRecalledAt = same
	}
	got := compress.Night([]memory.Memory{old, a, b}, plain(), now) // ceil(1.05) = 2 stay
	if pruned(got) != "old" {
		t.Errorf("of three %q goes, want old", pruned(got))
	}
	got = compress.Night([]memory.Memory{a, b}, plain(), now) // ceil(0.7) = 1 stays
	if pruned(got) != "b" {
		t.Errorf("of two %q goes, want b", pruned(got))
	}
}

func TestPromotionRaisesToTheThresholdForGood(t *testing.T) {
	ms := []memory.Memory{
		at("light", "2026-01-01T00:00:00Z", 0.4), at("heavy", "2026-01-02T00:00:00Z", 0.9),
		at("seldom", "2026-01-03T00:00:00Z", 0.4), at("closed", "2026-01-04T00:00:00Z", 0.4),
	}
	ms[0].RecallCount, ms[1].RecallCount, ms[2].RecallCount, ms[3].RecallCount = 3, 5, 2, 9
	ms[3].SupersededBy = "heavy"
	p := plain()
	p.SupersededTTL = 0
	got := compress.Night(ms, p, now)
	if promoted(got) != "light" || pruned(got) != "" {
		t.Fatalf("promoted %q, pruned %q; want light and nobody (seldom is alone on its date)", promoted(got), pruned(got))
	}
	if want := "recalled 3 times: importance 0.40 → 0.75"; got.Promote[0].Why != want {
		t.Errorf("why is %q, want %q", got.Promote[0].Why, want)
	}
	if ms[0].Importance != 0.4 {
		t.Errorf("the night changed what it was given")
	}
	// For good: with the counter cleared it still does not fade.
	ms[0].Importance, ms[0].RecallCount = 0.75, 0
	ms = append(ms, at("mate", "2026-01-01T00:00:00Z", 0.1), at("mate2", "2026-01-01T00:00:00Z", 0.2))
	if got := compress.Night(ms, p, now); promoted(got) != "" || pruned(got) != "mate" {
		t.Errorf("then promoted %q, pruned %q; want nobody and mate", promoted(got), pruned(got))
	}
}

func TestDatesAreLocal(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	// 23:30 and 00:30 UTC are 08:30 and 09:30 of one day in Tokyo, two days in UTC.
	ms := []memory.Memory{at("a", "2026-03-01T23:30:00Z", 0.1), at("b", "2026-03-02T00:30:00Z", 0.2)}
	p := plain()
	if got := compress.Night(ms, p, now); pruned(got) != "" {
		t.Errorf("in UTC %q goes, want nobody", pruned(got))
	}
	p.Location = tokyo
	if got := compress.Night(ms, p, time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC)); pruned(got) != "a" || got.Date != "2026-12-01" {
		t.Errorf("in Tokyo %q goes on %s, want a on 2026-12-01", pruned(got), got.Date)
	}
}

func TestALongDayOfClockChangeIsOneDate(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	// 2026-10-25 has 25 hours in Berlin: from 22:00 UTC to 23:00 UTC of the next day.
	ms := []memory.Memory{
		at("before", "2026-10-24T21:59:59Z", 0.1), at("first", "2026-10-24T22:00:00Z", 0.1),
		at("last", "2026-10-25T22:59:59Z", 0.2), at("after", "2026-10-25T23:00:00Z", 0.1),
	}
	p := plain()
	p.Location = berlin
	if got := compress.Night(ms, p, now); pruned(got) != "first" {
		t.Errorf("%q goes, want first", pruned(got))
	}
}

func TestProtectedMemoriesStandInTheRankAndStayBelowIt(t *testing.T) {
	ms := []memory.Memory{
		at("a", "2026-11-01T12:00:00Z", 0.1), at("b", "2026-11-01T12:00:01Z", 0.2),
		at("c", "2026-11-01T12:00:02Z", 0.3), at("d", "2026-11-01T12:00:03Z", 0.4),
	}
	p := plain()
	p.Protected = map[string]bool{"a": true, "b": true}
	if got := compress.Night(ms, p, now); pruned(got) != "" { // ceil(1.4) = 2 stay: c and d
		t.Errorf("%q goes, want none", pruned(got))
	}
	p.Protected = map[string]bool{"a": true, "d": true}
	got := compress.Night(ms, p, now) // c and d stay, and a below them
	if pruned(got) != "b" || !strings.Contains(got.Prune[0].Why, "number 3 of the 4 fading of 2026-11-01, 2 stay and 1 that an undo brought back") {
		t.Errorf("%+v, want b", got.Prune)
	}
}

func TestSupersededOnesGoAfterTheirTime(t *testing.T) {
	closed := func(id, validTo string) memory.Memory {
		m := at(id, "2026-01-01T00:00:00Z", 1)
		m.SupersededBy, m.ValidTo = "new", at("", validTo, 0).CreatedAt
		return m
	}
	byHand := at("hand", "2026-01-01T00:00:00Z", 1)
	byHand.SupersededBy, byHand.UpdatedAt = "new", at("", "2026-11-29T00:00:00Z", 0).CreatedAt
	ms := []memory.Memory{
		closed("long", "2026-03-01T00:00:00Z"), closed("exactly", "2026-09-01T03:00:00Z"),
		closed("lately", "2026-09-01T03:00:01Z"), byHand, at("new", "2026-11-29T00:00:00Z", 0.5),
	}
	got := compress.Night(ms, plain(), now) // 90 days before now is 2026-09-01 03:00
	if pruned(got) != "exactly long" || got.Before-got.After != 2 {
		t.Errorf("%q go, %d → %d; want exactly and long", pruned(got), got.Before, got.After)
	}
	if want := "superseded since 2026-03-01"; got.Prune[1].Why != want {
		t.Errorf("long goes because %q, want %q", got.Prune[1].Why, want)
	}
	if got := compress.Expired(ms, 90*24*time.Hour, now); !slices.Equal(got, []string{"long", "exactly"}) {
		t.Errorf("expired are %v, want long and exactly", got)
	}
	if got := compress.Expired(ms, 0, now); got != nil {
		t.Errorf("without a time limit %v expire, want none", got)
	}
}

// Why a night belongs to a date: applied again it would go on halving, until one
// trace of a day is left.
func TestASecondApplicationWouldPruneFurther(t *testing.T) {
	var ms []memory.Memory
	for i := range 10 {
		ms = append(ms, at(fmt.Sprintf("m%d", i), "2026-11-20T12:00:00Z", 0.5))
	}
	for _, want := range []int{4, 2, 1, 1} { // ceil 3.5, 1.4, 0.7, 0.35
		plan := compress.Night(ms, plain(), now)
		ms = apply(ms, plan, plain())
		if len(ms) != want || plan.After != want {
			t.Fatalf("%d stay, planned %d, want %d", len(ms), plan.After, want)
		}
	}
}

// apply does what the hall does with a plan.
func apply(ms []memory.Memory, plan compress.Plan, p compress.Params) []memory.Memory {
	var left []memory.Memory
	for _, m := range ms {
		named := func(i compress.Item) bool { return i.ID == m.ID }
		if slices.ContainsFunc(plan.Prune, named) {
			continue
		}
		if slices.ContainsFunc(plan.Promote, named) {
			m.Importance = p.ImportanceThreshold
		}
		left = append(left, m)
	}
	return left
}
