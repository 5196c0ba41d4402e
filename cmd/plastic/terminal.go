package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// terminal is a screen, or none.
type terminal struct{ width int } // in columns; 0: not a terminal

// defaultWidth is how wide a screen is taken to be that does not say.
const defaultWidth = 80

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

// colour reports whether out may be coloured: a terminal, and nobody objects.
func (a *app) colour() bool {
	return a.tty.width > 0 && a.env.get("NO_COLOR") == "" && a.env.get("TERM") != "dumb"
}

// columns is how wide a picture may be.
func (a *app) columns() int {
	if a.tty.width == 0 {
		return defaultWidth
	}
	return min(a.tty.width, 120)
}
