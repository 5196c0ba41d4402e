package store

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"plastic/memory"
)

// The form of memory.json and archive.json: an object whose last member is a
// list, one element a line, the comma leading its line, so that git's union
// merge of two grown files keeps every line and stays readable.
//
//	{"version":1,"memories":[
//	 {"id":"a",…}
//	,{"id":"b",…}
//	]}
//
// Unknown members stand before the list, sorted as they were found. Read is any
// layout: pretty-printed, on one line, a bare array, one object a line, with
// comments, with commas missing or doubled.

// formatVersion is the version this code writes; a higher one is only read.
const formatVersion = 1

// member is a member of the document that plastic does not know, as written.
type member struct{ key, raw string } // key with its quotes

// doc is what the text of a list file says about itself.
type doc struct {
	version int
	head    []member
	crlf    bool   // lines end with \r\n
	lined   bool   // every element stands on a line of its own, as written by plastic
	blank   bool   // nothing but space
	damage  string // why the text is not whole; "" when it is
	unread  int    // lines of a damaged text that nothing could be made of
	merging bool   // git's conflict markers stand in it
	foreign bool   // another tool's file
}

// element reads the element at text[i:]: its length, 0 when it is not whole, and
// whether it is one that the list knows.
type element func(text string, i int) (n int, known bool)

// readDoc reads a list file. Elements are given to elem in the order of the
// text; of a damaged text restart is called and then every element that can be
// saved is given.
func readDoc(text, list string, elem element, restart func()) doc {
	text, marked := strings.CutPrefix(text, "\ufeff")
	d := doc{version: formatVersion}
	if nl := strings.IndexByte(text, '\n'); nl > 0 && text[nl-1] == '\r' {
		d.crlf = true
	}
	w := walker{doc: &d, text: text, list: `"` + list + `"`, elem: elem}
	w.lined = strings.HasPrefix(text, "{") && !marked
	d.blank = memory.SkipSpace(text) == len(text)
	if d.blank {
		return d
	}
	if reason := w.walk(); reason != "" && !d.foreign {
		restart()
		d.damage = reason
		w.salvage()
	}
	d.lined = w.lined && d.damage == "" && !d.foreign
	return d
}

type walker struct {
	*doc
	text  string
	list  string // key of the list, with its quotes
	elem  element
	i     int
	lined bool

	closings map[int]int // in a damaged text, see closings
	inVain   int         // bytes of objects in it that came to nothing
}

// walk reads a whole text and says why it is not one.
func (w *walker) walk() (reason string) {
	w.space()
	if w.i >= len(w.text) {
		return "nothing in it"
	}
	if w.text[w.i] == '[' {
		w.lined = false
		w.i++
		return w.rest(w.array())
	}
	if w.text[w.i] != '{' {
		return w.at("no JSON")
	}
	start := w.i
	found, reason := w.members()
	if reason == "" && !found {
		w.i, w.head, w.version = start, nil, formatVersion
		return w.sequence()
	}
	return w.rest(reason)
}

// members reads the top-level object and reports whether the list was in it.
func (w *walker) members() (found bool, reason string) {
	w.i++
	for {
		w.commas()
		switch w.peek() {
		case '}':
			w.i++
			return found, ""
		case '"':
		default:
			return found, w.at("no key")
		}
		n := memory.SkipValue(w.text[w.i:])
		if n == 0 {
			return found, w.at("a key without its closing quote")
		}
		key := string(memory.AppendString(nil, memory.Unquote(w.text[w.i:w.i+n])))
		w.i += n
		w.space()
		if w.peek() != ':' {
			return found, w.at("no colon")
		}
		w.i++
		w.space()
		if key == w.list && w.peek() == '[' {
			found = true
			w.i++
			if reason := w.array(); reason != "" {
				return found, reason
			}
			continue
		}
		if reason := w.member(key); reason != "" {
			return found, reason
		}
	}
}

func (w *walker) member(key string) (reason string) {
	n := memory.SkipValue(w.text[w.i:])
	if n == 0 {
		return w.at("no value")
	}
	raw := string(memory.CleanValue(w.text[w.i : w.i+n]))
	w.i += n
	if key == `"version"` {
		v, err := strconv.ParseFloat(strings.Trim(raw, `"`), 64)
		if err != nil {
			v = formatVersion + 1 // a form that this code does not know
		}
		w.version = int(math.Ceil(v))
		return ""
	}
	w.head = append(w.head, member{key, raw})
	return ""
}

// array reads elements up to the closing bracket.
func (w *walker) array() (reason string) {
	for {
		w.commas()
		switch w.peek() {
		case 0:
			return w.at("the list does not end")
		case ']':
			w.i++
			return ""
		}
		if !w.one() {
			return w.at("an entry that does not end")
		}
	}
}

// sequence reads objects one after the other: JSON lines.
func (w *walker) sequence() (reason string) {
	w.lined = false
	for first := true; ; first = false {
		w.commas()
		if w.peek() == 0 {
			return ""
		}
		start := w.i
		n, known := w.elem(w.text, w.i)
		switch {
		case n == 0:
			return w.at("an entry that does not end")
		case first && !known && isGraph(w.text[start:start+n]):
			w.foreign = true
			return "another tool's file"
		case first && !known:
			w.i = 0
			return "there is no list " + w.list + " in it"
		}
		w.i += n
	}
}

// isGraph recognises the knowledge graph of the MCP project's server-memory:
// one entity or relation a line.
func isGraph(obj string) bool {
	kind := ""
	memory.Members(obj, func(key, raw string) {
		if key == "type" {
			kind = memory.Unquote(raw)
		}
	})
	return kind == "entity" || kind == "relation"
}

func (w *walker) one() bool {
	n, _ := w.elem(w.text, w.i)
	if n == 0 {
		return false
	}
	if w.lined {
		w.lined = ownLine(w.text, w.i, n)
	}
	w.i += n
	return true
}

// ownLine reports whether text[i:i+n] has a line to itself behind one blank or
// comma, and starts as the lines that plastic writes.
func ownLine(text string, i, n int) bool {
	if i < 2 || text[i-2] != '\n' || text[i-1] != ' ' && text[i-1] != ',' || !strings.HasPrefix(text[i:], `{"id":"`) {
		return false
	}
	rest := text[i+n:]
	return strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n")
}

// noText says where a text is none that can be read as it was meant, "" if it is one:
// bytes that are no UTF-8 are shown as U+FFFD, and written as such they would be lost;
// zeros are what a power cut leaves.
func noText(text string) string {
	isText := func(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
	if isText(text) {
		return ""
	}
	line := 1
	for l := range strings.Lines(text) {
		if !isText(l) {
			break
		}
		line++
	}
	return fmt.Sprintf("bytes that are no text, line %d", line)
}

// rest checks that nothing follows the document.
func (w *walker) rest(reason string) string {
	if reason != "" {
		return reason
	}
	if w.space(); w.i < len(w.text) {
		return w.at("text after the end")
	}
	return ""
}

func (w *walker) space() { w.i += memory.SkipSpace(w.text[w.i:]) }

func (w *walker) commas() {
	for w.space(); w.peek() == ','; w.space() {
		w.i++
	}
}

func (w *walker) peek() byte {
	if w.i < len(w.text) {
		return w.text[w.i]
	}
	return 0
}

// at gives reason with the place of the walker as line and column, from 1.
func (w *walker) at(reason string) string {
	i := min(w.i, len(w.text))
	line := 1 + strings.Count(w.text[:i], "\n")
	return fmt.Sprintf("%s, line %d column %d", reason, line, i-strings.LastIndexByte(w.text[:i], '\n'))
}

// appendHead appends the first line of a list file, without its line end.
func appendHead(dst []byte, list string, head []member) []byte {
	dst = append(dst, `{"version":`...)
	dst = strconv.AppendInt(dst, formatVersion, 10)
	for _, m := range head {
		dst = append(dst, ',')
		dst = append(dst, m.key...)
		dst = append(dst, ':')
		dst = append(dst, m.raw...)
	}
	dst = append(dst, ',', '"')
	dst = append(dst, list...)
	return append(dst, '"', ':', '[')
}

// lineEnd is the line end of a file, found and kept.
func lineEnd(crlf bool) string {
	if crlf {
		return "\r\n"
	}
	return "\n"
}

// docFoot closes the list and the document.
const docFoot = "]}"
