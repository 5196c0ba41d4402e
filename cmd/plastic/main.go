// Command plastic is the door of the memory for a shell: it decodes words, calls
// one method of plastic.Bank and prints the answer. One verb is one file; what a
// memory is, how it fades and where it lies on disk is decided elsewhere.
//
//	plastic remember "@ann told me she keeps two cats"
//	plastic recall does Ann have pets
//
// Answers go to stdout, all else to stderr. The exit code is 0 when it went
// well, 1 for a failure, 2 for a call or value that is not valid, 3 for a
// memory that is not there or an ambiguous id, 4 when the memory is in use.
// Called under the name memory it speaks the short contract of name.go.
package main

import (
	"io"
	"os"
	_ "time/tzdata" // memory.timezone works where the system has no zone files
)

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr, os.Environ()))
}

// run is the whole program: it reads and writes only what it is given, and the
// files of the folder. It answers the exit code.
func run(argv []string, in io.Reader, out, errs io.Writer, environ []string) int {
	return newApp(argv, in, out, errs, environ).run(argv[1:])
}
