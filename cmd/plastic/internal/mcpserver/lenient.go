package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plastic/memory"
)

// read gives the value of a that raw means, nil for none.
func (a arg) read(raw json.RawMessage) (any, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var x any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&x); err != nil {
		return nil, a.wrong(raw)
	}
	if a.form == ids {
		return a.readIDs(x, raw)
	}
	if one, ok := a.single(x); ok {
		x = one
	}
	if x == nil {
		return nil, nil
	}
	switch x.(type) {
	case []any, map[string]any:
		return nil, a.wrong(raw)
	}
	switch a.form {
	case words:
		return a.readWords(x, raw)
	case amount:
		return a.readAmount(x, raw)
	case count:
		return a.readCount(x, raw)
	case yes:
		return a.readYes(x, raw)
	case reader:
		who, err := memory.ParseAudience(plain(x))
		return string(who), err
	}
	return a.readLabel(x)
}

// single unwraps an array of one, also one that was written as a string; in a
// text that was written as a string only an array of one string is meant so.
func (a arg) single(x any) (any, bool) {
	list, ok := x.([]any)
	written, asText := x.(string)
	if asText {
		list, ok = array(written)
	}
	if !ok || len(list) != 1 {
		return nil, false
	}
	switch list[0].(type) {
	case []any, map[string]any:
		return nil, false
	case string:
		return list[0], true
	}
	return list[0], a.form != words || !asText
}

// array reads a string that holds a JSON array.
func array(s string) ([]any, bool) {
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, "[") {
		return nil, false
	}
	var list []any
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	if dec.Decode(&list) != nil || dec.More() {
		return nil, false
	}
	return list, true
}

// plain is a scalar as text.
func plain(x any) string {
	switch x := x.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}

// nothing reports whether a text is a word for no value in some language.
func nothing(s string) bool {
	return slices.Contains([]string{"", "null", "none", "nil", "undefined", "n/a"}, strings.ToLower(strings.TrimSpace(s)))
}

// readWords keeps a text as it stands. A string that is an array of strings, or
// a program's word for nothing, is no text.
func (a arg) readWords(x any, raw json.RawMessage) (any, error) {
	s := plain(x)
	if list, ok := array(s); ok && len(list) > 0 && !slices.ContainsFunc(list, func(x any) bool { _, ok := x.(string); return !ok }) {
		return nil, a.wrong(raw)
	}
	if s == "null" || s == "undefined" {
		return nil, a.wrong(raw)
	}
	return s, nil
}

// readLabel reads a name or an id: a line that was copied whole gives its id.
func (a arg) readLabel(x any) (any, error) {
	s := strings.TrimSpace(plain(x))
	if nothing(s) {
		return nil, nil
	}
	if a.form == id {
		return bareID(s), nil
	}
	for _, known := range a.enum {
		if strings.EqualFold(s, known) {
			return known, nil
		}
	}
	return s, nil
}

// bareID takes the id out of what a model may have copied with it.
func bareID(s string) string {
	s, _, _ = strings.Cut(s, " | ")
	return strings.Trim(strings.TrimSpace(s), "`\"'")
}

// readIDs reads one id, several in an array, several in a string.
func (a arg) readIDs(x any, raw json.RawMessage) (any, error) {
	var list []any
	switch x := x.(type) {
	case []any:
		list = x
	case string:
		var ok bool
		if list, ok = array(x); !ok {
			list = split(x)
		}
	default:
		list = []any{x}
	}
	var out []string
	for _, item := range list {
		switch item.(type) {
		case []any, map[string]any:
			return nil, a.wrong(raw)
		}
		if s := strings.TrimSpace(plain(item)); !nothing(s) {
			out = append(out, bareID(s))
		}
	}
	if out == nil {
		return nil, nil
	}
	return out, nil
}

// split parts ids by lines and commas, and by spaces where each word looks like
// one. A line that was copied whole is one id.
func split(s string) []any {
	var out []any
	for line := range strings.Lines(s) {
		if strings.Contains(line, " | ") {
			out = append(out, line)
			continue
		}
		for _, part := range strings.Split(line, ",") {
			words := strings.Fields(part)
			if slices.ContainsFunc(words, func(w string) bool { return !looksLikeID(w) }) {
				words = []string{part}
			}
			for _, w := range words {
				out = append(out, w)
			}
		}
	}
	return out
}

// looksLikeID reports whether w can be an id and has a digit, as those have that
// plastic gives: "cat food" is no two ids.
func looksLikeID(w string) bool { return memory.ValidID(w) && strings.ContainsAny(w, "0123456789") }

func (a arg) readAmount(x any, raw json.RawMessage) (any, error) {
	s := strings.TrimSpace(plain(x))
	if _, ok := x.(string); ok && nothing(s) {
		return nil, nil
	}
	n, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil, a.wrong(raw)
	}
	return n, nil
}

func (a arg) readCount(x any, raw json.RawMessage) (any, error) {
	n, err := a.readAmount(x, raw)
	f, ok := n.(float64)
	if err != nil || !ok {
		return nil, err
	}
	if f != math.Trunc(f) || f < a.low || a.high > a.low && f > a.high || math.Abs(f) > 1e9 {
		return nil, a.wrong(raw)
	}
	return int(f), nil
}

func (a arg) readYes(x any, raw json.RawMessage) (any, error) {
	switch s := strings.ToLower(strings.TrimSpace(plain(x))); s {
	case "true", "yes", "on", "1", "1.0", "да", "是":
		return true, nil
	case "false", "no", "off", "0", "0.0", "нет", "否":
		return false, nil
	default:
		if nothing(s) {
			return nil, nil
		}
	}
	return nil, a.wrong(raw)
}

// wrong is the error that shows the right form of a.
func (a arg) wrong(raw json.RawMessage) error {
	value, means := a.example()
	return usage(fmt.Sprintf("%s can not be %s; nothing was done", a.name, clip(string(raw), 60)),
		fmt.Sprintf("write %q: %s (%s)", a.name, value, means))
}

// example is a value of a in JSON, and what can stand there.
func (a arg) example() (value, means string) {
	switch a.form {
	case ids:
		return `["k3v9x2", "m4w0y3"]`, "one or several ids"
	case id:
		return `"k3v9x2"`, "one id"
	case amount:
		return "0.5", fmt.Sprintf("a number from %v to %v", a.low, a.high)
	case count:
		if a.high > a.low {
			return fmt.Sprint(a.high), fmt.Sprintf("a whole number from %v to %v", a.low, a.high)
		}
		return "10", fmt.Sprintf("a whole number of at least %v", a.low)
	case yes:
		return "true", "true or false"
	case moment:
		return `"2026-11-30"`, "a date, or a time like 2026-11-30T21:40:00+03:00"
	case reader:
		return `"public"`, "trusted, owner or public"
	}
	if len(a.enum) > 0 {
		return strconv.Quote(a.enum[0]), strings.Join(a.enum, ", ")
	}
	return `"…"`, "one text"
}
