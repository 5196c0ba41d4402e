package plastic

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"plastic/config"
	"plastic/internal/eval"
	"plastic/internal/index"
	"plastic/memory"
	"plastic/recall"
	"plastic/tokenize"
)

// TestMeasureProximity prints what it would bring to lift memories in which the words of
// the question stand near each other: their score × (1 + weight × the share of the
// question's neighbouring words that are at most three apart in the memory). The index
// keeps no positions; this is where it was measured that it need not. It asserts
// nothing: `make quality`.
func TestMeasureProximity(t *testing.T) {
	root := os.Getenv("PLASTIC_DATA")
	if root == "" {
		t.Skip("PLASTIC_DATA names no folder of conversations: make quality DATA=dir")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*.memories.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in %s (%v)", root, err)
	}
	fmt.Printf("%-16s %6s %9s %6s %6s\n", "proximity", "weight", "recall@10", "@5", "MRR")
	for _, weight := range []float64{0, 0.1, 0.4} {
		runs := map[string]*eval.Run{}
		for _, file := range files {
			set := filepath.Base(filepath.Dir(file))
			if runs[set] == nil {
				runs[set] = &eval.Run{}
			}
			liftNear(t, file, weight, runs[set])
		}
		for _, set := range slices.Sorted(maps.Keys(runs)) {
			r := runs[set].Report()
			fmt.Printf("%-16s %6.1f %9.1f %6.1f %6.1f\n", set, weight, 100*r.Recall["10"], 100*r.Recall["5"], 100*r.MRR)
		}
	}
}

// liftNear asks the questions of one store and adds the lifted answers to run.
func liftNear(t *testing.T, file string, weight float64, run *eval.Run) {
	t.Helper()
	open := func(name string) *bytes.Reader {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.NewReader(b)
	}
	ms, err := readMemories(open(file))
	if err != nil {
		t.Fatal(err)
	}
	questions, err := eval.Read(open(strings.Replace(file, ".memories.", ".queries.", 1)))
	if err != nil {
		t.Fatal(err)
	}
	const looked = 40
	s := stage(ms, EvalOptions{Config: config.Default(), Audience: memory.Trusted})
	words := map[string][]string{}
	for i := range ms {
		words[ms[i].ID] = inOrder(ms[i].Content)
	}
	for _, q := range questions {
		s.now, s.placed = q.Now, nil
		if !s.fixed.Holds(q.Now) {
			s.fixed = index.Build(s.visible, q.Now)
		}
		kept := s.search(context.Background(), q.Query, asked{formula: "bounded", limit: looked}).Kept
		asked := inOrder(q.Query)
		for i := range kept {
			kept[i].Score *= 1 + weight*nearness(asked, words[kept[i].ID])
		}
		slices.SortStableFunc(kept, func(a, b recall.Scored) int {
			switch {
			case a.Score > b.Score:
				return -1
			case a.Score < b.Score:
				return 1
			}
			return 0
		})
		var ids []string
		for _, k := range kept {
			ids = append(ids, k.ID)
		}
		run.Add(q, ids)
	}
}

// inOrder are the stems of a text in its order, without function words.
func inOrder(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(tokenize.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for _, stem := range tokenize.Stems(w) {
			if !tokenize.Functional(stem) {
				out = append(out, stem)
			}
		}
	}
	return out
}

// nearness is the share of a question's neighbouring words that stand at most three
// words apart in a text, 0…1.
func nearness(question, text []string) float64 {
	const apart = 3
	at := map[string][]int{}
	for i, w := range text {
		at[w] = append(at[w], i)
	}
	pairs, near := 0, 0
	for i := 0; i+1 < len(question); i++ {
		if question[i] == question[i+1] {
			continue
		}
		pairs++
		if slices.ContainsFunc(at[question[i]], func(x int) bool {
			return slices.ContainsFunc(at[question[i+1]], func(y int) bool { return x-y <= apart && y-x <= apart })
		}) {
			near++
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(near) / float64(pairs)
}
