//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// terminal is a screen, or none.
type terminal struct{ width int } // in columns; 0: not a terminal

// terminalOf says what w is connected to.
func terminalOf(w io.Writer) terminal {
	f, ok := w.(*os.File)
	if !ok {
		return terminal{}
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return terminal{}
	}
	if size.Col == 0 {
		return terminal{defaultWidth}
	}
	return terminal{int(size.Col)}
}
