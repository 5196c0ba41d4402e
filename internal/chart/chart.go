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
	"strings"
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
	bars    []Bar
	layer   layers.Layer // the most frequent; of equals the more lasting
	clarity float64      // the mean
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
	c := column{bars: bars}
	count := map[layers.Layer]int{}
	for _, b := range bars {
		c.clarity += within(b.Clarity) / float64(len(bars))
		count[b.Layer]++
	}
	c.clarity = within(c.clarity)
	c.layer = layers.Fading
	for _, l := range slices.Backward(lasting()) {
		if count[l] >= count[c.layer] && count[l] > 0 {
			c.layer = l
		}
	}
	return c
}

// within keeps a clarity drawable whatever was computed.
func within(clarity float64) float64 {
	if clarity > 0 {
		return min(clarity, 1)
	}
	return 0
}

func lasting() []layers.Layer {
	all := layers.All()
	return all[:]
}

// census counts the bars of each layer.
func census(bars []Bar) map[layers.Layer]int {
	n := map[layers.Layer]int{}
	for _, b := range bars {
		n[b.Layer]++
	}
	return n
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

// note says what a bar is, where it is not one memory; otherwise it is empty.
func note(bars []Bar, cols []column) string {
	if len(cols) == len(bars) {
		return ""
	}
	few, many := len(bars)/len(cols), (len(bars)+len(cols)-1)/len(cols)
	each := fmt.Sprint(few)
	if few != many {
		each = fmt.Sprintf("%d or %d", few, many)
	}
	return fmt.Sprintf("a bar is %s memories: mean clarity, most frequent layer", each)
}

func count(n int) string {
	if n == 1 {
		return "1 memory"
	}
	s := fmt.Sprint(n)
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String() + " memories"
}

func date(t time.Time) string { return t.Format(time.DateOnly) }
