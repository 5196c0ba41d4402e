package config

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"plastic/memory"
)

// setKinds lays kinds over what is there. A kind that is new starts as a fact.
func (f *field) setKinds(p *map[memory.Kind]KindRule, n *yaml.Node) []*Error {
	kinds := maps.Clone(*p)
	if kinds == nil {
		kinds = map[memory.Kind]KindRule{}
	}
	errs := f.eachPair(f.name, n, func(name string, v *yaml.Node) []*Error {
		at := f.name + "." + name
		if !isName(name) {
			return []*Error{{Line: v.Line, Key: f.name, Value: shortened(name), Want: "a kind of up to 64 characters"}}
		}
		rule, known := kinds[memory.Kind(name)]
		if !known {
			rule.Fade = 1
		}
		errs := f.eachPair(at, v, func(key string, v *yaml.Node) []*Error {
			if key != "fade" {
				return []*Error{{Line: v.Line, Key: at + "." + key, Problem: "unknown key; the nearest is " + at + ".fade"}}
			}
			if v = target(v); v.Tag == "!!null" {
				return nil
			}
			text, bad := scalar(v)
			if bad == nil {
				rule.Fade, bad = f.number(text)
			}
			if bad != nil && bad.want == "" {
				bad.want = "a number from " + formatNumber(f.lo) + " to " + formatNumber(f.hi)
			}
			return f.refuse(at+".fade", v, bad)
		})
		kinds[memory.Kind(name)] = rule
		return errs
	})
	*p = kinds
	return errs
}

func isName(s string) bool {
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= 64 && !strings.ContainsFunc(s, unicode.IsControl)
}

// setNames lays tool names over what is there.
func (f *field) setNames(p *map[string]string, n *yaml.Node) []*Error {
	names := maps.Clone(*p)
	if names == nil {
		names = map[string]string{}
	}
	errs := f.eachPair(f.name, n, func(verb string, v *yaml.Node) []*Error {
		at := f.name + "." + verb
		if !slices.Contains(toolVerbs, verb) {
			return []*Error{{Line: v.Line, Key: at, Problem: "unknown tool; there are " + strings.Join(toolVerbs, ", ")}}
		}
		v = target(v)
		if v.Tag == "!!null" {
			return nil
		}
		text, bad := scalar(v)
		if bad == nil && !isToolName(text) {
			bad = &fault{want: "a tool's name of up to 64 letters, digits, _ and -"}
		}
		if bad == nil {
			names[verb] = text
		}
		return f.refuse(at, v, bad)
	})
	taken := map[string]string{}
	for _, verb := range toolVerbs {
		name, ok := names[verb]
		if !ok {
			name = "memory_" + verb
		}
		if other, twice := taken[name]; twice {
			errs = append(errs, &Error{Line: n.Line, Key: f.name, Problem: other + " and " + verb + " would both be called " + shortened(name)})
		}
		taken[name] = verb
	}
	if len(names) == 0 {
		names = nil
	}
	*p = names
	return errs
}

func isToolName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "_-") != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
}

// setTokens reads the list of tokens.
func (f *field) setTokens(p *[]Token, n *yaml.Node) []*Error {
	if n.Kind != yaml.SequenceNode {
		return f.refuse(f.name, n, &fault{})
	}
	var tokens []Token
	var errs []*Error
	for _, item := range n.Content {
		t, bad := f.token(item)
		if slices.ContainsFunc(tokens, func(o Token) bool { return t.Name != "" && o.Name == t.Name }) {
			bad = append(bad, &Error{Line: item.Line, Key: f.name, Problem: "two tokens are called " + shortened(t.Name)})
		}
		errs = append(errs, bad...)
		tokens = append(tokens, t)
	}
	*p = tokens
	return errs
}

// token reads one token. It says its audience: what is left out is not guessed
// where it decides who sees what.
func (f *field) token(item *yaml.Node) (Token, []*Error) {
	var t Token
	errs := f.eachPair(f.name, item, func(key string, v *yaml.Node) []*Error {
		text, bad := scalar(target(v))
		text = strings.TrimSpace(text)
		switch {
		case bad != nil:
		case key == "name":
			if t.Name = text; !isName(text) {
				bad = &fault{want: "a name of up to 64 characters"}
			}
		case key == "env":
			if t.Env, bad = readEnvName(text); bad != nil {
				bad.want = wantEnvName
			}
		case key == "audience":
			a, err := memory.ParseAudience(text)
			if t.Audience = a; err != nil {
				bad = &fault{want: "trusted, owner or public"}
			}
		default: // the value may be the secret itself
			return []*Error{{Line: v.Line, Key: below(f.name, key), Problem: "unknown key; a token has name, env and audience",
				Hint: "the secret itself goes into .env, under the name that env gives"}}
		}
		return f.refuse(f.name+"."+key, v, bad)
	})
	if len(errs) == 0 && (t.Name == "" || t.Env == "" || t.Audience == "") {
		errs = []*Error{{Line: item.Line, Key: f.name, Problem: "a token needs name, env and audience"}}
	}
	return t, errs
}

// setCommand reads a list as program and arguments, and a plain text as a
// command line, which needs the shell unless it is one word.
func (f *field) setCommand(p *[]string, n *yaml.Node) []*Error {
	if n.Kind == yaml.ScalarNode {
		text, bad := scalar(n)
		text = strings.TrimSpace(text)
		switch {
		case bad != nil || strings.ContainsRune(text, 0) || !utf8.ValidString(text):
			return f.refuse(f.name, n, firstFault(bad, &fault{}))
		case text == "":
			*p = nil
		case strings.ContainsAny(text, " \t\n|&;<>()$`\\\"'*?[]#~=%{}!"):
			*p = []string{"sh", "-c", text}
		default:
			*p = []string{text}
		}
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return f.refuse(f.name, n, &fault{})
	}
	var argv []string
	for _, item := range n.Content {
		item = target(item)
		text, bad := scalar(item)
		if bad == nil && (item.Tag == "!!null" || strings.ContainsRune(text, 0) || len(argv) == 0 && strings.TrimSpace(text) == "") {
			bad = &fault{}
		}
		if bad != nil {
			bad.hint = "one command: each item of the list is one word of it"
			return f.refuse(f.name, item, bad)
		}
		argv = append(argv, text)
	}
	*p = argv
	return nil
}
