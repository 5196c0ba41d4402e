package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/config"
)

func (a *app) channelCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "channel",
		Short: "What happens by itself in a turn: show it, switch it on or off",
		Long: "The channel is what a turn does without being asked: recalled memories in the\n" +
			"prompt, and turns kept for distillation. A recall by a tool works unless the\n" +
			"channel is off. Changes hold from the next turn, in a running server too.",
		Example: "  plastic channel\n" +
			"  plastic channel off\n" +
			"  plastic channel recall session\n" +
			"  plastic channel retain off",
		Args: a.knownVerb,
		RunE: func(*cobra.Command, []string) error {
			return a.with(reads, func(b *plastic.Bank) error { return a.showChannel(b) })
		},
	}
	cmd.AddCommand(
		a.channelSwitch("on", "Switch the channel on", "channel.enabled", "on"),
		a.channelSwitch("off", "Switch it off: nothing is recalled, nothing is queued", "channel.enabled", "off"),
		a.channelChoice("retain", "Keep turns for distillation, or do not", "channel.retain", "on", "off"),
		a.channelChoice("recall", "Recalled memories in every turn, in the first of a session, or never", "channel.recall", "always", "session", "off"),
	)
	return cmd
}

// channelSwitch is a verb that sets key to value.
func (a *app) channelSwitch(name, short, key, value string) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  count(0, 0, "no words"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.setChannel(cmd.Context(), key, value) },
	}
}

// channelChoice is a verb that sets key to one of words; on and off are true and
// false where the key is a switch.
func (a *app) channelChoice(name, short, key string, words ...string) *cobra.Command {
	all := strings.Join(words, "|")
	return &cobra.Command{
		Use:       name + " " + all,
		Short:     short,
		Args:      count(1, 1, "one word: "+all),
		ValidArgs: words,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(words, args[0]) {
				return usage(cmd.CommandPath()+" does not know "+quote(args[0]), "say one of "+all)
			}
			return a.setChannel(cmd.Context(), key, args[0])
		},
	}
}

func (a *app) setChannel(ctx context.Context, key, value string) error {
	return a.with(writes, func(b *plastic.Bank) error {
		if err := b.SetConfig(ctx, key, value); err != nil {
			return err
		}
		return a.showChannel(b)
	})
}

// showChannel answers with the channel as config.yaml has it.
func (a *app) showChannel(b *plastic.Bank) error {
	c, err := config.Load(b.Dir())
	if err != nil {
		return err
	}
	ch := plastic.Channel{Enabled: c.Channel.Enabled, Recall: c.Channel.Recall, Retain: c.Channel.Retain}
	return a.answer(ch, func(w io.Writer) {
		fmt.Fprintf(w, "channel  %s\nrecall   %s\nretain   %s\n", onOff(ch.Enabled), ch.Recall, onOff(ch.Retain))
	})
}
