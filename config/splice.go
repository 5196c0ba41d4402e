package config

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// source is a config.yaml by lines, without a byte-order mark, for changes that
// leave every other byte as it is. Line numbers count from 0 here.
type source struct {
	mark  []byte // the byte-order mark, if any
	lines []string
	eol   string
	root  *yaml.Node
}

// splice gives src with value, YAML on one line, at path. Where the key stands
// it is changed there; where it stands in a comment as a default, the comment
// becomes the key; else it is added at the end of its section. The caller checks
// by reading the result: of YAML's rarer forms not all are known here.
func splice(src []byte, path []string, value string) ([]byte, error) {
	s := &source{eol: "\n"}
	body := bytes.TrimPrefix(src, bom)
	s.mark = src[:len(src)-len(body)]
	if i := otherBreak(string(body)); i >= 0 {
		return nil, byHand(strings.Join(path, "."), 1+bytes.Count(body[:i], []byte("\n")))
	}
	if bytes.Contains(body, []byte("\r\n")) {
		s.eol = "\r\n"
	}
	root, bad := document(body)
	if bad != nil {
		bad.From = FileName
		return nil, bad
	}
	s.root = root
	for line := range strings.Lines(string(body)) {
		s.lines = append(s.lines, line)
	}
	if err := s.put(path, value); err != nil {
		return nil, err
	}
	return append(slices.Clone(s.mark), strings.Join(s.lines, "")...), nil
}

// otherBreak gives the place of a line end that YAML knows beside \n and \r\n, -1 for
// none: where there is one, YAML's line numbers are not those of the lines here.
func otherBreak(text string) int {
	if i := strings.IndexAny(text, "\u0085\u2028\u2029"); i >= 0 {
		return i
	}
	for i := range len(text) {
		if text[i] == '\r' && !strings.HasPrefix(text[i:], "\r\n") {
			return i
		}
	}
	return -1
}

func (s *source) put(path []string, value string) error {
	if s.root == nil {
		s.appendSection(path, value, "")
		return nil
	}
	at, above := s.root, (*yaml.Node)(nil)
	for i, name := range path {
		if at.Kind == yaml.ScalarNode && at.Tag == "!!null" && at.Value == "" {
			s.insert(s.childIndent(above), path[i:], value, above.Line)
			return nil
		}
		if at.Kind != yaml.MappingNode {
			return byHand(strings.Join(path, "."), at.Line)
		}
		key, next := child(at, name)
		switch {
		case key == nil && at.Style&yaml.FlowStyle != 0:
			return s.addToFlow(at, path[i:], value)
		case key == nil && i == 0:
			s.appendSection(path, value, s.indent(at.Content[0].Line-1))
			return nil
		case key == nil:
			last := at.Content[len(at.Content)-2]
			s.insert(s.indent(at.Content[0].Line-1), path[i:], value, s.blockEnd(last))
			return nil
		case i == len(path)-1:
			return s.replaceValue(key, next, at.Style&yaml.FlowStyle != 0, value)
		}
		at, above = next, key
	}
	return nil
}

func child(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// nested writes path and value as one line: kinds: {event: {fade: 6}}.
func nested(path []string, value string) string {
	for i := len(path) - 1; i > 0; i-- {
		value = "{" + quoted(path[i]) + ": " + value + "}"
	}
	return quoted(path[0]) + ": " + value
}

func (s *source) indent(line int) string {
	text := s.lines[line]
	return text[:len(text)-len(strings.TrimLeft(text, " "))]
}

// childIndent is where the keys of a section without any belong: two in from it.
func (s *source) childIndent(section *yaml.Node) string { return s.indent(section.Line-1) + "  " }

// insert adds a key to a block section: in the place of its commented default,
// or after line after (counted from 0, the first line below what is there).
func (s *source) insert(indent string, path []string, value string, after int) {
	text := indent + nested(path, value)
	first, end := s.region(after - 1)
	for i := first; i < end; i++ {
		if comment, ok := commented(s.lines[i], path[0]); ok {
			if comment != "" { // where it stood, in line with its neighbours
				gap := strings.LastIndex(s.lines[i], comment) - len(text)
				text += strings.Repeat(" ", max(2, gap)) + comment
			}
			s.lines[i] = text + s.endOf(i)
			return
		}
	}
	s.endLine(after - 1)
	s.lines = slices.Insert(s.lines, after, text+s.eol)
}

// region is the lines of the section that line stands in, its name left out.
func (s *source) region(line int) (first, end int) {
	top := func(i int) bool {
		t := s.lines[i]
		return t[0] != ' ' && t[0] != '#' && strings.TrimSpace(t) != ""
	}
	for first = line; first > 0 && !top(first); first-- {
	}
	for end = first + 1; end < len(s.lines) && !top(end); end++ {
	}
	return first + 1, end
}

// commented reports whether a line is the commented setting of key, and gives
// the comment after it.
func commented(line, key string) (comment string, ok bool) {
	text, found := strings.CutPrefix(strings.TrimLeft(line, " "), "#")
	if !found {
		return "", false
	}
	rest, found := strings.CutPrefix(strings.TrimLeft(text, " "), key+":")
	if !found || strings.TrimSpace(rest) != "" && rest[0] != ' ' {
		return "", false
	}
	if i := strings.Index(rest, " #"); i >= 0 {
		comment = strings.TrimRight(rest[i+1:], " \r\n")
	}
	return comment, true
}

func (s *source) endOf(i int) string {
	t := s.lines[i]
	return t[len(strings.TrimRight(t, "\r\n")):]
}

// endLine makes sure that line i ends.
func (s *source) endLine(i int) {
	if i >= 0 && s.endOf(i) == "" {
		s.lines[i] += s.eol
	}
}

// appendSection adds a section at the end of the file.
func (s *source) appendSection(path []string, value, indent string) {
	s.endLine(len(s.lines) - 1)
	if n := len(s.lines); n > 0 && strings.TrimSpace(s.lines[n-1]) != "" {
		s.lines = append(s.lines, s.eol)
	}
	s.lines = append(s.lines, indent+path[0]+":"+s.eol, indent+"  "+nested(path[1:], value)+s.eol)
}

// blockEnd gives the first line below a block key and its value.
func (s *source) blockEnd(key *yaml.Node) int {
	in := key.Column - 1
	end := key.Line
	for i := key.Line; i < len(s.lines); i++ {
		text := strings.TrimRight(s.lines[i], "\r\n")
		inner := strings.TrimLeft(text, " ")
		depth := len(text) - len(inner)
		if inner == "" || inner[0] == '#' {
			continue
		}
		if depth < in || depth == in && inner != "-" && !strings.HasPrefix(inner, "- ") {
			break
		}
		end = i + 1
	}
	return end
}
