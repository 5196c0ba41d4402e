package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) compressCmd() *cobra.Command {
	var n plastic.Nightly
	cmd := &cobra.Command{
		Use:   "compress",
		Short: "The night by hand: raise what is recalled often, let the rest fade",
		Long: "Runs the night of today's date: memories that were recalled often become\n" +
			"important for good, and of each day's fading memories the clearest stay while the\n" +
			"others go to the archive. A date has one night.",
		Example: "  plastic compress --dry-run",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			use := writes
			if n.DryRun {
				use = reads
			}
			return a.with(use, func(b *plastic.Bank) error {
				got, err := b.Compress(cmd.Context(), n)
				if err != nil {
					return err
				}
				if a.flags.json {
					return a.answer(got, nil)
				}
				faded, err := faded(b, got)
				if err != nil {
					return err
				}
				a.night(a.out, got, faded)
				return nil
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&n.DryRun, "dry-run", false, "show what the night would do, change nothing")
	cmd.Flags().BoolVar(&n.Again, "again", false, "run although the night of this date is done")
	return cmd
}

// night prints what a night did, or would do.
func (a *app) night(w io.Writer, got plastic.Compressed, faded []plastic.Memory) {
	fmt.Fprintln(w, got)
	switch {
	case got.DryRun:
		fmt.Fprintln(w, "dry run: nothing was changed")
	case got.Pruned == 0 && got.Promoted == 0:
		fmt.Fprintf(w, "nothing changed: the night of %s is done\n", got.Date)
	}
	if len(faded) > 0 {
		fmt.Fprintln(w, "faded:")
		someLines(w, faded, a.time(), "all of them: --json")
	}
	if len(got.Raised) > 0 {
		fmt.Fprintln(w, "kept for good:")
		for _, id := range got.Raised {
			fmt.Fprintln(w, "  "+id)
		}
	}
}

// faded are the memories of got that go: still in the memory on a dry run, in
// the archive after a night.
func faded(b *plastic.Bank, got plastic.Compressed) ([]plastic.Memory, error) {
	out := []plastic.Memory{}
	if len(got.Archived) == 0 {
		return out, nil
	}
	gone := map[string]bool{}
	for _, id := range got.Archived {
		gone[id] = true
	}
	if got.DryRun {
		list, err := b.List(plastic.Filter{All: true})
		if err != nil {
			return nil, err
		}
		for _, m := range list.Memories {
			if gone[m.ID] {
				out = append(out, m)
			}
		}
		return out, nil
	}
	list, err := b.Archive()
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(list.Archive) { // the newest entry of an id is this night's
		if gone[e.Memory.ID] && e.As != memory.Forgotten {
			out = append(out, e.Memory)
			delete(gone, e.Memory.ID)
		}
	}
	slices.SortFunc(out, func(x, y plastic.Memory) int { return x.CreatedAt.Compare(y.CreatedAt.Time) })
	return out, nil
}
