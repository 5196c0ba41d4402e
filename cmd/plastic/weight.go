package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"plastic"
	"plastic/memory"
)

// weight is how important a memory is, on either of two scales.
type weight struct {
	text  string
	level int
}

func (w *weight) add(f *pflag.FlagSet) {
	f.StringVar(&w.text, "importance", "", "how much it matters, a `number` from 0 to 1 (default 0.5); from 0.75 it never fades")
	f.IntVar(&w.level, "level", 0, "the same on the `scale` 1 to 5")
}

// importance is what the flags say, nil where they say nothing.
func (w *weight) importance(f *pflag.FlagSet) (*float64, error) {
	exact, level := f.Changed("importance"), f.Changed("level")
	switch {
	case exact && level:
		return nil, usage("--importance and --level say the same thing on two scales", "give one of them")
	case level:
		x, err := memory.FromLevel(w.level)
		return &x, err
	case exact:
		x, err := strconv.ParseFloat(w.text, 64)
		if err != nil {
			return nil, plastic.Hint(memory.ErrInvalid, "importance "+quote(w.text)+" is not a number from 0 to 1", "--level takes 1 to 5")
		}
		return &x, memory.CheckImportance(x)
	}
	return nil, nil
}
