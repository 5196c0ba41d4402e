package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/config"
	"plastic/internal/eval"
	"plastic/memory"
)

func (a *app) evalCmd() *cobra.Command {
	var o plastic.EvalOptions
	var embed bool
	cmd := &cobra.Command{
		Use:   "eval MEMORIES QUERIES",
		Short: "Measure recall: questions with known answers against memories",
		Long: "Reads two files of JSON lines: memories as import takes them, and questions with\n" +
			"query, now, gold and kind. An item of gold is an id or a list of ids any one of\n" +
			"which will do; empty gold means that nothing answers. No folder is touched.",
		Example: "  plastic eval testdata/recall/memories.jsonl testdata/recall/queries.jsonl",
		Args:    count(2, 2, "a file of memories and a file of questions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !embed {
				return a.eval(cmd.Context(), args[0], args[1], o)
			}
			return a.with(reads, func(b *plastic.Bank) error {
				o.Config = b.Settings()
				if o.Config.Model.Embed == "" {
					return usage("--embed needs model.embed, which is not set", "`plastic config set model.embed NAME`")
				}
				ends := &models{bank: b, notice: a.notice}
				o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) { return ends.now().Embed(ctx, texts) }
				if _, _, rerank := o.Config.Model.Endpoints(); rerank.On() {
					o.Rerank = func(ctx context.Context, query string, texts []string) ([]float64, error) {
						return ends.now().Rerank(ctx, query, texts)
					}
				}
				return a.eval(cmd.Context(), args[0], args[1], o)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.Formula, "formula", "", "bounded, mixture or product (default recall.formula)")
	f.IntVar(&o.Limit, "limit", 0, "look at `N` answers (default 20)")
	f.BoolVar(&embed, "embed", false, "with the models of the folder: model.embed, and model.rerank if it is set")
	return cmd
}

func (a *app) eval(ctx context.Context, memories, queries string, o plastic.EvalOptions) error {
	if a.flags.audience != "" {
		who, err := memory.ParseAudience(a.flags.audience)
		if err != nil {
			return err
		}
		o.Audience = who
	}
	// only a folder that was named lends its settings: figures should not depend on
	// where the command is run
	if at, err := findFolder(a.flags.dir, a.env, ""); o.Config == nil && err == nil && at.named {
		if o.Config, err = config.Load(at.path); err != nil {
			return err
		}
	}
	ms, err := os.Open(memories)
	if err != nil {
		return plastic.Hint(memory.ErrUsage, err.Error(), "")
	}
	defer ms.Close()
	qs, err := os.Open(queries)
	if err != nil {
		return plastic.Hint(memory.ErrUsage, err.Error(), "")
	}
	defer qs.Close()
	got, err := plastic.Eval(ctx, ms, qs, o)
	if err != nil {
		return err
	}
	return a.answer(got, func(w io.Writer) { evalTable(w, got) })
}

// evalTable prints the figures in percent, all questions first, then each kind.
func evalTable(w io.Writer, r eval.Report) {
	rows := [][]string{{"kind", "questions", "recall@5", "@10", "±", "@20", "nDCG@10", "MRR", "first", "silent"}}
	row := func(name string, f eval.Figures) {
		pc := func(x float64) string { return fmt.Sprintf("%.1f", 100*x) }
		cells := []string{name, fmt.Sprint(f.Queries)}
		if f.Answer > 0 {
			cells = append(cells, pc(f.Recall["5"]), pc(f.Recall["10"]), pc(f.Stderr), pc(f.Recall["20"]), pc(f.NDCG10), pc(f.MRR), pc(f.First))
		} else {
			cells = append(cells, "", "", "", "", "", "", "")
		}
		if f.Queries > f.Answer {
			cells = append(cells, pc(f.Silent))
		}
		rows = append(rows, cells)
	}
	row("all", r.Figures)
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		row(kind, r.Kinds[kind])
	}
	table(w, rows, func(i int) bool { return i > 0 })
}
