// Package eval measures recall: it reads questions with the ids that answer
// them and says how much of that a ranking found. It runs no recall itself.
//
//	var r eval.Run
//	for _, q := range questions { r.Add(q, idsFoundFor(q)) }
//	fmt.Println(r.Figures().Recall["10"])
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// Question is one line of a queries file.
type Question struct {
	Query string    `json:"query"`
	Now   time.Time `json:"now"`  // when it is asked; zero: now
	Gold  []Item    `json:"gold"` // what answers it; none: nothing in the store does
	Kind  string    `json:"kind"`
}

// Item is one thing an answer must hold: any one of the ids will do.
type Item []string

// UnmarshalJSON reads an id or a list of ids.
func (it *Item) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*it = Item{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(it))
}

// Read reads JSON lines of questions; a bad line fails with its number.
func Read(r io.Reader) ([]Question, error) {
	var out []Question
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		var q Question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, q)
	}
	return out, in.Err()
}

// Figures are what a run measured. Shares are 0…1. Recall, NDCG10, MRR and
// Stderr are over the questions with an answer, Silent over those without.
type Figures struct {
	Queries  int                `json:"queries"`
	Answer   int                `json:"answerable"` // questions with gold
	Recall   map[string]float64 `json:"recall"`     // share of the items among the first 5, 10, 20
	NDCG10   float64            `json:"ndcg10"`
	MRR      float64            `json:"mrr"`
	Stderr   float64            `json:"stderr"`   // one standard error of recall@10
	Silent   float64            `json:"silent"`   // share of the unanswerable questions left without an answer
	Answered float64            `json:"answered"` // share of the answerable ones with any answer at all
	First    float64            `json:"first"`    // share of the answerable ones whose first answer is gold
}

// Report is a run as a whole and by kind of question.
type Report struct {
	Figures
	Kinds map[string]Figures `json:"kinds"`
}

// Depths are the places recall is measured at.
var Depths = []int{5, 10, 20}

// Run gathers the answers to questions. The zero value is ready.
type Run struct {
	all   tally
	kinds map[string]*tally
}

// tally holds one value a question.
type tally struct {
	recall                [3][]float64
	ndcg, mrr, any, first []float64
	silent                []float64
}

// Add notes the ids found for q, best first.
func (r *Run) Add(q Question, found []string) {
	if r.kinds == nil {
		r.kinds = map[string]*tally{}
	}
	k := r.kinds[q.Kind]
	if k == nil {
		k = &tally{}
		r.kinds[q.Kind] = k
	}
	r.all.add(q, found)
	k.add(q, found)
}

func (t *tally) add(q Question, found []string) {
	if len(q.Gold) == 0 {
		t.silent = append(t.silent, bit(len(found) == 0))
		return
	}
	for i, k := range Depths {
		t.recall[i] = append(t.recall[i], recallAt(found, q.Gold, k))
	}
	t.ndcg = append(t.ndcg, ndcg(found, q.Gold, 10))
	rr := reciprocal(found, q.Gold)
	t.mrr = append(t.mrr, rr)
	t.any = append(t.any, bit(len(found) > 0))
	t.first = append(t.first, bit(rr == 1))
}

// Report sums up.
func (r *Run) Report() Report {
	out := Report{Figures: r.all.figures(), Kinds: map[string]Figures{}}
	for name, k := range r.kinds {
		out.Kinds[name] = k.figures()
	}
	return out
}

func (t *tally) figures() Figures {
	f := Figures{
		Queries: len(t.mrr) + len(t.silent), Answer: len(t.mrr), Recall: map[string]float64{},
		NDCG10: mean(t.ndcg), MRR: mean(t.mrr), Stderr: stderr(t.recall[1]),
		Silent: mean(t.silent), Answered: mean(t.any), First: mean(t.first),
	}
	for i, k := range Depths {
		f.Recall[fmt.Sprint(k)] = mean(t.recall[i])
	}
	return f
}

func recallAt(found []string, gold []Item, k int) float64 {
	n := 0
	for _, item := range gold {
		if slices.ContainsFunc(found[:min(k, len(found))], func(id string) bool { return slices.Contains(item, id) }) {
			n++
		}
	}
	return float64(n) / float64(len(gold))
}

// ndcg is the discounted cumulative gain by the best there could be, each item
// counted once (Järvelin and Kekäläinen 2002).
func ndcg(found []string, gold []Item, k int) float64 {
	seen := make([]bool, len(gold))
	gain, best := 0.0, 0.0
	for i, id := range found[:min(k, len(found))] {
		for j, item := range gold {
			if !seen[j] && slices.Contains(item, id) {
				seen[j] = true
				gain += 1 / math.Log2(float64(i+2))
				break
			}
		}
	}
	for i := range min(k, len(gold)) {
		best += 1 / math.Log2(float64(i+2))
	}
	return gain / best
}

// reciprocal is one by the place of the first id that is gold, 0 for none.
func reciprocal(found []string, gold []Item) float64 {
	for i, id := range found {
		if slices.ContainsFunc(gold, func(item Item) bool { return slices.Contains(item, id) }) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// stderr is the standard error of the mean of xs.
func stderr(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	m, sum := mean(xs), 0.0
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(xs)-1) / float64(len(xs)))
}
