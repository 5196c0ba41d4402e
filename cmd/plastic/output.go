package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"plastic"
	"plastic/memory"
)

// answer prints v: as JSON for programs, else as human writes it.
func (a *app) answer(v any, human func(w io.Writer)) error {
	if !a.flags.json {
		human(a.out)
		return nil
	}
	return memory.WriteJSON(a.out, v)
}

// lines prints each of ms on a line of its own.
func lines(w io.Writer, ms []plastic.Memory, now time.Time) {
	for _, m := range ms {
		fmt.Fprintln(w, plastic.Line(m, now))
	}
}

// most is how many memories an answer lists that is about something else.
const most = 20

// someLines is lines for at most the first twenty, and says how many more there
// are and where to see them.
func someLines(w io.Writer, ms []plastic.Memory, now time.Time, more string) {
	shown := ms[:min(len(ms), most)]
	for _, m := range shown {
		fmt.Fprintln(w, "  "+plastic.Line(m, now))
	}
	if n := len(ms) - len(shown); n > 0 {
		fmt.Fprintf(w, "  … and %d more (%s)\n", n, more)
	}
}

// table prints rows with their columns aligned, numbers to the right. All rows
// have as many cells as the first; a last column of text may be ragged.
func table(w io.Writer, rows [][]string, right func(column int) bool) {
	if len(rows) == 0 {
		return
	}
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], cells(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", wide[i]-cells(cell))
			if right(i) {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// bar draws part of whole in at most width cells.
func bar(part, whole, width int) string {
	if whole <= 0 || part <= 0 {
		return ""
	}
	return strings.Repeat("█", max(1, part*width/whole))
}

// oneLine shows text on one line, as the lines of memories do.
func oneLine(text string) string { return plastic.OneLine(text) }

// printable shows text line by line, indented as it is, without what a terminal
// or a reader would obey: stored text is data.
func printable(text string) string {
	rows := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, row := range rows {
		rest := strings.TrimLeft(row, " \t")
		rows[i] = row[:len(row)-len(rest)] + oneLine(rest)
	}
	return strings.Join(rows, "\n")
}

// plural is n things in words.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
