package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) doctorCmd() *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check every invariant of the folder; --fix mends what can be mended",
		Long:  "Prints one problem a line and exits with 1 while one stands.",
		Args:  count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(examines, func(b *plastic.Bank) error {
				got, err := b.Doctor(cmd.Context(), fix)
				if err != nil {
					return err
				}
				a.tellUnset(b) // no problem of the folder: a server may have another environment
				err = a.answer(got, func(w io.Writer) {
					tellProblems(w, got.Problems)
					if len(got.Problems) == 0 {
						fmt.Fprintln(w, a.home+" is well")
					}
				})
				if err == nil && !got.OK {
					err = errTold
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what can be mended without losing anything")
	return cmd
}

// tellProblems prints one problem a line.
func tellProblems(w io.Writer, list []plastic.Problem) {
	for _, p := range list {
		mark := ""
		if p.Fixed {
			mark = "fixed: "
		}
		fmt.Fprintf(w, "  %s%s\n", mark, oneLine(sentence(p)))
	}
}
