package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) archiveCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "archive",
		Short: "What was forgotten, pruned, replaced or removed, oldest first",
		Long: "Prints one entry a line: when it left, how, by which door or stage, the memory\n" +
			"and the reason. `plastic restore ID` brings a memory back.",
		Args: count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Archive()
				if err != nil {
					return err
				}
				loc := location(b)
				return a.answer(got, func(w io.Writer) {
					for _, e := range got.Archive {
						fmt.Fprintf(w, "%s %-9s %s%s\n", e.ArchivedAt.In(loc).Format("2006-01-02"), e.As, left(e, a), reason(e))
					}
				})
			})
		},
	}
}

// left is the memory of an entry, whose text may have expired or been erased.
func left(e plastic.ArchiveEntry, a *app) string {
	if e.Memory.Content == "" {
		return e.Memory.ID + " | (its text is gone)"
	}
	return plastic.Line(e.Memory, a.time())
}

func reason(e plastic.ArchiveEntry) string {
	s := oneLine(e.By)
	if e.Why != "" {
		s += ": " + oneLine(e.Why)
	}
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
