// Package answer finds the list a model was asked for in what it answered: in the
// arguments of the tool, or in prose, in a code fence, after its reasoning. It judges
// form only; what the items say is for the caller to check.
//
//	got, err := answer.Find(reply, "facts")
//	for _, raw := range got.Items { … }
package answer

import (
	"encoding/json"
	"fmt"
	"strings"

	"plastic/memory"
)

// List is what was found.
type List struct {
	Items []json.RawMessage // each one valid JSON
	Cut   bool              // the answer broke off: these are the whole items before that
}

// most bounds what is looked through, in bytes.
const most = 4 << 20

// Find gives the list under key: of the last complete JSON value of that shape, or, if
// there is none, the whole items of one that broke off. A bare list of objects is
// one too; a call of the tool without anything in it is an empty list. It fails with
// memory.ErrModel where there is no list, and for reasoning that does not end.
func Find(r memory.Reply, key string) (List, error) {
	for i := len(r.Arguments) - 1; i >= 0; i-- {
		if strings.TrimSpace(r.Arguments[i]) == "{}" && r.Finish != "cut" && r.Finish != "length" {
			return List{}, nil
		}
		if l, ok := last(r.Arguments[i], key); ok {
			return l, nil
		}
	}
	text, open := withoutThinking(r.Text)
	if l, ok := last(text, key); ok {
		return l, nil
	}
	for i := len(r.Arguments) - 1; i >= 0; i-- {
		if l, ok := broken(r.Arguments[i], key); ok {
			return l, nil
		}
	}
	if l, ok := broken(text, key); ok && !open {
		return l, nil
	}
	switch {
	case open:
		return List{}, fmt.Errorf("%w did not come to the end of its reasoning", memory.ErrModel)
	case r.Finish == "length":
		return List{}, fmt.Errorf("%w was cut off before it came to the list %q", memory.ErrModel, key)
	}
	return List{}, fmt.Errorf("%w gave no list %q", memory.ErrModel, key)
}

// withoutThinking takes reasoning between tags out of a text; open tells of one that
// does not end.
func withoutThinking(text string) (rest string, open bool) {
	text = text[:min(len(text), most)]
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		begin, end := "<"+tag+">", "</"+tag+">"
		if i := strings.LastIndex(text, end); i >= 0 { // also where the begin is missing
			if b := strings.Index(text, begin); b < 0 || b > i {
				text = text[i+len(end):]
			}
		}
		var kept strings.Builder
		for {
			i := strings.Index(text, begin)
			if i < 0 {
				break
			}
			kept.WriteString(text[:i])
			n := strings.Index(text[i:], end)
			if n < 0 {
				return kept.String(), true
			}
			text = text[i+n+len(end):]
		}
		text = kept.String() + text
	}
	return text, false
}

// last finds the last value of the wanted shape in text.
func last(text, key string) (List, bool) {
	text = text[:min(len(text), most)]
	all := spans(text)
	for i := len(all) - 1; i >= 0; i-- {
		if l, ok := shaped([]byte(all[i]), key, 0); ok {
			return l, true
		}
	}
	var inner string // JSON as a string of JSON
	if json.Unmarshal([]byte(strings.TrimSpace(text)), &inner) == nil && inner != "" {
		return last(inner, key)
	}
	if !strings.Contains(text, `"`) {
		if quoted := doubled(text); quoted != text {
			return last(quoted, key)
		}
	}
	return List{}, false
}

// deepest is how far a list may be wrapped.
const deepest = 3

// wrappers are what models put around the arguments of a tool.
var wrappers = []string{"arguments", "parameters", "input", "function", "tool_call", "result", "answer"}

// shaped reads a value: {key: […]}, a list of objects, or either wrapped.
func shaped(raw []byte, key string, depth int) (List, bool) {
	if !json.Valid(raw) {
		if raw = repaired(raw); !json.Valid(raw) {
			return List{}, false
		}
	}
	if raw[0] == '[' {
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil || len(items) == 0 {
			return List{}, false // an empty list in prose says nothing
		}
		for _, it := range items {
			if it[0] != '{' {
				return List{}, false
			}
		}
		if len(items) == 1 {
			if l, ok := shaped(items[0], key, depth+1); ok && depth < deepest {
				return l, true
			}
		}
		return List{Items: items}, true
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return List{}, false
	}
	if value, ok := object[key]; ok {
		return valued(value, key)
	}
	if depth >= deepest {
		return List{}, false
	}
	for _, name := range wrappers {
		value, ok := object[name]
		if !ok {
			continue
		}
		var text string
		if json.Unmarshal(value, &text) == nil {
			value = []byte(strings.TrimSpace(text))
		}
		if len(value) > 0 && (value[0] == '{' || value[0] == '[') {
			if l, ok := shaped(value, key, depth+1); ok {
				return l, true
			}
		}
	}
	return List{}, false
}

// valued reads what stands under the key: a list, one object, null, or a string that
// holds one of these.
func valued(raw json.RawMessage, key string) (List, bool) {
	var items []json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &items) == nil:
		return List{Items: items}, true
	case raw[0] == '{':
		return List{Items: []json.RawMessage{raw}}, true
	case json.Unmarshal(raw, &text) == nil:
		var inner json.RawMessage
		if strings.TrimSpace(text) != text || json.Unmarshal([]byte(text), &inner) != nil || text[0] == '"' {
			return List{}, false
		}
		return valued(inner, key)
	}
	return List{}, false
}
