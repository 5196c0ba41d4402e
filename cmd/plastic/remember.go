package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

// rememberFlags are the words of remember beside its text.
type rememberFlags struct {
	draft plastic.Draft
	kind  string
	at    string
	weight
}

func (a *app) rememberCmd() *cobra.Command {
	f := &rememberFlags{}
	cmd := &cobra.Command{
		Use:   "remember TEXT… | -",
		Short: "Keep a text; a memory that says the same is reinforced",
		Long: "Keeps a text and answers with its id and the memories near it: a contradiction\n" +
			"is best seen now. A text that begins with a dash goes after --, - reads stdin.",
		Example: "  plastic remember \"@ann told me she keeps two cats\"\n" +
			"  plastic remember --kind event --at 2026-11-02 \"we went to Lamma by ferry\"\n" +
			"  plastic remember -- \"-5 °C in the cellar\"",
		RunE: func(cmd *cobra.Command, args []string) error { return a.remember(cmd, args, f) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.kind, "kind", "", "`fact`, event, core or identity")
	f.weight.add(fl)
	fl.BoolVar(&f.draft.Pinned, "pin", false, "an anchor: it never fades")
	fl.BoolVar(&f.draft.Private, "private", false, "it exists for the owner alone")
	fl.StringVar(&f.at, "at", "", "the `time` it came about, if not now")
	fl.StringVar(&f.draft.Supersedes, "supersedes", "", "`id` of the memory it takes the place of")
	fl.StringVar(&f.draft.Source, "source", "", "where it comes from: `what[:detail]`")
	fl.StringVar(&f.draft.Session, "session", "", "`name` of the conversation it comes from")
	fl.StringVar(&f.draft.Speaker, "speaker", "", "`name` of who said it")
	fl.BoolVar(&f.draft.AllowSecret, "allow-secret", false, "keep it although it looks like it holds a key")
	complete(cmd, "kind", kinds...)
	a.completeID(cmd, "supersedes")
	return cmd
}

func (a *app) remember(cmd *cobra.Command, args []string, f *rememberFlags) (err error) {
	d := f.draft
	if d.Content, err = a.text(cmd, args); err != nil {
		return err
	}
	if strings.TrimSpace(d.Content) == "" {
		return usage("there is no text to remember", "`plastic remember \"text\"`, or `plastic remember -` for stdin")
	}
	if d.Importance, err = f.weight.importance(cmd.Flags()); err != nil {
		return err
	}
	d.Kind = memory.Kind(f.kind)
	return a.with(writes, func(b *plastic.Bank) error {
		if d.At, err = optionalTime("--at", f.at, location(b)); err != nil {
			return err
		}
		got, err := b.Remember(cmd.Context(), d)
		if err != nil {
			return a.suggest(b, d.Supersedes, err)
		}
		return a.answer(got, func(w io.Writer) {
			fmt.Fprintf(w, "%s %s\n", got.ID, got.Outcome)
			alike(w, got.Similar)
		})
	})
}

// alike prints the memories near a text that was just written.
func alike(w io.Writer, list []plastic.Similar) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "similar:")
	for _, s := range list {
		fmt.Fprintf(w, "  %s | %.2f | %s\n", s.ID, s.Similarity, oneLine(s.Content))
	}
}

// suggest adds to an unknown id the memories that its text would find: a person
// or a model that names a memory by what it says is shown the ids to choose from.
func (a *app) suggest(b *plastic.Bank, id string, err error) error {
	if id == "" || plastic.Code(err) != "not_found" {
		return err
	}
	near := a.near(b, id)
	if len(near) == 0 {
		return err
	}
	var text strings.Builder
	text.WriteString(err.Error() + "; these are near, nothing was changed:")
	for _, m := range near {
		text.WriteString("\n  " + plastic.Line(m, a.time()))
	}
	return plastic.Hint(err, text.String(), "name one of these by its id")
}
