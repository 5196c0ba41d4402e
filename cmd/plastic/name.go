package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
)

// memoryName is the name under which the program speaks the short contract:
//
//	memory recall QUERY   lines of facts, empty: nothing to say
//	memory stats          what there is
//	memory forget ID      close a fact
//
// Its recall is a turn's injection: it keeps to recall.maxFacts and
// recall.maxTokens and obeys the channel. retain, flush and reindex belong to
// the contract and fail, as nothing is distilled yet.
const memoryName = "memory"

func (a *app) shortRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   memoryName,
		Short: "plastic under its short contract: recall, stats, forget",
		Args:  a.knownVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	a.dress(root)
	root.AddCommand(a.factsCmd(), a.statsCmd(), a.forgetCmd())
	for _, name := range []string{"retain", "flush", "reindex"} {
		root.AddCommand(absentCmd(name))
	}
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

var errAbsent = errors.New("not in this version")

func absentCmd(name string) *cobra.Command {
	return &cobra.Command{
		Use:    name,
		Short:  "Not in this version",
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			return plastic.Hint(errAbsent, name+" is not in this version of plastic: nothing was kept and nothing was sent",
				"a fact can be kept by `plastic remember`")
		},
	}
}
