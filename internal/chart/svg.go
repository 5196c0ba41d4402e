package chart

import (
	"fmt"
	"strings"

	"plastic/layers"
)

// The plot's margins, in pixels of the viewBox.
const (
	left, right, top, bottom = 48.0, 20.0, 70.0, 52.0
	thinnest                 = 1.0  // a bar thinner than this can not be pointed at
	together                 = 12.0 // the width of a column of several memories
	widest                   = 72.0 // bars of a small memory stay bars
	tooltipRunes             = 160
)

// style colours the layers for paper and for the dark; every rule hangs on the
// picture's own class, so that it changes nothing in a page around it.
const style = `<style>
.plastic-chart{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.plastic-chart .bg{fill:#fff}.plastic-chart text{fill:#57606a}.plastic-chart .name{fill:#1f2328;font-size:16px;font-weight:600}
.plastic-chart .grid{stroke:#d8dee4}.plastic-chart .axis{stroke:#8c959f}
.plastic-chart .anchor{fill:#b07a10}.plastic-chart .important{fill:#c02a5c}.plastic-chart .recent{fill:#1a73b8}.plastic-chart .fading{fill:#a3abb4}
.plastic-chart .bar:hover{opacity:.65}
@media(prefers-color-scheme:dark){
.plastic-chart .bg{fill:#0d1117}.plastic-chart text{fill:#9198a1}.plastic-chart .name{fill:#f0f6fc}
.plastic-chart .grid{stroke:#262c34}.plastic-chart .axis{stroke:#656c76}
.plastic-chart .anchor{fill:#e3b341}.plastic-chart .important{fill:#f0719b}.plastic-chart .recent{fill:#58a6ff}.plastic-chart .fading{fill:#656d76}
}
</style>
`

// SVG draws bars as a picture that stands alone: no script, no outside font,
// light and dark as the viewer wishes, a text for those who can not see it and
// the memory's text at the pointer. Sizes are pixels; 0 is 960 × 340, less than
// 320 × 200 is drawn as that. Where bars would get thinner than a pixel, columns
// of neighbouring memories are parted by layer: the width of a part is how many,
// its height their mean clarity, so that the areas stay true; the picture says so.
func SVG(bars []Bar, width, height int) string {
	w, h := size(width, 960, 320), size(height, 340, 200)
	bars = sorted(bars)
	room := w - left - right
	narrowest := thinnest
	if float64(len(bars)) > room/thinnest {
		narrowest = together
	}
	cols := columns(bars, int(room/narrowest))

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="plastic-chart" role="img" aria-labelledby="plastic-chart-title plastic-chart-desc" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, "<title id=\"plastic-chart-title\">%s</title>\n", escape(title(bars)))
	fmt.Fprintf(&b, "<desc id=\"plastic-chart-desc\">%s</desc>\n", escape(description(bars)))
	b.WriteString(style)
	fmt.Fprintf(&b, `<rect class="bg" width="%.0f" height="%.0f"/>`+"\n", w, h)
	fmt.Fprintf(&b, `<text class="name" x="%.0f" y="28">%s</text>`+"\n", left, escape(title(bars)))
	if len(bars) == 0 {
		return b.String() + "</svg>\n"
	}
	legend(&b, bars)
	grid(&b, w, h)
	step := min(room/float64(len(cols)), widest)
	for i, c := range cols {
		draw(&b, c, left+float64(i)*step, step, h)
	}
	dates(&b, bars, step*float64(len(cols)), h)
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", left, h-12, reading(several(bars, cols)))
	b.WriteString("</svg>\n")
	return b.String()
}

func size(wish, usual, least int) float64 {
	if wish == 0 {
		return float64(usual)
	}
	return float64(max(wish, least))
}

// draw draws one column, the words about it at the pointer.
func draw(b *strings.Builder, c column, x, step, h float64) {
	gap := 0.0
	switch {
	case len(c.bars) > 1:
		gap = 1
	case step >= 3:
		gap = min(step*0.2, 6)
	}
	x += gap / 2
	for _, g := range c.groups() {
		wide := (step - gap) * float64(g.count) / float64(len(c.bars))
		tall := max(1, g.clarity*(h-top-bottom))
		fmt.Fprintf(b, `<rect class="bar %s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s</title></rect>`+"\n",
			g.layer, x, h-bottom-tall, wide, tall, escape(tooltip(c, g)))
		x += wide
	}
}

// tooltip is a memory in two lines, or what a part of a column stands for.
func tooltip(c column, g group) string {
	first, last := c.bars[0], c.bars[len(c.bars)-1]
	if len(c.bars) == 1 {
		return fmt.Sprintf("%s · %s · clarity %.2f · %s\n%s", date(first.CreatedAt), g.layer, g.clarity, first.ID, shorten(first.Content))
	}
	return fmt.Sprintf("%s – %s · %s %s of %s · mean clarity %.2f", date(first.CreatedAt), date(last.CreatedAt),
		thousands(g.count), g.layer, count(len(c.bars)), g.clarity)
}

// reading says how the picture is read; several is not empty where a column is
// that many memories.
func reading(several string) string {
	if several == "" {
		return "oldest left, newest right; height is clarity"
	}
	return "oldest left, newest right; a column is " + several + ", parted by layer: width is how many, height their mean clarity"
}

// legend names the colours and counts the memories of each layer.
func legend(b *strings.Builder, bars []Bar) {
	x := left
	for _, l := range layers.All() {
		text := fmt.Sprintf("%s %s", l, thousands(len(ofLayer(bars, l))))
		fmt.Fprintf(b, `<rect class="%s" x="%.0f" y="42" width="11" height="11"/><text x="%.0f" y="52">%s</text>`+"\n", l, x, x+17, text)
		x += 34 + 7.2*float64(len(text))
	}
}

// grid draws the scale of clarity in quarters.
func grid(b *strings.Builder, w, h float64) {
	for i := range 5 {
		y := h - bottom - float64(i)/4*(h-top-bottom)
		class := "grid"
		if i == 0 {
			class = "axis"
		}
		fmt.Fprintf(b, `<path class="%s" d="M%.0f %.2fH%.0f"/><text x="%.0f" y="%.2f" text-anchor="end">%.2f</text>`+"\n",
			class, left, y, w-right, left-8, y+4, float64(i)/4)
	}
}

// dates names the first and the last date, and one in the middle where it has room.
func dates(b *strings.Builder, bars []Bar, extent, h float64) {
	const label = 76 // pixels of a date
	put := func(x float64, anchor string, bar Bar) {
		fmt.Fprintf(b, `<text x="%.2f" y="%.0f" text-anchor="%s">%s</text>`+"\n", x, h-bottom+20, anchor, date(bar.CreatedAt))
	}
	put(left, "start", bars[0])
	if extent > 4*label {
		put(left+extent/2, "middle", bars[len(bars)/2])
	}
	if extent > 2*label+12 {
		put(left+extent, "end", bars[len(bars)-1])
	}
}

// description is the picture in words.
func description(bars []Bar) string {
	var b strings.Builder
	b.WriteString("Bar chart, one bar a memory, oldest left; height is clarity from 0 to 1, colour the layer.")
	for _, l := range layers.All() {
		if of := ofLayer(bars, l); len(of) > 0 {
			fmt.Fprintf(&b, " %s %s, mean clarity %.2f.", thousands(len(of)), l, mean(of))
		}
	}
	return b.String()
}

// shorten keeps a tooltip readable; a joiner is not left hanging at the cut.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	r := []rune(s)
	if len(r) <= tooltipRunes {
		return s
	}
	return strings.TrimRight(string(r[:tooltipRunes-1]), " \u200D\uFE0F") + "…"
}

// escape makes s text of an XML document; what XML forbids becomes U+FFFD.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r < ' ' && r != '\n' && r != '\t', r == 0xFFFE, r == 0xFFFF:
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
