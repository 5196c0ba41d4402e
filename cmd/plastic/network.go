package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) networkCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "network",
		Short: "Which verb calls which endpoint with what, by the configuration at hand",
		Long: "Names every request that plastic would make to a model, by the configuration of\n" +
			"this folder: which verb, where to, and what leaves this machine. What is not named\n" +
			"opens no connection. Without a model there is nothing to name.",
		Args: count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error {
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Network()
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) { calls(w, got) })
			})
		},
	}
}

func calls(w io.Writer, n plastic.Network) {
	for _, c := range n.Calls {
		fmt.Fprintf(w, "%-8s POST %s (%s)\n         sends %s, %s\n", c.Verb, oneLine(c.Endpoint), oneLine(c.Model), c.Sends, c.When)
	}
	if len(n.Calls) == 0 {
		fmt.Fprintln(w, "no model is configured: no verb opens a connection to one")
	} else {
		fmt.Fprintln(w, "all other verbs open no connection")
	}
	if len(n.Held) > 0 {
		fmt.Fprintf(w, "not in force on this machine until `plastic config allow`: %s\n", strings.Join(n.Held, ", "))
	}
}
