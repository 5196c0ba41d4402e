package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) nightCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "night",
		Short: "Run the night that is due, if one is: for timers",
		Long: "A night belongs to a local date and is due once its hour (memory.consolidateHour)\n" +
			"has come; a missed one is made up once. After a day on which nobody wrote,\n" +
			"recalled or built a prompt it prunes nothing. Call it as often as you like.",
		Args: count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				if _, due := b.NightDue(); due {
					if err := b.FlushBefore(cmd.Context()); err != nil {
						a.say("turns are left for after the night: " + err.Error())
					}
				}
				got, ran, err := b.Night(cmd.Context())
				if err != nil {
					return err
				}
				if ran {
					return a.answer(got, func(w io.Writer) { fmt.Fprintln(w, got.Compress) })
				}
				st, err := b.Stats()
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) {
					last, next := nights(st, location(b))
					fmt.Fprintf(w, "no night is due: last night %s, next night %s\n", last, next)
				})
			})
		},
	}
}
