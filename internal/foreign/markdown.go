package foreign

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

// Markdown and plain text: each list item, paragraph, row of a table and block of
// code is a memory. What the headings above it name goes before it. A date in the
// file's name or front matter, in a heading, or before the text ("[2026-03-01] -
// text") is its date. In plain text without lists or headings each line is one.
//
// plastic's own export adds what Markdown has no place for as a comment:
//
//	- [2026-03-01] - Ann keeps two cats <!-- plastic: {"id":"k3v9x2",…} -->

func isMarkdown(t *tree) bool {
	for _, f := range sample(noteFiles(t)) {
		b := bytes.TrimSpace(decodedHead(t.head(f)))
		if len(b) > 0 && b[0] != '{' && bytes.IndexByte(b, 0) < 0 && !t.shape(f).list() {
			return true
		}
	}
	return false
}

// isOwnMarkdown tells an export of plastic's own.
func isOwnMarkdown(t *tree) bool {
	f, ok := t.alone()
	return ok && bytes.Contains(t.head(f), []byte("<!-- "+plasticPrefix+"{"))
}

// decodedHead is b, or its text if it is UTF-16, where every other byte is NUL.
func decodedHead(b []byte) []byte {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return []byte(decode(b))
	}
	return b
}

// noteFiles are the notes of a tree; a file given alone is one, whatever its name.
func noteFiles(t *tree) []file {
	if f, ok := t.alone(); ok {
		return []file{f}
	}
	var out []file
	for _, f := range t.files {
		switch strings.ToLower(path.Ext(f.name)) {
		case ".md", ".markdown", ".txt":
			out = append(out, f)
		}
	}
	return out
}

func readMarkdown(r *reader) {
	for _, f := range noteFiles(r.tree) {
		if path.Ext(f.name) == ".txt" && r.bareLines(f) {
			continue
		}
		r.notes(f, r.document(f).entries, func(e entry) memory.Memory { return fact(e.said("")) })
	}
}

// notes takes entries; as says what memory one is.
func (r *reader) notes(f file, es []entry, as func(e entry) memory.Memory) {
	for _, e := range es {
		p := place{file: f.name, line: e.line}
		if e.comment {
			continue
		}
		if raw, ok := plasticMark(e.marks); ok {
			if m, err := withText([]byte(raw), e.text); err == nil {
				r.own(p, m)
				continue
			}
		}
		m := as(e)
		if m.CreatedAt.IsZero() {
			m.CreatedAt = e.day
		}
		r.add(p, "", m)
	}
}

const plasticPrefix = "plastic: "

func plasticMark(marks []string) (string, bool) {
	for _, m := range marks {
		if raw, ok := strings.CutPrefix(m, plasticPrefix); ok {
			return raw, true
		}
	}
	return "", false
}

// bareLines reads a plain text where each line is a fact, if it is one.
func (r *reader) bareLines(f file) bool {
	text := r.text(f)
	blocks := outline(text, 1).blocks
	if slices.ContainsFunc(blocks, func(b *block) bool { return b.kind != paragraph || len(b.heads) > 0 }) {
		return false
	}
	day, _, _ := dayIn(path.Base(f.name), r.loc)
	var es []entry
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line != "" {
			e := entry{text: line, line: n, day: day}
			e.takeDay(r.loc)
			es = append(es, e)
		}
	}
	r.notes(f, es, func(e entry) memory.Memory { return fact(e.text) })
	return true
}

// writeMarkdown writes one list. Line breaks within a memory are hard ones; what
// Markdown would take for its own at the start of a line gets a backslash.
func writeMarkdown(w io.Writer, ms []memory.Memory) error {
	if _, err := io.WriteString(w, "# Memories\n\n"); err != nil {
		return err
	}
	for _, m := range ms {
		date := ""
		if t := whole(m.CreatedAt); !t.IsZero() {
			date = "[" + t.Format(time.DateOnly) + "] - "
		}
		lines := covered(tidy(m.Content))
		if date == "" && bracketExpr().MatchString(lines[0]) {
			lines[0] = `\` + lines[0]
		}
		mark := "<!-- " + plasticPrefix + markSigns.Replace(string(besides(m))) + " -->"
		if len(lines) == 1 && lines[0] != "" {
			lines[0] += " " + mark
		} else {
			lines = append(lines, mark)
		}
		if _, err := fmt.Fprintf(w, "- %s%s\n", date, strings.Join(lines, "\n  ")); err != nil {
			return err
		}
	}
	return nil
}

// markSigns keeps what would end a comment, or hide it as code, out of its JSON.
var markSigns = strings.NewReplacer(">", `\u003e`, "`", `\u0060`)

var (
	signExpr    = pattern("^(?:[#>*+=_~`<|:\\\\•・-]|\\d{1,9}[.)\\\\])")
	openExpr    = pattern(`&(?:amp;)*lt;!--`)
	coveredExpr = pattern(`&((?:amp;)*)lt;!--`)
)

// covered gives the lines of a text as they can stand in a list item and be read
// back: blocks of code as they are, all else without meaning for Markdown.
func covered(text string) []string {
	in := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(in); i++ {
		if end := codeEnd(in, i); end > 0 {
			if len(out) == 0 {
				out = append(out, "") // a block can not begin on the item's own line
			}
			out = append(out, in[i:end+1]...)
			i = end
			continue
		}
		line := cover(strings.TrimSpace(in[i]))
		next := i+1 < len(in) && strings.TrimSpace(in[i+1]) != "" && codeEnd(in, i+1) == 0
		if line != "" && (next || strings.HasSuffix(line, `\`)) {
			line += "  "
		}
		out = append(out, line)
	}
	return out
}

// codeEnd says where the block of code that begins at line i ends; 0 if none does.
func codeEnd(lines []string, i int) int {
	m := fenceExpr().FindStringSubmatch(lines[i])
	if m == nil || lines[i] != strings.TrimLeft(lines[i], " \t") {
		return 0
	}
	for end := i + 1; end < len(lines); end++ {
		if l := strings.TrimSpace(lines[end]); strings.HasPrefix(l, m[1]) && strings.Trim(l, m[1][:1]) == "" {
			return end
		}
	}
	return 0
}

func cover(line string) string {
	if strings.Contains(line, "!--") {
		line = openExpr().ReplaceAllStringFunc(line, func(s string) string { return "&amp;" + s[1:] })
		line = strings.ReplaceAll(line, "<!--", "&lt;!--")
	}
	if m := signExpr().FindString(line); m != "" {
		if digits := strings.TrimRight(m, `.)\`); digits != "" && isDigit(digits[0]) {
			return digits + `\` + line[len(digits):]
		}
		return `\` + line
	}
	return line
}

// uncover is what cover hid from Markdown's eye for comments.
func uncover(text string) string {
	if !strings.Contains(text, "lt;!--") {
		return text
	}
	return coveredExpr().ReplaceAllStringFunc(text, func(s string) string {
		if inner, ok := strings.CutPrefix(s, "&amp;"); ok {
			return "&" + inner
		}
		return "<!--"
	})
}
