package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxSize bounds config.yaml, in bytes: far over any real one, and little
// enough that a wrong file put in its place is refused at once.
const maxSize = 256 << 10

var bom = []byte("\xef\xbb\xbf")

// Parse reads the text of a config.yaml. What it leaves out has its default; an
// empty or wholly commented text is Default. Every fault is reported, in one
// pass: see Problems.
func Parse(b []byte) (*Config, error) {
	c, errs := lenient(b)
	if len(errs) > 0 {
		return nil, joined(errs)
	}
	return c, nil
}

// lenient gives the good part of a text beside its faults.
func lenient(b []byte) (*Config, []*Error) {
	c := Default()
	if quiet(b) {
		return c, nil
	}
	root, bad := document(b)
	if bad != nil {
		return c, []*Error{bad}
	}
	if root == nil {
		return c, nil
	}
	if root.Kind != yaml.MappingNode {
		return c, []*Error{{Line: root.Line, Problem: "settings stand in sections, such as memory: with anchorCount: 8 indented under it"}}
	}
	pairs, errs := pairsOf("", root)
	for _, p := range pairs {
		errs = append(errs, c.setSection(p)...)
	}
	return c, append(errs, c.crossCheck()...)
}

// quiet reports whether a text sets nothing: blank lines, comments and section
// names with nothing under them, which is what the shipped file has. It spares
// a cold start the YAML parser; whatever it is not sure of is not quiet.
func quiet(b []byte) bool {
	seen := 0
	for line := range bytes.Lines(bytes.TrimPrefix(b, bom)) {
		text := bytes.TrimRight(line, " \r\n")
		inner := bytes.TrimLeft(text, " ")
		if len(inner) == 0 || inner[0] == '#' {
			continue
		}
		name, rest, _ := bytes.Cut(text, []byte(":"))
		rest = bytes.TrimLeft(rest, " ")
		if len(rest) > 0 && (rest[0] != '#' || text[len(name)+1] != ' ') {
			return false
		}
		i := sectionIndex(name)
		if i < 0 || len(text) == len(name) || seen&(1<<i) != 0 {
			return false
		}
		seen |= 1 << i
	}
	return true
}

func sectionIndex(name []byte) int {
	for i, s := range sectionNames {
		if string(name) == s {
			return i
		}
	}
	return -1
}

// document gives the top of the one YAML document in b, nil if that is empty.
func document(b []byte) (*yaml.Node, *Error) {
	b = bytes.TrimPrefix(b, bom)
	switch {
	case len(b) > maxSize:
		return nil, &Error{Problem: "the file is larger than " + strconv.Itoa(maxSize>>10) + " KiB"}
	case !utf8.Valid(b):
		return nil, &Error{Line: badUTF8(b), Problem: "the file is not UTF-8 text", Hint: "save it as UTF-8"}
	}
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var root *yaml.Node
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return nil, syntax(b, err)
		}
		if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
			continue
		}
		if root != nil {
			return nil, &Error{Line: doc.Content[0].Line, Problem: "a second document starts here; only one is read", Hint: "take the --- out"}
		}
		root = target(doc.Content[0])
	}
}

// syntax turns the parser's message into an Error with its line.
func syntax(b []byte, err error) *Error {
	if line := conflictMark(b); line > 0 {
		return &Error{Line: line, Problem: "a merge of the settings is not finished: git's marks begin here", Hint: "keep what holds of the two sides and take the marks out"}
	}
	e := &Error{Problem: strings.TrimPrefix(err.Error(), "yaml: ")}
	var line int
	if n, _ := fmt.Sscanf(e.Problem, "line %d:", &line); n == 1 {
		e.Line = line
		_, e.Problem, _ = strings.Cut(e.Problem, ": ")
	}
	n := 0
	for l := range bytes.Lines(b) {
		if n++; !strings.Contains(e.Problem, "token") && !strings.Contains(e.Problem, "tab ") {
			break
		}
		if inner := bytes.TrimLeft(l, " "); len(inner) > 0 && inner[0] == '\t' && len(bytes.TrimSpace(inner)) > 0 {
			e.Line, e.Problem, e.Hint = n, "a tab can not indent", "indent with two spaces"
			break
		}
	}
	e.Problem = "not YAML: " + e.Problem
	return e
}

// conflictMark gives the first line that git put around the two sides of a conflict, 0
// where there is none.
func conflictMark(b []byte) int {
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if text := string(bytes.TrimRight(line, "\r\n")); text == "=======" || strings.HasPrefix(text, "<<<<<<< ") || strings.HasPrefix(text, ">>>>>>> ") {
			return n
		}
	}
	return 0
}

func badUTF8(b []byte) int {
	line := 1
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		b = b[size:]
	}
	return line
}

// pair is one key of a mapping with its value.
type pair struct {
	name  string
	key   *yaml.Node
	value *yaml.Node
}

// pairsOf gives the pairs of a mapping that stands at the key at. Keys that are
// no plain words, and a key's second appearance, are faults.
func pairsOf(at string, n *yaml.Node) ([]pair, []*Error) {
	var pairs []pair
	var errs []*Error
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := target(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			errs = append(errs, &Error{Line: key.Line, Key: at, Problem: "a key is one word"})
			continue
		}
		first := -1
		for j, p := range pairs {
			if p.name == key.Value {
				first = j
			}
		}
		if first >= 0 {
			errs = append(errs, &Error{Line: key.Line, Key: below(at, key.Value),
				Problem: "given twice, first in line " + strconv.Itoa(pairs[first].key.Line)})
			continue
		}
		pairs = append(pairs, pair{key.Value, n.Content[i], n.Content[i+1]})
	}
	return pairs, errs
}

func below(at, name string) string {
	if at == "" {
		return shortened(name)
	}
	return at + "." + shortened(name)
}

// setSection reads one top-level key.
func (c *Config) setSection(p pair) []*Error {
	if sectionIndex([]byte(p.name)) < 0 {
		return []*Error{unknownSection(p)}
	}
	n := target(p.value)
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return []*Error{{Line: n.Line, Key: p.name, Problem: "a section holds keys, each on a line of its own and indented"}}
	}
	pairs, errs := pairsOf(p.name, n)
	for _, q := range pairs {
		if f := fieldOf(p.name + "." + q.name); f != nil {
			errs = append(errs, f.set(c, q.value)...)
		} else {
			errs = append(errs, unknownKey(below(p.name, q.name), q.key.Line))
		}
	}
	return errs
}

func unknownSection(p pair) *Error {
	if f := fieldOf(p.name); f != nil {
		section, leaf, _ := strings.Cut(p.name, ".")
		return &Error{Line: p.key.Line, Key: p.name, Problem: "written with a point; it stands indented in its section",
			Hint: "write " + section + ": and under it, indented, " + leaf + ":"}
	}
	if target(p.value).Kind != yaml.MappingNode {
		return unknownKey(shortened(p.name), p.key.Line)
	}
	section := nearestSection(p.name)
	return &Error{Line: p.key.Line, Key: shortened(p.name), Problem: "unknown section; the nearest is " + section}
}

// unknownKey never shows the value: it may be a key that belongs into .env.
func unknownKey(name string, line int) *Error {
	e := &Error{Line: line, Key: name, Problem: "unknown key; the nearest is " + nearest(name)}
	if low := strings.ToLower(name); strings.HasSuffix(low, "key") || strings.Contains(low, "secret") || strings.HasSuffix(low, "token") {
		e.Hint = "a secret stands in the environment or in .env, and config.yaml names its variable"
	}
	return e
}
