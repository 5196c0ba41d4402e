package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

// filled is a folder with n memories, about 450 bytes each.
func filled(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := store.Create(dir); err != nil {
		tb.Fatal(err)
	}
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	_, err = s.Update(ctx, func(tx *store.Tx) error {
		for i := range n {
			tx.Put(memory.Memory{ID: fmt.Sprintf("m%07d", i), Content: fmt.Sprintf("memory %d: %0300d", i, i), CreatedAt: start.Add(time.Duration(i) * time.Minute)})
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := s.Checkpoint(ctx); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func BenchmarkUpdate(b *testing.B) {
	for _, n := range []int{10, 1000, 10000, 100000} {
		for _, delay := range []time.Duration{0, time.Hour} {
			b.Run(fmt.Sprintf("n=%d/delay=%v", n, delay), func(b *testing.B) {
				s, err := store.Open(filled(b, n), store.Options{Delay: delay})
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				for b.Loop() {
					_, err := s.Update(ctx, func(tx *store.Tx) error {
						tx.Put(memory.Memory{ID: tx.NewID(), Content: "one more"})
						return nil
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRehearse(b *testing.B) {
	for _, n := range []int{1000, 100000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s, err := store.Open(filled(b, n), store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			ids := []string{"m0000001", "m0000100", "m0000200", "m0000900", "m0000901", "m0000902", "m0000903", "m0000904", "m0000905", "m0000906"}
			for b.Loop() {
				if err := s.Rehearse(ids, start); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenAndGet(b *testing.B) {
	for _, n := range []int{1000, 100000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			dir := filled(b, n)
			id := fmt.Sprintf("m%07d", n-1)
			for b.Loop() {
				s, err := store.Open(dir, store.Options{})
				if err != nil {
					b.Fatal(err)
				}
				st, err := s.Read()
				if err != nil {
					b.Fatal(err)
				}
				if _, ok := st.Get(id); !ok {
					b.Fatal("not found")
				}
				s.Close()
			}
		})
	}
}

func BenchmarkMemories(b *testing.B) {
	dir := filled(b, 100000)
	for b.Loop() {
		s, err := store.Open(dir, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		st, err := s.Read()
		if err != nil {
			b.Fatal(err)
		}
		if len(st.Memories()) != 100000 {
			b.Fatal("not all")
		}
		b.SetBytes(st.FileKey().Size)
	}
}

func BenchmarkReadUnchanged(b *testing.B) {
	s, err := store.Open(filled(b, 1000), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Read(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFloor is what the disk takes for one synced append: the least that an
// acknowledged update can cost.
func BenchmarkFloor(b *testing.B) {
	f, err := os.OpenFile(filepath.Join(b.TempDir(), "floor"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := make([]byte, 160)
	for b.Loop() {
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}
