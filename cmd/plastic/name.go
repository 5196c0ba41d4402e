package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
)

// memoryName is the name under which the program speaks the short contract:
//
//	memory recall QUERY   lines of facts, empty: nothing to say
//	memory retain         a turn on stdin → the queue
//	memory flush          the queue → facts
//	memory stats          what there is
//	memory reindex        make the vectors that are missing
//	memory forget ID      close a fact
//
// Its recall is a turn's injection: it keeps to recall.maxFacts and
// recall.maxTokens and obeys the channel.
const memoryName = "memory"

func (a *app) shortRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   memoryName,
		Short: "plastic under its short contract: recall, retain, flush, stats, reindex, forget",
		Args:  a.knownVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	a.dress(root)
	root.AddCommand(a.factsCmd(), a.retainCmd(), a.flushCmd(), a.statsCmd(), a.reindexCmd(), a.forgetCmd())
	return root
}

// queryWords sees to it that a message is taken as it is: from the first word
// of a recall on that is no flag of it, all is text, dashes too.
func queryWords(root *cobra.Command, args []string) []string {
	if len(args) == 0 || args[0] != "recall" {
		return args
	}
	cmd, _, err := root.Find(args[:1])
	if err != nil {
		return args
	}
	i := 1
	for i < len(args) && args[i] != "--" {
		name, _, valued := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		flag := cmd.Flag(name)
		if flag == nil && name != "help" || !strings.HasPrefix(args[i], "--") {
			break
		}
		if i++; flag != nil && !valued && flag.NoOptDefVal == "" {
			i++ // its value
		}
	}
	if i >= len(args) || args[i] == "--" {
		return args
	}
	return slices.Insert(slices.Clone(args), i, "--")
}

// factsCmd is recall as a turn's injection.
func (a *app) factsCmd() *cobra.Command {
	var t plastic.Turn
	cmd := &cobra.Command{
		Use:   "recall QUERY…",
		Short: "The facts that answer, one a line",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if t.Text, err = a.text(cmd, args); err != nil {
				return err
			}
			return a.with(reads, func(b *plastic.Bank) error {
				facts, err := b.Facts(cmd.Context(), t)
				if err != nil {
					return err
				}
				if a.flags.json {
					return a.answer(map[string][]string{"facts": append([]string{}, facts...)}, nil)
				}
				for _, f := range facts {
					fmt.Fprintln(a.out, f)
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&t.Session, "session", "", "`name` of the conversation, for channel.recall session")
	return cmd
}
