package chart

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"plastic/layers"
)

const (
	gutter     = 5 // columns left of the bars: "1.0 ┤"
	minWidth   = 30
	minHeight  = 10
	widestStep = 4 // columns from bar to bar where there are few
)

// Terminal draws bars in at most width × height characters, each line with its
// line break; a picture narrower than 30 or lower than 10 would say nothing and is
// drawn in that size. The layers are told apart by letters under the bars, and by
// colour too if color is set. Where there are more memories than columns a bar
// stands for several: it is their mean clarity, a dot above it the clearest of
// them, whose layer is named, and the picture says so.
func Terminal(bars []Bar, width, height int, color bool) string {
	width, height = max(width, minWidth), max(height, minHeight)
	bars = sorted(bars)
	if len(bars) == 0 {
		return title(bars) + "\n"
	}
	room := width - gutter
	cols := columns(bars, room)
	p := pen{cols: cols, step: max(1, min(widestStep, room/len(cols))), color: color}

	head := []string{fitting(width, title(bars), "Memory: "+count(len(bars)))}
	if n := several(bars, cols); n != "" {
		head = append(head, fitting(width, "A bar is the mean of "+n+"; • the clearest of them",
			"Bar: mean of "+strings.TrimSuffix(n, " memories")+", •: best"))
	}
	foot := []string{"    └" + strings.Repeat("─", p.extent()), p.letters(), p.dates(room), p.legend(bars, width)}
	rows := (height - len(head) - len(foot)) &^ 1 // even, so that one row begins at 0.5
	var b strings.Builder
	for _, l := range head {
		b.WriteString(l + "\n")
	}
	for row := rows - 1; row >= 0; row-- {
		b.WriteString(scale(row, rows) + strings.TrimRight(p.row(row, rows), " ") + "\n")
	}
	for _, l := range foot {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	return b.String()
}

// pen knows where the columns stand and how to paint them.
type pen struct {
	cols  []column
	step  int // characters from column to column; the last of several is a gap
	color bool
}

func (p *pen) barWidth() int { return max(1, p.step-1) }

// extent is the width of all bars without the last gap.
func (p *pen) extent() int { return (len(p.cols)-1)*p.step + p.barWidth() }

// row is one line of bars; row 0 is the lowest of rows.
func (p *pen) row(row, rows int) string {
	var b strings.Builder
	var on layers.Layer // the layer whose colour is switched on
	for _, c := range p.cols {
		cell := block(c.clarity, row, rows)
		if cell == ' ' && topmost(c.clearest.Clarity, row, rows) {
			cell = '•'
		}
		if l := c.clearest.Layer; p.color && cell != ' ' && l != on {
			b.WriteString(paint[l])
			on = l
		}
		b.WriteString(strings.Repeat(string(cell), p.barWidth()))
		b.WriteString(strings.Repeat(" ", p.step-p.barWidth()))
	}
	if on != "" {
		return strings.TrimRight(b.String(), " ") + unpaint
	}
	return b.String()
}

// topmost reports whether a bar of that height ends in row.
func topmost(clarity float64, row, rows int) bool {
	return block(clarity, row, rows) != ' ' && block(clarity, row+1, rows) == ' '
}

// block is the part of a bar of that height that lies in row, in eighths. A
// memory that is there is never drawn as nothing.
func block(clarity float64, row, rows int) rune {
	eighths := max(1, int(within(clarity)*float64(rows*8)+0.5)) - row*8
	return []rune(" ▁▂▃▄▅▆▇█")[min(max(eighths, 0), 8)]
}

// scale is the axis beside row, whose upper edge a mark stands for.
func scale(row, rows int) string {
	switch row {
	case rows - 1:
		return "1.0 ┤"
	case rows/2 - 1:
		return "0.5 ┤"
	}
	return "    │"
}

// letters names the layer of each bar, or of the clearest memory in it.
func (p *pen) letters() string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", gutter))
	for _, c := range p.cols {
		text := letter[c.clearest.Layer] + strings.Repeat(" ", p.step-1)
		b.WriteString(text)
	}
	return b.String()
}

// dates names the first, the middle and the last date where each has room.
func (p *pen) dates(room int) string {
	line := []rune(strings.Repeat(" ", gutter+room))
	n := len(p.cols)
	end := gutter
	put := func(c column, last bool, at int) {
		text := []rune(date(c.bars[0].CreatedAt))
		if last {
			text = []rune(date(c.bars[len(c.bars)-1].CreatedAt))
			at = max(at+p.barWidth()-len(text), gutter)
		}
		if at >= end && at+len(text) <= len(line) {
			copy(line[at:], text)
			end = at + len(text) + 2
		}
	}
	put(p.cols[0], false, gutter)
	if p.extent() >= 50 {
		put(p.cols[n/2], false, gutter+n/2*p.step)
	}
	if n > 1 {
		put(p.cols[n-1], true, gutter+(n-1)*p.step)
	}
	return string(line)
}

// legend explains letters and colours and counts the memories of each layer.
func (p *pen) legend(bars []Bar, width int) string {
	var long, short []string
	for _, l := range layers.All() {
		n := thousands(len(ofLayer(bars, l)))
		long = append(long, fmt.Sprintf("%s %s %s", letter[l], l, n))
		short = append(short, letter[l]+" "+n)
	}
	indent, gap, parts := strings.Repeat(" ", gutter), "   ", long
	if utf8.RuneCountInString(indent+strings.Join(long, gap)) > width {
		indent, gap, parts = "", "  ", short
	}
	for i, l := range layers.All() {
		if p.color {
			parts[i] = paint[l] + parts[i] + unpaint
		}
	}
	return indent + strings.Join(parts, gap)
}

var letter = map[layers.Layer]string{
	layers.Anchor: "A", layers.Important: "I", layers.Recent: "R", layers.Fading: "·", layers.None: " ",
}

var paint = map[layers.Layer]string{
	layers.Anchor: "\x1b[33m", layers.Important: "\x1b[35m", layers.Recent: "\x1b[36m", layers.Fading: "\x1b[90m",
}

const unpaint = "\x1b[0m"

// fitting gives long if it has room, else short, cut if need be.
func fitting(width int, long, short string) string {
	if utf8.RuneCountInString(long) <= width {
		return long
	}
	if r := []rune(short); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return short
}
