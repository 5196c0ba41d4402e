package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

// The files of an edit in its own folder: what the user edits, and what it was.
const (
	sheetFile = "memories.md"
	givenFile = "given.md"
)

// errUnasked ends an edit that nobody could be asked about.
var errUnasked = errors.New("nobody to ask")

// edition is one edit under way.
type edition struct {
	yes         bool
	allowSecret bool
	apply       string // a text that an earlier edit left behind

	given plastic.Sheet
	path  string // of the text
}

func (a *app) editCmd() *cobra.Command {
	e := &edition{}
	cmd := &cobra.Command{
		Use:   "edit [QUERY]",
		Short: "Edit memories as a list in $VISUAL or $EDITOR",
		Long: "Opens all memories, or those that QUERY finds or names by id, as a Markdown list.\n" +
			"An item that you delete is forgotten, one that you change is updated, a new one\n" +
			"is remembered. Shows the difference and asks before it applies it; without a\n" +
			"terminal it applies only with --yes. What changed meanwhile is left and listed.",
		Example: "  plastic edit\n  plastic edit cats\n  EDITOR='code --wait' plastic edit",
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.apply != "" && len(args) > 0 {
				return usage("--apply takes its memories from the text, no words are wanted beside it", "")
			}
			return a.editMemories(cmd.Context(), e, strings.Join(args, " "))
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&e.yes, "yes", false, "apply without a question")
	cmd.Flags().StringVar(&e.apply, "apply", "", "apply the text that an earlier edit left in this `file`, without an editor")
	cmd.Flags().BoolVar(&e.allowSecret, "allow-secret", false, "keep texts although they look like they hold a key")
	return cmd
}

func (a *app) editMemories(ctx context.Context, e *edition, query string) error {
	return a.with(writes, func(b *plastic.Bank) error {
		if err := e.start(b, query); err != nil {
			return err
		}
		open := e.apply == ""
		for {
			plan, err := a.ask(ctx, e, open)
			if err == nil && plan.Empty() {
				e.clear()
				return a.answer(editAnswer{Plan: plan}, func(w io.Writer) { fmt.Fprintln(w, "nothing was changed") })
			}
			if err == nil {
				var again bool
				if again, err = a.settle(ctx, b, e, plan); err == nil && !again {
					return nil
				}
			}
			if errors.Is(err, errUnasked) {
				return err // which says already where the text is
			}
			if err != nil && (!a.talks() || ctx.Err() != nil || plastic.Code(err) != "invalid") {
				return e.kept(err)
			}
			if err != nil {
				fmt.Fprintf(a.errs, "%s: %s\n", a.name, err)
				if c, e2 := a.choice(ctx, "edit again? [Y/n] ", "yn"); e2 != nil || c == 'n' {
					return e.kept(err)
				}
			}
			open = true
		}
	})
}

// start lays out the text to edit in a folder that only this user can read.
func (e *edition) start(b *plastic.Bank, query string) (err error) {
	if e.apply != "" {
		e.path = e.apply
		given, err := os.ReadFile(filepath.Join(filepath.Dir(e.path), givenFile))
		if err != nil {
			return plastic.Hint(memory.ErrUsage, "beside "+e.path+" there is no "+givenFile+": it was not left by an edit", "`plastic edit` begins a new one")
		}
		e.given = plastic.Sheet{Text: string(given)}
		return nil
	}
	if e.given, err = b.EditSheet(query); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "plastic-edit-")
	if err != nil {
		return err
	}
	e.path = filepath.Join(dir, sheetFile)
	for _, name := range []string{sheetFile, givenFile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(e.given.Text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// ask has the text edited, if open, and reads what it asks for.
func (a *app) ask(ctx context.Context, e *edition, open bool) (plastic.EditPlan, error) {
	text, err := os.ReadFile(e.path)
	if err == nil && open {
		text, err = a.edit(ctx, e.path, string(text))
	}
	if err != nil {
		return plastic.EditPlan{}, err
	}
	plan, err := plastic.ReadEdit(e.given, string(text))
	plan.AllowSecret = e.allowSecret
	return plan, err
}

// settle shows the plan and applies it if that is wanted; again says that the
// user wants to edit once more.
func (a *app) settle(ctx context.Context, b *plastic.Bank, e *edition, plan plastic.EditPlan) (again bool, err error) {
	if !a.flags.json {
		planned(a.out, plan)
	}
	if !e.yes {
		if !a.talks() {
			if err := a.answer(editAnswer{Plan: plan, File: e.path}, func(io.Writer) {}); err != nil {
				return false, err
			}
			return false, plastic.Hint(fmt.Errorf("%w: %w", memory.ErrUsage, errUnasked), "nothing was applied: there is no terminal to ask on; your text is in "+e.path, "`plastic edit --yes --apply "+e.path+"` applies it")
		}
		c, err := a.choice(ctx, "apply? [y/N/e: edit again] ", "nye")
		switch {
		case err != nil:
			return false, err
		case c == 'e':
			return true, nil
		case c == 'n':
			fmt.Fprintln(a.out, "nothing was applied; the text is in "+e.path)
			return false, nil
		}
	}
	got, err := b.Edit(ctx, plan)
	if err != nil {
		return false, err
	}
	out := editAnswer{Plan: plan, Applied: true, Edited: &got}
	if len(got.Left) > 0 {
		out.File = e.path
	} else {
		e.clear()
	}
	return false, a.answer(out, func(w io.Writer) { told(w, got, e.path) })
}

// editAnswer is what edit answers programs.
type editAnswer struct {
	Plan    plastic.EditPlan `json:"plan"`
	Applied bool             `json:"applied"`
	File    string           `json:"file"` // where the text is, if it is still needed
	*plastic.Edited
}

// kept tells where the text of a failed edit is, and how to go on.
func (e *edition) kept(err error) error {
	if !worked(e.path, e.given.Text) {
		e.clear()
		return err
	}
	next := "mend it there, then `plastic edit --apply " + e.path + "`"
	if h := plastic.NextStep(err); h != "" {
		next = h + "; then `plastic edit --apply " + e.path + "`"
	}
	return plastic.Hint(err, err.Error()+"; your text is in "+e.path, next)
}

// clear removes what start laid out, and nothing else.
func (e *edition) clear() {
	dir := filepath.Dir(e.path)
	os.Remove(e.path)
	os.Remove(filepath.Join(dir, givenFile))
	os.Remove(dir) // stays if something else is in it
}

// planned prints what a plan would do.
func planned(w io.Writer, plan plastic.EditPlan) {
	for _, m := range plan.Forget {
		fmt.Fprintf(w, "forget %s\n", m.ID)
		side(w, "-", m)
	}
	for _, r := range plan.Update {
		fmt.Fprintf(w, "update %s\n", r.Is.ID)
		side(w, "-", r.Was)
		side(w, "+", r.Is)
	}
	for _, m := range plan.Remember {
		fmt.Fprintln(w, "remember")
		side(w, "+", m)
	}
}

func side(w io.Writer, sign string, m plastic.Wanted) {
	text := m.Content
	if set := m.Settings(); set != "" {
		text += " " + set
	}
	for line := range strings.SplitSeq(printable(text), "\n") {
		fmt.Fprintf(w, "  %s %s\n", sign, line)
	}
}

// told prints what an edit did.
func told(w io.Writer, got plastic.Edited, path string) {
	created, reinforced := 0, 0
	for _, n := range got.Remembered {
		if n.Outcome == plastic.Created {
			created++
		} else {
			reinforced++
		}
	}
	fmt.Fprintf(w, "remembered %d, reinforced %d, updated %d, forgotten %d\n", created, reinforced, len(got.Updated), len(got.Forgotten))
	for _, k := range got.Left {
		fmt.Fprintf(w, "%s was left: %s\n", k.ID, k.Why)
	}
	if len(got.Left) > 0 {
		fmt.Fprintf(w, "your text is in %s\n", path)
	}
}

// talks reports whether there is a terminal to ask on and somebody to answer.
func (a *app) talks() bool {
	in, ok := a.in.(*os.File)
	return ok && !a.flags.json && a.tty.width > 0 && terminalOf(in).width > 0
}

// choice asks and gives the first letter of the answer; an empty or unknown one
// is the first of letters, which hold n.
func (a *app) choice(ctx context.Context, question, letters string) (byte, error) {
	fmt.Fprint(a.out, question)
	if err := a.out.Flush(); err != nil {
		return 0, err
	}
	line, err := bufio.NewReader(patient{ctx, a.in}).ReadString('\n')
	if err == io.EOF && line == "" {
		return 'n', nil // nobody is there any more
	}
	if err != nil && err != io.EOF {
		return 0, err
	}
	line = strings.ToLower(strings.TrimSpace(line))
	if line != "" && strings.Contains(letters, line[:1]) {
		return line[0], nil
	}
	return letters[0], nil
}
