package wiring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// document is a JSON text, comments and trailing commas allowed, whose values
// know where they stand.
type document struct {
	given []byte // as it was read
	text  []byte // the same, or an empty object
	root  node
	extra *Fault // the first thing plain JSON does not have, nil for none
}

// node is a value at text[start:end].
type node struct {
	start, end int
	object     bool
	members    []member // of an object
	dangling   bool     // a comma stands after the last member
}

// member is a name and its value; comma is where the comma after it stands, -1
// for none.
type member struct {
	name  string
	start int
	value node
	comma int
}

// find is the last member called name: of doubled names readers take that one.
func (n node) find(name string) (member, int) {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return n.members[i], i
		}
	}
	return member{}, -1
}

// parse reads text; a blank one is an empty object.
func parse(text []byte) (*document, error) {
	given := text
	if len(bytes.TrimSpace(bytes.TrimPrefix(text, mark))) == 0 {
		text = append(text[:len(text):len(text)], "{}\n"...)
	}
	p := &parser{document: document{given: given, text: text}}
	if bytes.HasPrefix(text, mark) {
		p.at = len(mark)
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.fault("there is more after the end")
	}
	if !root.object {
		return nil, &Fault{1, "the file holds no JSON object"}
	}
	p.root = root
	return &p.document, nil
}

// mark is the byte order mark that some editors put before a text.
var mark = []byte("\uFEFF")

// mostDepth bounds how deep values may stand in each other.
const mostDepth = 500

type parser struct {
	document
	at int
}

func (p *parser) fault(what string) error { return &Fault{p.line(), what} }

func (p *parser) line() int { return 1 + bytes.Count(p.text[:min(p.at, len(p.text))], []byte("\n")) }

func (p *parser) note(what string) {
	if p.extra == nil {
		p.extra = &Fault{p.line(), what}
	}
}

// space passes over blanks and comments.
func (p *parser) space() error {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			p.note("a comment")
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case bytes.HasPrefix(rest, []byte("/*")):
			p.note("a comment")
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return p.fault("a comment has no end")
			}
			p.at += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value(depth int) (node, error) {
	if depth > mostDepth {
		return node{}, p.fault("values stand too deep in each other")
	}
	start := p.at
	switch c := p.peek(); {
	case c == '{':
		return p.objectAt(start, depth)
	case c == '[':
		return p.arrayAt(start, depth)
	case c == '"':
		_, err := p.quoted()
		return node{start: start, end: p.at}, err
	}
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n,]}:/", p.text[p.at]) < 0 {
		p.at++
	}
	if !json.Valid(p.text[start:p.at]) {
		p.at = start
		return node{}, p.fault("a value is missing or is not JSON")
	}
	return node{start: start, end: p.at}, nil
}

// quoted reads a string.
func (p *parser) quoted() (string, error) {
	start := p.at
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '\n':
			return "", p.fault("a string has no end")
		case '"':
			p.at++
			var s string
			if !utf8.Valid(p.text[start:p.at]) || json.Unmarshal(p.text[start:p.at], &s) != nil {
				return "", p.fault("a string is not JSON")
			}
			return s, nil
		}
	}
	p.at = start
	return "", p.fault("a string has no end")
}

// next passes over space, and a comma if there is one; at is where it stands.
func (p *parser) next(end byte) (at int, err error) {
	if err := p.space(); err != nil {
		return -1, err
	}
	if p.peek() != ',' {
		if p.peek() != end {
			return -1, p.fault(fmt.Sprintf("a comma or %q is missing", end))
		}
		return -1, nil
	}
	at = p.at
	p.at++
	if err := p.space(); err != nil {
		return -1, err
	}
	if p.peek() == end {
		p.note("a comma before the closing bracket")
	}
	return at, nil
}

func (p *parser) arrayAt(start, depth int) (node, error) {
	p.at++
	if err := p.space(); err != nil {
		return node{}, err
	}
	for p.peek() != ']' {
		if _, err := p.value(depth + 1); err != nil {
			return node{}, err
		}
		if _, err := p.next(']'); err != nil {
			return node{}, err
		}
	}
	p.at++
	return node{start: start, end: p.at}, nil
}

func (p *parser) objectAt(start, depth int) (node, error) {
	n := node{start: start, object: true}
	p.at++
	if err := p.space(); err != nil {
		return n, err
	}
	for p.peek() != '}' {
		if p.peek() != '"' {
			return n, p.fault("a name in quotes is missing")
		}
		m := member{start: p.at}
		var err error
		if m.name, err = p.quoted(); err != nil {
			return n, err
		}
		if err := p.space(); err != nil {
			return n, err
		}
		if p.peek() != ':' {
			return n, p.fault("a colon is missing")
		}
		p.at++
		if err := p.space(); err != nil {
			return n, err
		}
		if m.value, err = p.value(depth + 1); err != nil {
			return n, err
		}
		if m.comma, err = p.next('}'); err != nil {
			return n, err
		}
		n.dangling = m.comma >= 0
		n.members = append(n.members, m)
	}
	p.at++
	n.end = p.at
	return n, nil
}
