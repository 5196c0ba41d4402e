package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"

	"plastic/memory"
)

// Rerank gives one score a text, in their order, as the endpoint gave it. A text that
// it left out comes after all others, close behind. The texts go under "documents", or
// under "texts" to an endpoint that asks for these.
func (c *Client) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	documents := make([]string, len(texts))
	for i, t := range texts {
		documents[i] = strings.ToValidUTF8(t, "\uFFFD")
	}
	fields := map[string]any{"model": c.s.Rerank.Model, "query": strings.ToValidUTF8(query, "\uFFFD")}
	name := c.s.Rerank.Base + " " + c.s.Rerank.Model
	if !c.refuses(name, "documents") {
		asked := maps.Clone(fields)
		asked["documents"], asked["top_n"], asked["return_documents"] = documents, len(texts), false
		got, err := c.call(ctx, c.s.Rerank, "/rerank", asked, "return_documents", "top_n")
		if err == nil {
			return readScores(got.body, len(texts))
		}
		var bad *statusError
		if !errors.As(err, &bad) || !strings.Contains(bad.Error(), "`texts`") {
			return nil, err
		}
	}
	fields["texts"] = documents
	got, err := c.call(ctx, c.s.Rerank, "/rerank", fields)
	if err != nil {
		return nil, err
	}
	c.refuse(name, []string{"documents"})
	return readScores(got.body, len(texts))
}

// readScores reads a list under results or data, or a bare one, of items with an index
// and relevance_score or score; or of n plain numbers.
func readScores(body []byte, n int) ([]float64, error) {
	var in struct {
		Results, Data, Scores []json.RawMessage
	}
	var items []json.RawMessage
	if json.Unmarshal(body, &items) != nil {
		if json.Unmarshal(body, &in) != nil {
			return nil, fmt.Errorf("%w answered in another form than scores", memory.ErrModel)
		}
		for _, list := range [][]json.RawMessage{in.Results, in.Data, in.Scores} {
			if items == nil {
				items = list
			}
		}
	}
	out := make([]float64, n)
	seen := make([]bool, n)
	least := math.Inf(1)
	for i, raw := range items {
		var item struct {
			Index          *int     `json:"index"`
			RelevanceScore *float64 `json:"relevance_score"`
			Score          *float64 `json:"score"`
		}
		var x float64
		at := i
		if json.Unmarshal(raw, &x) != nil {
			if json.Unmarshal(raw, &item) != nil {
				return nil, fmt.Errorf("%w gave a score that is none", memory.ErrModel)
			}
			if item.Index != nil {
				at = *item.Index
			}
			switch {
			case item.RelevanceScore != nil:
				x = *item.RelevanceScore
			case item.Score != nil:
				x = *item.Score
			default:
				return nil, fmt.Errorf("%w gave an item without a score", memory.ErrModel)
			}
		}
		if at < 0 || at >= n || seen[at] || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%w numbers its scores wrongly (index %d of %d)", memory.ErrModel, at, n)
		}
		out[at], seen[at] = x, true
		least = min(least, x)
	}
	if math.IsInf(least, 1) {
		return nil, fmt.Errorf("%w gave no scores", memory.ErrModel)
	}
	below := least - 1e-6*max(1, math.Abs(least))
	for i := range out {
		if !seen[i] {
			out[i] = below
		}
	}
	return out, nil
}
