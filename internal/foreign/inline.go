package foreign

import (
	"strings"
	"unicode/utf8"
)

// comments takes the HTML comments out of the line at hand. It reports whether
// there were any; what is left of the line is read then, and they belong to it. If
// nothing is left they belong to the item they are indented under, or are blocks
// of their own.
func (o *outliner) comments(line *string) bool {
	if !strings.Contains(*line, "<!--") {
		return false
	}
	rest, marks := o.withoutComments(*line)
	if len(marks) == 0 {
		return false
	}
	if text := strings.TrimSpace(rest); text != "" && !emptyItem(text) {
		*line = strings.TrimRight(rest, " \t")
		if !o.headingLine(*line) && !o.itemLine(*line) {
			o.textLine(*line)
		}
		if o.para != nil {
			o.para.marks = append(o.para.marks, marks...)
		}
		return true
	}
	if indented := len(rest) > len(strings.TrimLeft(rest, " \t")); indented && len(o.open) > 0 && !o.blank {
		b := o.lastKid(o.open[len(o.open)-1].b)
		b.marks = append(b.marks, marks...)
		return true
	}
	for _, m := range marks {
		o.add(&block{kind: comment, line: o.number(), parts: []string{m}})
	}
	o.para = nil
	return true
}

// withoutComments gives the line without its comments, and what they say. One that
// goes on over several lines takes those along. Comments shown as code stay.
func (o *outliner) withoutComments(line string) (rest string, marks []string) {
	rest = line
	for from := 0; len(marks) < maxMarks; {
		i := strings.Index(rest[from:], "<!--")
		if i < 0 {
			break
		}
		i += from
		end := strings.Index(rest[i:], "-->")
		if strings.Count(rest[:i], "`")%2 == 1 && strings.Contains(rest[i+max(end, 0):], "`") {
			from = i + 4
			continue
		}
		if end < 0 {
			more := o.commentEnd()
			if more < 0 {
				break // never closed: text like any other
			}
			for range more {
				o.at++
				rest += "\n" + o.lines[o.at]
			}
			continue
		}
		marks = append(marks, strings.TrimSpace(rest[i+4:i+end]))
		after := rest[i+end+3:]
		if strings.HasSuffix(rest[:i], " ") && strings.HasPrefix(after, " ") && strings.TrimSpace(after) != "" {
			after = after[1:]
		}
		rest, from = rest[:i]+after, i
	}
	return rest, marks
}

func emptyItem(text string) bool {
	m := itemExpr().FindStringSubmatch(text)
	return m != nil && m[4] == ""
}

// How many lines one comment may have, and how many comments a line.
const (
	maxComment = 400
	maxMarks   = 50
)

// commentEnd says how many lines below the one at hand the comment ends; -1 if
// nowhere.
func (o *outliner) commentEnd() int {
	for at := max(o.at+1, o.plain); at <= o.at+maxComment && at < len(o.lines); at++ {
		if strings.Contains(o.lines[at], "-->") {
			return at - o.at
		}
		o.plain = at + 1
	}
	return -1
}

// columns is the width of blanks, a tab being four.
func columns(blanks string) int {
	n := 0
	for _, c := range blanks {
		if c == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}

// unescape drops the backslash that keeps a line's first sign from being Markdown,
// and gives back a comment's opening that was covered.
func unescape(line string) string {
	line = uncover(line)
	if strings.IndexByte(line, '\\') < 0 {
		return line
	}
	if m := escapeExpr().FindStringSubmatchIndex(line); m != nil {
		return line[:m[3]] + line[m[4]:]
	}
	return line
}

// soft is what stands in place of a wrapped line's break: a blank, but nothing
// between signs of a script that has no blanks.
func soft(a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if a == "" || b == "" || wide(last) && wide(first) {
		return ""
	}
	return " "
}

func wide(r rune) bool { return dense(r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef }

// sentence reports whether a line ends as a sentence does.
func sentence(line string) bool {
	line = strings.TrimRight(line, ` *_"')”’»`)
	last, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune(".!?。！？…", last)
}

// dated reports whether a line begins with a date, or what may stand in its place
// ("[unknown] - "), which makes it a fact of its own.
func dated(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && (line[0] == '[' || isDigit(line[0])) && (datedExpr().MatchString(line) || pastedExpr().MatchString(line))
}

var (
	datedExpr = pattern(`^(?:\[\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}\S{0,12})?\]|\d{4}-\d{2}-\d{2}\s*[:：–—-])`)
	linkExpr  = pattern(`\[([^\[\]]*)\]\([^()\s]*\)`)
)

// plain drops emphasis around the whole text, and links' addresses.
func plain(s string) string {
	s = linkExpr().ReplaceAllString(strings.TrimSpace(s), "$1")
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		if inner, ok := strings.CutPrefix(s, mark); ok {
			if inner, ok = strings.CutSuffix(inner, mark); ok && !strings.Contains(inner, mark) {
				s = inner
			}
		}
	}
	return strings.TrimSpace(s)
}
