package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "The manual page",
		Long:    "Prints the manual page in roff, made from the help texts of all verbs.",
		Example: "  plastic man | man -l -",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			manual(a.out, cmd.Root())
			return nil
		},
	}
}

// manual writes root and its verbs as a page of man(7).
func manual(w io.Writer, root *cobra.Command) {
	fmt.Fprintf(w, ".TH PLASTIC 1 \"\" \"plastic %s\" \"User Commands\"\n", roff(buildOf().Version))
	fmt.Fprintf(w, ".SH NAME\nplastic \\- %s\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	fmt.Fprint(w, ".SH SYNOPSIS\n.B plastic\n[\\fIflags\\fR] \\fIverb\\fR [\\fIarguments\\fR]\n")
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	paragraph(w, root.Long)
	fmt.Fprint(w, ".SH GLOBAL OPTIONS\n")
	options(w, root.PersistentFlags())
	for _, g := range root.Groups() {
		fmt.Fprintf(w, ".SH %s\n", roff(strings.ToUpper(strings.TrimSuffix(g.Title, ":"))))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID && cmd.Name() != "help" {
				manualOf(w, cmd)
			}
		}
	}
	for _, s := range manualEnd {
		fmt.Fprintf(w, ".SH %s\n", s.title)
		for _, item := range s.items {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(item[0]), roff(item[1]))
		}
	}
}

// manualEnd is what no help text of one verb says.
var manualEnd = []struct {
	title string
	items [][2]string
}{
	{"EXIT STATUS", [][2]string{
		{"0", "It went well; nothing found by recall is well too."},
		{"1", "A failure."},
		{"2", "A call or a value that is not valid."},
		{"3", "No such memory, or an id that fits several."},
		{"4", "The memory is in use by another process for longer than ten seconds."},
	}},
	{"ENVIRONMENT", [][2]string{
		{"PLASTIC_DIR", "The folder, where --dir is not given."},
		{"PLASTIC_NOW", "The time to run at, where --now is not given."},
		{"XDG_DATA_HOME", "The default folder is plastic in it; else ~/.local/share/plastic."},
		{"MEMORY_DEBUG", "With 1 the scores of the candidates go to stderr."},
		{"NO_COLOR", "With any value nothing is coloured."},
		{"VISUAL, EDITOR", "What edit and card edit open."},
	}},
	{"FILES", [][2]string{
		{"memory.json", "The memories, one a line."},
		{"memory.md", "The card: edited by hand, whole in every prompt."},
		{"config.yaml", "The settings; an empty file means all defaults."},
		{"archive.json", "What was forgotten, pruned, replaced or removed."},
		{"nights.jsonl", "What each night did and why."},
		{"memory.journal, .plastic/", "This machine's own; not for git."},
	}},
}

func manualOf(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, ".SS plastic %s\n", roff(strings.TrimPrefix(cmd.UseLine(), "plastic ")))
	paragraph(w, cmd.Short+".")
	if cmd.Long != "" {
		fmt.Fprintln(w, ".PP")
		paragraph(w, cmd.Long)
	}
	options(w, cmd.LocalNonPersistentFlags())
	if cmd.Example != "" {
		fmt.Fprintf(w, ".PP\n.EX\n%s\n.EE\n", roff(cmd.Example))
	}
	for _, sub := range cmd.Commands() {
		manualOf(w, sub)
	}
}

func options(w io.Writer, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		value, text := pflag.UnquoteUsage(f)
		if value != "" {
			value = " \\fI" + roff(value) + "\\fR"
		}
		fmt.Fprintf(w, ".TP\n\\fB%s\\fR%s\n%s\n", roff("--"+f.Name), value, roff(text))
	})
}

func paragraph(w io.Writer, text string) {
	fmt.Fprintln(w, roff(strings.TrimSpace(text)))
}

// roff escapes text: no line of it is a request, a dash is a dash, and what is
// not ASCII is named, so that no encoding matters.
func roff(text string) string {
	var b strings.Builder
	for i, r := range text {
		start := i == 0 || text[i-1] == '\n'
		switch {
		case start && (r == '.' || r == '\''):
			b.WriteString(`\&` + string(r))
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
