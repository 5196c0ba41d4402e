package main

import (
	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) exportCmd() *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:     "export",
		Short:   "All memories on stdout: JSON lines, or another tool's format",
		Long:    "Prints one memory a line with all its fields; import reads it back. --to writes\nanother form: " + formatNames(false) + ".",
		Example: "  plastic export > backup.jsonl",
		Args:    count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error {
			return a.with(reads, func(b *plastic.Bank) error { return b.Export(a.out, to) })
		},
	}
	cmd.Flags().StringVar(&to, "to", "jsonl", "the `format`")
	return cmd
}
