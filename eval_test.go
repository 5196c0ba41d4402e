package plastic_test

import (
	"encoding/json"
	"flag"
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

var update = flag.Bool("update", false, "write the figures and goldens anew")

const figuresFile = "testdata/recall/figures.json"

// TestRecallFigures holds the figures of the project's own questions against
// those in testdata/recall: a change of scoring is a diff to read.
func TestRecallFigures(t *testing.T) {
	got := map[string]eval.Report{}
	for _, formula := range []string{"bounded", "mixture", "product"} {
		got[formula] = evaluate(t, "testdata/recall/memories.jsonl", "testdata/recall/queries.jsonl", formula, "")
	}
	text := figures(got)
	if *update {
		if err := os.WriteFile(figuresFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(figuresFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(text) {
		t.Errorf("the figures changed: read the diff of\n  go test . -run TestRecallFigures -update && git diff testdata/recall\nnow\n%s", text)
	}
}

// figures writes one line a formula and kind, in percent.
func figures(reports map[string]eval.Report) []byte {
	var b strings.Builder
	b.WriteString("{\n")
	for i, formula := range slices.Sorted(maps.Keys(reports)) {
		r := reports[formula]
		fmt.Fprintf(&b, " %q: {\n  %q: %s", formula, "all", figureLine(r.Figures))
		for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
			fmt.Fprintf(&b, ",\n  %q: %s", kind, figureLine(r.Kinds[kind]))
		}
		b.WriteString("\n }")
		if i < len(reports)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

func figureLine(f eval.Figures) string {
	line := map[string]any{"questions": f.Queries}
	pc := func(x float64) float64 { return math.Round(1000*x) / 10 }
	if f.Answer > 0 {
		line["recall@5"], line["recall@10"], line["ndcg@10"], line["mrr"], line["first"] = pc(f.Recall["5"]), pc(f.Recall["10"]), pc(f.NDCG10), pc(f.MRR), pc(f.First)
	}
	if f.Queries > f.Answer {
		line["silent"] = pc(f.Silent)
	}
	text, _ := json.Marshal(line)
	return string(text)
}

// TestQuality prints recall on the conversations in the folder PLASTIC_DATA, by
// set, formula and kind of importance. It asserts nothing: `make quality`.
func TestQuality(t *testing.T) {
	root := os.Getenv("PLASTIC_DATA")
	if root == "" {
		t.Skip("PLASTIC_DATA names no folder of conversations: make quality DATA=dir")
	}
	stores, err := filepath.Glob(filepath.Join(root, "*", "*.memories.jsonl"))
	if err != nil || len(stores) == 0 {
		t.Fatalf("no conversations in %s (%v)", root, err)
	}
	fmt.Printf("%-14s %-9s %-11s %9s %12s %6s %6s %6s %7s %7s\n", "set", "formula", "importance", "questions", "recall@10", "@5", "@20", "MRR", "nDCG@10", "silent")
	for _, formula := range []string{"bounded", "mixture", "product"} {
		for _, importance := range []string{"flat", "random", "informative"} {
			sets := map[string][]eval.Report{}
			for _, file := range stores {
				set := filepath.Base(filepath.Dir(file))
				sets[set] = append(sets[set], evaluate(t, file, strings.Replace(file, ".memories.", ".queries.", 1), formula, importance))
			}
			for _, set := range slices.Sorted(maps.Keys(sets)) {
				f := pool(sets[set])
				fmt.Printf("%-14s %-9s %-11s %9d %7.1f ±%.1f %6.1f %6.1f %6.1f %7.1f %7.1f\n", set, formula, importance, f.Queries,
					100*f.Recall["10"], 100*f.Stderr, 100*f.Recall["5"], 100*f.Recall["20"], 100*f.MRR, 100*f.NDCG10, 100*f.Silent)
			}
		}
	}
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

// evaluate runs eval on two files, with each memory's importance as it stands
// (""), flat, random, or random with what answers something 0.3 higher.
func evaluate(t testing.TB, memories, queries, formula, importance string) eval.Report {
	t.Helper()
	ms, err := os.ReadFile(memories)
	if err != nil {
		t.Fatal(err)
	}
	qs, err := os.ReadFile(queries)
	if err != nil {
		t.Fatal(err)
	}
	if importance != "" && importance != "flat" {
		ms = weigh(t, ms, qs, importance == "informative")
	}
	got, err := plastic.Eval(strings.NewReader(string(ms)), strings.NewReader(string(qs)), plastic.EvalOptions{Formula: formula})
	if err != nil {
		t.Fatalf("%s: %v", memories, err)
	}
	return got
}

func weigh(t testing.TB, ms, qs []byte, informative bool) []byte {
	questions, err := eval.Read(strings.NewReader(string(qs)))
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
	var out []byte
	for line := range strings.Lines(string(ms)) {
		m, err := memory.ParseJSON([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New32a()
		h.Write([]byte(m.ID))
		m.Importance = float64(h.Sum32()%1000) / 1000
		if informative && gold[m.ID] {
			m.Importance = min(1, m.Importance+0.3)
		}
		out = append(memory.AppendJSON(out, &m), '\n')
	}
	return out
}
