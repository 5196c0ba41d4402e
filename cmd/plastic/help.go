package main

import "github.com/spf13/cobra"

// helpCmd is cobra's help with an exit code: a verb that does not exist is an
// error here too.
func (a *app) helpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Help for a verb",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return a.knownVerb(found, rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
