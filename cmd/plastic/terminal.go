package main

// defaultWidth is how wide a screen is taken to be that does not say.
const defaultWidth = 80

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
