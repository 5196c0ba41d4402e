package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/internal/outage"
)

// After a power cut at any moment of any write, whatever the disk has then of what was
// not synced, all that was acknowledged is there and the folder opens.
func TestFaultsThePowerIsCutAtAnyMoment(t *testing.T) {
	if !outage.Possible() {
		t.Skip("strace is missing, or may not be used")
	}
	f := figures(t, "power cut at any moment, in any order the disk may have written")
	rnd := rand.New(rand.NewPCG(9, 4))
	base := t.TempDir()
	for _, manner := range mannersOfLife {
		c := newCourse(t, manner)
		dir := folder(t)
		trace, err := outage.Record(child(t, "live", dir, string(manner), "0"), dir)
		if err != nil {
			t.Fatal(err)
		}
		states := 0
		for cut := range trace.Cuts(rnd, 8) {
			if states++; states%stride(220) != 0 {
				continue
			}
			f.Runs++
			f.Faults++
			at := filepath.Join(base, fmt.Sprint(manner, states))
			do(t, cut.Make(at))
			done := deedsSaid(cut.Said)
			err := c.stand(at, done)
			if err == nil && c.purged(done) {
				err = forgotten(at)
			}
			if err == nil {
				err = c.goesOn(at, done)
			}
			if err != nil {
				lose(t, f, "%s, cut after %q with %q acknowledged, %s: %v", manner, cut.After, strings.Fields(cut.Said), cut.How, err)
				continue
			}
			os.RemoveAll(at)
		}
		t.Logf("%s: %d states", manner, states)
	}
}
