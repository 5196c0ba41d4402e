package sleep

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"plastic/internal/answer"
	"plastic/memory"
)

// mostOps bounds how many operations of one answer are looked at: a model that
// loops has said all it has to say long before.
const mostOps = 1000

// Read finds the plan in what a model answered, wherever it stands. It is lenient
// in form (ids as one string, numbers as strings, an operation for several ids) and
// gives one operation an id where each stands for itself. cut says that the answer
// broke off: what it holds is whole, but not all. An answer without a plan fails
// with memory.ErrModel; an empty plan is a plan.
func Read(r memory.Reply) (ops []Op, cut bool, err error) {
	list, err := answer.Find(r, "ops")
	if err != nil {
		return nil, false, err
	}
	ops = []Op{}
	for _, raw := range list.Items {
		var w wireOp
		if json.Unmarshal(raw, &w) != nil {
			w = wireOp{} // the guard says what is wrong with it
		}
		if ops = append(ops, w.apart()...); len(ops) >= mostOps {
			return ops[:mostOps], true, nil
		}
	}
	return ops, list.Cut, nil
}

// wireOp is an operation in the forms that models give it.
type wireOp struct {
	Op         string          `json:"op"`
	ID         strs            `json:"id"`
	IDs        strs            `json:"ids"`
	Content    string          `json:"content"`
	Contents   strs            `json:"contents"`
	Kind       string          `json:"kind"`
	Importance json.RawMessage `json:"importance"`
	Why        string          `json:"why"`
}

// strs is a list of strings, or a single one.
type strs []string

func (s *strs) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*s = list
		return nil
	}
	var one string
	if json.Unmarshal(b, &one) == nil && one != "" {
		*s = strs{one}
	}
	return nil // what is no text names nothing; the guard says so
}

// apart gives the operation, or one for each id where each stands for itself.
func (w *wireOp) apart() []Op {
	op := Op{
		Op: Verb(strings.ToLower(strings.TrimSpace(w.Op))), Content: strings.TrimSpace(w.Content), Contents: w.Contents,
		Kind: memory.Kind(strings.ToLower(strings.TrimSpace(w.Kind))), Importance: number(w.Importance), Why: strings.TrimSpace(w.Why), IDs: []string{},
	}
	for _, id := range append(w.IDs, w.ID...) {
		op.IDs = append(op.IDs, strings.TrimSpace(id))
	}
	if op.Op != Forget && op.Op != Set || len(op.IDs) < 2 {
		return []Op{op}
	}
	out := make([]Op, 0, len(op.IDs))
	for _, id := range op.IDs {
		one := op
		one.IDs = []string{id}
		out = append(out, one)
	}
	return out
}

// number reads a number or a number in a string; anything else that is not null is
// NaN, which nothing accepts.
func number(raw json.RawMessage) *float64 {
	text := strings.Trim(string(raw), `" `)
	if text == "" || text == "null" {
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		x = math.NaN()
	}
	return &x
}
