package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/memory"
)

// The exit codes.
const (
	exitOK       = 0
	exitFailure  = 1
	exitUsage    = 2 // also a value that is not valid
	exitNotFound = 3 // or an id that fits several memories
	exitBusy     = 4
)

// errTold ends a verb whose answer on stdout has said already what is wrong.
var errTold = errors.New("see the answer")

// usage is an error of the call itself.
func usage(message, hint string) error { return plastic.Hint(memory.ErrUsage, message, hint) }

// quote shows what a user typed, within bounds.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}

func isHint(err error) bool {
	var e *plastic.Error
	return errors.As(err, &e)
}

// fail tells err on stderr and answers the exit code.
func (a *app) fail(err error, asJSON bool) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errTold):
		return exitFailure
	}
	code, hint := plastic.Code(err), plastic.NextStep(err)
	if asJSON {
		a.tell(failure{err.Error(), code, hint})
	} else {
		fmt.Fprintf(a.errs, "%s: %s\n", a.name, err)
		if hint != "" {
			fmt.Fprintf(a.errs, "hint: %s\n", hint)
		}
	}
	switch code {
	case "usage", "invalid":
		return exitUsage
	case "not_found", "ambiguous":
		return exitNotFound
	case "busy":
		return exitBusy
	}
	return exitFailure
}

// failure is an error as programs read it.
type failure struct {
	Error string `json:"error"`
	Code  string `json:"code"`
	Hint  string `json:"hint"`
}

// remark is a notice as programs read it.
type remark struct {
	Notice string `json:"notice"`
	Code   string `json:"code"`
	Path   string `json:"path"`
	Hint   string `json:"hint"`
}

// tell writes v to stderr as one line of JSON.
func (a *app) tell(v any) {
	_ = memory.WriteJSON(a.errs, v) // nowhere is left to say that stderr can not be written
}

// notice tells one thing the user should know and that is no failure.
func (a *app) notice(p plastic.Problem) {
	if a.flags.json {
		a.tell(remark{p.Message, p.Code, p.Path, p.Hint})
		return
	}
	fmt.Fprintf(a.errs, "notice: %s\n", sentence(p))
}

// noticeTo is notice where who reads it. What is wrong with a file of the folder may
// count, name or quote what is private there: others than the owner alone are told that
// something is, and not what.
func (a *app) noticeTo(who memory.Audience) func(plastic.Problem) {
	if who == memory.Trusted {
		return a.notice
	}
	return func(p plastic.Problem) {
		if p.Path != "" && p.Path != "config.yaml" {
			p.Message, p.Hint = p.Path+" is not as it should be", "`plastic doctor` tells the owner, alone"
		}
		a.notice(p)
	}
}

// note is a notice of this program itself.
func (a *app) note(message string) { a.notice(plastic.Problem{Code: "note", Message: message}) }

// sentence is p in words, with the path in front where the message lacks it.
func sentence(p plastic.Problem) string {
	s := p.Message
	if p.Path != "" && !strings.Contains(s, p.Path) {
		s = p.Path + ": " + s
	}
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

// wantsJSON reports whether args ask for JSON, for errors that come up before
// the flags are read.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}

// count checks how many words a verb was given: at least low and at most high,
// or any number above low where high is negative.
func count(low, high int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= low && (high < 0 || len(args) <= high) {
			return nil
		}
		message := cmd.CommandPath() + " takes " + want
		if high >= 0 && len(args) > high {
			message += ", " + quote(args[high]) + " is one too many"
		}
		return usage(message, "`"+cmd.CommandPath()+" --help` shows how it is called")
	}
}
