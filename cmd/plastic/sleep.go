package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) sleepCmd() *cobra.Command {
	var n plastic.Nightly
	cmd := &cobra.Command{
		Use:   "sleep",
		Short: "The whole night now, whatever the hour",
		Long: "Runs the night of today's date with all its phases, as a scheduled one would run,\n" +
			"however busy it is. A date has one night.",
		Example: "  plastic sleep --dry-run",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			use := writes
			if n.DryRun {
				use = reads
			}
			return a.with(use, func(b *plastic.Bank) error {
				got, err := b.Sleep(cmd.Context(), n)
				if err != nil {
					return err
				}
				if a.flags.json {
					return a.answer(got, nil)
				}
				faded, err := faded(b, got.Compress)
				if err != nil {
					return err
				}
				phases(a.out, got.Phases)
				a.night(a.out, got.Compress, faded)
				return nil
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&n.DryRun, "dry-run", false, "show what the night would do, change nothing")
	cmd.Flags().BoolVar(&n.Again, "again", false, "run although the night of this date is done")
	return cmd
}

// phases prints what a model proposed in each phase, and what became of it.
func phases(w io.Writer, list []plastic.Phase) {
	for _, p := range list {
		fmt.Fprintf(w, "%s (%s)\n", oneLine(p.Name), plural(p.Calls, "call", "calls"))
		for _, op := range p.Ops {
			state := "done"
			if !op.Applied {
				state = "refused: " + oneLine(op.Refused)
			}
			fmt.Fprintf(w, "  %s %s: %s (%s)\n", oneLine(op.Op), oneLine(strings.Join(op.IDs, " ")), state, oneLine(op.Why))
		}
	}
}
