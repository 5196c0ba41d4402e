package outage

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// traced are the calls that change files, and those that tell which file is meant.
const traced = "openat,write,pwrite64,ftruncate,truncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat," +
	"fsync,fdatasync,fstat,close,utimensat,copy_file_range,lseek"

// Possible reports whether there is a strace that may be used here.
func Possible() bool {
	return exec.Command("strace", "-qq", "-e", "trace=none", "true").Run() == nil
}

// call is one system call as strace tells it.
type call struct {
	name string
	args []string
	ret  int64
}

// run runs cmd under strace and gives its calls in the order in which they ended.
func run(cmd *exec.Cmd) ([]call, error) {
	log, err := os.CreateTemp("", "outage-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil, err
	}
	cmd.Args = append([]string{strace, "-f", "-qq", "-v", "-xx", "-s", "16777216", "-e", "signal=none", "-e", "trace=" + traced, "-o", log.Name(), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = strace
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run under strace: %w", err)
	}
	return parse(log)
}

// parse reads what strace -f -xx has written.
func parse(log io.Reader) ([]call, error) {
	var calls []call
	begun := map[string]string{} // by thread, what another thread has cut in on
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return calls, nil
		}
		if err != nil {
			return nil, err
		}
		thread, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text = strings.TrimLeft(text, " ")
		if head, ok := strings.CutSuffix(text, " <unfinished ...>"); ok {
			begun[thread] = head
			continue
		}
		if rest, ok := strings.CutPrefix(text, "<... "); ok {
			_, rest, _ = strings.Cut(rest, " resumed>")
			text = begun[thread] + rest
		}
		if c, ok := parseCall(text); ok {
			calls = append(calls, c)
		}
	}
}

// parseCall reads name(args) = result; no call is one that failed or never ended.
func parseCall(text string) (c call, ok bool) {
	name, rest, ok := strings.Cut(text, "(")
	end := strings.LastIndex(rest, ") ")
	if !ok || end < 0 {
		return c, false
	}
	_, result, _ := strings.Cut(rest[end:], "= ")
	result, _, _ = strings.Cut(result, " ")
	ret, err := strconv.ParseInt(result, 0, 64)
	if err != nil || ret < 0 {
		return c, false
	}
	return call{name, splitArgs(rest[:end]), ret}, true
}

// splitArgs cuts at the commas outside of brackets; strings are all in hexadecimal.
func splitArgs(text string) (args []string) {
	deep, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{', '(':
			deep++
		case ']', '}', ')':
			deep--
		case ',':
			if deep == 0 {
				args = append(args, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(args, strings.TrimSpace(text[from:]))
}

// text gives argument i, a string.
func (c call) text(i int) string {
	hexed := strings.ReplaceAll(strings.Trim(c.args[i], `"`), `\x`, "")
	out := make([]byte, len(hexed)/2)
	for k := range out {
		b, _ := strconv.ParseUint(hexed[2*k:2*k+2], 16, 8)
		out[k] = byte(b)
	}
	return string(out)
}

// number gives argument i, AT_FDCWD being -100.
func (c call) number(i int) int64 {
	if c.args[i] == "AT_FDCWD" {
		return -100
	}
	n, _ := strconv.ParseInt(c.args[i], 0, 64)
	return n
}

var (
	inodeOf = regexp.MustCompile(`st_ino=(\d+)`)
	timesOf = regexp.MustCompile(`\{tv_sec=(\d+), tv_nsec=(\d+)\}`)
)
