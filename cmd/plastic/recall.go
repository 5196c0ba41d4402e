package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) recallCmd() *cobra.Command {
	var q plastic.Query
	var asOf string
	cmd := &cobra.Command{
		Use:   "recall QUERY… | -",
		Short: "Ask the memory: what answers, best first; nothing is an answer too",
		Long: "Prints the memories that answer, one a line: id | kind | age | importance |\n" +
			"content. Where none does it prints nothing and succeeds. What it prints counts as\n" +
			"recalled once more.",
		Example: "  plastic recall does Ann have pets\n" +
			"  plastic recall --as-of 2026-09-01 where does Ann live\n" +
			"  plastic recall --explain 大肥魚",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if q.Text, err = a.text(cmd, args); err != nil {
				return err
			}
			if len(args) == 0 && q.Text == "" {
				return usage("there is no query", "`plastic recall QUERY`, or `plastic recall -` for stdin")
			}
			if cmd.Flags().Changed("limit") && q.Limit < 1 {
				return usage(fmt.Sprintf("--limit %d asks for no answer", q.Limit), "give 1 or more")
			}
			return a.recall(cmd.Context(), q, asOf)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&q.Limit, "limit", 0, "at most `N` answers (default recall.limit)")
	f.StringVar(&asOf, "as-of", "", "what held at this `time`")
	f.BoolVar(&q.History, "history", false, "with what each answer took the place of")
	f.BoolVar(&q.NoRehearse, "no-rehearse", false, "do not count this recall")
	f.BoolVar(&q.Explain, "explain", false, "each part of the scores, and what was dropped and why")
	return cmd
}

func (a *app) recall(ctx context.Context, q plastic.Query, asOf string) error {
	return a.with(reads, func(b *plastic.Bank) (err error) {
		if q.AsOf, err = optionalTime("--as-of", asOf, location(b)); err != nil {
			return err
		}
		got, err := b.Recall(ctx, q)
		if err != nil {
			return err
		}
		a.aside(got.Withheld)
		return a.answer(got, func(w io.Writer) {
			for _, m := range got.Memories {
				fmt.Fprintln(w, plastic.Line(m.Memory, got.Now.Time))
			}
			if q.Explain {
				explain(w, got)
			}
		})
	})
}

// aside tells on stderr what an answer in text can not say; in JSON it does.
func (a *app) aside(withheld int) {
	if !a.flags.json && withheld > 0 {
		a.note("private memories are kept back here")
	}
}

// near are the memories that text finds, without a rehearsal.
func (a *app) near(b *plastic.Bank, text string) []plastic.Memory {
	got, err := b.Recall(context.Background(), plastic.Query{Text: text, Limit: 5, NoRehearse: true})
	if err != nil {
		return nil
	}
	out := make([]plastic.Memory, len(got.Memories))
	for i, m := range got.Memories {
		out[i] = m.Memory
	}
	return out
}
