package store_test

import (
	"errors"
	"os/signal"

	"strconv"
	"strings"
	"syscall"
	"testing"

	"plastic/internal/outage"
	"plastic/memory"
	"plastic/store"
)

// errnos are what a disk may say.
var errnos = []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES, syscall.EINTR, syscall.EDQUOT, syscall.EMFILE}

// Whatever error any step of any write meets, for once or for good, the answer is that
// error or the thing is done; nothing is half there, and later writes work.
func TestFaultsAnErrorAtEveryStep(t *testing.T) {
	c := newCourse(t, atOnce)
	f := figures(t, "an error at each step of the write path")
	for i, errno := range errnos {
		if i > 0 && !*atLength {
			break
		}
		for _, once := range []bool{true, false} {
			for n := 1; failsAtStep(t, f, c, n, errno, once); n += stride(11) {
			}
		}
	}
}

// failsAtStep reports whether there was an n-th step.
func failsAtStep(t *testing.T, f *outage.Figures, c *course, n int, errno syscall.Errno, once bool) bool {
	dir := folder(t)
	s := open(t, dir, atOnce.options())
	step, at := 0, ""
	s.SetFault(func(name string) error {
		if step++; step == n {
			at = name
		}
		if step == n || step > n && !once {
			return errno
		}
		return nil
	})
	f.Runs++
	done := 0
	var got error
	for _, d := range c.deeds {
		if got = d.does(s); got != nil {
			break
		}
		done++
	}
	s.SetFault(nil)
	if at == "" {
		return false
	}
	f.Faults++
	if got != nil && !errors.Is(got, errno) {
		t.Errorf("%v at %s (step %d) is answered by %v", errno, at, n, got)
	}
	if err := c.stand(dir, done); err != nil {
		lose(t, f, "%v at %s (step %d, once %v) after %d deeds: %v", errno, at, n, once, done, err)
	}
	if left := slurpTemps(t, dir); left != "" {
		t.Errorf("left over after %v at %s: %s", errno, at, left)
	}
	// The same process goes on, and so does another.
	if _, err := s.Update(ctx, func(tx *store.Tx) error {
		tx.Put(memory.Memory{ID: "same", Content: "by the same", CreatedAt: start.AddDate(1, 0, 0)})
		return nil
	}); err != nil {
		t.Errorf("%v at %s (step %d): the next write of the same process: %v", errno, at, n, err)
	}
	if got := told(read(t, s).Memories()); !strings.Contains(got, "same=by the same") {
		t.Errorf("%v at %s: the same process reads %s", errno, at, got)
	}
	update(t, s, func(tx *store.Tx) { tx.Purge("same") })
	if err := c.goesOn(dir, done); err != nil {
		lose(t, f, "%v at %s (step %d, once %v) after %d deeds: %v", errno, at, n, once, done, err)
	}
	return true
}

// limitFiles lets no file of this process get larger than so many bytes: a write that
// would is done in part, the next one fails.
func limitFiles(bytes string) {
	n, err := strconv.ParseUint(bytes, 10, 64)
	must(err)
	signal.Ignore(syscall.SIGXFSZ)
	must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}))
}

// Writes that are cut short at any byte, as on a disk that fills up.
func TestFaultsWritesCutShortAtEveryByte(t *testing.T) {
	f := figures(t, "writes cut short at each byte")
	for _, manner := range []mannerOfLife{atOnce, late, inPlace} {
		c := newCourse(t, manner)
		for n := 1; ; n += stride(200) {
			dir := folder(t)
			cmd := child(t, "live", dir, string(manner), "0", strconv.Itoa(n))
			cmd.Stderr = nil
			out, err := cmd.Output()
			f.Runs++
			done := deedsSaid(string(out))
			if err == nil && done == len(c.deeds)+1 {
				break // the largest file fits
			}
			f.Faults++
			if err := c.stand(dir, done); err != nil {
				lose(t, f, "%s, files end at byte %d, after %d deeds: %v", manner, n, done, err)
			}
			if err := c.goesOn(dir, done); err != nil {
				lose(t, f, "%s, files end at byte %d, after %d deeds: %v", manner, n, done, err)
			}
		}
	}
}
