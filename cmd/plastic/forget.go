package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) forgetCmd() *cobra.Command {
	var f plastic.Forgetting
	cmd := &cobra.Command{
		Use:   "forget ID…",
		Short: "Move memories to the archive: all of them or none",
		Long: "Moves memories to the archive, from where restore brings them back. An id may be\n" +
			"shortened to a beginning that fits one memory only.",
		Example: "  plastic forget k3v9x2 --why \"she moved\"\n" +
			"  plastic forget --purge k3v9x2        # for good, from every file",
		Args:              count(1, -1, "at least one id"),
		ValidArgsFunction: a.ids,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Forget(cmd.Context(), args, f)
				if err != nil {
					return a.suggestAny(b, args, err)
				}
				if !a.flags.json {
					for _, warning := range got.Warnings {
						a.note(warning)
					}
				}
				return a.answer(got, func(w io.Writer) {
					for _, id := range got.IDs {
						fmt.Fprintln(w, id+" forgotten")
					}
				})
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&f.Why, "why", "", "the `reason`, kept in the archive")
	cmd.Flags().BoolVar(&f.Purge, "purge", false, "erase for good, from the archive too")
	return cmd
}

// suggestAny is suggest for the one of several ids that is unknown.
func (a *app) suggestAny(b *plastic.Bank, ids []string, err error) error {
	for _, id := range ids {
		if _, e := b.Show(id); plastic.Code(e) == "not_found" {
			return a.suggest(b, id, err)
		}
	}
	return err
}
