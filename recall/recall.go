// Package recall decides which memories answer a query, and in which order: from
// what the index says about each candidate (how well its words fit, how much of
// the question they cover) and what the memory says about itself (clarity,
// importance, how often it was recalled). It is pure: it reads no text, no file
// and no clock, and it calls no model.
//
//	r := recall.Rank(candidates, recall.Params{Formula: recall.Bounded, Floor: 0.15, Limit: 10, PromotionCount: 3})
//	for _, s := range r.Kept { fmt.Println(s.ID, s.Score) }
//
// The steps, in order: candidates without evidence go, all of them if there is too
// little for any; relevance is the raw score divided by the best that is left (with
// vectors half of that and half the closeness; see fuse.go); those with nothing but
// good neighbours go; a reranker orders the head; the formula gives each its score; the better
// of near-identical ones stays; what is under the floor goes; the limit cuts.
package recall

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Candidate is one memory that may answer. The caller leaves out memories that
// never may (kind core, superseded, not visible to the audience), because the
// best of those given is what relevance is measured by.
type Candidate struct {
	Ref       int    // the caller's own handle, given back in Scored
	ID        string // decides the last ties
	CreatedAt time.Time

	Raw      float64  // lexical score, about 1 for a rare word in common
	Evidence Evidence // what the score rests on

	HasVector bool    // Closeness is known
	Closeness float64 // 0…1: the scaled cosine of question and memory; with Semantic only

	Importance  float64 // 0…1
	Clarity     float64 // 0…1
	RecallCount int
	Anchor      bool
	AgeDays     float64 // since the last touch
	Fade        float64 // how many times faster it ages in Product; 0 is 1
}

// Params says how Rank orders and where it cuts. The zero value orders by
// Bounded, asks for the measured evidence and cuts nothing else.
type Params struct {
	Formula        Formula // empty: Bounded
	Floor          float64 // least relevance, 0…1; recall.floor
	Limit          int     // most answers; 0: no limit
	PromotionCount int     // recalls at which "recalled" is one half; recallPromotionCount
	HalfLifeDays   float64 // for Product; decayHalfLifeDays
	Bar            Bar     // least evidence; the zero Bar is the measured one
	Semantic       bool    // candidates may have a Closeness
	Fusion         Fusion  // of words and vectors; empty: Blend

	// Rerank gives one score for each candidate, given by Ref, at the head of the
	// list, NaN for one that it did not judge, which keeps its place by relevance;
	// negative ones are taken through a sigmoid. nil as the function or as its answer:
	// no reranking.
	Rerank func(refs []int) []float64

	// Same reports whether two candidates, given by Ref, say nearly the same.
	// It is asked about the head of the list only; nil: all differ.
	Same func(a, b int) bool

	Explain bool // fill Dropped
}

// Scored is one answer.
type Scored struct {
	Ref       int
	ID        string
	Score     float64 // what the formula gave; the order of the answers
	Relevance float64 // 0…1: raw score by the best of this query, blended with the closeness
	Parts     Parts   // the named terms of the formula
}

// Parts are the addends and factors of a score by name. In JSON they are an object.
type Parts []Part

// Part is one of them.
type Part struct {
	Name  string
	Value float64
}

// Get gives the part of that name, 0 if there is none.
func (p Parts) Get(name string) float64 {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value
		}
	}
	return 0
}

// MarshalJSON writes an object, its keys sorted.
func (p Parts) MarshalJSON() ([]byte, error) { return json.Marshal(p.byName()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Parts) UnmarshalJSON(b []byte) error {
	var m map[string]float64
	err := json.Unmarshal(b, &m)
	*p = nil
	for _, name := range slices.Sorted(maps.Keys(m)) {
		*p = append(*p, Part{name, m[name]})
	}
	return err
}

func (p Parts) byName() map[string]float64 {
	m := make(map[string]float64, len(p))
	for i := range p {
		m[p[i].Name] = p[i].Value
	}
	return m
}

// Ranking is what Rank decided.
type Ranking struct {
	raw float64 // the one that relevance 1 is

	Kept []Scored // best first
	// Dropped are the candidates that are no answer, by falling raw score, with
	// Explain only.
	Dropped []Dropped
}

// Dropped is a candidate that is no answer, and why.
type Dropped struct {
	Ref       int
	ID        string
	Relevance float64 // 0 where it has none
	Reason    Reason
	Of        string  // the id it is nearly identical to
	Closeness float64 // in meaning, 0…1; 0 where that is not known
}

// Reason says why a candidate is no answer.
type Reason string

// The reasons, in the order they are looked at.
const (
	NoEvidence Reason = "nothing in common"          // nothing informative
	TooLittle  Reason = "too little of the question" // … of it in any candidate
	Borrowed   Reason = "only by its neighbours"     // nothing of it by itself, and they say too little
	Repeats    Reason = "same as another"            // a better one says it already
	UnderFloor Reason = "under the floor"            // too weak beside the best
	OverLimit  Reason = "over the limit"
)
