package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) showCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "show ID",
		Short:             "One memory whole, with its layer, clarity and history",
		Args:              count(1, 1, "one id"),
		ValidArgsFunction: a.ids,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Show(args[0])
				if err != nil {
					return a.suggest(b, args[0], err)
				}
				return a.answer(got, func(w io.Writer) { whole(w, got.Memory, location(b)) })
			})
		},
	}
}

// whole prints everything about m; what is not set is left out.
func whole(w io.Writer, m plastic.Memory, loc *time.Location) {
	fmt.Fprintf(w, "%s\n\n", printable(m.Content))
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-12s %s\n", name, oneLine(value))
		}
	}
	row("id", m.ID)
	row("kind", string(m.Kind))
	row("importance", fmt.Sprintf("%.2f", m.Importance))
	if m.Layer == "" {
		row("layer", "none: it no longer holds")
	} else {
		row("layer", fmt.Sprintf("%s, clarity %.2f", m.Layer, m.Clarity))
	}
	if m.Pinned {
		row("pinned", "yes")
	}
	if m.Private {
		row("private", "yes")
	}
	row("created", day(m.CreatedAt, loc))
	if !m.UpdatedAt.IsZero() {
		row("updated", day(m.UpdatedAt, loc))
	}
	if m.RecallCount > 0 {
		row("recalled", fmt.Sprintf("%s, last %s", plural(m.RecallCount, "time", "times"), day(m.LastRecalledAt, loc)))
	}
	if !m.ValidTo.IsZero() {
		row("held until", day(m.ValidTo, loc))
	}
	row("followed by", m.SupersededBy)
	row("speaker", m.Speaker)
	row("session", m.Session)
	row("source", m.Source)
}

// day is t on a clock in loc.
func day(t plastic.Time, loc *time.Location) string {
	if t.IsZero() {
		return "never"
	}
	return t.In(loc).Format("2006-01-02 15:04")
}
