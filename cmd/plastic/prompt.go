package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) promptCmd() *cobra.Command {
	var t plastic.Turn
	var rule bool
	cmd := &cobra.Command{
		Use:   "prompt [MESSAGE… | -]",
		Short: "What goes into the system prompt for this message",
		Long: "Prints the section for the system prompt: the rule, the card, the core memories\n" +
			"and what the message brings to mind, within memory.promptBudget.",
		Example: "  plastic prompt \"good morning, shall we feed the cats?\"\n" +
			"  plastic prompt --audience public \"who are you?\"",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if rule {
				return a.rule()
			}
			if t.Text, err = a.text(cmd, args); err != nil {
				return err
			}
			return a.prompt(cmd.Context(), t)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&t.Session, "session", "", "`name` of the conversation")
	f.BoolVar(&t.Rehearse, "rehearse", false, "count what is shown as recalled")
	f.BoolVar(&rule, "rule", false, "only the rule that says what to keep")
	return cmd
}

func (a *app) prompt(ctx context.Context, t plastic.Turn) error {
	return a.with(reads, func(b *plastic.Bank) error {
		got, err := b.Prompt(ctx, t)
		if err != nil {
			return err
		}
		return a.answer(got, func(w io.Writer) { endLine(w, got.Text) })
	})
}

// ruleAlone is a section that is the rule and nothing else.
type ruleAlone struct {
	plastic.Section
	Rule string `json:"rule"`
}

// rule answers with the rule, whatever the message is.
func (a *app) rule() error {
	text := plastic.Rule()
	return a.answer(ruleAlone{plastic.Section{Text: text, IDs: []string{}}, text}, func(w io.Writer) { endLine(w, text) })
}

// endLine prints text and sees to it that its last line ends.
func endLine(w io.Writer, text string) {
	io.WriteString(w, text)
	if text != "" && text[len(text)-1] != '\n' {
		fmt.Fprintln(w)
	}
}
