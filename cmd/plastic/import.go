package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) importCmd() *cobra.Command {
	var o plastic.ImportOptions
	cmd := &cobra.Command{
		Use:   "import FILE | FOLDER | - | undo",
		Short: "Take memories from JSON lines or another tool; what is here or was forgotten is skipped",
		Long: "Takes plastic's own JSON lines, one memory a line (\"content\" is enough), or what\n" +
			"another tool keeps: " + formatNames(true) + ".\n" +
			"The format is found by what is inside, or named by --from. Ends with what the\n" +
			"coming night would leave of it. What can not be taken is listed, and the exit\n" +
			"code is 2. `import undo` takes the last import back.",
		Example: "  plastic import --dry-run notes.jsonl\n" +
			"  plastic import ~/.claude/projects/x/memory\n" +
			"  plastic export | plastic --dir other import -\n" +
			"  plastic import undo",
		Args: count(0, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "undo" {
				if o != (plastic.ImportOptions{}) {
					return usage("import undo takes no flags", "`plastic import ./undo` imports a file of that name")
				}
				return a.undoImport(cmd.Context())
			}
			if len(args) == 1 && args[0] != "-" {
				use := writes
				if o.DryRun {
					use = reads
				}
				return a.with(use, func(b *plastic.Bank) error {
					debug.SetGCPercent(largeGC) // it is what is imported that is large
					got, err := b.ImportPath(cmd.Context(), args[0], o)
					return a.imported(got, o, err)
				})
			}
			in, err := a.source(args)
			if err != nil {
				return err
			}
			use := writes
			if o.DryRun {
				use = reads
			}
			return a.with(use, func(b *plastic.Bank) error {
				debug.SetGCPercent(largeGC)
				got, err := b.Import(cmd.Context(), patient{cmd.Context(), in}, o)
				return a.imported(got, o, err)
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&o.From, "from", "", "the `format` (default: what the file shows itself to be)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what would be taken, change nothing")
	cmd.Flags().BoolVar(&o.Restore, "restore", false, "take what was forgotten here too")
	return cmd
}

// source is the stream an import reads; a file or folder is read by its path.
func (a *app) source(args []string) (io.Reader, error) {
	if len(args) == 0 && !a.piped() {
		return nil, usage("there is no file to import", "`plastic import FILE`, or - for stdin")
	}
	return a.in, nil
}

func (a *app) undoImport(ctx context.Context) error {
	return a.with(writes, func(b *plastic.Bank) error {
		got, err := b.UndoImport(ctx)
		if err != nil {
			return err
		}
		return a.answer(got, func(w io.Writer) {
			fmt.Fprintln(w, plural(len(got.IDs), "memory", "memories")+" taken back")
			for _, n := range got.Warnings {
				fmt.Fprintln(w, "note: "+n)
			}
		})
	})
}

// formatNames lists the formats that can be read, or written.
func formatNames(reads bool) string {
	var names []string
	for _, f := range plastic.Formats() {
		if reads && f.Reads || !reads && f.Writes {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// mostRefused is how many refusals are listed for a person.
const mostRefused = 100

func (a *app) imported(got plastic.Imported, o plastic.ImportOptions, err error) error {
	if err != nil {
		return err
	}
	err = a.answer(got, func(w io.Writer) {
		verb := "imported"
		if o.DryRun {
			verb = "dry run: would import"
		}
		fmt.Fprintf(w, "%s %d, skipped %d, refused %d\n", verb, got.Imported, got.Skipped, len(got.Refused))
		for i, r := range got.Refused {
			if i == mostRefused {
				fmt.Fprintf(w, "  and %d more (--json lists them)\n", len(got.Refused)-i)
				break
			}
			fmt.Fprintf(w, "  line %d: %s\n", r.Line, oneLine(r.Reason))
		}
		for _, n := range got.Notes {
			fmt.Fprintln(w, "note: "+oneLine(n))
		}
		t := got.Tonight
		fmt.Fprintf(w, "tonight: %d → %d memories (would prune %d, promote %d)\n", t.Before, t.After, t.Pruned, t.Promoted)
	})
	if n := len(got.Refused); err == nil && n > 0 {
		err = plastic.Hint(memory.ErrInvalid, plural(n, "line was", "lines were")+" refused", "mend them and import again: what is taken already is skipped")
	}
	return err
}
