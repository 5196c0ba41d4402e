package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) blameCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "blame ID",
		Short: "Where a memory came from, and what happened to it",
		Long: "Tells the source and speaker, former wordings, recalls, the nights that raised or\n" +
			"took it and why, what it took the place of, and the commit that brought it where\n" +
			"the folder is in git. It finds what is in the archive too.",
		Args:              count(1, 1, "one id"),
		ValidArgsFunction: a.ids,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Blame(cmd.Context(), args[0])
				if err != nil {
					return a.suggest(b, args[0], err)
				}
				loc := location(b)
				return a.answer(got, func(w io.Writer) {
					for _, e := range got.Events {
						fmt.Fprintf(w, "%-16s  %s\n", day(e.At, loc), e)
						if e.Content != "" {
							fmt.Fprintf(w, "%-16s    %s\n", "", oneLine(e.Content))
						}
					}
				})
			})
		},
	}
}
