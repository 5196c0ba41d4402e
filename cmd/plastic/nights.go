package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) nightsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nights",
		Short: "The journal of the nights: what was done, and why",
		Long: "Prints one night a line, oldest first; `nights show DATE` tells of each memory that\n" +
			"a night touched and why, `nights undo DATE` brings it back.",
		Example: "  plastic nights\n  plastic nights show 2026-11-28\n  plastic nights undo 2026-11-28",
		Args:    a.knownVerb,
		RunE:    func(*cobra.Command, []string) error { return a.listNights() },
	}
	var force bool
	undo := &cobra.Command{
		Use:   "undo DATE [OP]",
		Short: "Bring back what a night took; what was edited since is left and listed",
		Long: "Brings a night back, or one operation of it by the number that `nights show` gives.\n" +
			"What was edited since is left and listed, counts gained stay, what comes back is not\n" +
			"pruned before somebody touches it, and the operations are not proposed again.",
		Args: count(1, 2, "the date of one night, and the number of an operation"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				undo := func() (plastic.Undone, error) { return b.UndoNight(cmd.Context(), args[0], force) }
				if len(args) == 2 {
					n, err := strconv.Atoi(args[1])
					if err != nil {
						return plastic.Hint(memory.ErrUsage, fmt.Sprintf("%q is no number of an operation", oneLine(args[1])), "`plastic nights show DATE` numbers them")
					}
					undo = func() (plastic.Undone, error) { return b.UndoOperation(cmd.Context(), args[0], n, force) }
				}
				got, err := undo()
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) { undone(w, got) })
			})
		},
	}
	undo.Flags().BoolVar(&force, "force", false, "also where something was edited since")
	cmd.AddCommand(&cobra.Command{
		Use:   "show DATE",
		Short: "One night whole, with its reasons",
		Args:  count(1, 1, "the date of one night"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.showNight(args[0]) },
	}, undo)
	return cmd
}

// nightLines is what nights answers programs.
type nightLines struct {
	Runs []plastic.NightTold `json:"runs"`
}

func (a *app) listNights() error {
	return a.with(reads, func(b *plastic.Bank) error {
		list, err := b.NightRecords()
		if err != nil {
			return err
		}
		out := nightLines{Runs: []plastic.NightTold{}}
		for _, r := range list {
			out.Runs = append(out.Runs, r.Told())
		}
		loc := location(b)
		return a.answer(out, func(w io.Writer) {
			if len(list) == 0 {
				fmt.Fprintln(w, "there was no night yet")
			}
			for _, r := range list {
				fmt.Fprintln(w, nightLine(r, loc))
			}
		})
	})
}

// nightLine is a night on one line.
func nightLine(r plastic.NightRecord, loc *time.Location) string {
	s := fmt.Sprintf("%-10s  %s", oneLine(r.Date), day(r.Started, loc))
	switch {
	case r.Undo:
		return s + fmt.Sprintf("  undone: %d brought back, %d lowered again%s", len(r.Restored), len(r.Lowered), reverted(r.Reverted))
	case r.After:
		return s + "  the command of sleep.after failed"
	case r.Compress != nil:
		s += "  " + r.Compress.Total().String()
	case !r.DryRun:
		s += "  ended before its time"
	}
	if applied, all := operations(r); all > 0 {
		s += fmt.Sprintf(", %d of %d operations of the model applied", applied, all)
	}
	if r.DryRun {
		s += " (dry run)"
	}
	return s
}

// operations counts what a model proposed in a night, and what of it was done.
func operations(r plastic.NightRecord) (applied, all int) {
	for _, p := range r.Phases {
		for _, op := range p.Ops {
			if all++; op.Applied {
				applied++
			}
		}
	}
	return applied, all
}

func (a *app) showNight(date string) error {
	return a.with(reads, func(b *plastic.Bank) error {
		list, err := b.NightRecords()
		if err != nil {
			return err
		}
		var last *plastic.NightRecord
		var ofDate []plastic.NightRecord
		for i, r := range list {
			if r.Date != date {
				continue
			}
			ofDate = append(ofDate, r)
			if !r.Undo && !r.After {
				last = &list[i]
			}
		}
		if last == nil {
			return plastic.Hint(memory.ErrNotFound, "no night of "+quote(date)+" is known", "`plastic nights` lists them")
		}
		if a.flags.json {
			return a.answer(last.Told(), nil)
		}
		texts, err := textsOf(b)
		if err != nil {
			return err
		}
		n := 0
		var undone []int
		for _, r := range ofDate {
			undone = append(undone, r.Reverted...)
		}
		for _, r := range ofDate {
			fmt.Fprintln(a.out, nightLine(r, location(b)))
			last := reasons(a.out, r, texts, n, undone)
			if !r.DryRun {
				n = last
			}
		}
		return nil
	})
}

// reasons prints each memory that a night touched, and why. Operations are numbered
// from the one after n, undone are those taken back; it gives the last number.
func reasons(w io.Writer, r plastic.NightRecord, texts map[string]string, n int, undone []int) int {
	item := func(id, why string) {
		fmt.Fprintf(w, "  %s | %s\n", oneLine(id), texts[id])
		if why != "" {
			fmt.Fprintf(w, "    %s\n", oneLine(why))
		}
	}
	if r.DryRun {
		undone = nil // it did nothing
	}
	n = phases(w, r.Phases, r.DryRun, n, undone)
	if c := r.Compress; c != nil && len(c.Archived) > 0 {
		fmt.Fprintln(w, "faded:")
		for _, it := range c.Archived {
			item(it.ID, it.Why)
		}
	}
	if c := r.Compress; c != nil && len(c.Raised) > 0 {
		fmt.Fprintln(w, "kept for good:")
		for _, it := range c.Raised {
			item(it.ID, it.Why)
		}
	}
	for _, id := range append(r.Restored, r.Lowered...) {
		item(id, "")
	}
	return n
}

// textsOf is what each id says, in the memory or else in the archive, on one line.
func textsOf(b *plastic.Bank) (map[string]string, error) {
	gone, err := b.Archive()
	if err != nil {
		return nil, err
	}
	here, err := b.List(plastic.Filter{All: true})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, e := range gone.Archive {
		out[e.Memory.ID] = oneLine(e.Memory.Content)
	}
	for _, m := range here.Memories {
		out[m.ID] = oneLine(m.Content)
	}
	return out, nil
}

// reverted tells of the operations that were taken back, if any.
func reverted(ops []int) string {
	if len(ops) == 0 {
		return ""
	}
	return ", " + plural(len(ops), "operation", "operations") + " taken back"
}

func undone(w io.Writer, got plastic.Undone) {
	fmt.Fprintf(w, "the night of %s: %d brought back, %d lowered again%s\n", got.Date, len(got.Restored), len(got.Lowered), reverted(got.Reverted))
	for _, k := range got.Left {
		fmt.Fprintf(w, "%s was left: %s\n", oneLine(k.ID), k.Why)
	}
}
