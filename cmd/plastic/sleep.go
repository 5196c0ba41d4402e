package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

func (a *app) sleepCmd() *cobra.Command {
	var n plastic.Nightly
	var plan string
	cmd := &cobra.Command{
		Use:   "sleep",
		Short: "The whole night now, whatever the hour",
		Long: "Runs the night of today's date with all its phases, as a scheduled one would run,\n" +
			"however busy it is. A date has one night. With --json, --dry-run gives a plan that\n" +
			"--apply does later, without asking a model again: what was changed meanwhile is\n" +
			"left, and an operation with \"reject\": true is not done and not proposed again.",
		Example: "  plastic --json sleep --dry-run > plan.json\n  plastic sleep --apply plan.json",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			use := writes
			if n.DryRun {
				use = reads
			}
			if plan != "" {
				if n.DryRun {
					return plastic.Hint(memory.ErrUsage, "--dry-run makes a plan and --apply does one", "give one of them")
				}
				read, err := a.readPlan(plan)
				if err != nil {
					return err
				}
				n.Plan = read
			}
			return a.with(use, func(b *plastic.Bank) error {
				got, err := b.Sleep(cmd.Context(), n)
				if err != nil {
					return err
				}
				if a.flags.json {
					return a.answer(got, nil)
				}
				faded, err := faded(b, got.Compress)
				if err != nil {
					return err
				}
				phases(a.out, got.Phases, got.DryRun, max(got.First-1, 0), nil)
				if len(faded)+len(got.Compress.Raised) == 0 && !got.DryRun && applied(got.Phases) {
					fmt.Fprintln(a.out, got.Compress)
					return nil
				}
				a.night(a.out, got.Compress, faded)
				return nil
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&n.DryRun, "dry-run", false, "show what the night would do, change nothing")
	cmd.Flags().StringVar(&plan, "apply", "", "do the plan in `FILE` (- is stdin), as a dry run with --json wrote it")
	cmd.Flags().BoolVar(&n.Again, "again", false, "run although the night of this date is done")
	return cmd
}

func applied(list []plastic.Phase) bool {
	return slices.ContainsFunc(list, func(p plastic.Phase) bool {
		return slices.ContainsFunc(p.Ops, func(op plastic.Op) bool { return op.Applied })
	})
}

func (a *app) wakeCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "wake",
		Short: "Wake a memory that sleeps: what is not applied yet is not",
		Long: "Ends the sleep of this folder, in whichever process it runs. The phase under way is\n" +
			"not applied, those before it stay, and the night is due again at the next quiet.",
		Args: count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.WakeFolder()
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) {
					if got.Woken {
						fmt.Fprintln(w, "woken")
					} else {
						fmt.Fprintln(w, "nobody sleeps")
					}
				})
			})
		},
	}
}

// longPlan bounds a file of --apply, in bytes.
const longPlan = 64 << 20

// readPlan reads what a dry run wrote.
func (a *app) readPlan(name string) (*plastic.Night, error) {
	in := a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, plastic.Hint(memory.ErrInvalid, "the plan can not be read: "+err.Error(), "`plastic --json sleep --dry-run > plan.json` writes one")
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, longPlan))
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	var night plastic.Night
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &night); err != nil || !night.DryRun {
		return nil, plastic.Hint(memory.ErrInvalid, "this is no plan of a night", "`plastic --json sleep --dry-run > plan.json` writes one")
	}
	return &night, nil
}

// phases prints what a model proposed in each phase and what became of it, each
// operation with its number of the date, the first after n, what it changes and why.
// Those of undone were taken back since. It gives the last number.
func phases(w io.Writer, list []plastic.Phase, dry bool, n int, undone []int) int {
	for _, p := range list {
		fmt.Fprintf(w, "%s (%s)\n", oneLine(p.Name), plural(p.Calls, "call", "calls"))
		if p.Failed != "" {
			fmt.Fprintf(w, "  failed: %s\n", oneLine(p.Failed))
		}
		for _, op := range p.Ops {
			n++
			is := state(op, dry)
			if op.Applied && slices.Contains(undone, n) {
				is = "undone"
			}
			fmt.Fprintf(w, "  %d. %s %s: %s (%s)\n", n, oneLine(op.Op), oneLine(strings.Join(op.IDs, " ")), is, oneLine(op.Why))
			if op.Applied || dry && op.Refused == "" {
				changes(w, op)
			}
		}
	}
	return n
}

func state(op plastic.Op, dry bool) string {
	switch {
	case op.Applied:
		return "done"
	case op.Refused != "":
		return "refused: " + oneLine(op.Refused)
	case dry:
		return "planned"
	}
	return "not done"
}

// changes prints the memories that an operation takes and leaves.
func changes(w io.Writer, op plastic.Op) {
	for _, side := range []struct {
		sign string
		list []json.RawMessage
		not  []json.RawMessage
	}{{"-", op.Before, op.After}, {"+", op.After, op.Before}} {
		for _, raw := range side.list {
			if m, err := memory.ParseJSON(raw); err == nil && !slices.ContainsFunc(side.not, func(o json.RawMessage) bool { return bytes.Equal(raw, o) }) {
				fmt.Fprintf(w, "    %s %s | %s | %.2f | %s%s\n", side.sign, m.ID, oneLine(string(m.Kind)), m.Importance, oneLine(m.Content), closed(&m))
			}
		}
	}
}

func closed(m *memory.Memory) string {
	if m.SupersededBy == "" {
		return ""
	}
	return " (superseded by " + m.SupersededBy + ")"
}
