package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"plastic"
)

// wordPart begins the names of the parts that say where relevance came from.
const wordPart = "words."

// explain prints how each answer came to its score: the parts of the formula,
// the parts of its relevance, and what was found and dropped, and why.
func explain(w io.Writer, got plastic.Recalled) {
	if len(got.Memories) == 0 && len(got.Dropped) == 0 {
		fmt.Fprintln(w, "nothing shares a word with the query")
		return
	}
	if len(got.Memories) > 0 {
		formula, words := partNames(got.Memories)
		fmt.Fprintln(w, "\nscore")
		table(w, scores(got.Memories, formula), func(i int) bool { return i > 0 })
		fmt.Fprintln(w, "\nrelevance")
		table(w, relevances(got.Memories, words), func(i int) bool { return i > 0 })
	}
	if len(got.Dropped) > 0 {
		fmt.Fprintln(w, "\ndropped")
		rows, near := [][]string{{"id", "relevance", "why"}}, 1
		if slices.ContainsFunc(got.Dropped, func(d plastic.Dropped) bool { return d.Parts.Get("closeness") != 0 }) {
			rows, near = [][]string{{"id", "relevance", "closeness", "why"}}, 2
		}
		for _, d := range got.Dropped[:min(len(got.Dropped), most)] {
			row := append([]string{d.ID, number(d.Relevance)}, values(d.Parts, []string{"closeness"})[:near-1]...)
			rows = append(rows, append(row, d.Why))
		}
		table(w, rows, func(i int) bool { return i > 0 && i <= near })
		if n := len(got.Dropped) - most; n > 0 {
			fmt.Fprintf(w, "… and %d more (all of them: --json)\n", n)
		}
	}
}

func scores(ms []plastic.Answer, names []string) [][]string {
	rows := [][]string{append([]string{"id", "score", "relevance"}, names...)}
	for _, m := range ms {
		rows = append(rows, append([]string{m.ID, number(m.Score), number(m.Relevance)}, values(m.Parts, names)...))
	}
	return rows
}

func relevances(ms []plastic.Answer, names []string) [][]string {
	head := []string{"id"}
	for _, name := range names {
		head = append(head, strings.TrimPrefix(name, wordPart))
	}
	rows := [][]string{head}
	for _, m := range ms {
		rows = append(rows, append([]string{m.ID}, values(m.Parts, names)...))
	}
	return rows
}

// partNames are the names of the formula's parts, and of those of relevance:
// evidence and the raw score, then what the words brought to any of ms. A part
// of the words that is nothing, or a factor of one, everywhere says nothing.
func partNames(ms []plastic.Answer) (formula, words []string) {
	seen := map[string]bool{} // whether it says something
	for _, m := range ms {
		for _, p := range m.Parts {
			seen[p.Name] = seen[p.Name] || p.Value != 0 && p.Value != 1
		}
	}
	words = []string{"evidence", "raw"}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		switch {
		case name == "relevance" || slices.Contains(words, name):
		case !strings.HasPrefix(name, wordPart):
			formula = append(formula, name)
		case seen[name]:
			words = append(words, name)
		}
	}
	return formula, words
}

func values(parts plastic.Parts, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "-"
		for _, p := range parts {
			if p.Name == name {
				out[i] = number(p.Value)
			}
		}
	}
	return out
}

func number(x float64) string { return fmt.Sprintf("%.3f", x) }
