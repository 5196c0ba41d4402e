package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// each calls f for every verb there is.
func each(f func(v verb)) {
	for _, g := range verbs() {
		for _, v := range g.verbs {
			f(v)
		}
	}
}

func testApp() *app {
	return newApp([]string{"plastic"}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, nil)
}

func TestEveryVerbIsListedOnceUnderItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	each(func(v verb) {
		if got := v.command(testApp()).Name(); got != v.name || seen[v.name] {
			t.Errorf("the verb %q is listed as %q, listed before: %v", got, v.name, seen[v.name])
		}
		seen[v.name] = true
	})
}

// Whether the others are there changes nothing of what a verb says of itself.
func TestAVerbIsTheSameAloneAndAmongAll(t *testing.T) {
	helped := func(called, name string) string {
		root := testApp().root(called)
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		helpOf(&out, cmd)
		return out.String()
	}
	each(func(v verb) {
		if alone, among := helped(v.name, v.name), helped("", v.name); alone != among || alone == "" {
			t.Errorf("%s alone:\n%s\namong all:\n%s", v.name, alone, among)
		}
	})
}

// helpOf is the help of cmd and of the verbs under it.
func helpOf(w *strings.Builder, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	w.WriteString(cmd.Long + "\n" + cmd.UsageString())
	for _, sub := range cmd.Commands() {
		helpOf(w, sub)
	}
}

func TestTheVerbIsFoundBehindTheFlagsThatAllTake(t *testing.T) {
	for words, want := range map[string]string{
		"recall cats":                               "recall",
		"--json recall cats":                        "recall",
		"--json=true --dir recall list":             "list",
		"--dir=recall prompt hello":                 "prompt",
		"--now 2026-11-28 --audience public show x": "show",
		"recall --help":                             "recall",
		"":                                          "",
		"--help":                                    "",
		"--version":                                 "",
		"--help recall":                             "",
		"help recall":                               "",
		"-h recall":                                 "",
		"--dir":                                     "",
		"--dir recall":                              "",
		"-- recall":                                 "",
		"--unknown recall cats":                     "",
		"recal cats":                                "",
		"__complete recall ":                        "",
		"completion bash":                           "", // these look at the others
		"man":                                       "",
		"service":                                   "",
	} {
		if got := alone(strings.Split(words, " ")); got != want {
			t.Errorf("%q calls %q alone, want %q", words, got, want)
		}
	}
}
