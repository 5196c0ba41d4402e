package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"plastic/memory"
)

// Chat asks once, with the tool forced. An endpoint that does not take tool_choice,
// reasoning_effort or max_tokens is asked without it. The answer may come whole or as a stream; one
// that broke off has Finish "cut".
func (c *Client) Chat(ctx context.Context, ask memory.Ask) (memory.Reply, error) {
	e := c.s.Chat
	if ask.Model != "" {
		e.Model = ask.Model
	}
	fields := map[string]any{
		"model": e.Model,
		"messages": []map[string]string{
			{"role": "system", "content": strings.ToValidUTF8(ask.System, "\uFFFD")},
			{"role": "user", "content": strings.ToValidUTF8(ask.User, "\uFFFD")},
		},
	}
	if ask.Tool.Name != "" {
		fields["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{
			"name": ask.Tool.Name, "description": ask.Tool.Description, "parameters": ask.Tool.Schema,
		}}}
		fields["tool_choice"] = map[string]any{"type": "function", "function": map[string]string{"name": ask.Tool.Name}}
	}
	if ask.Effort != "" {
		fields["reasoning_effort"] = ask.Effort
	}
	if ask.MaxTokens > 0 {
		fields["max_tokens"] = ask.MaxTokens
	}
	got, err := c.call(ctx, e, "/chat/completions", fields, "reasoning_effort", "tool_choice", "max_tokens")
	if err != nil {
		return memory.Reply{}, err
	}
	var r memory.Reply
	if got.stream {
		r = readStream(got.body, ask.Tool.Name)
		if got.cut && r.Finish == "" {
			r.Finish = "cut"
		}
	} else if r, err = readWhole(got.body, ask.Tool.Name); err != nil {
		return memory.Reply{}, fmt.Errorf("%w at %s %w", memory.ErrModel, e.Base, err)
	}
	if len(r.Arguments) == 0 && strings.TrimSpace(r.Text) == "" && strings.TrimSpace(r.Reasoning) == "" {
		return memory.Reply{}, fmt.Errorf("%w at %s answered nothing (finish %q)", memory.ErrModel, e.Base, firstRunes(r.Finish, 40))
	}
	return r, nil
}

// said is one choice's message, whole or a piece of it.
type said struct {
	Content          json.RawMessage `json:"content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Refusal          string          `json:"refusal"`
	ToolCalls        []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function called `json:"function"`
	} `json:"tool_calls"`
	FunctionCall *called `json:"function_call"`
}

type called struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type choices struct {
	Choices []struct {
		Message      *said  `json:"message"`
		Delta        *said  `json:"delta"`
		Text         string `json:"text"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}

// readWhole reads an answer in one piece.
func readWhole(body []byte, tool string) (r memory.Reply, err error) {
	var in choices
	if json.Unmarshal(body, &in) != nil {
		return r, errors.New("answered in another form")
	}
	if len(in.Choices) == 0 {
		return r, errors.New("answered without a choice")
	}
	ch := in.Choices[0]
	r.Finish = ch.FinishReason
	m := ch.Message
	if m == nil {
		m = ch.Delta
	}
	if m == nil {
		r.Text = ch.Text
		return r, nil
	}
	r.Text, r.Reasoning = text(m.Content), m.reasoning()
	if r.Text == "" {
		r.Text = m.Refusal
	}
	var own, all []string
	add := func(c called) {
		args := arguments(c.Arguments)
		if all = append(all, args); c.Name == tool {
			own = append(own, args)
		}
	}
	for _, t := range m.ToolCalls {
		add(t.Function)
	}
	if m.FunctionCall != nil {
		add(*m.FunctionCall)
	}
	if r.Arguments = own; len(own) == 0 {
		r.Arguments = all // a name that was garbled: there is one tool only
	}
	return r, nil
}

// readStream puts the pieces of an event stream together. Without its end the answer
// is cut.
func readStream(body []byte, tool string) (r memory.Reply) {
	var text1, reasoning strings.Builder
	type call struct {
		name string
		args strings.Builder
	}
	var calls []*call
	at := map[int]*call{}
	done := false
	for line := range bytes.Lines(body) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if !ok {
			continue
		}
		if data = bytes.TrimSpace(data); string(data) == "[DONE]" {
			done = true
			break
		}
		var in choices
		if json.Unmarshal(data, &in) != nil || len(in.Choices) == 0 {
			continue
		}
		ch := in.Choices[0]
		if ch.FinishReason != "" {
			r.Finish, done = ch.FinishReason, true
		}
		m := ch.Delta
		if m == nil {
			m = ch.Message
		}
		if m == nil {
			text1.WriteString(ch.Text)
			continue
		}
		text1.WriteString(text(m.Content))
		reasoning.WriteString(m.reasoning())
		for i, t := range m.ToolCalls {
			n := i
			if t.Index != nil {
				n = *t.Index
			}
			if at[n] == nil {
				at[n] = &call{}
				calls = append(calls, at[n])
			}
			at[n].name += t.Function.Name
			at[n].args.WriteString(arguments(t.Function.Arguments))
		}
	}
	if !done {
		r.Finish = "cut"
	}
	r.Text, r.Reasoning = text1.String(), reasoning.String()
	for _, c := range calls {
		if c.name == tool || len(calls) == 1 {
			r.Arguments = append(r.Arguments, c.args.String())
		}
	}
	return r
}

func (m *said) reasoning() string {
	if s := text(m.ReasoningContent); s != "" {
		return s
	}
	return text(m.Reasoning)
}

// text reads a content: a string, a list of parts, or null.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		var part struct {
			Text    string `json:"text"`
			Content string `json:"content"`
		}
		if json.Unmarshal(p, &s) == nil {
			b.WriteString(s)
		} else if json.Unmarshal(p, &part) == nil {
			b.WriteString(part.Text + part.Content)
		}
	}
	return b.String()
}

// arguments are a call's: a string with JSON in it, or the object itself.
func arguments(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
