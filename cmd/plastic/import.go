package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) importCmd() *cobra.Command {
	var o plastic.ImportOptions
	cmd := &cobra.Command{
		Use:   "import FILE | -",
		Short: "Take memories from JSON lines; what is here or was forgotten is skipped",
		Long: "Takes one memory a line; \"content\" is enough, all other fields of a memory are\n" +
			"kept. Ends with what the coming night would leave of it. Lines that can not be\n" +
			"taken are listed, and the exit code is 2.",
		Example: "  plastic import --dry-run notes.jsonl\n" +
			"  plastic export | plastic --dir other import -",
		Args: count(0, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, clean, err := a.source(args)
			if err != nil {
				return err
			}
			defer clean()
			use := writes
			if o.DryRun {
				use = reads
			}
			return a.with(use, func(b *plastic.Bank) error { return a.imported(cmd.Context(), b, patient{cmd.Context(), in}, o) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&o.From, "from", "jsonl", "the `format`")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what would be taken, change nothing")
	cmd.Flags().BoolVar(&o.Restore, "restore", false, "take what was forgotten here too")
	return cmd
}

// source is the file an import reads.
func (a *app) source(args []string) (io.Reader, func(), error) {
	nothing := func() {}
	if len(args) == 0 && !a.piped() {
		return nil, nothing, usage("there is no file to import", "`plastic import FILE`, or - for stdin")
	}
	if len(args) == 0 || args[0] == "-" {
		return a.in, nothing, nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, nothing, err
	}
	return f, func() { f.Close() }, nil
}

func (a *app) imported(ctx context.Context, b *plastic.Bank, in io.Reader, o plastic.ImportOptions) error {
	got, err := b.Import(ctx, in, o)
	if err != nil {
		return err
	}
	err = a.answer(got, func(w io.Writer) {
		verb := "imported"
		if o.DryRun {
			verb = "dry run: would import"
		}
		fmt.Fprintf(w, "%s %d, skipped %d, refused %d\n", verb, got.Imported, got.Skipped, len(got.Refused))
		for _, r := range got.Refused {
			fmt.Fprintf(w, "  line %d: %s\n", r.Line, oneLine(r.Reason))
		}
		t := got.Tonight
		fmt.Fprintf(w, "tonight: %d → %d memories (would prune %d, promote %d)\n", t.Before, t.After, t.Pruned, t.Promoted)
	})
	if n := len(got.Refused); err == nil && n > 0 {
		err = plastic.Hint(memory.ErrInvalid, plural(n, "line was", "lines were")+" refused", "mend them and import again: what is taken already is skipped")
	}
	return err
}
