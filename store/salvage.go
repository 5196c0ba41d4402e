package store

import (
	"strings"

	"plastic/memory"
)

// salvage gives elem everything in a damaged text that is an element: it starts
// behind the head of the list, or at the top when there is none, and after
// whatever can not be read goes on with the next line.
func (w *walker) salvage() {
	w.head = nil
	w.i = w.afterHead(0)
	for w.i < len(w.text) {
		w.i += len(w.text[w.i:]) - len(strings.TrimLeft(w.text[w.i:], " \t\r\n,]}\x00"))
		if w.i >= len(w.text) {
			return
		}
		if next := w.afterHead(w.i); next > w.i {
			w.i = next
			continue
		}
		if n := w.whole(w.i); n > 0 {
			w.i += n
			continue
		}
		w.unread++
		w.i = w.nextLine(w.i)
	}
}

// afterHead gives the place behind `"memories":[` if it stands on the line at i.
func (w *walker) afterHead(i int) int {
	line := w.text[i:w.nextLine(i)]
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "{") {
		return i
	}
	at := strings.Index(line, w.list)
	if at < 0 || strings.Contains(line[:at], `"content"`) || strings.Contains(line[:at], `"text"`) {
		return i
	}
	after := strings.TrimLeft(line[at+len(w.list):], " \t:")
	if !strings.HasPrefix(after, "[") {
		return i
	}
	w.headVersion(line[:at])
	return i + len(line) - len(after) + 1
}

// headVersion reads the version out of a head that is not read as a whole.
func (w *walker) headVersion(head string) {
	if _, after, ok := strings.Cut(head, `"version"`); ok {
		v := 0
		for _, c := range strings.TrimLeft(after, " \t:") {
			if c < '0' || c > '9' || v > 1<<20 {
				break
			}
			v = v*10 + int(c-'0')
		}
		w.version = max(w.version, v)
	}
}

// longestEntry bounds how far an entry that does not end on its line is looked
// for: what no pretty-printed memory reaches.
const longestEntry = 1 << 18

// mostInVain bounds how many bytes of such entries are read that come to nothing:
// objects within one another would be read again and again.
const mostInVain = 16 * longestEntry

// whole reads one element at i: on its line, or an object over several lines.
func (w *walker) whole(i int) int {
	line := w.text[i:w.nextLine(i)]
	n := 0
	switch line[0] {
	case '{':
		if n, _ = w.elem(w.text[:i+len(line)], i); n > 0 {
			return n
		}
		if w.closings == nil {
			w.closings = closings(w.text, i)
		}
		end := w.closings[i]
		if end == 0 || end-i > longestEntry || w.inVain > mostInVain {
			return 0
		}
		if !swallows(w.text[i:end]) {
			n, _ = w.elem(w.text[:end], i)
		}
		if n == 0 {
			w.inVain += end - i
		}
	case '"':
		// A text alone on its line is an entry, a key with its value is not.
		n = memory.SkipValue(line)
		if after := strings.TrimLeft(line[n:], " \t,"); n > 0 && after != "" && strings.IndexByte("\r\n]", after[0]) < 0 {
			return 0
		}
		if n > 0 {
			n, _ = w.elem(w.text, i)
		}
	}
	return n
}

// closings gives, for each object behind from that does not end on its line, where it
// ends: found in one look through the text, whatever is missing in it. A string that does
// not end on its line has no end, and neither has what is open there.
func closings(text string, from int) map[int]int {
	ends := make(map[int]int)
	var open []int
	line := from     // where the last line begins …
	end := -1        // … and ends, if a string was met in it
	endless := false // a comment without an end was met
	for i := from; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			if end < i {
				rest, _, _ := strings.Cut(text[i:], "\n")
				end = i + len(rest)
			}
			n := memory.SkipValue(text[i:end])
			if n == 0 {
				open, n = open[:0], end-i
			}
			i += n
			continue
		case c == '/' && !(endless && strings.HasPrefix(text[i:], "/*")):
			if n := memory.SkipSpace(text[i:]); n > 0 {
				if nl := strings.LastIndexByte(text[i:i+n], '\n'); nl >= 0 {
					line = i + nl + 1
				}
				i += n
				continue
			}
			endless = strings.HasPrefix(text[i:], "/*")
		case c == '\n':
			line = i + 1
		case c == '{', c == '[':
			open = append(open, i)
		case (c == '}' || c == ']') && len(open) > 0:
			at := open[len(open)-1]
			if open = open[:len(open)-1]; text[at] == '{' && at < line {
				ends[at] = i + 1
			}
		}
		i++
	}
	return ends
}

// swallows reports whether other memories' lines stand inside an entry: then a
// bracket is missing in it, and it ends where they begin.
func swallows(entry string) bool {
	for _, begins := range []string{`{"id":`, `{"memory":`} {
		if strings.Contains(entry, "\n,"+begins) || strings.Contains(entry, "\n "+begins) {
			return true
		}
	}
	return false
}

func (w *walker) nextLine(i int) int {
	if n := strings.IndexByte(w.text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(w.text)
}

// sides gives the two versions of a text that git left with conflict markers in
// it, and false when there are none. Lines outside the markers are in both; the
// common ancestor that some settings add is in neither.
func sides(text string) (ours, theirs string, ok bool) {
	if !hasLine(text, "<<<<<<< ") || !hasLine(text, ">>>>>>> ") {
		return text, text, false
	}
	var a, b strings.Builder
	const both, inOurs, inBase, inTheirs = 0, 1, 2, 3
	where := both
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "<<<<<<< "):
			where = inOurs
			continue
		case where == inOurs && strings.HasPrefix(line, "||||||| "):
			where = inBase
			continue
		case where != both && strings.TrimRight(line, "\r\n") == "=======":
			where = inTheirs
			continue
		case where != both && strings.HasPrefix(line, ">>>>>>> "):
			where = both
			continue
		}
		if where == both || where == inOurs {
			a.WriteString(line)
		}
		if where == both || where == inTheirs {
			b.WriteString(line)
		}
	}
	return a.String(), b.String(), true
}

func hasLine(text, prefix string) bool {
	return strings.HasPrefix(text, prefix) || strings.Contains(text, "\n"+prefix)
}
