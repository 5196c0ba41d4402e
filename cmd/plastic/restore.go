package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) restoreCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "restore ID…",
		Short: "Bring memories back from the archive: all of them or none",
		Long: "Brings memories back with their history, and reopens those that something\n" +
			"superseded. `plastic archive` lists what can be restored.",
		Example: "  plastic restore k3v9x2",
		Args:    count(1, -1, "at least one id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Restore(cmd.Context(), args)
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) {
					for _, id := range got.IDs {
						fmt.Fprintln(w, id+" restored")
					}
				})
			})
		},
	}
}
