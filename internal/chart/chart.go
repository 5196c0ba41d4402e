// Package chart draws the picture of a memory: one bar a memory, the oldest
// left, its height the clarity, its colour the layer. It draws for a terminal
// and as SVG, reads nothing and asks no clock.
//
//	fmt.Print(chart.Terminal(bars, 80, 20, true))
//	os.WriteFile("memory.svg", []byte(chart.SVG(bars, 0, 0)), 0o644)
package chart

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"plastic/layers"
)

// Bar is one live memory.
type Bar struct {
	ID        string
	Content   string // one line, as section.OneLine gives it
	Layer     layers.Layer
	Clarity   float64   // 0…1
	CreatedAt time.Time // in the zone whose dates are shown
}

// column is what is drawn beside its neighbours: one memory, or several of
// neighbouring age where there are more memories than room.
type column struct {
	bars     []Bar
	clarity  float64 // the mean
	clearest Bar
}

// group is the share of one layer in a column.
type group struct {
	layer   layers.Layer
	count   int
	clarity float64 // the mean
}

// sorted gives the bars from the oldest to the newest.
func sorted(bars []Bar) []Bar {
	return slices.SortedStableFunc(slices.Values(bars), func(a, b Bar) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
}

// columns divides sorted bars among at most n columns, whose numbers of bars
// differ by one at most.
func columns(bars []Bar, n int) []column {
	n = min(n, len(bars))
	out := make([]column, n)
	for i := range out {
		out[i] = newColumn(bars[i*len(bars)/n : (i+1)*len(bars)/n])
	}
	return out
}

func newColumn(bars []Bar) column {
	c := column{bars: bars, clarity: mean(bars), clearest: bars[0]}
	for _, b := range bars[1:] {
		if b.Clarity > c.clearest.Clarity {
			c.clearest = b
		}
	}
	return c
}

// groups parts the column by layer, in the order in which they lie in a memory.
func (c *column) groups() []group {
	var out []group
	for _, l := range []layers.Layer{layers.Anchor, layers.Important, layers.Fading, layers.Recent} {
		if of := ofLayer(c.bars, l); len(of) > 0 {
			out = append(out, group{l, len(of), mean(of)})
		}
	}
	return out
}

func ofLayer(bars []Bar, l layers.Layer) []Bar {
	var of []Bar
	for _, b := range bars {
		if b.Layer == l {
			of = append(of, b)
		}
	}
	return of
}

func mean(bars []Bar) float64 {
	sum := 0.0
	for _, b := range bars {
		sum += within(b.Clarity)
	}
	return within(sum / float64(len(bars)))
}

// within keeps a clarity drawable whatever was computed.
func within(clarity float64) float64 {
	if clarity > 0 {
		return min(clarity, 1)
	}
	return 0
}

// title is the heading of both pictures.
func title(bars []Bar) string {
	if len(bars) == 0 {
		return "Memory: nothing yet"
	}
	first, last := date(bars[0].CreatedAt), date(bars[len(bars)-1].CreatedAt)
	if first == last {
		return fmt.Sprintf("Memory: %s of %s", count(len(bars)), first)
	}
	return fmt.Sprintf("Memory: %s from %s to %s", count(len(bars)), first, last)
}

// several says how many memories a column stands for, where that is not one;
// otherwise it is empty.
func several(bars []Bar, cols []column) string {
	few, many := len(bars)/len(cols), (len(bars)+len(cols)-1)/len(cols)
	switch {
	case many == 1:
		return ""
	case few == many:
		return count(few)
	}
	return fmt.Sprintf("%s or %s", thousands(few), count(many))
}

func count(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return thousands(n) + " memories"
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func date(t time.Time) string { return t.Format(time.DateOnly) }
