package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) flushCmd() *cobra.Command {
	var how plastic.Flushing
	cmd := &cobra.Command{
		Use:   "flush",
		Short: "Distil the turns that wait into facts, by a model",
		Long: "Asks model.chat about each turn of the queue, oldest first: 0 to 5 facts a turn. A\n" +
			"turn leaves the queue in the moment its facts are stored. A turn about which five\n" +
			"answers were unusable is set aside; a model that can not be reached counts as no\n" +
			"try. `plastic network` shows what is sent where.",
		Args: count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(writes, func(b *plastic.Bank) error {
				got, err := b.Flush(cmd.Context(), how)
				if err != nil && got == (plastic.Flushed{}) {
					return err
				}
				if e := a.answer(got, func(w io.Writer) { flushed(w, got) }); e != nil {
					return e
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&how.Retry, "retry", false, "take back the turns that were set aside")
	return cmd
}

func flushed(w io.Writer, f plastic.Flushed) {
	fmt.Fprintf(w, "%s distilled: %s (%d new, %d known, %d in place of an older one)\n",
		plural(f.Turns, "turn", "turns"), plural(f.Facts, "fact", "facts"), f.Created, f.Reinforced, f.Superseded)
	if f.Refused > 0 {
		fmt.Fprintf(w, "%s of the model not taken: said by nobody, in another script, or with a secret\n", plural(f.Refused, "fact", "facts"))
	}
	if f.Left > 0 {
		fmt.Fprintf(w, "%s left in the queue\n", plural(f.Left, "turn", "turns"))
	}
	if f.SetAside > 0 {
		fmt.Fprintf(w, "%s set aside: `plastic queue` shows why, `plastic flush --retry` tries again\n", plural(f.SetAside, "turn", "turns"))
	}
}

func (a *app) reindexCmd() *cobra.Command {
	how := plastic.Reindexing{Probe: true}
	cmd := &cobra.Command{
		Use:   "reindex",
		Short: "Make the vectors that are missing",
		Long: "Asks model.embed for a vector of every memory that has none, in batches that are\n" +
			"kept at once: it may be interrupted and run again. With --measure it says where\n" +
			"unrelated and related pairs of this memory lie, for recall.cosineZero and cosineOne.",
		Args: count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(writes, func(b *plastic.Bank) error {
				got, err := b.Reindex(cmd.Context(), how)
				if err != nil && got.Model == "" {
					return err
				}
				if e := a.answer(got, func(w io.Writer) { reindexed(w, got) }); e != nil {
					return e
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&how.Measure, "measure", false, "also say where the cosines of this memory lie")
	return cmd
}

func reindexed(w io.Writer, r plastic.Reindexed) {
	fmt.Fprintf(w, "%s made by %s, %d missing\n", plural(r.Embedded, "vector", "vectors"), oneLine(r.Model), r.Missing)
	for _, n := range r.Notes {
		fmt.Fprintln(w, oneLine(n))
	}
	if m := r.Measured; m != nil {
		fmt.Fprintf(w, "%d vectors of %d dimensions; cosines (5 %% / half / 95 %% of the pairs lie below):\n", m.Vectors, m.Dimension)
		fmt.Fprintf(w, "  unrelated  %.3f / %.3f / %.3f  (%d random pairs)\n", m.Unrelated.P5, m.Unrelated.P50, m.Unrelated.P95, m.Unrelated.Pairs)
		fmt.Fprintf(w, "  related    %.3f / %.3f / %.3f  (%d texts and their nearest)\n", m.Related.P5, m.Related.P50, m.Related.P95, m.Related.Pairs)
		if m.Related.Pairs > 0 {
			fmt.Fprintf(w, "for these, recall.cosineZero %.2f and recall.cosineOne %.2f tell them apart\n", m.CosineZero, m.CosineOne)
		}
	}
}
