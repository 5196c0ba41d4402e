package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) diffCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "diff DATE DATE",
		Short: "What was learnt, changed and forgotten between two dates",
		Long: "Tells what happened from the first date up to, and without, the second; a date is\n" +
			"its midnight. It knows what the memory, the archive and the nights still tell.",
		Example: "  plastic diff 2026-11-01 2026-12-01",
		Args:    count(2, 2, "two dates"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				from, err := parseTime("the first date", args[0], location(b))
				if err != nil {
					return err
				}
				until, err := parseTime("the second date", args[1], location(b))
				if err != nil {
					return err
				}
				got, err := b.Diff(from, until)
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) { a.happened(w, got) })
			})
		},
	}
}

// happened prints a difference: its figures, then a line for each memory.
func (a *app) happened(w io.Writer, d plastic.Difference) {
	fmt.Fprintln(w, d)
	for _, m := range d.Learnt {
		fmt.Fprintln(w, "+ "+plastic.Line(m, a.time()))
	}
	for _, c := range d.Changed {
		fmt.Fprintln(w, "~ "+plastic.Line(c.Memory, a.time())+how(c))
		if c.Was != nil && c.Was.Content != c.Memory.Content {
			fmt.Fprintln(w, "    it was: "+oneLine(c.Was.Content))
		}
	}
	for _, e := range d.Forgotten {
		fmt.Fprintf(w, "- %s (%s)%s\n", left(e, a), e.As, reason(e))
	}
}

func how(c plastic.Changed) string {
	s := string(c.How)
	if c.How == plastic.BySuccessor {
		s += " by " + c.Next
	}
	if c.Why != "" && c.Why != string(c.How) {
		s += ": " + oneLine(c.Why)
	}
	return " (" + s + ")"
}
