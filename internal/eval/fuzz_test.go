package eval_test

import (
	"strings"
	"testing"

	"plastic/internal/eval"
)

// The law: whatever stands in a file of questions, reading it is an error or gives as
// many questions as it has lines that say something, and every figure is a share.
func FuzzQuestions(f *testing.F) {
	f.Add(`{"query":"tea?","gold":["a",["b","c"]],"kind":"x","now":"2026-01-01T00:00:00Z"}`+"\n\n"+`{"query":"","gold":[]}`, "a b")
	f.Add(`{"gold":[[],["a","a"],"a"]}`, "a a a")
	f.Add(`{"gold":null}`+"\r\n"+`{"gold":[null]}`, "")
	f.Fuzz(func(t *testing.T, text, found string) {
		questions, err := eval.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var run eval.Run
		for _, q := range questions {
			run.Add(q, strings.Fields(found))
		}
		r := run.Report()
		if r.Queries != len(questions) || r.Answer > r.Queries {
			t.Fatalf("%d questions, %d with an answer, of %d", r.Queries, r.Answer, len(questions))
		}
		all := []eval.Figures{r.Figures}
		for _, k := range r.Kinds {
			all = append(all, k)
		}
		for _, g := range all {
			shares := []float64{g.NDCG10, g.MRR, g.Stderr, g.Silent, g.Answered, g.First}
			for _, x := range g.Recall {
				shares = append(shares, x)
			}
			for _, x := range shares {
				if !(x >= 0 && x <= 1.0000001) {
					t.Fatalf("%v is no share in %+v of %q", x, g, text)
				}
			}
		}
	})
}
