package store_test

import (
	"strconv"
	"testing"
)

// A process that is killed with -9 at any step of any write loses nothing it has
// acknowledged, and whoever comes next finishes what it had begun.
func TestFaultsKilledAtEveryStep(t *testing.T) {
	f := figures(t, "kill -9 at each step of the write path")
	for _, manner := range mannersOfLife {
		c := newCourse(t, manner)
		for n := 1; ; n += stride(9) {
			dir := folder(t)
			out, err := child(t, "live", dir, string(manner), strconv.Itoa(n)).Output()
			f.Runs++
			if err == nil {
				if n < 30 {
					t.Errorf("%s: only %d steps", manner, n)
				}
				break
			}
			f.Faults++
			done := deedsSaid(string(out))
			if err := c.stand(dir, done); err != nil {
				lose(t, f, "%s, killed at step %d after %d deeds: %v", manner, n, done, err)
			}
			if err := c.goesOn(dir, done); err != nil {
				lose(t, f, "%s, killed at step %d after %d deeds: %v", manner, n, done, err)
			}
		}
	}
}
