package plastic_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"plastic/internal/eval"
)

var update = flag.Bool("update", false, "write the figures and goldens anew")

const figuresFile = "testdata/recall/figures.json"

// TestRecallFigures holds the figures of the project's own questions against
// those in testdata/recall: a change of scoring is a diff to read.
func TestRecallFigures(t *testing.T) {
	got := map[string]eval.Report{}
	own := conversation{"testdata/recall", read(t, "testdata/recall/memories.jsonl"), read(t, "testdata/recall/queries.jsonl")}
	for _, formula := range []string{"bounded", "mixture", "product"} {
		got[formula] = evaluate(t, own, formula)
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
