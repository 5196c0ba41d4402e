package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/cmd/plastic/internal/wiring"
	"plastic/config"
	"plastic/memory"
)

// setupFlags are the words of setup beside the client's name.
type setupFlags struct {
	print, dryRun, uninstall, global bool
}

// wired is what setup answers.
type wired struct {
	Client string   `json:"client"`
	Path   string   `json:"path"`
	Action string   `json:"action"` // written, unchanged, removed or absent
	DryRun bool     `json:"dryRun"`
	Entry  []string `json:"entry"` // the command with its arguments
}

func (a *app) setupCmd() *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup CLIENT",
		Short: "Tell an MCP client about this memory: " + strings.Join(wiring.Names(), ", "),
		Long: "Puts the entry plastic into the client's file for this project, or with --global\n" +
			"for the user (codex and gemini have theirs for the user only). All else in the\n" +
			"file stays as it is. The server it starts finds its folder as every verb does,\n" +
			"from where the client runs; a file of the user names the one you are in,\n" +
			"--dir or PLASTIC_DIR names one for good, and\n" +
			"--audience owner or public is kept in the entry.",
		Example: "  plastic setup claude-code\n" +
			"  plastic setup vscode --dir ~/bot/memory\n" +
			"  plastic setup codex --print\n" +
			"  plastic setup cursor --uninstall",
		Args:      count(1, 1, "one client: "+strings.Join(wiring.Names(), ", ")),
		ValidArgs: wiring.Names(),
		RunE:      func(_ *cobra.Command, args []string) error { return a.setup(args[0], f) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.BoolVar(&f.print, "print", false, "print what belongs into the file, write nothing")
	fl.BoolVar(&f.dryRun, "dry-run", false, "show the change, write nothing")
	fl.BoolVar(&f.uninstall, "uninstall", false, "take the entry out again")
	fl.BoolVar(&f.global, "global", false, "for all projects of this user")
	return cmd
}

func (a *app) setup(name string, f setupFlags) error {
	client, err := wiring.Find(name)
	if err != nil {
		return usage(fmt.Sprintf("there is no client %s", quote(name)), "the clients are "+strings.Join(wiring.Names(), ", "))
	}
	places, err := a.places()
	if err != nil {
		return err
	}
	path := client.File(places, f.global)
	here := ""
	if path == client.File(places, true) { // of the user: the client starts anywhere
		here = upward(places.Work)
	}
	entry, err := a.entry(f.uninstall, here)
	if err != nil {
		return err
	}
	out := wired{Client: client.Name, Path: path, Action: "unchanged", DryRun: f.dryRun || f.print, Entry: append([]string{entry.Command}, entry.Args...)}
	if f.print {
		return a.answer(out, func(w io.Writer) { fmt.Fprintf(w, "%s", client.Snippet(entry)) })
	}
	change := func(old []byte) ([]byte, error) { return client.Add(old, entry) }
	if f.uninstall {
		out.Action, change = "absent", client.Remove
	}
	before, after, err := a.rewire(out.Path, change, f.dryRun)
	if err != nil {
		return setupFailed(client, out.Path, err)
	}
	if !bytes.Equal(before, after) {
		out.Action = map[bool]string{false: "written", true: "removed"}[f.uninstall]
	}
	return a.answer(out, func(w io.Writer) { a.tellWired(w, client, out, before, after) })
}

// entry is how a client starts this program for this folder. It names the folder where
// that is here, which the client would not find from where it runs.
func (a *app) entry(uninstall bool, here string) (wiring.Entry, error) {
	e := wiring.Entry{Args: []string{"mcp"}}
	audience, err := memory.ParseAudience(a.flags.audience)
	if err != nil {
		return e, err
	}
	if audience != memory.Trusted {
		e.Args = append(e.Args, "--audience", string(audience))
	}
	p, err := a.place()
	if err != nil {
		return e, err
	}
	if p.named || p.path == here {
		if _, err := p.look(); err != nil && !uninstall {
			return e, err
		}
		e.Args = append(e.Args, "--dir", absolute(p.path))
	}
	e.Command, err = a.program()
	return e, err
}

// program is the path of this program: as PATH has it, which stays when a new
// version is installed, else where it lies.
func (a *app) program() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	is, err := os.Stat(self)
	if err != nil {
		return self, nil // it was replaced while it runs
	}
	for _, dir := range filepath.SplitList(a.env.get("PATH")) {
		path := filepath.Join(dir, filepath.Base(self))
		if st, err := os.Stat(path); filepath.IsAbs(path) && err == nil && os.SameFile(st, is) {
			return path, nil
		}
	}
	return self, nil
}

func (a *app) places() (wiring.Places, error) {
	wd, err := os.Getwd()
	if err != nil {
		return wiring.Places{}, fmt.Errorf("find the working directory: %w", err)
	}
	home := a.env.get("HOME")
	if home == "" {
		home = a.env.get("USERPROFILE")
	}
	if home == "" {
		return wiring.Places{}, usage("there is no home folder to look for settings in", "set HOME")
	}
	return wiring.Places{Home: home, Work: wd, OS: runtime.GOOS, Getenv: a.env.get, Exists: func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}}, nil
}

// rewire changes the file at path, atomically, and gives its text before and
// after. A file that becomes empty is taken away, if it was not empty before.
func (a *app) rewire(path string, change func([]byte) ([]byte, error), dry bool) (before, after []byte, err error) {
	if dry {
		before, err = os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		after, err = change(before)
		return before, after, err
	}
	emptied := errors.New("nothing is left")
	step := func(old []byte) ([]byte, error) {
		text, err := change(old)
		before, after = old, text
		if err == nil && len(text) == 0 {
			return nil, emptied
		}
		return text, err
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		if text, err := change(nil); err != nil || len(text) == 0 {
			return nil, nil, err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, nil, err
		}
	}
	err = config.Edit(path, step)
	if errors.Is(err, emptied) {
		err = nil
		if len(before) > 0 {
			err = os.Remove(path)
		}
	}
	return before, after, err
}

// setupFailed says why a client's file was left as it is.
func setupFailed(c wiring.Client, path string, err error) error {
	var f *wiring.Fault
	if errors.As(err, &f) {
		return plastic.Hint(err, fmt.Sprintf("%s, %s; it was left as it is", path, f), "change that, or put in by hand what `plastic setup "+c.Name+" --print` shows")
	}
	return err
}

func (a *app) tellWired(w io.Writer, c wiring.Client, out wired, before, after []byte) {
	switch {
	case out.DryRun:
		fmt.Fprintln(w, out.Path)
		difference(w, string(before), string(after))
		fmt.Fprintln(w, "dry run: nothing was written")
	case out.Action == "written":
		fmt.Fprintf(w, "%s starts %s now (%s)\n", c.Title, strings.Join(out.Entry, " "), out.Path)
		fmt.Fprintln(w, "next: "+c.Next)
	case out.Action == "unchanged":
		fmt.Fprintf(w, "%s knows already (%s)\n", c.Title, out.Path)
	case out.Action == "removed":
		fmt.Fprintf(w, "taken out of %s\n", out.Path)
	default:
		fmt.Fprintf(w, "there was no entry in %s\n", out.Path)
	}
}

// difference prints the lines in which after differs from before: those between
// the first and the last that changed.
func difference(w io.Writer, before, after string) {
	x, y := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	for _, side := range []struct {
		sign  string
		lines []string
	}{{"-", x}, {"+", y}} {
		for _, line := range side.lines {
			if line != "" {
				fmt.Fprintln(w, side.sign+" "+strings.TrimRight(line, "\r\n"))
			}
		}
	}
}
