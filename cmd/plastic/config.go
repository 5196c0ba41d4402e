package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/config"
)

// setting is one key of config.yaml as config show answers with it.
type setting struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Changed bool   `json:"changed"`
	Meaning string `json:"meaning"`
	Range   string `json:"range"`
}

func (a *app) configCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The settings: show, get, set, preset, allow",
		Example: "  plastic config get memory.keepFraction\n" +
			"  plastic config set memory.keepFraction 0.6\n" +
			"  plastic config preset human",
		Args: a.knownVerb,
		RunE: func(*cobra.Command, []string) error { return a.configShow() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "show",
		Short: "Every key with its value and meaning; * marks what is not the default",
		Args:  count(0, 0, "no words"),
		RunE:  func(*cobra.Command, []string) error { return a.configShow() },
	}, &cobra.Command{
		Use:               "get KEY",
		Short:             "The value of one key",
		Args:              count(1, 1, "one key"),
		ValidArgsFunction: keyNames,
		RunE:              func(_ *cobra.Command, args []string) error { return a.configGet(args[0]) },
	}, &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Set one key in config.yaml; comments and order stay",
		Long: "Sets one key in config.yaml. A key that can run a command or send memories\n" +
			"somewhere is allowed on this machine by setting it here.",
		Example:           "  plastic config set memory.timezone Europe/Berlin",
		Args:              count(2, 2, "a key and a value"),
		ValidArgsFunction: keyNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.configChange(cmd.Context(), func(ctx context.Context, b *plastic.Bank) error {
				return b.SetConfig(ctx, args[0], args[1])
			}, args[0])
		},
	}, &cobra.Command{
		Use:       "preset NAME",
		Short:     "Set the keys of a preset: sharp, human or frugal",
		Args:      count(1, 1, "one name"),
		ValidArgs: []string{"sharp", "human", "frugal"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.configChange(cmd.Context(), func(ctx context.Context, b *plastic.Bank) error {
				return b.UsePreset(ctx, args[0])
			}, "")
		},
	}, &cobra.Command{
		Use:   "allow",
		Short: "Let the settings that run commands or reach out work on this machine",
		Long: "config.yaml travels in git, so what could run a command or send memories\n" +
			"somewhere works on a machine only after this, as it stands now.",
		Args: count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error { return a.configAllow() },
	})
	return cmd
}

// settingsOf are all keys with the values they have in c.
func settingsOf(c *config.Config) ([]setting, error) {
	var out []setting
	defaults := config.Default()
	for _, k := range config.Keys() {
		value, err := c.Get(k.Name)
		if err != nil {
			return nil, err
		}
		usual, err := defaults.Get(k.Name)
		if err != nil {
			return nil, err
		}
		out = append(out, setting{Key: k.Name, Value: value, Default: usual, Changed: value != usual, Meaning: k.Meaning, Range: k.Range})
	}
	return out, nil
}

func (a *app) configShow() error {
	return a.with(reads, func(b *plastic.Bank) error {
		if err := plastic.OwnerAlone(b.Audience(), "config"); err != nil {
			return err
		}
		c, err := b.Config()
		if err != nil {
			return err
		}
		list, err := settingsOf(c)
		if err != nil {
			return err
		}
		return a.answer(map[string][]setting{"config": list}, func(w io.Writer) {
			rows := make([][]string, len(list))
			for i, s := range list {
				mark := " "
				if s.Changed {
					mark = "*"
				}
				rows[i] = []string{mark + s.Key, shownValue(s.Value), s.Meaning}
			}
			table(w, rows, func(int) bool { return false })
		})
	})
}

// shownValue makes an empty value visible.
func shownValue(v string) string {
	if v == "" {
		return `""`
	}
	return v
}

func (a *app) configGet(key string) error {
	return a.with(reads, func(b *plastic.Bank) error {
		if err := plastic.OwnerAlone(b.Audience(), "config"); err != nil {
			return err
		}
		c, err := b.Config()
		if err != nil {
			return err
		}
		value, err := c.Get(key)
		if err != nil {
			return err
		}
		return a.answer(map[string]string{"key": key, "value": value}, func(w io.Writer) { fmt.Fprintln(w, value) })
	})
}

// configChange changes config.yaml and answers with what changed: the value of
// key, or of every key that is not at its default.
func (a *app) configChange(ctx context.Context, change func(context.Context, *plastic.Bank) error, key string) error {
	return a.with(writes, func(b *plastic.Bank) error {
		if err := change(ctx, b); err != nil {
			return err
		}
		c, err := config.Load(b.Dir())
		if err != nil {
			return err
		}
		list, err := settingsOf(c)
		if err != nil {
			return err
		}
		changed := []setting{}
		for _, s := range list {
			if s.Key == key || key == "" && s.Changed {
				changed = append(changed, s)
			}
		}
		return a.answer(map[string][]setting{"config": changed}, func(w io.Writer) {
			for _, s := range changed {
				fmt.Fprintf(w, "%s = %s\n", s.Key, shownValue(s.Value))
			}
		})
	})
}

func (a *app) configAllow() error {
	return a.with(reads, func(b *plastic.Bank) error {
		if err := b.AllowConfig(); err != nil {
			return err
		}
		c, err := b.Config()
		if err != nil {
			return err
		}
		allowed := append([]string{}, c.Guarded()...)
		return a.answer(map[string][]string{"allowed": allowed}, func(w io.Writer) {
			for _, key := range allowed {
				fmt.Fprintln(w, key)
			}
			if len(allowed) == 0 {
				fmt.Fprintln(w, "config.yaml sets nothing that needs to be allowed")
			}
		})
	})
}

// keyNames offers the names of the keys.
func keyNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, k := range config.Keys() {
		out = append(out, k.Name+"\t"+k.Meaning)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
