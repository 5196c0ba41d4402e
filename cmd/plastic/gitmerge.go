package main

import (
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) gitMergeCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "git-merge BASE OURS THEIRS [PATHNAME]",
		Short: "Merge two versions of a memory file, as git's merge driver",
		Long: "Merges memory.json, archive.json or nights.jsonl from a common BASE and leaves the\n" +
			"result in OURS, without conflicts. Where a side can not be read it fails and leaves\n" +
			"OURS as it is, so that git shows the conflict. `plastic init --git` tells git.",
		Example: "  plastic git-merge %O %A %B %P",
		Args:    count(3, 4, "three files and the name of the file they are versions of"),
		RunE: func(_ *cobra.Command, args []string) error {
			pathname := ""
			if len(args) == 4 {
				pathname = args[3]
			}
			if err := plastic.GitMerge(args[0], args[1], args[2], pathname); err != nil {
				return err
			}
			return a.answer(map[string]string{"merged": args[1]}, func(io.Writer) {})
		},
	}
}
