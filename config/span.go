package config

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// offset gives the byte in its line where a node starts; columns count
// characters.
func (s *source) offset(n *yaml.Node) int {
	line := s.lines[n.Line-1]
	at := 0
	for range n.Column - 1 {
		if at >= len(line) {
			break
		}
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return at
}

// replaceValue writes value in the place of what stands at key.
func (s *source) replaceValue(key, was *yaml.Node, inFlow bool, value string) error {
	colon, ok := s.colon(key)
	if !ok {
		return byHand(key.Value, key.Line)
	}
	i := key.Line - 1
	if was.Tag == "!!null" && was.Value == "" && was.Kind == yaml.ScalarNode {
		rest := s.lines[i][colon:]
		if inFlow && was.Line != key.Line {
			return byHand(key.Value, key.Line)
		}
		s.lines[i] = s.lines[i][:colon] + " " + value + rest
		return nil
	}
	if was.Line == key.Line {
		if start, end, ok := s.span(was); ok {
			s.lines[i] = s.lines[i][:start] + value + s.lines[i][end:]
			return nil
		}
	}
	if inFlow {
		return byHand(key.Value, key.Line)
	}
	// The value takes several lines. A comment on the line of the key stays, and
	// so do those below the value's last line.
	rest := strings.TrimRight(s.lines[i][colon:], "\r\n")
	if inner := strings.TrimLeft(rest, " "); inner != "" && inner[0] != '#' {
		rest = ""
	}
	end := s.blockEnd(key)
	s.lines[i] = s.lines[i][:colon] + " " + value + rest + s.endOf(i)
	s.lines = append(s.lines[:i+1], s.lines[end:]...)
	return nil
}

// colon gives the byte after the colon of a key.
func (s *source) colon(key *yaml.Node) (int, bool) {
	_, end, ok := s.span(key)
	if !ok {
		return 0, false
	}
	line := s.lines[key.Line-1]
	for end < len(line) && line[end] == ' ' {
		end++
	}
	if end >= len(line) || line[end] != ':' {
		return 0, false
	}
	return end + 1, true
}

// span gives the bytes that a node takes, if they are on one line and in a form
// that can be told from the text: a plain or quoted scalar, or a flow list or map.
func (s *source) span(n *yaml.Node) (start, end int, ok bool) {
	line := s.lines[n.Line-1]
	start = s.offset(n)
	if start >= len(line) {
		return 0, 0, false
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Style == 0:
		ok = n.Value != "" && strings.HasPrefix(line[start:], n.Value)
		return start, start + len(n.Value), ok
	case line[start] == '"' || line[start] == '\'':
		end, ok = quoteEnd(line, start)
		return start, end, ok
	case line[start] == '[' || line[start] == '{':
		end, ok = bracketEnd(line, start)
		return start, end, ok
	}
	return 0, 0, false
}

// quoteEnd gives the byte after the quote that ends the one at start.
func quoteEnd(line string, start int) (int, bool) {
	q := line[start]
	for i := start + 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && q == '"':
			i++
		case line[i] == q && q == '\'' && i+1 < len(line) && line[i+1] == q:
			i++
		case line[i] == q:
			return i + 1, true
		}
	}
	return 0, false
}

// bracketEnd gives the byte after the bracket that closes the one at start.
func bracketEnd(line string, start int) (int, bool) {
	depth := 0
	for i := start; i < len(line); i++ {
		switch c := line[i]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case (c == '"' || c == '\'') && strings.IndexByte(" [{,:", line[i-1]) >= 0:
			end, ok := quoteEnd(line, i)
			if !ok {
				return 0, false
			}
			i = end - 1
		case c == '#' && line[i-1] == ' ':
			return 0, false
		}
	}
	return 0, false
}

// addToFlow adds a key to a map in braces, after its last value.
func (s *source) addToFlow(m *yaml.Node, path []string, value string) error {
	text := nested(path, value)
	if len(m.Content) == 0 {
		start, end, ok := s.span(m)
		if !ok {
			return byHand(strings.Join(path, "."), m.Line)
		}
		i := m.Line - 1
		s.lines[i] = s.lines[i][:start] + "{" + text + "}" + s.lines[i][end:]
		return nil
	}
	last := m.Content[len(m.Content)-1]
	_, end, ok := s.span(last)
	if last.Kind == yaml.MappingNode && !ok && last.Style&yaml.FlowStyle != 0 && len(last.Content) > 0 {
		// A map over several lines: it closes after its own last value.
		return byHand(strings.Join(path, "."), m.Line)
	}
	if !ok {
		return byHand(strings.Join(path, "."), last.Line)
	}
	i := last.Line - 1
	s.lines[i] = s.lines[i][:end] + ", " + text + s.lines[i][end:]
	return nil
}
