package editfile

import (
	"fmt"
	"strings"

	"plastic/memory"
)

// SyntaxError says where a text can not be read.
type SyntaxError struct {
	Line    int // from 1
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Unwrap makes a SyntaxError a memory.ErrInvalid.
func (e *SyntaxError) Unwrap() error { return memory.ErrInvalid }

func wrong(line int, format string, args ...any) error {
	return &SyntaxError{line, fmt.Sprintf(format, args...)}
}

// Parse reads a list. Bullets are -, * or +; a line that stands alone after an
// empty one is an item as well; tabs indent too. It fails with a *SyntaxError.
func Parse(text string) ([]Item, error) {
	p := parser{}
	for n, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		if err := p.line(n+1, strings.TrimRight(line, blanks)); err != nil {
			return nil, err
		}
	}
	if p.comment > 0 {
		return nil, wrong(p.comment, "the comment that begins here does not end: --> is missing")
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	return p.items, nil
}

type parser struct {
	items   []Item
	open    bool     // an item is under way
	begun   int      // the line it begins on
	lines   []string // of it
	blank   bool     // the last line was empty, or there was none
	comment int      // the line on which a comment begins, 0 outside
}

func (p *parser) line(n int, line string) error {
	blank := p.blank || n == 1
	p.blank = line == ""
	if p.comment > 0 {
		return p.inComment(n, line)
	}
	rest, bullet := cutBullet(line)
	switch {
	case line == "":
		if p.open {
			p.lines = append(p.lines, "")
		}
		return nil
	case line[0] == ' ' || line[0] == '\t':
		if !p.open {
			return wrong(n, "it is indented, but no item stands before it; an item begins with - at the left edge")
		}
		p.lines = append(p.lines, unindent(line))
		return nil
	case strings.HasPrefix(line, "<!--"):
		if err := p.finish(); err != nil {
			return err
		}
		p.comment = n
		return p.inComment(n, line[len("<!--"):])
	case bullet:
		return p.begin(n, rest)
	case heading(line):
		return wrong(n, "a heading is no memory; to remember it put - before it")
	case !blank && p.open:
		return wrong(n, "it begins at the left edge: indent it if it belongs to the item above, put - before it if it is a memory of its own")
	}
	return p.begin(n, line)
}

func (p *parser) inComment(n int, line string) error {
	_, after, ends := strings.Cut(line, "-->")
	if !ends {
		return nil
	}
	p.comment, p.blank = 0, true
	if strings.TrimSpace(after) != "" {
		return wrong(n, "something stands behind the comment's -->; put it on a line of its own")
	}
	return nil
}

func (p *parser) begin(n int, first string) error {
	err := p.finish()
	p.open, p.begun, p.lines = true, n, []string{first}
	return err
}

// finish makes an Item of the lines gathered.
func (p *parser) finish() error {
	if !p.open {
		return nil
	}
	p.open = false
	var id string
	id, p.lines[0] = cutID(p.lines[0])
	text, it, err := settings(strings.Join(p.lines, "\n"), id != "")
	if err != nil {
		return wrong(p.begun, "%s", err)
	}
	it.Line, it.ID, it.Content = p.begun, id, Tidy(text)
	if it.Content == "" {
		if id == "" {
			return nil // a bullet nobody wrote behind
		}
		return wrong(p.begun, "%s has no text; to forget it delete the whole item", id)
	}
	p.items = append(p.items, it)
	return nil
}

// cutBullet gives what stands behind the bullet of line.
func cutBullet(line string) (rest string, ok bool) {
	switch {
	case line == "-", line == "*", line == "+":
		return "", true
	case len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t'):
		return strings.TrimLeft(line[1:], blanks), true
	}
	return line, false
}

// heading reports whether line is a Markdown heading; "#tag" is none.
func heading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return rest != line && (rest == "" || rest[0] == ' ')
}

// unindent takes away what makes line a part of its item.
func unindent(line string) string {
	if rest, ok := strings.CutPrefix(line, "\t"); ok {
		return rest
	}
	return strings.TrimPrefix(strings.TrimPrefix(line, " "), " ")
}

// cutID takes the [id] off the first line of an item. [] is no id; brackets that
// can not hold one belong to the text.
func cutID(line string) (id, rest string) {
	after, ok := strings.CutPrefix(line, "[")
	id, rest, closed := strings.Cut(after, "]")
	if !ok || !closed || id != "" && !memory.ValidID(id) || rest != "" && !strings.ContainsRune(blanks, rune(rest[0])) {
		return "", line
	}
	return id, strings.TrimLeft(rest, blanks)
}
