package section

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

// line is a memory and the line it makes, with its line break.
type line struct {
	memory *memory.Memory
	text   string
	runes  int
}

func lines(ms []memory.Memory, now time.Time) []line {
	out := make([]line, len(ms))
	for i := range ms {
		text := Line(&ms[i], now) + "\n"
		out[i] = line{&ms[i], text, runes(text)}
	}
	return out
}

// part is what stands under one heading, and the words about what does not.
type part struct {
	lines []line
	text  string // heading, lines and notice; empty without lines and notice
	left  int
}

func newPart(heading string, chosen []line, left int, notice func(left int) string) part {
	var b strings.Builder
	if len(chosen) > 0 {
		b.WriteString(heading)
	}
	for _, l := range chosen {
		b.WriteString(l.text)
	}
	if left > 0 {
		b.WriteString(notice(left))
	}
	return part{chosen, b.String(), left}
}

// coreLeft is said under the core memories when their share is full.
func coreLeft(n int) string {
	return fmt.Sprintf("\nLeft out of the core: %s. It has outgrown its share of this section; fold it: "+
		"merge what belongs together, make facts of what is not needed always.\n", count(n))
}

// otherLeft is said at the end when the budget is full.
func otherLeft(n int) string {
	return fmt.Sprintf("\nLeft out for want of room: %s that came to mind. Recall what you miss.\n", count(n))
}

func count(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

// runes is how much of the budget the lines take.
func (p *part) runes() int {
	n := 0
	for _, l := range p.lines {
		n += l.runes
	}
	return n
}

// fitCore chooses core memories for room characters. Of too many the least
// important goes first, of equals the youngest. A line that is longer than the
// room by itself goes before any other, so that it does not drag all of them
// out. The chosen stand by age, oldest first, which keeps the head of a prompt
// the same from turn to turn.
func fitCore(core []line, room int) part {
	ranked := slices.SortedStableFunc(slices.Values(core), func(a, b line) int {
		return cmp.Or(cmp.Compare(weight(b.memory.Importance), weight(a.memory.Importance)), a.memory.Compare(b.memory))
	})
	fits := slices.DeleteFunc(ranked, func(l line) bool { return l.runes > room })
	n := 0
	for n < len(fits) && fits[n].runes <= room {
		room -= fits[n].runes
		n++
	}
	chosen := fits[:n]
	slices.SortStableFunc(chosen, func(a, b line) int { return a.memory.Compare(b.memory) })
	return newPart(coreHeading, chosen, len(core)-n, coreLeft)
}

// fitOthers chooses, the best first, what has room; a long line that has none
// does not keep out the shorter ones behind it.
func fitOthers(others []line, room int) part {
	var chosen []line
	for _, l := range others {
		if l.runes <= room {
			room -= l.runes
			chosen = append(chosen, l)
		}
	}
	return newPart(otherHeading, chosen, len(others)-len(chosen), otherLeft)
}
