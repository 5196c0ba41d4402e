package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
	example "plastic/testdata/demo"
)

// step is one step of the demo: a command the reader can run himself.
type step struct {
	says string   // what happens, above the command
	now  string   // the time it happens at
	args []string // the command
	most int      // lines of its answer that are shown; 0: all
}

const (
	evening = "2026-11-28T21:30:00+08:00"
	night   = "2026-11-29T03:00:00+08:00"
	morning = "2026-11-29T08:40:00+08:00"
)

// scenario is an evening, a night and a morning of the example.
var scenario = []step{
	{"The memory of a small bot: five months, three languages.", evening,
		[]string{"stats"}, 5},
	{"A message comes in. This goes into the system prompt:", evening,
		[]string{"prompt", "芝麻 left his food. Which pouches does he get now?"}, 33},
	{"The bot learns what holds now; the memory that held stays on the timeline.", evening,
		[]string{"remember", "--supersedes", "9vivrw4r", "芝麻 eats salmon pouches again"}, 0},
	{"The picture: one bar a memory, oldest left, as high as it is clear.", evening,
		[]string{"chart", "--width", "78", "--height", "8"}, 0},
	{"Three in the morning, the night: its log line, and what faded.", night,
		[]string{"compress"}, 11},
	{"The same picture in the morning.", morning,
		[]string{"chart", "--width", "78", "--height", "8"}, 0},
	{"What is asked for is found; --explain says how.", morning,
		[]string{"recall", "--limit", "2", "which pouches does 芝麻 eat"}, 0},
	{"What the coming nights would take:", morning,
		[]string{"forecast", "--days", "3"}, 4},
}

func (a *app) demoCmd() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo [DIR]",
		Short: "See it work on an example: a message, a memory, a night",
		Long: "Runs an evening and a night on a copy of the example memory and shows each\n" +
			"command with its answer. The copy is removed at the end, unless it is kept or DIR\n" +
			"says where to put it.",
		Args: count(0, 1, "one folder at most"),
		RunE: func(_ *cobra.Command, args []string) error { return a.demo(args, keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the copy to try things on it")
	return cmd
}

func (a *app) demo(args []string, keep bool) error {
	dir, err := demoFolder(args)
	if err != nil {
		return err
	}
	keep = keep || len(args) > 0
	if !keep {
		defer os.RemoveAll(dir)
	}
	if err := copyExample(dir); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "── plastic on a copy of its example memory (long lines are cut to fit here)\n$ export PLASTIC_DIR=%s\n", shellWord(dir))
	now := ""
	for _, s := range scenario {
		if s.now != now {
			now = s.now
			fmt.Fprintf(a.out, "$ export PLASTIC_NOW=%s\n", now)
		}
		if err := a.act(dir, s); err != nil {
			return err
		}
	}
	if keep {
		fmt.Fprintf(a.out, "\n── The copy stays in %s: try what you like.\n", dir)
	} else {
		fmt.Fprint(a.out, "\n── The copy is gone; `plastic demo --keep` leaves one to try things on.\n")
	}
	return nil
}

// act runs one step and shows it.
func (a *app) act(dir string, s step) error {
	var out bytes.Buffer
	env := append(append(environ{}, a.env...), "PLASTIC_DIR="+dir, "PLASTIC_NOW="+s.now, "MEMORY_DEBUG=")
	b := newApp([]string{"plastic"}, strings.NewReader(""), &out, a.errs, env)
	b.tty = a.tty
	words := make([]string, len(s.args))
	for i, arg := range s.args {
		words[i] = shellWord(arg)
	}
	fmt.Fprintf(a.out, "\n── %s\n$ plastic %s\n", s.says, strings.Join(words, " "))
	if code := b.run(s.args); code != exitOK {
		return fmt.Errorf("the demo's `plastic %s` ended with %d", s.args[0], code)
	}
	excerpt(a.out, out.String(), s.most)
	return nil
}

// excerpt prints at most most lines of text, each within a terminal's width,
// and says what it left out.
func excerpt(w io.Writer, text string, most int) {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	shown := all
	if most > 0 && len(all) > most {
		shown = all[:most]
	}
	for _, line := range shown {
		if !strings.Contains(line, "\x1b") { // a coloured line has its width already
			line = clip(line, defaultWidth-1)
		}
		fmt.Fprintln(w, line)
	}
	if n := len(all) - len(shown); n > 0 {
		fmt.Fprintf(w, "[… %d more lines]\n", n)
	}
}

// demoFolder makes the folder for the copy.
func demoFolder(args []string) (string, error) {
	if len(args) == 0 {
		return os.MkdirTemp("", "plastic-demo-")
	}
	if isFile(args[0], "memory.json") {
		return "", plastic.Hint(memory.ErrInvalid, args[0]+" is a memory already", "name a new folder")
	}
	return args[0], os.MkdirAll(args[0], 0o755)
}

// copyExample writes the example's files into dir.
func copyExample(dir string) error {
	return fs.WalkDir(example.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := example.Files.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), b, 0o644)
	})
}

// shellWord quotes s for a shell where it needs it.
func shellWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:+,@%", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
