package outage

import (
	"fmt"
	"os"
)

// Figures are what a suite of faults came to.
type Figures struct {
	Suite  string
	Runs   int // runs of a program, or states of a disk that were opened
	Faults int // kills, errors and cuts among them
	Lost   int // of what was acknowledged
}

// Keep adds f, a row of a table, to the file that PLASTIC_FAULTS names; see make
// faults. Without one it does nothing.
func (f Figures) Keep() error {
	path := os.Getenv("PLASTIC_FAULTS")
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintf(file, "| %s | %d | %d | %d |\n", f.Suite, f.Runs, f.Faults, f.Lost)
	return err
}
