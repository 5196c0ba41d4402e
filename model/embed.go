package model

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"unicode/utf8"

	"plastic/memory"
)

const (
	batchTexts = 64     // of one request
	batchRunes = 60_000 // … of all of them together
	leastRunes = 200    // a refused text is not cut further
)

// Embed gives one vector a text, in their order; nil for one that the endpoint refuses
// even when cut. Batches that are refused are halved. It fails when the endpoint can
// not be reached, where it takes no text at all, and where its vectors differ in
// dimension.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if !c.s.Embed.On() {
		return nil, memory.ErrNoModel
	}
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n, runes := 0, 0
		for n < len(texts) && n < batchTexts && (n == 0 || runes+utf8.RuneCountInString(texts[n]) <= batchRunes) {
			runes += utf8.RuneCountInString(texts[n])
			n++
		}
		got, err := c.embedBatch(ctx, texts[:n])
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
		texts = texts[n:]
	}
	dim := 0
	for _, v := range out {
		if dim == 0 {
			dim = len(v)
		}
		if len(v) != 0 && len(v) != dim {
			return nil, fmt.Errorf("%w %s gave vectors of %d and of %d dimensions", memory.ErrModel, c.s.Embed.Model, dim, len(v))
		}
	}
	return out, nil
}

// embedBatch embeds texts, halved until what the endpoint refuses stands alone, and
// that one cut until it takes it.
func (c *Client) embedBatch(ctx context.Context, texts []string) ([][]float32, error) {
	got, err := c.embedOnce(ctx, texts)
	if err == nil || !refusable(err) {
		return got, err
	}
	if errors.Is(err, errStatus) && !c.embeds.Load() {
		if _, bad := c.embedOnce(ctx, []string{"plain"}); bad != nil {
			return nil, err // it is not for the texts
		}
	}
	if len(texts) > 1 {
		half := len(texts) / 2
		first, err := c.embedBatch(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		second, err := c.embedBatch(ctx, texts[half:])
		return append(first, second...), err
	}
	if r := []rune(texts[0]); len(r) > leastRunes && errors.Is(err, errStatus) {
		return c.embedBatch(ctx, []string{string(r[:len(r)/2])})
	}
	if errors.Is(err, errStatus) {
		return [][]float32{nil}, nil
	}
	return nil, err
}

// errStatus marks an error that is a status the endpoint answered about its input.
var errStatus = errors.New("refused")

// refusable reports whether err may come from what was sent.
func refusable(err error) bool { return errors.Is(err, errStatus) || errors.Is(err, errShort) }

// errShort marks an answer with fewer vectors than texts.
var errShort = errors.New("too few")

func (c *Client) embedOnce(ctx context.Context, texts []string) ([][]float32, error) {
	input := make([]string, len(texts))
	for i, t := range texts {
		if input[i] = strings.ToValidUTF8(t, "\uFFFD"); strings.TrimSpace(input[i]) == "" {
			input[i] = "-" // empty input is refused by most
		}
	}
	fields := map[string]any{"model": c.s.Embed.Model, "input": input, "encoding_format": "float"}
	got, err := c.call(ctx, c.s.Embed, "/embeddings", fields, "encoding_format")
	if err == nil {
		out, err := readVectors(got.body, len(texts))
		if err == nil {
			c.embeds.Store(true)
		}
		return out, err
	}
	var bad *statusError
	if !errors.As(err, &bad) || bad.code == http.StatusOK {
		return nil, err
	}
	crashed := bad.code == http.StatusInternalServerError && (len(texts) > 1 || utf8.RuneCountInString(texts[0]) > 10*leastRunes)
	if crashed || errors.Is(err, memory.ErrModel) {
		return nil, fmt.Errorf("%w: %w", errStatus, err)
	}
	return nil, err
}

// readVectors reads an answer of n vectors: a list under data (or embeddings, or bare),
// each of numbers or base64 of little-endian float32, in the order of their index.
func readVectors(body []byte, n int) ([][]float32, error) {
	var in struct {
		Data       []json.RawMessage `json:"data"`
		Embeddings []json.RawMessage `json:"embeddings"`
		Embedding  json.RawMessage   `json:"embedding"`
	}
	var items []json.RawMessage
	switch {
	case json.Unmarshal(body, &items) == nil:
	case json.Unmarshal(body, &in) != nil:
		return nil, fmt.Errorf("%w answered in another form than vectors", memory.ErrModel)
	case in.Data != nil:
		items = in.Data
	case in.Embeddings != nil:
		items = in.Embeddings
	case in.Embedding != nil:
		items = []json.RawMessage{in.Embedding}
	}
	if len(items) < n {
		return nil, fmt.Errorf("%w gave %d vectors for %d texts (%w)", memory.ErrModel, len(items), n, errShort)
	}
	out := make([][]float32, n)
	seen := make([]bool, n)
	for i, raw := range items[:n] {
		var item struct {
			Index     *int            `json:"index"`
			Embedding json.RawMessage `json:"embedding"`
		}
		at, value := i, raw
		if json.Unmarshal(raw, &item) == nil && item.Embedding != nil {
			value = item.Embedding
			if item.Index != nil {
				at = *item.Index
			}
		}
		if at < 0 || at >= n || seen[at] {
			return nil, fmt.Errorf("%w numbers its vectors wrongly (index %d of %d)", memory.ErrModel, at, n)
		}
		v, err := readVector(value)
		if err != nil {
			return nil, err
		}
		out[at], seen[at] = v, true
	}
	return out, nil
}

// readVector reads one vector; nil for one that is all zero.
func readVector(raw json.RawMessage) ([]float32, error) {
	var v []float32
	var coded string
	switch {
	case json.Unmarshal(raw, &v) == nil:
	case json.Unmarshal(raw, &coded) == nil:
		b, err := base64.StdEncoding.DecodeString(coded)
		if err != nil || len(b)%4 != 0 {
			return nil, fmt.Errorf("%w gave a vector that is no base64 of float32", memory.ErrModel)
		}
		for ; len(b) > 0; b = b[4:] {
			v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	default:
		var nested [][]float32 // one vector a token, the first for all
		if json.Unmarshal(raw, &nested) != nil || len(nested) != 1 {
			return nil, fmt.Errorf("%w gave a vector that is no list of numbers", memory.ErrModel)
		}
		v = nested[0]
	}
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	if math.IsNaN(length) || math.IsInf(length, 0) || len(v) == 0 {
		return nil, fmt.Errorf("%w gave a vector that is not finite", memory.ErrModel)
	}
	if length == 0 {
		return nil, nil
	}
	return v, nil
}
