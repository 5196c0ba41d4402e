package foreign

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plastic/tokenize"
)

// An entry is one fact of a Markdown text, with what stands above it.
type entry struct {
	text    string
	line    int
	context []string // headings and labels above it that say what it is about
	section string   // the heading right above it
	day     time.Time
	marks   []string // comments that belong to it
	comment bool     // it is a comment that stands alone; text is what it says
}

// said is the entry's text with what it is about before it: the subject of the
// whole note, "" if it has none, and the last two headings.
func (e entry) said(subject string) string {
	var before []string
	for _, c := range append([]string{subject}, e.context[max(0, len(e.context)-2):]...) {
		if c != "" && !mentions(e.text, c) && !slices.Contains(before, c) {
			before = append(before, c)
		}
	}
	return about(strings.Join(before, ", "), e.text)
}

// Sizes of entries, in runes.
const (
	maxFold  = 1000 // an item and all below it that still is one fact
	maxEntry = 3000 // a longer text is cut; plastic's own bound is 4,000
)

// entries lists the facts of an outline in order. day is the file's own date;
// headings that name a date, and entries that begin with one, go before it.
// A heading of level 1 that is the only one is the title of the text, not of a part.
func entries(o outlined, day time.Time, loc *time.Location) []entry {
	var out []entry
	for _, b := range o.blocks {
		e := entry{line: b.line, day: day, marks: b.marks}
		for _, h := range b.heads {
			e.under(h, o, loc)
		}
		switch b.kind {
		case comment:
			e.text, e.comment = b.text, true
			out = append(out, e)
		case item:
			out = append(out, e.items(b)...)
		case paragraph:
			out = append(out, e.lines(b)...)
		default:
			e.text = b.text
			out = append(out, e)
		}
	}
	var cut []entry
	for _, e := range out {
		if e.comment {
			cut = append(cut, e)
			continue
		}
		e.takeDay(loc)
		most := maxEntry
		if _, mine := plasticMark(e.marks); mine {
			most = len(e.text) // one memory is one, however long
		}
		for _, text := range pieces(strings.TrimSpace(e.text), most) {
			if e.text = text; text != "" {
				cut = append(cut, e)
			}
		}
	}
	return cut
}

// under puts e below the heading h of o.
func (e *entry) under(h heading, o outlined, loc *time.Location) {
	text := h.text
	e.section = text
	if d, from, to := dayIn(text, loc); !d.IsZero() {
		e.day = d
		text = text[:from] + text[to:]
	}
	if text = strings.Trim(text, " \t()[]:：-–—,"); (h.level > 1 || o.titles > 1) && !vague(text) {
		e.context = append(e.context, text)
	}
}

// items makes entries of an item: what is below a label ("Work:", "Work") has it
// as its subject; what is below a fact belongs to that fact, unless it is long.
func (e entry) items(b *block) []entry {
	e.line, e.marks, e.text = b.line, b.marks, b.text
	if len(b.kids) == 0 {
		return []entry{e}
	}
	isLabel := label(b.text)
	if !isLabel {
		if whole := fold(nil, b, ""); !longer(string(whole), maxFold) {
			e.text, e.marks = string(whole), b.allMarks()
			return []entry{e}
		}
	}
	var out []entry
	if !isLabel && b.text != "" {
		out = append(out, e)
	}
	context := append(slices.Clone(e.context), clip(strings.TrimRight(plain(b.text), ":： "), 100))
	for _, kid := range b.kids {
		k := e
		k.context = context
		out = append(out, k.items(kid)...)
	}
	return out
}

// fold appends an item with all below it as one text, as far as that can be one.
func fold(dst []byte, b *block, indent string) []byte {
	dst = append(dst, strings.ReplaceAll(b.text, "\n", "\n"+indent)...)
	for _, kid := range b.kids {
		if len(dst) > 4*maxFold { // longer than maxFold runes in any script
			break
		}
		dst = append(append(append(dst, '\n'), indent...), "- "...)
		dst = fold(dst, kid, indent+"  ")
	}
	return dst
}

func (b *block) allMarks() []string {
	marks := slices.Clone(b.marks)
	for _, kid := range b.kids {
		marks = append(marks, kid.allMarks()...)
	}
	return marks
}

// label tells an item that only names what is below it.
func label(text string) bool {
	if endsInColon(strings.TrimRight(text, "*_ ")) || boldExpr().MatchString(text) {
		return true
	}
	return text != "" && len(strings.Fields(text)) <= 3 && utf8.RuneCountInString(text) <= 30 && !sentence(text) && !strings.ContainsAny(text, ",;:，；：\n")
}

// lines makes entries of a paragraph. If each of its lines is a sentence, or
// begins with a date, each is a fact of its own; else the paragraph is one.
func (e entry) lines(b *block) []entry {
	facts := len(b.lines) > 1 && !slices.ContainsFunc(b.lines, func(l string) bool { return !sentence(l) })
	if !facts && !slices.ContainsFunc(b.lines, dated) {
		e.text = b.text
		return []entry{e}
	}
	var out []entry
	var text strings.Builder
	for i, l := range b.lines {
		if i > 0 && !facts && !dated(l) {
			text.WriteString(soft(b.lines[i-1], l) + l)
		} else {
			text.Reset()
			text.WriteString(l)
			e.line = b.line + i
			out = append(out, e)
		}
		out[len(out)-1].text = text.String()
	}
	return out
}

// The date before a fact: "[2026-03-01] - text" and "[2026-03-01]. text" lose it,
// "2026-03-01: text" keeps it as a part of what it says.
var (
	bracketExpr = pattern(`^\[(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}\S{0,12})?)\]\s*(?:[-–—:：.]\s+)?`)
	leadExpr    = pattern(`^(\d{4}-\d{2}-\d{2})\s*[:：–—-]`)
)

func (e *entry) takeDay(loc *time.Location) {
	if m := bracketExpr().FindStringSubmatch(e.text); m != nil {
		if t, ok := savedOn(m[1], loc); ok {
			e.day, e.text = t, e.text[len(m[0]):]
		}
	} else if m := pastedExpr().FindStringSubmatch(e.text); m != nil {
		if t, ok := savedOn(m[1], loc); ok {
			e.text = strings.TrimLeft(e.text[len(m[1])+2:], " \t-–—")
			if !t.IsZero() {
				e.day = t
			}
		}
	} else if m := leadExpr().FindStringSubmatch(e.text); m != nil {
		if t := moment(m[1], loc); !t.IsZero() {
			e.day = t
		}
	}
	if rest, ok := strings.CutPrefix(e.text, `\[`); ok {
		e.text = "[" + rest
	}
}

// vague are headings that say nothing about what stands below them.
var vagueHeadings = []string{
	"", "memory", "memories", "long-term memory", "long term memory", "memory index", "saved memories", "user memories",
	"notes", "note", "facts", "key facts", "directives", "observations", "observation", "relations", "about", "overview",
	"general", "misc", "miscellaneous", "other", "summary", "context", "consolidated memory", "promoted from short-term memory",
	"model set context", "user", "user model", "user profile", "user.md", "memory.md", "user.md - user model", "purpose & context", "log", "daily log",
	"記憶", "记忆", "長期記憶", "长期记忆", "筆記", "笔记", "備註", "备注", "其他",
	"память", "заметки", "факты", "воспоминания", "прочее", "разное", "общее",
}

func vague(heading string) bool {
	folded := tokenize.Fold(strings.TrimLeftFunc(heading, func(r rune) bool { return !spaced(r) && !dense(r) }))
	return slices.Contains(vagueHeadings, folded)
}

// A document is a Markdown file, read.
type document struct {
	front   front
	title   string // its first heading of level 1
	body    string // without front matter
	first   int    // the line where body begins
	day     time.Time
	entries []entry
}

var titleExpr = pattern(`(?m)^#[ \t]+(.*)$`)

// document reads f; its day is the one in its name, else the one its front matter
// gives.
func (r *reader) document(f file) document {
	var d document
	d.front, d.body, d.first = cutFront(r.text(f))
	d.body = unfenced(d.body)
	d.day, _, _ = dayIn(path.Base(f.name), r.loc)
	for _, key := range []string{"created", "created_at", "date", "modified", "updated", "updated_at"} {
		if d.day.IsZero() {
			d.day = moment(d.front.text(key), r.loc)
		}
	}
	if m := titleExpr().FindStringSubmatch(d.body); m != nil {
		d.title = plain(m[1])
	}
	d.entries = entries(outline(d.body, d.first), d.day, r.loc)
	return d
}
