package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
)

// shells are those a completion script can be made for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// kinds are the kinds that mean something to plastic.
var kinds = []string{"fact", "event", "core", "identity"}

func (a *app) completionCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "A completion script for bash, zsh, fish or powershell",
		Example: "  plastic completion bash > ~/.local/share/bash-completion/completions/plastic\n" +
			"  plastic completion fish > ~/.config/fish/completions/plastic.fish",
		Args:      count(1, 1, "one shell: "+strings.Join(shells, ", ")),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			return usage("there is no completion for "+quote(args[0]), "the shells are "+strings.Join(shells, ", "))
		},
	}
	return cmd
}

// complete offers words for a flag.
func complete(cmd *cobra.Command, flag string, words ...string) {
	// It fails only for a flag that cmd does not have, which its help would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeID offers ids for a flag.
func (a *app) completeID(cmd *cobra.Command, flag string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, a.ids)
}

// ids offers the ids of the memories with what they say. It says nothing where
// the folder can not be read: the shell has no place for it.
func (a *app) ids(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	a.errs = io.Discard
	var out []string
	_ = a.with(reads, func(b *plastic.Bank) error {
		list, err := b.List(plastic.Filter{})
		for _, m := range list.Memories {
			if strings.HasPrefix(m.ID, begun) {
				out = append(out, m.ID+"\t"+clip(oneLine(m.Content), 60))
			}
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}
