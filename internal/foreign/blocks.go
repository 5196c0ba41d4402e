package foreign

import "strings"

// fence reads a block of code up to its end. It belongs to the item it is
// indented under, or to the text right before it.
func (o *outliner) fence(line string) {
	open := fenceExpr().FindStringSubmatch(line)[1]
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	begin, body := o.number(), []string{strings.TrimLeft(line, " \t")}
	for o.at++; o.at < len(o.lines); o.at++ {
		l := o.lines[o.at]
		body = append(body, l[min(indent, len(l)-len(strings.TrimLeft(l, " \t"))):])
		if end := strings.TrimSpace(l); strings.HasPrefix(end, open) && strings.Trim(end, open[:1]) == "" {
			o.at++
			break
		}
	}
	text := strings.Join(body, "\n")
	for len(o.open) > 0 && columns(line[:indent]) < o.open[len(o.open)-1].indent+2 {
		o.open = o.open[:len(o.open)-1]
	}
	switch {
	case len(o.open) > 0:
		b := o.open[len(o.open)-1].b
		if len(b.kids) > 0 {
			b = o.lastKid(b)
		}
		b.say(gap(o.blank), text)
	case o.para != nil && o.para.kind == paragraph && (!o.blank || endsInColon(o.para.last())):
		o.para.say(gap(o.blank), text)
		o.para.lines = nil
	default:
		o.add(&block{kind: code, line: begin, parts: []string{text}})
	}
	o.para, o.blank, o.broken = nil, false, false
	if len(o.open) > 0 {
		o.para, o.broken = o.open[len(o.open)-1].b, true
	}
}

func (o *outliner) lastKid(b *block) *block {
	for len(b.kids) > 0 {
		b = b.kids[len(b.kids)-1]
	}
	return b
}

func gap(blank bool) string {
	if blank {
		return "\n\n"
	}
	return "\n"
}

// table reads a table; each of its rows is "column: value; column: value".
func (o *outliner) table(line string) bool {
	if !strings.Contains(line, "|") || o.at+1 >= len(o.lines) || !strings.Contains(o.lines[o.at+1], "-") || !tableExpr().MatchString(o.lines[o.at+1]) {
		return false
	}
	o.end()
	columns := cells(line)
	for o.at += 2; o.at < len(o.lines) && strings.Contains(o.lines[o.at], "|"); o.at++ {
		var said []string
		for i, c := range cells(o.lines[o.at]) {
			switch {
			case c == "":
			case i < len(columns) && columns[i] != "":
				said = append(said, columns[i]+": "+c)
			default:
				said = append(said, c)
			}
		}
		if len(said) > 0 {
			o.add(&block{kind: row, line: o.number(), parts: []string{strings.Join(said, "; ")}})
		}
	}
	return true
}

func cells(line string) []string {
	line = strings.ReplaceAll(line, `\|`, "\x00")
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|")
	for i, c := range parts {
		parts[i] = plain(strings.ReplaceAll(c, "\x00", "|"))
	}
	return parts
}
