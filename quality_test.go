package plastic_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/eval"
	"plastic/memory"
)

// conversation is one store of a set: memories and questions, in JSON lines.
type conversation struct {
	set               string
	memories, queries []byte
}

// TestQuality prints recall on the conversations in the folder PLASTIC_DATA, by
// set: for every formula and kind of importance, without sessions, and with several
// stores in one. It asserts nothing: `make quality`. What each part of the score is
// worth stands in the tests of internal/index, which the same target runs.
func TestQuality(t *testing.T) {
	stores := conversations(t)
	fmt.Printf("%-14s %-9s %-22s %9s %12s %6s %6s %6s %7s %7s\n", "set", "formula", "", "questions", "recall@10", "@5", "@20", "MRR", "nDCG@10", "silent")
	for _, formula := range []string{"bounded", "mixture", "product"} {
		for _, importance := range []string{"flat", "random", "informative"} {
			printSets(t, formula, importance+" importance", stores, func(c conversation) conversation { return weigh(t, c, importance) })
		}
	}
	printSets(t, "bounded", "no sessions", stores, func(c conversation) conversation {
		c.memories = rewrite(t, c.memories, func(m *memory.Memory) { m.Session = "" })
		return c
	})
	bySet := map[string][]conversation{}
	for i, c := range stores {
		bySet[c.set] = append(bySet[c.set], prefixed(t, c, fmt.Sprint(i)))
	}
	var all []conversation
	for _, set := range slices.Sorted(maps.Keys(bySet)) {
		all = append(all, bySet[set]...)
		printSets(t, "bounded", "all of the set in one", together(bySet[set]), asItIs)
	}
	printSets(t, "bounded", "all sets in one", together(all), asItIs)
}

func asItIs(c conversation) conversation { return c }

func conversations(t testing.TB) (out []conversation) {
	root := os.Getenv("PLASTIC_DATA")
	if root == "" {
		t.Skip("PLASTIC_DATA names no folder of conversations: make quality DATA=dir")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*.memories.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in %s (%v)", root, err)
	}
	for _, file := range files {
		out = append(out, conversation{
			filepath.Base(filepath.Dir(file)), read(t, file), read(t, strings.Replace(file, ".memories.", ".queries.", 1)),
		})
	}
	return out
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// printSets prints one line a set.
func printSets(t testing.TB, formula, how string, stores []conversation, change func(conversation) conversation) {
	sets := map[string][]eval.Report{}
	for _, c := range stores {
		sets[c.set] = append(sets[c.set], evaluate(t, change(c), formula))
	}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		f := pool(sets[set])
		fmt.Printf("%-14s %-9s %-22s %9d %7.1f ±%.1f %6.1f %6.1f %6.1f %7.1f %7.1f\n", set, formula, how, f.Queries,
			100*f.Recall["10"], 100*f.Stderr, 100*f.Recall["5"], 100*f.Recall["20"], 100*f.MRR, 100*f.NDCG10, 100*f.Silent)
	}
}

func evaluate(t testing.TB, c conversation, formula string) eval.Report {
	t.Helper()
	got, err := plastic.Eval(context.Background(), strings.NewReader(string(c.memories)), strings.NewReader(string(c.queries)), plastic.EvalOptions{Formula: formula})
	if err != nil {
		t.Fatalf("%s: %v", c.set, err)
	}
	return got
}

// prefixed sets a store's ids and sessions apart from those of others.
func prefixed(t testing.TB, c conversation, with string) conversation {
	ids := map[string]string{}
	c.memories = rewrite(t, c.memories, func(m *memory.Memory) {
		ids[m.ID] = with + "-" + m.ID
		m.ID = ids[m.ID]
		if m.Session != "" {
			m.Session = with + "-" + m.Session
		}
	})
	var pairs []string
	for id, other := range ids {
		pairs = append(pairs, `"`+id+`"`, `"`+other+`"`)
	}
	c.queries = []byte(strings.NewReplacer(pairs...).Replace(string(c.queries)))
	return c
}

// together gives each store the memories of all.
func together(stores []conversation) []conversation {
	var all []byte
	for _, c := range stores {
		all = append(all, c.memories...)
	}
	out := slices.Clone(stores)
	for i := range out {
		out[i].memories = all
	}
	return out
}

func rewrite(t testing.TB, memories []byte, change func(*memory.Memory)) []byte {
	t.Helper()
	var out []byte
	for line := range strings.Lines(string(memories)) {
		m, err := memory.ParseJSON([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		change(&m)
		out = append(memory.AppendJSON(out, &m), '\n')
	}
	return out
}

// weigh gives each memory its importance: flat as it stands, random, or random with
// what answers something 0.3 higher.
func weigh(t testing.TB, c conversation, importance string) conversation {
	if importance == "flat" {
		return c
	}
	questions, err := eval.Read(strings.NewReader(string(c.queries)))
	if err != nil {
		t.Fatal(err)
	}
	gold := map[string]bool{}
	for _, q := range questions {
		for _, item := range q.Gold {
			for _, id := range item {
				gold[id] = true
			}
		}
	}
	c.memories = rewrite(t, c.memories, func(m *memory.Memory) {
		h := fnv.New32a()
		h.Write([]byte(m.ID))
		m.Importance = float64(h.Sum32()%1000) / 1000
		if importance == "informative" && gold[m.ID] {
			m.Importance = min(1, m.Importance+0.3)
		}
	})
	return c
}

// pool joins the figures of several stores, weighted by their questions.
func pool(reports []eval.Report) eval.Figures {
	out := eval.Figures{Recall: map[string]float64{}}
	variance, silent := 0.0, 0
	for _, r := range reports {
		n := float64(r.Answer)
		for k, x := range r.Recall {
			out.Recall[k] += n * x
		}
		out.Queries, out.Answer = out.Queries+r.Queries, out.Answer+r.Answer
		out.MRR, out.NDCG10 = out.MRR+n*r.MRR, out.NDCG10+n*r.NDCG10
		variance += n * n * r.Stderr * r.Stderr
		out.Silent += float64(r.Queries-r.Answer) * r.Silent
		silent += r.Queries - r.Answer
	}
	n := max(1, float64(out.Answer))
	for k := range out.Recall {
		out.Recall[k] /= n
	}
	out.MRR, out.NDCG10, out.Stderr = out.MRR/n, out.NDCG10/n, math.Sqrt(variance)/n
	out.Silent /= max(1, float64(silent))
	return out
}
