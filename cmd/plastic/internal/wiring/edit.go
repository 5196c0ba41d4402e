package wiring

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// add puts the fields of the entry under keys and its name: each field that is
// not there as it should be, the others stay.
func (d *document) add(keys []string, fields []field) ([]byte, error) {
	at := d.root
	for i, key := range keys {
		m, n := at.find(key)
		switch {
		case n < 0:
			return d.checked(d.insert(at, key, nest(keys[i+1:], fields)))
		case m.value.object:
			at = m.value
		case string(d.text[m.value.start:m.value.end]) == "null":
			return d.checked(d.replace(m.value, d.render(nest(keys[i+1:], fields), d.inner(at), d.flat(at))))
		default:
			return nil, &Fault{d.line(m.start), "\"" + key + "\" is no object"}
		}
	}
	m, n := at.find(name)
	switch {
	case n < 0:
		return d.checked(d.insert(at, name, fields))
	case !m.value.object:
		return d.checked(d.replace(m.value, d.render(fields, d.inner(at), d.flat(at))))
	}
	for _, remote := range []string{"url", "httpUrl", "serverUrl"} {
		if r, n := m.value.find(remote); n >= 0 {
			return nil, &Fault{d.line(r.start), "there is a server " + name + " at an address already; take it out first"}
		}
	}
	for _, f := range fields {
		old, n := m.value.find(f.name)
		var text []byte
		switch {
		case n < 0:
			text = d.insert(m.value, f.name, f.value)
		case d.holds(old.value, f.value):
			continue
		default:
			text = d.replace(old.value, d.render(f.value, "", true))
		}
		next, err := parse(text)
		if err != nil {
			return nil, err
		}
		return next.add(keys, fields) // places have moved
	}
	return d.text, nil
}

// checked gives text if it can be read.
func (d *document) checked(text []byte) ([]byte, error) {
	_, err := parse(text)
	return text, err
}

// nest is the entry inside the objects that keys name, as fields.
func nest(keys []string, fields []field) []field {
	inner := []field{{name, fields}}
	for _, key := range slices.Backward(keys) {
		inner = []field{{key, inner}}
	}
	return inner
}

// holds reports whether the value at n is want.
func (d *document) holds(n node, want any) bool {
	b, err := json.Marshal(want)
	if err != nil {
		return false
	}
	var is, should any
	return json.Unmarshal(d.text[n.start:n.end], &is) == nil && json.Unmarshal(b, &should) == nil && reflect.DeepEqual(is, should)
}

func (d *document) replace(n node, value string) []byte {
	return slices.Concat(d.text[:n.start], []byte(value), d.text[n.end:])
}

// insert puts a member at the end of object n, after its comments.
func (d *document) insert(n node, key string, value any) []byte {
	flat, indent := d.flat(n), d.inner(n)
	quoted, _ := json.Marshal(key) // a string always can be
	body := string(quoted) + ": " + d.render(value, indent, flat)
	last := n.start + len(bytes.TrimRight(d.text[n.start:n.end-1], " \t\r\n")) // behind what stands last in n
	var b bytes.Buffer
	if k := len(n.members); k > 0 && !n.dangling {
		end := n.members[k-1].value.end
		b.Write(d.text[:end])
		b.WriteByte(',')
		b.Write(d.text[end:last])
	} else {
		b.Write(d.text[:last])
	}
	switch {
	case flat && len(n.members) > 0:
		b.WriteString(" " + body)
	case flat:
		b.WriteString(body)
	default:
		b.WriteString(d.eol() + indent + body)
	}
	if n.dangling {
		b.WriteByte(',')
	}
	if flat {
		b.Write(d.text[last:])
	} else {
		b.WriteString(d.eol() + d.outer(n))
		b.Write(d.text[n.end-1:])
	}
	return b.Bytes()
}

// remove takes out the member at path, and the objects around it that it leaves
// empty. A text that held nothing else becomes empty.
func (d *document) remove(path []string) ([]byte, error) {
	at := d.root
	var holder node
	var which int
	for depth, key := range path {
		m, n := at.find(key)
		if n < 0 || depth < len(path)-1 && !m.value.object {
			return d.given, nil
		}
		holder, which, at = at, n, m.value
	}
	text := d.without(holder, which)
	rest, err := parse(text)
	switch {
	case err != nil:
		return nil, err
	case rest.has(path): // the name stood there twice
		return rest.remove(path)
	case len(path) > 1 && rest.bare(path[:len(path)-1]):
		return rest.remove(path[:len(path)-1])
	case len(rest.root.members) == 0 && rest.extra == nil:
		return []byte{}, nil
	}
	return text, nil
}

// has reports whether there is something at path.
func (d *document) has(path []string) bool {
	_, ok := d.at(path)
	return ok
}

// at gives the value at path.
func (d *document) at(path []string) (node, bool) {
	at := d.root
	for _, key := range path {
		m, n := at.find(key)
		if n < 0 {
			return node{}, false
		}
		at = m.value
	}
	return at, true
}

// bare reports whether path is an object with nothing in it, not even a comment.
func (d *document) bare(path []string) bool {
	at, ok := d.at(path)
	return ok && at.object && len(bytes.TrimSpace(d.text[at.start+1:at.end-1])) == 0
}

// without is the text without member i of n: its line or lines go, and one comma.
func (d *document) without(n node, i int) []byte {
	m := n.members[i]
	start, end := m.start, m.value.end
	if m.comma >= 0 {
		end = m.comma + 1
	}
	for start > n.start+1 && (d.text[start-1] == ' ' || d.text[start-1] == '\t') {
		start--
	}
	if start > n.start+1 && d.text[start-1] == '\n' { // its line goes, if nothing else is on it
		after := end + len(d.text[end:]) - len(bytes.TrimLeft(d.text[end:], " \t"))
		if rest := d.text[after:]; len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r') {
			end = after
			if start--; start > n.start+1 && d.text[start-1] == '\r' {
				start--
			}
		}
	}
	head := d.text[:start]
	if i > 0 && i == len(n.members)-1 && m.comma < 0 {
		comma := n.members[i-1].comma
		head = slices.Concat(d.text[:comma], d.text[comma+1:start])
	}
	tail := d.text[end:]
	if len(n.members) == 1 && len(bytes.TrimSpace(d.text[n.start+1:start])) == 0 && len(bytes.TrimSpace(d.text[end:n.end-1])) == 0 {
		head, tail = d.text[:n.start+1], d.text[n.end-1:]
	}
	return slices.Concat(head, tail)
}

// render writes a value: an object in lines indented by indent, or flat.
func (d *document) render(value any, indent string, flat bool) string {
	switch v := value.(type) {
	case []field:
		var parts []string
		inner := indent + d.unit()
		for _, f := range v {
			quoted, _ := json.Marshal(f.name)
			parts = append(parts, string(quoted)+": "+d.render(f.value, inner, flat))
		}
		if flat {
			return "{" + strings.Join(parts, ", ") + "}"
		}
		return "{" + d.eol() + inner + strings.Join(parts, ","+d.eol()+inner) + d.eol() + indent + "}"
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = literal(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return literal(v)
	}
	b, _ := json.Marshal(value) // a bool
	return string(b)
}

// literal is s in quotes, as JSON and TOML both have it.
func literal(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always can be
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// flat reports whether n is written on one line with something in it, or in a
// text that is all on one line.
func (d *document) flat(n node) bool {
	if bytes.IndexByte(d.text[n.start:n.end], '\n') >= 0 {
		return false
	}
	return len(n.members) > 0 || len(d.root.members) > 0 && bytes.IndexByte(bytes.TrimSpace(d.text), '\n') < 0
}

// inner is how members of n are indented.
func (d *document) inner(n node) string {
	if len(n.members) > 0 {
		if own, ok := d.indent(n.members[0].start); ok {
			return own
		}
	}
	return d.outer(n) + d.unit()
}

// outer is how the line is indented on which n begins.
func (d *document) outer(n node) string {
	line := d.text[bytes.LastIndexByte(d.text[:n.start], '\n')+1 : n.start]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indent is the blank before at, if there is nothing else on its line.
func (d *document) indent(at int) (string, bool) {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line), len(bytes.TrimLeft(line, " \t")) == 0 && bytes.IndexByte(d.text[:at], '\n') >= 0
}

// unit is one step of indentation: that of the first member, else two spaces.
func (d *document) unit() string {
	if len(d.root.members) > 0 {
		if own, ok := d.indent(d.root.members[0].start); ok && own != "" {
			return own
		}
	}
	return "  "
}

func (d *document) eol() string {
	if bytes.Contains(d.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (d *document) line(at int) int { return 1 + bytes.Count(d.text[:at], []byte("\n")) }
