package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

// app is one run of the program: its streams, its environment, and what the
// global flags said.
type app struct {
	name string // what it was called: plastic, or memory
	in   io.Reader
	out  *bufio.Writer // over raw
	raw  io.Writer
	errs io.Writer
	tty  terminal // what raw is connected to
	env  environ

	flags globals
	clock time.Time // what --now said; zero: the real time
	home  string    // the folder as the user knows it
	begun bool      // the verb runs: an error is no longer about its words
}

// globals are the flags that every verb takes.
type globals struct {
	dir      string
	now      string
	audience string
	json     bool
}

// environ is the environment as KEY=VALUE; of doubled keys the last counts.
type environ []string

// get gives the value of key, or "".
func (e environ) get(key string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(e[i], key+"="); ok {
			return v
		}
	}
	return ""
}

func newApp(argv []string, in io.Reader, out, errs io.Writer, env []string) *app {
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	if name != memoryName {
		name = "plastic"
	}
	return &app{name: name, in: in, out: bufio.NewWriter(out), raw: out, errs: errs, tty: terminalOf(out), env: env}
}

// run carries out the command line args and answers the exit code.
func (a *app) run(args []string) int {
	called := alone(args)
	ctx := &interruptible{}
	defer ctx.close()
	if !brief(called) {
		ctx.listening()
	}
	root := a.root(called)
	if a.name == memoryName {
		args = queryWords(root, args)
	}
	root.SetArgs(append([]string{}, args...))
	err := root.ExecuteContext(ctx)
	if err != nil && !a.begun && !isHint(err) {
		err = usage(err.Error(), "`"+a.name+" --help` lists the verbs")
	}
	if e := a.out.Flush(); e != nil && err == nil {
		err = plastic.Hint(e, "the answer could not be written: "+e.Error(), "")
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = plastic.Hint(err, "interrupted", "")
	}
	return a.fail(err, a.flags.json || wantsJSON(args))
}

// root is the command tree of this run: of the verb called, or "" for all.
func (a *app) root(called string) *cobra.Command {
	if a.name == memoryName {
		return a.shortRoot()
	}
	var version bool
	root := &cobra.Command{
		Use:   "plastic",
		Short: "A long-term memory for a bot that lives in a folder",
		Long: "plastic remembers the beginning, the recent and what really matters; the rest\n" +
			"fades day by day. The memory is plain files in one folder: --dir, else\n" +
			"$PLASTIC_DIR, else the nearest one upward, else ~/.local/share/plastic.",
		Example: "  plastic remember \"@ann told me she keeps two cats\"\n" +
			"  plastic recall does Ann have pets\n" +
			"  plastic prompt \"good morning\"       # what goes into the system prompt",
		Args: a.knownVerb,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.version()
			}
			return cmd.Help()
		},
	}
	root.Flags().BoolVar(&version, "version", false, "what this program was made from")
	a.dress(root)
	for _, g := range verbs() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, v := range g.verbs {
			if called == "" || called == v.name {
				cmd := v.command(a)
				cmd.GroupID = g.id
				root.AddCommand(cmd)
			}
		}
	}
	root.SetHelpCommandGroupID(groupSelf)
	return root
}

// dress gives root the streams, the global flags and the manners all verbs share.
func (a *app) dress(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(a.helpCmd())
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errs)
	f := root.PersistentFlags()
	f.SortFlags = false
	f.StringVar(&a.flags.dir, "dir", "", "the memory's `folder`")
	f.BoolVar(&a.flags.json, "json", false, "answer in JSON")
	f.StringVar(&a.flags.now, "now", "", "run as if it were this `time` (RFC 3339 or a date; also PLASTIC_NOW)")
	f.StringVar(&a.flags.audience, "audience", string(memory.Trusted), "`who` reads the answer: trusted, owner or public")
	complete(root, "audience", string(memory.Trusted), string(memory.Owner), string(memory.Public))
	root.SetFlagErrorFunc(badFlag)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		a.begun = true
		if err := emptyFlags(cmd.Flags()); err != nil {
			return err
		}
		return a.setClock(time.Local)
	}
}

// knownVerb refuses a first word that is no verb and names the nearest.
func (a *app) knownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	hint := "`" + cmd.CommandPath() + " --help` lists the verbs"
	if near := cmd.SuggestionsFor(args[0]); args[0] != "" && len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage("there is no verb "+quote(args[0])+" in "+cmd.CommandPath(), hint)
}
