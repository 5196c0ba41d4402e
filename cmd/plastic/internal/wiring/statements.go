package wiring

import (
	"bytes"
	"strings"
)

// statements reads a TOML text as far as it must be known to edit one table:
// where each statement begins and ends, and its path.
func statements(text []byte) ([]statement, error) {
	s := &scanner{text: text}
	if bytes.HasPrefix(text, mark) {
		s.at = len(mark)
	}
	var list []statement
	var under []string
	for {
		s.blank()
		if s.at >= len(text) {
			return list, nil
		}
		st := statement{start: bytes.LastIndexByte(text[:s.at], '\n') + 1, line: s.line()}
		var err error
		if text[s.at] == '[' {
			err = s.header(&st)
			under = st.path
		} else {
			err = s.pair(&st)
			st.path = append(under[:len(under):len(under)], st.own...)
		}
		if err != nil {
			return nil, err
		}
		st.end = s.at
		list = append(list, st)
	}
}

type scanner struct {
	text []byte
	at   int
}

func (s *scanner) line() int { return 1 + bytes.Count(s.text[:min(s.at, len(s.text))], []byte("\n")) }

func (s *scanner) fault(what string) error { return &Fault{s.line(), what} }

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// inline passes over blanks of one line.
func (s *scanner) inline() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.at++
	}
}

// blank passes over blanks, line ends and comments.
func (s *scanner) blank() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '#':
			s.comment()
		default:
			return
		}
	}
}

func (s *scanner) comment() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		s.at++
	}
}

// ending passes over what may follow a statement on its line.
func (s *scanner) ending() error {
	s.inline()
	if s.peek() == '#' {
		s.comment()
	}
	if s.peek() == '\r' {
		s.at++
	}
	if s.at < len(s.text) {
		if s.text[s.at] != '\n' {
			return s.fault("a statement does not end with its line")
		}
		s.at++
	}
	return nil
}

func (s *scanner) header(st *statement) (err error) {
	st.header = true
	st.double = bytes.HasPrefix(s.text[s.at:], []byte("[["))
	end := []byte("]")
	if st.double {
		end = []byte("]]")
	}
	s.at += len(end)
	if st.path, err = s.key(); err != nil {
		return err
	}
	if !bytes.HasPrefix(s.text[s.at:], end) {
		return s.fault("a header has no end")
	}
	s.at += len(end)
	return s.ending()
}

func (s *scanner) pair(st *statement) (err error) {
	if st.own, err = s.key(); err != nil {
		return err
	}
	if s.peek() != '=' {
		return s.fault("an equals sign is missing")
	}
	s.at++
	s.inline()
	st.value = s.at
	if err := s.value(); err != nil {
		return err
	}
	st.till = st.value + len(bytes.TrimRight(s.text[st.value:s.at], " \t"))
	if st.till == st.value {
		return s.fault("a value is missing")
	}
	return s.ending()
}

// key reads names with dots between them.
func (s *scanner) key() ([]string, error) {
	var path []string
	for {
		s.inline()
		start := s.at
		part := ""
		if c := s.peek(); c == '"' || c == '\'' {
			if err := s.quoted(); err != nil {
				return nil, err
			}
			text, ok := unquoted(string(s.text[start:s.at]))
			if !ok {
				return nil, s.fault("a name is not readable")
			}
			part = text
		} else {
			for s.at < len(s.text) && bare(s.text[s.at]) {
				s.at++
			}
			if part = string(s.text[start:s.at]); part == "" {
				return nil, s.fault("a name is missing")
			}
		}
		path = append(path, part)
		s.inline()
		if s.peek() != '.' {
			return path, nil
		}
		s.at++
	}
}

func bare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// value passes over a value: to the end of the line or a comment, but not
// inside strings, arrays and inline tables.
func (s *scanner) value() error {
	depth := 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"' || c == '\'':
			if err := s.quoted(); err != nil {
				return err
			}
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
			if depth < 0 {
				return s.fault("a bracket closes nothing")
			}
		case c == '#' && depth == 0, (c == '\n' || c == '\r') && depth == 0:
			return nil
		case c == '#':
			s.comment()
			continue
		}
		s.at++
	}
	if depth > 0 {
		return s.fault("an array or table has no end")
	}
	return nil
}

// quoted passes over a string of any of the four kinds.
func (s *scanner) quoted() error {
	rest := s.text[s.at:]
	quote := string(rest[:1])
	if long := strings.Repeat(quote, 3); bytes.HasPrefix(rest, []byte(long)) {
		s.at += 3
		for s.at < len(s.text) {
			switch {
			case quote == `"` && s.text[s.at] == '\\':
				s.at++
			case bytes.HasPrefix(s.text[s.at:], []byte(long)):
				s.at += 3
				for n := 0; n < 2 && s.peek() == quote[0]; n++ { // quotes may stand before the end
					s.at++
				}
				return nil
			}
			s.at++
		}
		return s.fault("a string has no end")
	}
	for s.at++; s.at < len(s.text) && s.text[s.at] != '\n'; s.at++ {
		switch {
		case quote == `"` && s.text[s.at] == '\\':
			s.at++
		case s.text[s.at] == quote[0]:
			s.at++
			return nil
		}
	}
	return s.fault("a string has no end")
}
