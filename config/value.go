package config

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"plastic/memory"
)

// set reads node into f's place in c. An empty value leaves what is there. Maps
// are laid over what is there, lists replace it.
func (f *field) set(c *Config, n *yaml.Node) []*Error {
	n = target(n)
	if n.Tag == "!!null" {
		return nil
	}
	switch p := f.at(c).(type) {
	case *map[memory.Kind]KindRule:
		return f.setKinds(p, n)
	case *map[string]string:
		return f.setNames(p, n)
	case *[]Token:
		return f.setTokens(p, n)
	case *[]string:
		return f.setCommand(p, n)
	default:
		text, bad := scalar(n)
		if bad == nil {
			bad = f.setScalar(c, p, text)
		}
		return f.refuse(f.name, n, bad)
	}
}

// setScalar reads text into p, a pointer into c.
func (f *field) setScalar(c *Config, p any, text string) *fault {
	if f.plain != nil {
		text = f.plain(strings.TrimSpace(text))
	}
	switch p := p.(type) {
	case *int:
		n, bad := f.number(text)
		if bad != nil || n != float64(int(n)) {
			return firstFault(bad, &fault{})
		}
		*p = int(n)
	case *float64:
		n, bad := f.number(text)
		if bad != nil {
			return bad
		}
		*p = n
	case *bool:
		v, ok := truth(strings.TrimSpace(text))
		if !ok {
			return &fault{}
		}
		*p = v
	case *Duration:
		d, err := ParseDuration(text)
		if err != nil || d < Duration(f.lo*float64(Second)) || float64(d) > f.hi*float64(Second) {
			return &fault{hint: unitHint(text)}
		}
		*p = d
	case *memory.Audience:
		w, bad := f.word(text)
		if bad != nil {
			return bad
		}
		*p = memory.Audience(w)
	case *string:
		s, bad := f.string(text)
		if bad != nil {
			return bad
		}
		*p = s
		if p == &c.Memory.Timezone {
			c.Memory.loc = nil
			if s != "Local" {
				c.Memory.loc = location(s)
			}
		}
	}
	return nil
}

func firstFault(a, b *fault) *fault {
	if a != nil {
		return a
	}
	return b
}

func (f *field) number(text string) (float64, *fault) {
	n, ok := number(strings.TrimSpace(text))
	if !ok || n < f.lo || n > f.hi {
		return 0, &fault{hint: numberHint(text)}
	}
	return n, nil
}

func unitHint(text string) string {
	if n, ok := number(strings.TrimSpace(text)); ok && n > 0 {
		return "add the unit: " + formatNumber(n) + "d, " + formatNumber(n) + "h, " + formatNumber(n) + "m or " + formatNumber(n) + "s"
	}
	return ""
}

func (f *field) string(text string) (string, *fault) {
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return "", &fault{want: "one line of text"}
	case f.words != nil:
		return f.word(text)
	case f.read != nil:
		return f.read(strings.TrimSpace(text))
	}
	return strings.TrimSpace(text), nil
}

func (f *field) word(text string) (string, *fault) {
	for _, w := range f.words {
		if strings.EqualFold(w, strings.TrimSpace(text)) {
			return w, nil
		}
	}
	return "", &fault{}
}

// eachPair calls do for each pair of a mapping, and refuses what is none or
// says a key twice. An empty value is a mapping without pairs.
func (f *field) eachPair(at string, n *yaml.Node, do func(key string, v *yaml.Node) []*Error) []*Error {
	n = target(n)
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return f.refuse(at, n, &fault{})
	}
	pairs, errs := pairsOf(at, n)
	for _, p := range pairs {
		errs = append(errs, do(p.name, p.value)...)
	}
	return errs
}

// refuse turns what a reader had to say into errors.
func (f *field) refuse(at string, n *yaml.Node, bad *fault) []*Error {
	if bad == nil {
		return nil
	}
	e := &Error{Line: n.Line, Key: at, Want: bad.want, Hint: bad.hint}
	if e.Want == "" {
		e.Want = f.want()
	}
	if !bad.secret {
		e.Value = shown(n)
	}
	switch {
	case target(n).Kind != yaml.ScalarNode:
		e.Problem = e.Value + " is not " + e.Want
	case e.Value == "" && !bad.secret:
		e.Problem = "an empty text is not " + e.Want
	}
	return []*Error{e}
}

func shown(n *yaml.Node) string {
	switch n = target(n); n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	return shortened(n.Value)
}

// scalar gives the text of a node as it was typed, whatever YAML takes it for.
func scalar(n *yaml.Node) (string, *fault) {
	if n.Kind != yaml.ScalarNode {
		return "", &fault{}
	}
	switch n.Tag {
	case "", "!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge":
		return n.Value, nil
	}
	return "", &fault{hint: "without the tag " + shortened(n.Tag)}
}

// target follows an alias to what it stands for.
func target(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}
