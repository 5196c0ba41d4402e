package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) checkpointCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "checkpoint",
		Short: "Write what the journal holds into memory.json, for example before a commit",
		Args:  count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				written, err := b.Checkpoint(cmd.Context())
				if err != nil {
					return err
				}
				return a.answer(map[string]bool{"written": written}, func(w io.Writer) {
					if written {
						fmt.Fprintln(w, "memory.json is up to date now")
					} else {
						fmt.Fprintln(w, "memory.json was up to date")
					}
				})
			})
		},
	}
}
