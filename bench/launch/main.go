// Command launch runs a program and prints its peak memory and the most private
// memory it was seen with, both in kilobytes. It is a process of its own because
// a child started from a large one inherits that one's peak.
//
//	launch plastic recall --dir memory "does Ann have pets?"
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

func main() {
	peak, private, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(peak, private)
}

func run(argv []string) (peak, private int64, err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, 0, err
	}
	pid, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{null.Fd(), null.Fd(), os.Stderr.Fd()},
	})
	if err != nil {
		return 0, 0, err
	}
	rollup := "/proc/" + strconv.Itoa(pid) + "/smaps_rollup"
	for {
		var status syscall.WaitStatus
		var usage syscall.Rusage
		done, err := syscall.Wait4(pid, &status, syscall.WNOHANG, &usage)
		if err != nil && err != syscall.EINTR {
			return 0, 0, err
		}
		if done == pid {
			if status.ExitStatus() != 0 {
				err = fmt.Errorf("%s: exit status %d", argv[0], status.ExitStatus())
			}
			return usage.Maxrss, private, err
		}
		if b, err := os.ReadFile(rollup); err == nil {
			private = max(private, field(b, "Private_Dirty:"))
		}
	}
}

// field is the number behind name in a file of /proc, or 0.
func field(b []byte, name string) int64 {
	_, rest, _ := bytes.Cut(b, []byte(name))
	f := bytes.Fields(rest)
	if len(f) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(f[0]), 10, 64)
	return n
}
