package index_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/internal/index"
	"plastic/layers"
	"plastic/memory"
	"plastic/recall"
)

// store is one conversation set: memories, and questions with what answers them.
type store struct {
	set       string
	memories  []memory.Memory
	questions []question
}

type question struct {
	Query string            `json:"query"`
	Now   time.Time         `json:"now"`
	Gold  []json.RawMessage `json:"gold"`
	Kind  string            `json:"kind"`
}

// items gives the gold as lists of ids any one of which will do.
func (q *question) items() [][]string {
	var out [][]string
	for _, raw := range q.Gold {
		var any []string
		if json.Unmarshal(raw, &any) != nil {
			var one string
			_ = json.Unmarshal(raw, &one)
			any = []string{one}
		}
		out = append(out, any)
	}
	return out
}

// data reads the sets under the folder that PLASTIC_DATA names.
func data(t testing.TB) []store {
	root := os.Getenv("PLASTIC_DATA")
	if root == "" {
		t.Skip("PLASTIC_DATA names no folder of conversations")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*.memories.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in %s (%v)", root, err)
	}
	var out []store
	for _, f := range files {
		out = append(out, readStore(t, f))
	}
	return out
}

func readStore(t testing.TB, file string) store {
	s := store{set: filepath.Base(filepath.Dir(file))}
	lines(t, file, func(b []byte) error {
		var m struct {
			ID, Content, Session, Speaker string
			CreatedAt                     time.Time
			Importance                    float64
		}
		if err := json.Unmarshal(b, &m); err != nil {
			return err
		}
		s.memories = append(s.memories, memory.Memory{ID: m.ID, Content: m.Content, Session: m.Session,
			Speaker: m.Speaker, CreatedAt: m.CreatedAt, UpdatedAt: m.CreatedAt, Importance: m.Importance, Kind: memory.Fact})
		return nil
	})
	lines(t, strings.Replace(file, ".memories.", ".queries.", 1), func(b []byte) error {
		var q question
		err := json.Unmarshal(b, &q)
		s.questions = append(s.questions, q)
		return err
	})
	slices.SortFunc(s.memories, func(a, b memory.Memory) int { return a.Compare(&b) })
	return s
}

func lines(t testing.TB, file string, each func([]byte) error) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if err := each(in.Bytes()); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
}

// precision reads the set written for this project.
func precision(t testing.TB) store {
	const root = "../../testdata/recall/"
	s := store{set: "precision"}
	lines(t, root+"memories.jsonl", func(b []byte) error {
		var m struct {
			ID, Content, Session, Speaker, SupersededBy string
			Kind                                        memory.Kind
			CreatedAt, ValidTo                          time.Time
			Importance                                  float64
			Pinned, Private                             bool
		}
		err := json.Unmarshal(b, &m)
		s.memories = append(s.memories, memory.Memory{ID: m.ID, Content: m.Content, Session: m.Session, Speaker: m.Speaker,
			SupersededBy: m.SupersededBy, ValidTo: m.ValidTo, Kind: m.Kind, CreatedAt: m.CreatedAt, UpdatedAt: m.CreatedAt,
			Importance: m.Importance, Pinned: m.Pinned, Private: m.Private})
		return err
	})
	lines(t, root+"queries.jsonl", func(b []byte) error {
		var q question
		err := json.Unmarshal(b, &q)
		s.questions = append(s.questions, q)
		return err
	})
	slices.SortFunc(s.memories, func(a, b memory.Memory) int { return a.Compare(&b) })
	return s
}

// figures are the measures of some questions.
type figures struct{ at5, at10, at20, ndcg, mrr []float64 }

func (f *figures) add(got []string, items [][]string) {
	f.at5 = append(f.at5, recallAt(got, items, 5))
	f.at10 = append(f.at10, recallAt(got, items, 10))
	f.at20 = append(f.at20, recallAt(got, items, 20))
	f.ndcg = append(f.ndcg, ndcg(got, items, 10))
	f.mrr = append(f.mrr, reciprocal(got, items))
}

func (f *figures) String() string {
	return fmt.Sprintf("%4d  %5.1f  %5.1f ±%3.1f  %5.1f  %5.1f  %5.1f", len(f.at10),
		100*mean(f.at5), 100*mean(f.at10), 100*deviation(f.at10), 100*mean(f.at20), 100*mean(f.ndcg), 100*mean(f.mrr))
}

const figuresHead = "   n     @5    @10       @20   nDCG    MRR"

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// deviation is one standard error of the mean.
func deviation(x []float64) float64 {
	m, s := mean(x), 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return math.Sqrt(s) / float64(max(len(x), 1))
}

func recallAt(got []string, items [][]string, k int) float64 {
	n := 0
	for _, any := range items {
		if slices.ContainsFunc(got[:min(k, len(got))], func(id string) bool { return slices.Contains(any, id) }) {
			n++
		}
	}
	return float64(n) / float64(len(items))
}

func ndcg(got []string, items [][]string, k int) float64 {
	seen := make([]bool, len(items))
	dcg, ideal := 0.0, 0.0
	for i, id := range got[:min(k, len(got))] {
		for j, any := range items {
			if !seen[j] && slices.Contains(any, id) {
				seen[j] = true
				dcg += 1 / math.Log2(float64(i+2))
				break
			}
		}
	}
	for i := range min(k, len(items)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	return dcg / ideal
}

func reciprocal(got []string, items [][]string) float64 {
	for i, id := range got {
		for _, any := range items {
			if slices.Contains(any, id) {
				return 1 / float64(i+1)
			}
		}
	}
	return 0
}

// engine is how a run answers.
type engine struct {
	off        index.Part
	formula    recall.Formula // empty: words alone
	importance string         // flat, random, informative
	bar        recall.Bar
	limit      int
}

// answers gives the ids an engine returns for each question of s.
func (e engine) answers(s *store) [][]string {
	ms := slices.Clone(s.memories)
	e.weigh(s, ms)
	ix := index.Build(ms, s.questions[0].Now)
	var out [][]string
	for i := range s.questions {
		out = append(out, e.answer(ix, ms, &s.questions[i]))
	}
	return out
}

// weigh gives the memories their importance: as it stands, random, or random with
// the answers in the upper half.
func (e engine) weigh(s *store, ms []memory.Memory) {
	if e.importance == "" || e.importance == "flat" {
		return
	}
	gold := map[string]bool{}
	for i := range s.questions {
		for _, any := range s.questions[i].items() {
			for _, id := range any {
				gold[id] = true
			}
		}
	}
	for i := range ms {
		h := fnv.New64a()
		fmt.Fprint(h, s.set, ms[i].ID)
		ms[i].Importance = float64(h.Sum64()%1000) / 999
		if e.importance == "informative" {
			ms[i].Importance *= 0.5
			if gold[ms[i].ID] {
				ms[i].Importance += 0.5
			}
		}
	}
}

func (e engine) answer(ix *index.Index, ms []memory.Memory, q *question) []string {
	p := layers.Default()
	ask := index.Ask(q.Query, q.Now)
	ask.Off = e.off
	res := ix.Search(ask)
	bar := e.bar
	if e.off&index.Informing != 0 {
		bar = recall.NoBar
	}
	place := map[index.Ref]int{}
	for _, r := range ix.Earliest(p.AnchorCount) {
		place[r] |= 1
	}
	for _, r := range ix.Newest(p.RecentCount) {
		place[r] |= 2
	}
	var cs []recall.Candidate
	for _, h := range res.Hits {
		sig := ix.Signals(h.Ref)
		m := sig.Memory()
		st := layers.Of(&m, place[h.Ref]&1 != 0, place[h.Ref]&2 != 0, p, q.Now)
		c := recall.Candidate{Ref: int(h.Ref), ID: sig.ID, CreatedAt: sig.CreatedAt, Raw: h.Raw,
			Evidence: recall.Evidence{Own: h.Own, Share: h.Share}, Importance: m.Importance, Clarity: st.Clarity,
			RecallCount: m.RecallCount, Anchor: st.Layer == layers.Anchor, AgeDays: layers.AgeDays(&m, p, q.Now)}
		if e.formula == "" { // words alone: everything else the same
			c.Importance, c.Clarity, c.Anchor = 0.5, 0.5, false
		}
		cs = append(cs, c)
	}
	r := recall.Rank(cs, recall.Params{Formula: e.formula, Floor: 0.15, Limit: e.limit,
		PromotionCount: p.RecallPromotionCount, HalfLifeDays: p.HalfLifeDays, Bar: bar})
	var ids []string
	for _, k := range r.Kept {
		ids = append(ids, k.ID)
	}
	return ids
}

// run measures an engine: figures by set, and by set and kind.
func (e engine) run(stores []store) map[string]*figures {
	out := map[string]*figures{}
	add := func(key string, got []string, items [][]string) {
		if out[key] == nil {
			out[key] = &figures{}
		}
		out[key].add(got, items)
	}
	for i := range stores {
		s := &stores[i]
		if len(s.questions) == 0 {
			continue
		}
		for j, got := range e.answers(s) {
			if items := s.questions[j].items(); len(items) > 0 {
				add(s.set, got, items)
				add(s.set+" "+s.questions[j].Kind, got, items)
			}
		}
	}
	return out
}

// TestMeasureRecall prints what is found on real conversations, by set and kind.
func TestMeasureRecall(t *testing.T) {
	stores := data(t)
	res := engine{formula: recall.Bounded, limit: 20}.run(stores)
	t.Logf("%-28s %s", "bounded", figuresHead)
	for _, key := range sorted(res) {
		t.Logf("%-28s %s", key, res[key])
	}
}

// TestMeasureFormulas prints recall@10 of each formula with flat, random and
// informative importance.
func TestMeasureFormulas(t *testing.T) {
	stores := data(t)
	for _, importance := range []string{"flat", "random", "informative"} {
		for _, f := range []recall.Formula{"", recall.Bounded, recall.Mixture, recall.Product} {
			res := engine{formula: f, importance: importance, limit: 10}.run(stores)
			t.Logf("%-12s %-8s %s", importance, cmpOr(string(f), "words"), bySet(res))
		}
	}
}

// TestMeasureParts prints recall@10 with each part of the score switched off.
func TestMeasureParts(t *testing.T) {
	stores := data(t)
	t.Logf("%-24s %s", "all", bySet(engine{formula: recall.Bounded, limit: 10}.run(stores)))
	for _, p := range []struct {
		name string
		off  index.Part
	}{
		{"context", index.Context}, {"talk", index.Talk}, {"message", index.Message}, {"questions", index.Questions},
		{"numbers", index.Numbers}, {"speakers", index.Speakers}, {"user", index.User}, {"dates", index.Dates},
		{"letters", index.LetterTerms}, {"single", index.SingleTerms}, {"function words", index.FunctionWeight}, {"length", index.Length}, {"informing", index.Informing},
	} {
		t.Logf("without %-16s %s", p.name, bySet(engine{off: p.off, formula: recall.Bounded, limit: 10}.run(stores)))
	}
}

func bySet(res map[string]*figures) string {
	var out []string
	for _, k := range sorted(res) {
		if !strings.Contains(k, " ") {
			out = append(out, fmt.Sprintf("%s %.1f", k, 100*mean(res[k].at10)))
		}
	}
	return strings.Join(out, "  ")
}

func sorted[T any](m map[string]T) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
