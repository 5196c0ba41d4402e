package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) initCmd() *cobra.Command {
	var o plastic.InitOptions
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make a folder a memory; what is there stays",
		Long: "Makes DIR, or the folder every other verb would use, a memory: memory.json, the\n" +
			"card memory.md, config.yaml, and the two files that tell git about them.\n" +
			"With --git it is a git repository too, if it is in none, and this clone merges by\n" +
			"memory and field: counts add up, of two new texts the newer stays and the older\n" +
			"goes to the archive, and nothing is left as a conflict.",
		Example: "  plastic init ~/bot/memory\n" +
			"  plastic init --preset human .\n" +
			"  plastic init --git ~/bot/memory     # in every clone",
		Args: count(0, 1, "one folder at most"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := a.target(args)
			if err != nil {
				return err
			}
			if o.Hook && !o.Git {
				return usage("--hook says what --git sets up, and is nothing without it", "plastic init --git --hook")
			}
			if o.Git {
				o.Notice = a.notice
				if o.Program, err = a.program(); err != nil {
					return err
				}
			}
			if err := plastic.Init(dir, o); err != nil {
				return err
			}
			return a.answer(map[string]string{"dir": absolute(dir)}, func(w io.Writer) {
				fmt.Fprintln(w, dir+" is a memory now")
				if o.Git {
					fmt.Fprintln(w, "git merges it by memory and field in this clone")
					fmt.Fprintln(w, "next: `git add -A` and `git commit` in it; .gitignore leaves out what is this machine's own")
				}
				if o.Git && !o.Hook {
					fmt.Fprintln(w, "next: with --hook each commit takes in what recalls have counted, too")
				}
			})
		},
	}
	cmd.Flags().StringVar(&o.Preset, "preset", "", "begin with the settings of `NAME`: human, sharp or frugal")
	cmd.Flags().BoolVar(&o.Git, "git", false, "make it a git repository, and merge by memory and field in this clone")
	cmd.Flags().BoolVar(&o.Hook, "hook", false, "with --git: a pre-commit hook that runs checkpoint; one that is there stays")
	return cmd
}

func (a *app) target(args []string) (string, error) {
	if len(args) == 0 {
		p, err := a.place()
		return p.path, err
	}
	if a.flags.dir != "" && a.flags.dir != args[0] {
		return "", usage("init is given two folders, "+quote(args[0])+" and --dir "+quote(a.flags.dir), "name one")
	}
	if args[0] == "" {
		return "", usage("the name of the folder is empty", "`plastic init .` means this one")
	}
	return args[0], nil
}
