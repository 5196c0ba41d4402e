package main

import (
	"errors"
	"testing"
	"time"

	"plastic/memory"
)

// The law: what comes on stdin as a turn is one or an error of the form; no time of it is
// one that can not be written, and what is private in it is private.
func FuzzReadExchange(f *testing.F) {
	for _, s := range []string{`{"user":"a","assistant":"b"}`, `{"user":"a","at":"2026-01-01","private":"no"}`, "\ufeff{\"user\":1}", `[]`, `{"at":1e300}`, `{"at":"0000-00-00","session":null,"private":null}`, `{"user":"a"}{}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		x, err := readExchange(raw, time.UTC)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		if y := x.At.Year(); !x.At.IsZero() && (y < 0 || y > 9999) {
			t.Fatalf("%q is of the year %d", raw, y)
		}
	})
}
