package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// A night that waits in the journal while a purge was cut off half way is one night, and
// does not tell what was purged.
func TestANightIsOneThoughAPurgeWasCutOff(t *testing.T) {
	// The purge ends before nights.jsonl is written anew, and after.
	for _, at := range []string{"nights.jsonl:create", "archive.json:create"} {
		t.Run(at, func(t *testing.T) { cutsPurgeOff(t, at) })
	}
}

func cutsPurgeOff(t *testing.T, step string) {
	dir := folder(t)
	s := open(t, dir, store.Options{Now: at(start).Now, Delay: time.Hour})
	put(t, s, "a", "a thing to be purged", start)
	full := errors.New("no space left on device")
	fails := func(at string) {
		s.SetFault(func(name string) error {
			if name == at {
				return full
			}
			return nil
		})
	}
	fails("cut")
	update(t, s, func(tx *store.Tx) {
		tx.Night(map[string]any{"date": "2026-03-01", "ops": []map[string]string{{"op": "rewrite", "id": "a", "content": "a thing to be purged"}}})
	})
	fails(step)
	if _, err := s.Update(ctx, func(tx *store.Tx) error { tx.Purge("a"); return nil }); !errors.Is(err, full) {
		t.Fatal(err)
	}
	s.SetFault(nil)
	check := func(when string) {
		t.Helper()
		nights, err := s.Nights()
		if err != nil || len(nights) != 1 || strings.Contains(string(nights[0]), "purged") {
			t.Errorf("%s: %d nights, %s, %v", when, len(nights), nights, err)
		}
	}
	check("cut off")
	update(t, s, func(tx *store.Tx) { tx.Put(memory.Memory{ID: "b", Content: "more", CreatedAt: start}) })
	check("with another update")
	if _, err := s.Checkpoint(ctx); err != nil {
		t.Fatal(err)
	}
	check("settled")
}
