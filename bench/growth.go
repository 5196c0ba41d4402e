package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// growing are the rows whose growth is held against the peers'; flat are those
// that must not grow at all, whose mark is an exponent.
var (
	growing = []string{"cold recall", "warm query p50"}
	flat    = []string{"open, first answer", "durable insert p50"}
)

// flatBelow is the exponent up to which a row counts as flat: half as much again
// for ten times the memories.
const flatBelow = 0.18

// growth gives the exponents b of N^b between the two largest sizes. The growing
// rows have a mark between 100k and 1M, where the peers' own work outweighs the
// start of a process.
func growth(blocks []block) []line {
	if len(blocks) < 2 {
		return nil
	}
	a, b := blocks[len(blocks)-2], blocks[len(blocks)-1]
	marked := a.Memories == 100_000 && b.Memories == 1_000_000
	var out []line
	for _, name := range growing {
		if l, ok := exponents(a, b, name); ok {
			l.Mark = "below the peers'"
			own, measured := l.Figures[product]
			if marked && measured && l.Strongest != "" {
				l.Verdict = verdict(own < l.Figures[l.Strongest])
			}
			out = append(out, l)
		}
	}
	for _, name := range flat {
		if l, ok := exponents(a, b, name); ok {
			l.Mark = fmt.Sprintf("≤ %g (flat)", flatBelow)
			if own, measured := l.Figures[product]; measured {
				l.Verdict = verdict(own <= flatBelow)
			}
			out = append(out, l)
		}
	}
	return out
}

func verdict(good bool) string {
	if good {
		return "ok"
	}
	return "short"
}

// exponents compares a row of two blocks; the strongest peer is the one that
// grows least of those that are counted.
func exponents(a, b block, name string) (line, bool) {
	from, to := a.find(name), b.find(name)
	if from == nil || to == nil {
		return line{}, false
	}
	l := line{Row: fmt.Sprintf("growth of %s, %d → %d", name, a.Memories, b.Memories), Figures: map[string]float64{}}
	times := math.Log(float64(b.Memories) / float64(a.Memories))
	for tool, v := range to.Figures {
		if was := from.Figures[tool]; was > 0 && v > 0 {
			l.Figures[tool] = math.Log(v/was) / times
		}
	}
	for _, tool := range to.counted {
		if e, ok := l.Figures[tool]; ok {
			l.counted = append(l.counted, tool)
			if l.Strongest == "" || e < l.Figures[l.Strongest] {
				l.Strongest = tool
			}
		}
	}
	return l, true
}

func (b *block) find(name string) *line {
	for i := range b.Lines {
		if b.Lines[i].Row == name {
			return &b.Lines[i]
		}
	}
	return nil
}

func printGrowth(w io.Writer, lines []line) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(w, "\nexponent b of N^b")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "what\tplastic\tstrongest peer\tmark\t\tothers\n")
	for _, l := range lines {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\n", l.Row, l.figure(product), l.strongest(), l.Mark, l.Verdict, l.others())
	}
	tw.Flush()
}
