package distill

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plastic/internal/answer"
	"plastic/memory"
)

// Read takes the facts out of a model's answer about a turn and checks each: it must
// say something, within bounds; be written as the user writes; come from what the user
// said, not from what the assistant or a known memory says. An unknown kind becomes a
// fact, an importance out of range the default, an unknown supersedes none; where any
// importance is a whole number from 2 to 5, all are on the scale of five levels. Days,
// weeks, months and years told by when they were said get their dates behind them. It
// fails with memory.ErrModel where there is no list, where the list breaks off without
// a whole fact, and where all of it is in another script.
func Read(r memory.Reply, t Turn, known []memory.Memory, p Params) (Result, error) {
	list, err := answer.Find(r, "facts")
	if err != nil {
		return Result{}, err
	}
	if list.Cut && len(list.Items) == 0 {
		return Result{}, fmt.Errorf("%w was cut off in its first fact", memory.ErrModel)
	}
	others := t.Assistant
	for i := range known {
		others += "\n" + known[i].Content
	}
	in := reader{t: t, known: known, p: p, user: setOf(t.User), others: setOf(others), levels: slices.ContainsFunc(list.Items, isLevel)}
	var out Result
	foreign := 0
	for _, raw := range list.Items {
		f, why := in.fact(raw)
		switch {
		case why == "" && len(out.Facts) == MaxFacts:
			why = fmt.Sprintf("one turn gives at most %d facts", MaxFacts)
		case why == "" && slices.ContainsFunc(out.Facts, func(g Fact) bool { return g.Content == f.Content }):
			why = "it is there twice"
		case why == inOtherScript:
			foreign++
		}
		if why != "" {
			out.Refused = append(out.Refused, Refusal{f.Content, why})
			continue
		}
		out.Facts = append(out.Facts, f)
	}
	if foreign > 0 && foreign == len(list.Items) {
		return out, fmt.Errorf("%w answered in another script than the user writes", memory.ErrModel)
	}
	return out, nil
}

const inOtherScript = "it is written in another script than the user writes"

type reader struct {
	t            Turn
	known        []memory.Memory
	p            Params
	user, others map[string]bool
	levels       bool // the model counts importance from 1 to 5
}

// fact reads one item and says why it is not taken, "" if it is.
func (in *reader) fact(raw json.RawMessage) (f Fact, why string) {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &fields) != nil {
		_ = json.Unmarshal(raw, &f.Content) // a plain string for a fact
	}
	for _, name := range []string{"content", "text", "fact"} {
		if f.Content == "" {
			_ = json.Unmarshal(fields[name], &f.Content)
		}
	}
	f.Content = strings.Join(strings.Fields(strings.ToValidUTF8(f.Content, "\uFFFD")), " ")
	f.Kind = memory.Fact
	if word(fields["kind"]) == string(memory.Event) {
		f.Kind = memory.Event
	}
	f.Importance = in.importance(fields["importance"])
	f.Private = in.t.Private || truth(fields["private"])
	f.Speaker = clip(word(fields["speaker"]), 100)
	if id := word(fields["supersedes"]); slices.ContainsFunc(in.known, func(m memory.Memory) bool { return m.ID == id }) {
		f.Supersedes = id
	}
	switch {
	case runes(f.Content) < 2:
		return f, "it says nothing"
	case otherScript(f.Content, in.t):
		return f, inOtherScript
	case in.echoes(&f):
		return f, "it is not what the user said"
	}
	if !in.t.At.IsZero() {
		f.Content = dated(f.Content, in.t.At.In(in.p.location()))
	}
	if in.p.MaxContent > 0 && runes(f.Content) > in.p.MaxContent {
		return f, fmt.Sprintf("it has more than %d characters", in.p.MaxContent)
	}
	return f, ""
}

func word(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if s == "null" || s == "none" {
		return ""
	}
	return s
}

// truth reads a switch that may be a word; what is there and not plainly no is yes.
func truth(raw json.RawMessage) bool {
	switch s := strings.ToLower(strings.Trim(string(raw), `" `)); s {
	case "", "null", "false", "no", "0":
		return false
	}
	return true
}

// importance reads a number of 0…1, or a level of 1…5 where those are meant.
func (in *reader) importance(raw json.RawMessage) float64 {
	x, ok := number(raw)
	if ok && in.levels && x >= 1 && x <= 5 {
		x = (x - 1) / 4
	}
	if !ok || x < 0 || x > 1 {
		return memory.DefaultImportance
	}
	return x
}

// isLevel reports whether an item has an importance that can only be a level.
func isLevel(raw json.RawMessage) bool {
	var item struct{ Importance json.RawMessage }
	if json.Unmarshal(raw, &item) != nil {
		return false
	}
	x, ok := number(item.Importance)
	return ok && x >= 2 && x <= 5 && x == math.Trunc(x)
}

func number(raw json.RawMessage) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	return x, err == nil && !math.IsNaN(x)
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
