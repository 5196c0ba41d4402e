package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"plastic/memory"
)

// setText sets one key, or one entry of a map, from the text of a value.
func (c *Config) setText(key, text string) []*Error {
	f, rest := fieldAt(key)
	if f == nil {
		return []*Error{notAKey(key)}
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	if f.isMap() || f.isList() {
		if t := strings.TrimSpace(text); strings.HasPrefix(t, "[") || strings.HasPrefix(t, "{") {
			root, bad := document([]byte(t))
			if bad != nil || root == nil {
				return []*Error{{Key: key, Value: shortened(text), Want: f.want()}}
			}
			n = root
		}
		if rest == nil {
			f.copy(c, Default())
		}
	}
	for _, name := range slices.Backward(rest) {
		n = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: name}, n}}
	}
	errs := f.set(c, n)
	for _, e := range errs {
		e.Line = 0
	}
	return errs
}

func notAKey(key string) *Error {
	if sectionIndex([]byte(key)) >= 0 {
		return &Error{Key: key, Problem: "a section; name one of its keys"}
	}
	return unknownKey(shortened(key), 0)
}

// fieldAt finds the row of a key, and for an entry of a map what follows the
// row's name: memory.kinds.event.fade is event, fade within memory.kinds.
func fieldAt(key string) (*field, []string) {
	if f := fieldOf(key); f != nil {
		return f, nil
	}
	for i := range fields {
		f := &fields[i]
		rest, ok := strings.CutPrefix(key, f.name+".")
		if !ok || rest == "" || !f.isMap() {
			continue
		}
		if kind, ok := strings.CutSuffix(rest, ".fade"); ok && kind != "" {
			return f, []string{kind, "fade"}
		}
		return f, []string{rest}
	}
	return nil, nil
}

// copy gives c's place of f the value that from has.
func (f *field) copy(c, from *Config) {
	switch p := f.at(c).(type) {
	case *int:
		*p = *f.at(from).(*int)
	case *float64:
		*p = *f.at(from).(*float64)
	case *bool:
		*p = *f.at(from).(*bool)
	case *string:
		*p = *f.at(from).(*string)
	case *Duration:
		*p = *f.at(from).(*Duration)
	case *memory.Audience:
		*p = *f.at(from).(*memory.Audience)
	case *[]string:
		*p = slices.Clone(*f.at(from).(*[]string))
	case *[]Token:
		*p = slices.Clone(*f.at(from).(*[]Token))
	case *map[string]string:
		*p = maps.Clone(*f.at(from).(*map[string]string))
	case *map[memory.Kind]KindRule:
		*p = maps.Clone(*f.at(from).(*map[memory.Kind]KindRule))
	}
}

// Get gives the value of a key, or of one entry of a map, as text that With
// takes. An unknown key is an error that wraps memory.ErrInvalid.
func (c *Config) Get(key string) (string, error) {
	f, rest := fieldAt(key)
	if f == nil {
		return "", notAKey(key)
	}
	if rest == nil {
		return f.text(c), nil
	}
	switch p := f.at(c).(type) {
	case *map[string]string:
		if v, ok := (*p)[rest[0]]; ok {
			return v, nil
		}
	case *map[memory.Kind]KindRule:
		if rule, ok := (*p)[memory.Kind(rest[0])]; ok {
			if len(rest) == 2 {
				return formatNumber(rule.Fade), nil
			}
			return "{fade: " + formatNumber(rule.Fade) + "}", nil
		}
	}
	return "", &Error{Key: shortened(key), Problem: "nothing is set there"}
}

// Value gives the value of a key as encoding/json should write it: a number, a
// bool, a string (durations too), a list or a map, the last two never nil.
func (c *Config) Value(key string) (any, error) {
	f := fieldOf(key)
	if f == nil {
		return nil, notAKey(key)
	}
	switch p := f.at(c).(type) {
	case *int:
		return *p, nil
	case *float64:
		return *p, nil
	case *bool:
		return *p, nil
	case *[]string:
		return append([]string{}, *p...), nil
	case *[]Token:
		list := []map[string]string{}
		for _, t := range *p {
			list = append(list, map[string]string{"name": t.Name, "env": t.Env, "audience": string(t.Audience)})
		}
		return list, nil
	case *map[string]string:
		names := map[string]string{}
		maps.Copy(names, *p)
		return names, nil
	case *map[memory.Kind]KindRule:
		kinds := map[string]map[string]float64{}
		for k, rule := range *p {
			kinds[string(k)] = map[string]float64{"fade": rule.Fade}
		}
		return kinds, nil
	}
	return f.text(c), nil
}

// text is the value as a person types it, without the quotes of YAML.
func (f *field) text(c *Config) string {
	switch p := f.at(c).(type) {
	case *string:
		return *p
	case *memory.Audience:
		return string(*p)
	}
	return f.flow(c)
}

// flow is the value as YAML on one line.
func (f *field) flow(c *Config) string {
	switch p := f.at(c).(type) {
	case *int:
		return strconv.Itoa(*p)
	case *float64:
		return formatNumber(*p)
	case *bool:
		return strconv.FormatBool(*p)
	case *string:
		return quoted(*p)
	case *Duration:
		return p.String()
	case *memory.Audience:
		return quoted(string(*p))
	case *[]string:
		words := make([]string, len(*p))
		for i, w := range *p {
			words[i] = quoted(w)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case *[]Token:
		items := make([]string, len(*p))
		for i, t := range *p {
			items[i] = "{name: " + quoted(t.Name) + ", env: " + quoted(t.Env) + ", audience: " + quoted(string(t.Audience)) + "}"
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *map[string]string:
		return flowMap(*p, quoted)
	case *map[memory.Kind]KindRule:
		return flowMap(*p, func(r KindRule) string { return "{fade: " + formatNumber(r.Fade) + "}" })
	}
	panic(fmt.Sprintf("no text for %T", f.at(c)))
}

func flowMap[K ~string, V any](m map[K]V, value func(V) string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, quoted(string(k))+": "+value(m[k]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// quoted writes s as a YAML scalar, plain where no reader could take it for
// anything but this text.
func quoted(s string) string {
	plain := s != "" && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z' || s[0] == '/' || strings.HasPrefix(s, "./"))
	for i := 0; plain && i < len(s); i++ {
		c := s[i]
		plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || strings.IndexByte("/._-+", c) >= 0
	}
	if _, word := truth(s); plain && !word && !strings.EqualFold(s, "null") {
		return s
	}
	return strconv.Quote(s)
}

// YAML writes every key of c, whole and without comments, as Parse reads it.
func (c *Config) YAML() []byte {
	var b strings.Builder
	section := ""
	for i := range fields {
		f := &fields[i]
		s, leaf, _ := strings.Cut(f.name, ".")
		if s != section {
			b.WriteString(s + ":\n")
			section = s
		}
		b.WriteString("  " + leaf + ": " + f.flow(c) + "\n")
	}
	return []byte(b.String())
}

// Template is the config.yaml that a new folder gets: every key as a comment,
// with its default and its meaning. It sets nothing, so a folder follows the
// defaults of the plastic that reads it until somebody takes a # away.
func Template() []byte {
	var b strings.Builder
	b.WriteString("# The settings of this memory. What is commented out has the default shown;\n" +
		"# take the \"# \" before a key away to set it. \"plastic config show\" explains every\n" +
		"# key with its range, \"plastic config set memory.anchorCount 10\" changes one here\n" +
		"# and keeps the comments. A running plastic reads changes at its next turn.\n" +
		"# Once allowed: after \"plastic config allow\" on each machine, as this file travels.\n")
	for _, section := range sectionNames {
		b.WriteString("\n" + section + ":\n")
		for i := range fields {
			f := &fields[i]
			if s, leaf, _ := strings.Cut(f.name, "."); s == section {
				fmt.Fprintf(&b, "  # %-27s  # %s\n", leaf+": "+f.def, f.meaning)
			}
		}
	}
	return []byte(b.String())
}

// path is a field's name in parts.
func (f *field) path() []string { return strings.Split(f.name, ".") }

// flowAt is the value of a key, or of an entry of a map, as YAML on one line.
func (c *Config) flowAt(key string) (string, error) {
	f, rest := fieldAt(key)
	if f != nil && rest == nil {
		return f.flow(c), nil
	}
	text, err := c.Get(key)
	if err == nil && f.isMap() && len(rest) == 1 && !strings.HasPrefix(text, "{") {
		text = quoted(text)
	}
	return text, err
}
