package store_test

import (
	"fmt"
	"testing"
	"time"

	"plastic/store"
)

// What a start pays for recalls that no checkpoint has folded in yet: about 400 lines of
// ten memories.
func BenchmarkOpenAfterRecalls(b *testing.B) {
	dir := filled(b, 400)
	s, err := store.Open(dir, store.Options{Now: func() time.Time { return start }})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 400 {
		ids := make([]string, 10)
		for k := range ids {
			ids[k] = fmt.Sprintf("m%07d", (i*7+k*31)%400)
		}
		if err := s.Rehearse(ids, start.Add(time.Duration(i)*time.Minute)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		s, err := store.Open(dir, store.Options{Now: func() time.Time { return start }})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Read(); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
