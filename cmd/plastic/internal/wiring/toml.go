package wiring

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// A TOML file is edited by its statements: a header, or a key with its value.
// The tables of the server are [mcp_servers.plastic] and those under it; other
// ways to write the same (inline tables, dotted keys) are refused with a
// sentence rather than guessed at.

// table is the path of the server's own table.
var table = []string{"mcp_servers", name}

// statement is one of a TOML file, text[start:end] with its line end.
type statement struct {
	start, end int
	header     bool
	double     bool     // [[header]]
	path       []string // of the header, or of the key from the root
	own        []string // of the key as it is written
	value      int      // text[value:till] is the value of a key
	till       int
	line       int
}

// under reports whether path is table or stands in it.
func under(path []string) bool {
	return len(path) >= len(table) && slices.Equal(path[:len(table)], table)
}

// addTable puts e into a TOML text.
func addTable(text []byte, e Entry) ([]byte, error) {
	list, err := statements(text)
	if err != nil {
		return nil, err
	}
	head, err := ownHeader(list)
	if err != nil {
		return nil, err
	}
	if head < 0 {
		return appended(text, e), nil
	}
	for _, f := range plain(e) {
		value := tomlValue(f.value)
		old := slices.IndexFunc(list, func(s statement) bool {
			return !s.header && slices.Equal(s.path, append(table[:len(table):len(table)], f.name))
		})
		switch {
		case old < 0:
			at, line := list[head].end, f.name+" = "+value+eolOf(text)
			if at > 0 && text[at-1] != '\n' {
				line = eolOf(text) + strings.TrimSuffix(line, eolOf(text))
			}
			text = slices.Concat(text[:at], []byte(line), text[at:])
		case sameValue(text[list[old].value:list[old].till], f.value):
			continue
		default:
			text = slices.Concat(text[:list[old].value], []byte(value), text[list[old].till:])
		}
		if list, err = statements(text); err != nil { // places have moved
			return nil, err
		}
	}
	return text, nil
}

// ownHeader is the index of the server's header in list, -1 for none. It fails
// where the server is written in another way, or is one at an address.
func ownHeader(list []statement) (int, error) {
	head := -1
	for i, s := range list {
		switch {
		case s.header && !s.double && slices.Equal(s.path, table):
			head = i
		case s.header && s.double && under(s.path) && len(s.path) == len(table),
			!s.header && len(s.path) > 0 && slices.Equal(s.path, table[:1]),
			!s.header && slices.Equal(s.path, table),
			!s.header && under(s.path) && (len(s.own) > 1 || head < 0):
			return 0, &Fault{s.line, "the server is written in a way that is not changed in place; take it out by hand"}
		case !s.header && under(s.path) && slices.Equal(s.own, []string{"url"}) && len(s.path) == len(table)+1:
			return 0, &Fault{s.line, "there is a server " + name + " at an address already; take it out first"}
		}
	}
	return head, nil
}

// appended is text with the server's table at its end.
func appended(text []byte, e Entry) []byte {
	eol := eolOf(text)
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		b.WriteString(eol)
	}
	if len(bytes.TrimSpace(text)) > 0 && !bytes.HasSuffix(text, []byte(eol+eol)) {
		b.WriteString(eol)
	}
	b.WriteString("[" + strings.Join(table, ".") + "]" + eol)
	for _, f := range plain(e) {
		b.WriteString(f.name + " = " + tomlValue(f.value) + eol)
	}
	return b.Bytes()
}

// removeTable takes the server's tables out of a TOML text.
func removeTable(text []byte) ([]byte, error) {
	list, err := statements(text)
	if err != nil {
		return nil, err
	}
	ours := func(s statement) bool { return s.header && under(s.path) }
	if !slices.ContainsFunc(list, ours) {
		if _, err := ownHeader(list); err != nil {
			return nil, err
		}
		return text, nil
	}
	var out []byte
	kept, blank := 0, []byte(eolOf(text))
	for i := 0; i < len(list); i++ {
		if !ours(list[i]) {
			continue
		}
		start := list[i].start
		for i+1 < len(list) && (!list[i+1].header || ours(list[i+1])) {
			i++
		}
		out = append(out, text[kept:start]...)
		kept = list[i].end
		if bytes.HasSuffix(out, slices.Concat(blank, blank)) && (kept == len(text) || bytes.HasPrefix(text[kept:], blank)) {
			out = out[:len(out)-len(blank)] // the line that set the table apart
		}
	}
	out = append(out, text[kept:]...)
	if len(bytes.TrimSpace(out)) == 0 {
		return []byte{}, nil
	}
	return out, nil
}

func tomlValue(v any) string {
	if list, ok := v.([]string); ok {
		parts := make([]string, len(list))
		for i, s := range list {
			parts[i] = literal(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	s, _ := v.(string)
	return literal(s)
}

// sameValue reports whether a TOML value is want, where both are strings or
// lists of strings in quotes.
func sameValue(raw []byte, want any) bool {
	var got []string
	s := &scanner{text: raw}
	for s.at < len(raw) {
		if c := raw[s.at]; c != '"' && c != '\'' {
			if strings.IndexByte(" \t\r\n[],", c) < 0 {
				return false
			}
			s.at++
			continue
		}
		start := s.at
		if s.quoted() != nil {
			return false
		}
		text, ok := unquoted(string(raw[start:s.at]))
		if !ok {
			return false
		}
		got = append(got, text)
	}
	list, isList := want.([]string)
	if !isList {
		list = []string{want.(string)}
	}
	return slices.Equal(got, list) && bytes.HasPrefix(raw, []byte("[")) == isList
}

// unquoted is the text of a string of one line.
func unquoted(s string) (string, bool) {
	if strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "'''") {
		return "", false
	}
	if strings.HasPrefix(s, "'") {
		return s[1 : len(s)-1], true
	}
	var text string
	err := json.Unmarshal([]byte(s), &text)
	return text, err == nil
}

func eolOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
