package main

import "fmt"

// progress tells on a terminal, in one line that is written over, how far something
// is that takes long. Where stderr is no terminal nobody waits before it.
func (a *app) progress(what string, done, all int) {
	if terminalOf(a.errs).width == 0 || all == 0 {
		return
	}
	end := "\r"
	if done >= all {
		end = "\n"
	}
	fmt.Fprintf(a.errs, "%s: %d %%%s", what, 100*done/all, end)
}
