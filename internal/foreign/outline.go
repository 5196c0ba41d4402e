package foreign

import (
	"strings"
	"unicode/utf8"
)

// What Markdown holds, as far as memories care. A block is a list item with the
// items below it, a paragraph, a row of a table, a block of code or a comment
// that stands alone. Soft line breaks become blanks, hard ones (a backslash or
// two blanks at the end of the line) \n, empty lines inside an item \n\n.
type block struct {
	kind  blockKind
	line  int
	text  string
	heads []heading // the headings above it, outermost first
	kids  []*block  // of an item
	marks []string  // comments that belong to it, without <!-- and -->
	lines []string  // of a paragraph, as they stood
	parts []string  // text while it grows
}

// say adds to the text, with gap before it.
func (b *block) say(gap, text string) { b.parts = append(b.parts, gap, text) }

func (b *block) last() string { return b.parts[len(b.parts)-1] }

// finish makes text of what was said.
func (b *block) finish() {
	b.text, b.parts = strings.Join(b.parts, ""), nil
	for _, kid := range b.kids {
		kid.finish()
	}
}

type blockKind int

const (
	item blockKind = iota
	paragraph
	row
	code
	comment
)

type heading struct {
	level int
	text  string
}

// maxNesting is how deep items are told apart; what is deeper counts as that deep.
const maxNesting = 12

// Levels below those Markdown has: a line in bold, and a line that ends in a
// colon right before a list.
const (
	boldLevel  = 7
	colonLevel = 8
)

var (
	headExpr   = pattern(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$`)
	itemExpr   = pattern(`^([ \t]*)([-*+•・]|\d{1,9}[.)])([ \t]+|$)(.*)$`)
	ruleExpr   = pattern(`^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	fenceExpr  = pattern("^[ \t]*(`{3,}|~{3,})[^`]*$")
	tableExpr  = pattern(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	boldExpr   = pattern(`^(?:\*\*([^*]{1,80})\*\*|__([^_]{1,80})__)[:：]?$`)
	escapeExpr = pattern(`^(\d{0,9})\\([!-/:-@\[-` + "`" + `{-~•・])`)
)

// An outliner reads Markdown line by line.
type outliner struct {
	lines  []string
	first  int // the number of lines[0]
	at     int
	heads  []heading
	titles int
	out    []*block

	open   []*openItem // the items that a line may go on with, outermost first
	para   *block      // the paragraph or item text that grows
	blank  bool        // an empty line stands before this one
	plain  int         // between at and here no line ends a comment
	broken bool        // the line before ended in a hard break
}

type openItem struct {
	indent, content int // columns of the marker and of the text
	b               *block
}

// An outlined text is its blocks in order.
type outlined struct {
	blocks []*block
	titles int // headings of level 1
}

// outline reads text as Markdown; its first line has the number first.
func outline(text string, first int) outlined {
	o := &outliner{lines: strings.Split(text, "\n"), first: first}
	for o.at < len(o.lines) {
		o.step()
	}
	for _, b := range o.out {
		b.finish()
	}
	return outlined{o.out, o.titles}
}

func (o *outliner) number() int { return o.first + o.at }

// step reads the line at hand, or several that are one block.
func (o *outliner) step() {
	line := strings.TrimSuffix(o.lines[o.at], "\r")
	if q := strings.TrimLeft(line, " \t"); strings.HasPrefix(q, ">") {
		line = strings.TrimPrefix(strings.TrimLeft(q, "> \t"), " ")
	}
	first := sign(line)
	switch {
	case first == 0:
		o.blank = true
		o.at++
	case (first == '`' || first == '~') && fenceExpr().MatchString(line):
		o.fence(line)
	case o.comments(&line):
		o.at++
	case o.headingLine(line):
		o.at++
	case (first == '-' || first == '*' || first == '_') && ruleExpr().MatchString(line):
		o.end()
		o.at++
	case o.table(line):
	case o.itemLine(line):
		o.at++
	default:
		o.textLine(line)
		o.at++
	}
}

// sign is the first byte of a line that is no blank; 0 if there is none.
func sign(line string) byte {
	if line = strings.TrimSpace(line); line == "" {
		return 0
	}
	return line[0]
}

// end closes whatever was growing.
func (o *outliner) end() {
	o.open, o.para, o.blank, o.broken = nil, nil, false, false
	o.drop(colonLevel)
}

func (o *outliner) add(b *block) *block {
	b.heads = o.heads[:len(o.heads):len(o.heads)]
	o.out = append(o.out, b)
	return b
}

func (o *outliner) under(level int, text string) {
	if level == 1 {
		o.titles++
	}
	for len(o.heads) > 0 && o.heads[len(o.heads)-1].level >= level {
		o.heads = o.heads[:len(o.heads)-1]
	}
	o.heads = append(o.heads[:len(o.heads):len(o.heads)], heading{level, plain(text)})
}

func (o *outliner) headingLine(line string) bool {
	if sign(line) == '#' {
		if m := headExpr().FindStringSubmatch(line); m != nil {
			o.end()
			o.under(len(m[1]), m[2])
			return true
		}
	}
	// a line of = or - under one line of text makes that a heading
	level := map[byte]int{'=': 1, '-': 2}[line[0]]
	if level == 0 || strings.Trim(line, line[:1]) != "" || o.blank || o.para == nil || o.para.kind != paragraph || len(o.para.parts) > 2 {
		return false
	}
	text := o.para.last()
	o.out = o.out[:len(o.out)-1]
	o.end()
	o.under(level, text)
	return true
}

func (o *outliner) itemLine(line string) bool {
	if c := sign(line); strings.IndexByte("-*+", c) < 0 && c < utf8.RuneSelf && !isDigit(c) {
		return false
	}
	m := itemExpr().FindStringSubmatch(line)
	if m == nil {
		return false
	}
	indent := columns(m[1])
	b := &block{kind: item, line: o.number(), parts: []string{"", unescape(m[4])}}
	for len(o.open) > 0 && indent < o.open[len(o.open)-1].indent+2 || len(o.open) == maxNesting {
		o.open = o.open[:len(o.open)-1]
	}
	if len(o.open) == 0 {
		o.colon()
		o.add(b)
	} else {
		parent := o.open[len(o.open)-1].b
		b.heads = parent.heads
		parent.kids = append(parent.kids, b)
	}
	o.open = append(o.open, &openItem{indent, indent + utf8.RuneCountInString(m[2]) + min(max(columns(m[3]), 1), 4), b})
	o.para, o.blank = b, false
	o.hard(m[4])
	return true
}

// colon makes the line "People:" right before a list the heading of that list.
func (o *outliner) colon() {
	if o.para == nil || o.para.kind != paragraph {
		return
	}
	o.drop(colonLevel)
	if text := o.para.last(); len(o.para.parts) == 2 && len(text) <= 120 && endsInColon(text) {
		o.out = o.out[:len(o.out)-1]
		o.under(colonLevel, text)
	}
}

func endsInColon(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }

// drop ends headings of that level.
func (o *outliner) drop(level int) {
	if n := len(o.heads); n > 0 && o.heads[n-1].level == level {
		o.heads = o.heads[:n-1]
	}
}

// textLine goes on with what is open, or begins a paragraph.
func (o *outliner) textLine(line string) {
	indent := columns(line[:len(line)-len(strings.TrimLeft(line, " \t"))])
	if o.blank { // only what is indented still belongs to an item
		for len(o.open) > 0 && indent < min(o.open[len(o.open)-1].content, o.open[len(o.open)-1].indent+2) {
			o.open = o.open[:len(o.open)-1]
		}
		o.para = nil
		if len(o.open) > 0 {
			o.para = o.open[len(o.open)-1].b
		}
	}
	text := unescape(strings.TrimLeft(line, " \t"))
	switch {
	case o.para == nil:
		o.open = nil
		o.drop(colonLevel)
		if m := boldExpr().FindStringSubmatch(text); len(text) < 200 && m != nil {
			o.under(boldLevel, m[1]+m[2])
			o.blank = false
			return
		}
		o.para = o.add(&block{kind: paragraph, line: o.number(), parts: []string{"", text}})
	case o.blank:
		o.para.say("\n\n", text)
	case o.broken:
		o.para.say("\n", text)
	default:
		o.para.say(soft(o.para.last(), text), text)
	}
	o.para.lines = append(o.para.lines, text)
	o.blank = false
	o.hard(line)
}

// hard notes a hard line break at the end of line and takes its mark off the text.
func (o *outliner) hard(line string) {
	text := &o.para.parts[len(o.para.parts)-1]
	o.broken = strings.HasSuffix(line, "  ")
	if rest, ok := strings.CutSuffix(*text, `\`); ok && !strings.HasSuffix(rest, `\`) {
		o.broken, *text = true, rest
	}
	*text = strings.TrimRight(*text, " \t")
}
