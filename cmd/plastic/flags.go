package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// badFlag says in words what is wrong with a flag of cmd.
func badFlag(cmd *cobra.Command, err error) error {
	hint := "`" + cmd.CommandPath() + " --help` lists its flags"
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &value):
		return usage("--"+value.GetFlag().Name+" "+quote(value.GetValue())+" is not "+wanted(value.GetFlag()), hint)
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name = "-" + short
		}
		return usage("unknown flag: "+clip(oneLine(name), 60), hint+"; a text that begins with a dash goes after --")
	}
	return usage(oneLine(err.Error()), hint+"; a text that begins with a dash goes after --")
}

// wanted says what kind of value a flag takes.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	}
	return "a " + f.Value.Type()
}

// mayBeEmpty are the flags whose empty value says something: no reason, no name,
// no hash. For all others it is a slip, most often a variable of a script that
// was never set.
const mayBeEmpty = " why source session speaker hash "

// emptyFlags refuses flags that were given and hold nothing.
func emptyFlags(f *pflag.FlagSet) (err error) {
	f.Visit(func(flag *pflag.Flag) {
		empty := strings.TrimSpace(flag.Value.String()) == "" && flag.Value.Type() == "string"
		if empty && err == nil && !strings.Contains(mayBeEmpty, " "+flag.Name+" ") {
			err = usage("--"+flag.Name+" is empty", "leave it out, or say which")
		}
	})
	return err
}

// between refuses a number outside low…high.
func between(flag string, n, low, high int) error {
	if n >= low && n <= high {
		return nil
	}
	return usage("--"+flag+" "+strconv.Itoa(n)+" is not a whole number from "+strconv.Itoa(low)+" to "+strconv.Itoa(high), "")
}
