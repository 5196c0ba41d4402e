package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

// updateFlags are the words of update; only those that were given change a field.
type updateFlags struct {
	content      string
	kind         string
	pin, private bool
	allowSecret  bool
	weight
}

func (a *app) updateCmd() *cobra.Command {
	f := &updateFlags{}
	cmd := &cobra.Command{
		Use:   "update ID",
		Short: "Change a memory's content, kind, importance, pin or privacy",
		Long:  "Changes what is named and leaves the rest. A former wording goes to the archive.",
		Example: "  plastic update k3v9x2 --content \"@ann told me she keeps three cats\"\n" +
			"  plastic update k3v9x2 --pin=false --importance 0.3",
		Args: count(1, 1, "one id"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.update(cmd, args[0], f) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.content, "content", "", "the new `text`; - reads stdin")
	fl.StringVar(&f.kind, "kind", "", "`fact`, event, core or identity")
	f.weight.add(fl)
	fl.BoolVar(&f.pin, "pin", false, "pin it; --pin=false lets it go")
	fl.BoolVar(&f.private, "private", false, "hide it from all but the owner; --private=false shares it")
	fl.BoolVar(&f.allowSecret, "allow-secret", false, "keep it although it looks like it holds a key")
	complete(cmd, "kind", kinds...)
	cmd.ValidArgsFunction = a.ids
	return cmd
}

func (a *app) update(cmd *cobra.Command, id string, f *updateFlags) error {
	c, err := f.change(cmd, a)
	if err != nil {
		return err
	}
	return a.with(reads, func(b *plastic.Bank) error {
		got, err := b.Update(cmd.Context(), id, c)
		if err != nil {
			return a.suggest(b, id, err)
		}
		return a.answer(got, func(w io.Writer) {
			fmt.Fprintln(w, plastic.Line(got.Memory, a.time()))
			alike(w, got.Similar)
		})
	})
}

func (f *updateFlags) change(cmd *cobra.Command, a *app) (c plastic.Change, err error) {
	given := cmd.Flags().Changed
	c.AllowSecret = f.allowSecret
	if given("content") {
		if f.content == "-" {
			if f.content, err = a.stdin(cmd.Context()); err != nil {
				return c, err
			}
		}
		c.Content = &f.content
	}
	if given("kind") {
		if f.kind == "" {
			return c, usage("--kind is empty", "fact, event, core or identity")
		}
		kind := memory.Kind(f.kind)
		c.Kind = &kind
	}
	if given("pin") {
		c.Pinned = &f.pin
	}
	if given("private") {
		c.Private = &f.private
	}
	c.Importance, err = f.weight.importance(cmd.Flags())
	if err == nil && c == (plastic.Change{AllowSecret: f.allowSecret}) {
		err = usage("nothing to change was given", "name at least one of --content, --kind, --importance, --pin and --private")
	}
	return c, err
}
