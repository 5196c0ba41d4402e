package sleep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/layers"
	"plastic/memory"
	"plastic/sleep"
)

var now = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

func params() sleep.Params {
	p := sleep.Params{ClusterJaccard: 0.5, ClusterCosine: 0.82, MaxCluster: 12, MaxOps: 40, MaxForget: 10, KeepRecent: 48 * time.Hour,
		MaxContent: 4000, CoreBudget: 4800, Layers: layers.Default(), SendPrivate: true}
	p.Layers.AnchorCount, p.Layers.RecentCount = 0, 0
	return p
}

// old is a memory of 60 days ago.
func old(id, content string) memory.Memory {
	return memory.Memory{ID: id, Content: content, Kind: memory.Fact, Importance: 0.5, CreatedAt: now.AddDate(0, 0, -60)}
}

func with(m memory.Memory, change func(*memory.Memory)) memory.Memory {
	change(&m)
	return m
}

func guard(ms []memory.Memory, p sleep.Params) *sleep.Guard {
	slices.SortFunc(ms, func(a, b memory.Memory) int { return a.Compare(&b) })
	n := 0
	return sleep.NewGuard(ms, p, now, &sleep.Tally{}, func() string { n++; return fmt.Sprintf("new%d", n) })
}

func ids(clusters [][]memory.Memory) string {
	var out []string
	for _, c := range clusters {
		var of []string
		for _, m := range c {
			of = append(of, m.ID)
		}
		out = append(out, strings.Join(of, "+"))
	}
	return strings.Join(out, " ")
}

func TestWhatSpeaksOfTheSameIsAClusterAndCoreTakesPart(t *testing.T) {
	ms := []memory.Memory{
		old("a", "Ann keeps two grey cats at home"),
		with(old("b", "Ann keeps three grey cats at home"), func(m *memory.Memory) { m.Kind = memory.Core }),
		old("c", "Лёша любит оперу и балет"),
		with(old("d", "Ann keeps one grey cat at home"), func(m *memory.Memory) { m.SupersededBy = "a" }),
		old("e", "大肥魚喜歡吃雲吞麵"), old("f", "大肥鱼喜欢吃云吞面条"),
	}
	if got := ids(sleep.Clusters(ms, nil, params(), now)); got != "a+b e+f" {
		t.Errorf("clusters %q", got)
	}
	near := []sleep.Pair{{A: "c", B: "e", Cos: 0.9}, {A: "a", B: "c", Cos: 0.5}, {A: "a", B: "nobody", Cos: 1}}
	if got := ids(sleep.Clusters(ms, near, params(), now)); got != "a+b c+e+f" {
		t.Errorf("with vectors %q", got)
	}
}

func TestALargeClusterIsCutAtItsWeakestEdges(t *testing.T) {
	var ms []memory.Memory
	var near []sleep.Pair
	for i, word := range strings.Fields("apple river stone cloud violin harbour") {
		ms = append(ms, old(fmt.Sprintf("m%d", i), word))
		if i > 0 {
			cos := 0.95
			if i == 3 {
				cos = 0.83
			}
			near = append(near, sleep.Pair{A: fmt.Sprintf("m%d", i-1), B: fmt.Sprintf("m%d", i), Cos: cos})
		}
	}
	p := params()
	p.MaxCluster = 5
	if got := ids(sleep.Clusters(ms, near, p, now)); got != "m0+m1+m2 m3+m4+m5" {
		t.Errorf("clusters %q", got)
	}
}

func TestPrivateOnesStayHereIfTheyMustNotBeSent(t *testing.T) {
	secret := with(old("b", "Ann keeps two grey cats at home now"), func(m *memory.Memory) { m.Private = true })
	ms := []memory.Memory{old("a", "Ann keeps two grey cats at home"), secret}
	p := params()
	p.SendPrivate = false
	if got := sleep.Clusters(ms, nil, p, now); len(got) != 0 {
		t.Errorf("clusters %v", got)
	}
	view, _ := sleep.Overview(ms, p, "", now)
	if len(view) != 1 || view[0].ID != "a" {
		t.Errorf("the overview shows %v", view)
	}
}

func TestASettledClusterIsNotSentUntilAnEdit(t *testing.T) {
	mark := func(m *memory.Memory) { m.ConsolidatedAt = now.Add(-time.Hour) }
	ms := []memory.Memory{with(old("a", "Ann keeps two grey cats at home"), mark), with(old("b", "Ann keeps two grey cats at home, in Berlin"), mark)}
	if got := sleep.Clusters(ms, nil, params(), now); len(got) != 0 {
		t.Fatalf("sent again: %v", got)
	}
	ms[1].UpdatedAt = now.Add(-time.Minute)
	if got := ids(sleep.Clusters(ms, nil, params(), now)); got != "a+b" {
		t.Errorf("after an edit %q", got)
	}
	young := func(m *memory.Memory) {
		m.CreatedAt, m.ConsolidatedAt = now.Add(-49*time.Hour), now.Add(-24*time.Hour)
	}
	ms = []memory.Memory{with(old("a", "Ann keeps two grey cats at home"), young), with(old("b", "Ann keeps two grey cats at home, in Berlin"), young)}
	if got := sleep.Clusters(ms, nil, params(), now); len(got) != 0 {
		t.Errorf("sent again though nothing waited: %v", got)
	}
	p := params()
	p.Early = map[string]bool{"b": true}
	if got := ids(sleep.Clusters(ms, nil, p, now)); got != "a+b" {
		t.Errorf("what was too young has grown: %q", got)
	}
}

// TestJoinFindsWhatAPlainComparisonFinds holds the prefix filter against the
// definition of Jaccard.
func TestJoinFindsWhatAPlainComparisonFinds(t *testing.T) {
	words := strings.Fields("cat dog tea milk Berlin Paris red blue run swim boat house")
	var ms []memory.Memory
	for i := range 120 {
		var text []string
		for k := range 3 + i%4 {
			text = append(text, words[(i*i+k*(i%5+1)+k)%len(words)])
		}
		ms = append(ms, old(fmt.Sprintf("m%03d", i), strings.Join(text, " ")))
	}
	got := sleep.Clustered(ms, nil, params(), now)
	for i := range ms {
		alone := true
		for j := range ms {
			if i != j && jaccard(ms[i].Content, ms[j].Content) >= 0.5 {
				alone = false
			}
		}
		if got[ms[i].ID] == alone {
			t.Errorf("%q: clustered %v", ms[i].Content, got[ms[i].ID])
		}
	}
}

func jaccard(a, b string) float64 {
	x, y := map[string]bool{}, map[string]bool{}
	for _, w := range strings.Fields(a) {
		x[w] = true
	}
	common := 0
	for _, w := range strings.Fields(b) {
		if x[w] && !y[w] {
			common++
		}
		y[w] = true
	}
	return float64(common) / float64(len(x)+len(y)-common)
}

func BenchmarkClusters(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		ms := make([]memory.Memory, n)
		for i := range ms {
			ms[i] = old(fmt.Sprintf("m%06d", i), sentence(i))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				sleep.Clusters(ms, nil, params(), now)
			}
		})
	}
}

// sentence is one of many sentences with common and rare words, some of them nearly
// twins.
func sentence(i int) string {
	i -= i % 9 / 8 // every ninth is its neighbour's twin
	r := uint64(i)*0x9E3779B97F4A7C15 + 1
	word := func(most uint64) uint64 {
		r ^= r >> 29
		r *= 0xBF58476D1CE4E5B9
		r ^= r >> 32
		x := r % most
		return x * (r >> 40 % 97) / 97 // small ones more often
	}
	s := "Ann said that"
	for range 12 {
		s += fmt.Sprintf(" word%d", word(30_000))
	}
	return s
}
