package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) cardCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "card",
		Short: "The card memory.md: print, edit, check or set it",
		Long: "Prints the card byte for byte. It stands whole in every prompt, so it holds only\n" +
			"what is always needed and not found in a minute; the rest is pointers.",
		Example: "  plastic card edit\n  plastic card set --hash \"$hash\" < new.md",
		Args:    a.knownVerb,
		RunE:    func(*cobra.Command, []string) error { return a.card() },
	}
	var hash string
	set := &cobra.Command{
		Use:   "set --hash H < FILE",
		Short: "Replace the card by stdin if it still has the hash that was read",
		Args:  count(0, 0, "no words; the card comes from stdin"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.setCard(cmd.Context(), hash) },
	}
	set.Flags().StringVar(&hash, "hash", "", "the `hash` that `plastic card --json` gave; none for an empty card")
	cmd.AddCommand(set, &cobra.Command{
		Use:   "edit",
		Short: "Open the card in $VISUAL or $EDITOR",
		Args:  count(0, 0, "no words"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.editCard(cmd.Context()) },
	}, &cobra.Command{
		Use:   "check",
		Short: "Say what should be done about the card; exit 1 if anything",
		Args:  count(0, 0, "no words"),
		RunE:  func(*cobra.Command, []string) error { return a.checkCard() },
	})
	return cmd
}

func (a *app) card() error {
	return a.with(reads, func(b *plastic.Bank) error {
		got, err := shownCard(b)
		if err != nil {
			return err
		}
		return a.answer(got, func(w io.Writer) { io.WriteString(w, got.Text) })
	})
}

// shownCard is the card as it stands. Nobody is shown an empty card in place of
// one that is too large.
func shownCard(b *plastic.Bank) (plastic.CardText, error) {
	got, err := b.Card()
	if err == nil && got.Text == "" && got.Size.Bytes > 0 {
		err = plastic.Hint(memory.ErrInvalid, fmt.Sprintf("the card has %d bytes, too many to be shown", got.Size.Bytes), "shorten its file in an editor: at most 64 KiB are shown")
	}
	return got, err
}

func (a *app) setCard(ctx context.Context, hash string) error {
	text, err := a.bytes(ctx)
	if err != nil {
		return err
	}
	return a.with(writes, func(b *plastic.Bank) error { return a.writeCard(ctx, b, text, hash) })
}

func (a *app) writeCard(ctx context.Context, b *plastic.Bank, text []byte, hash string) error {
	got, err := b.WriteCard(ctx, text, hash)
	if err != nil {
		return err
	}
	return a.answer(got, func(w io.Writer) {
		fmt.Fprintf(w, "the card has %s now, about %s\n", plural(got.Size.Bytes, "byte", "bytes"), plural(got.Size.Tokens, "token", "tokens"))
	})
}

func (a *app) checkCard() error {
	return a.with(reads, func(b *plastic.Bank) error {
		list, err := b.CheckCard()
		if err != nil {
			return err
		}
		if list == nil {
			list = []plastic.Problem{}
		}
		err = a.answer(plastic.Checked{OK: len(list) == 0, Problems: list}, func(w io.Writer) {
			tellProblems(w, list)
			if len(list) == 0 {
				fmt.Fprintln(w, "the card is well")
			}
		})
		if err == nil && len(list) > 0 {
			err = errTold
		}
		return err
	})
}
