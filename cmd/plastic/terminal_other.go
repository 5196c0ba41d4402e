//go:build !unix

package main

import "io"

// terminal is a screen, or none.
type terminal struct{ width int } // in columns; 0: not a terminal

// terminalOf knows no screens here: output is plain.
func terminalOf(io.Writer) terminal { return terminal{} }
