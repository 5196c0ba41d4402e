package index_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"plastic/internal/index"
	"plastic/memory"
	"plastic/tokenize"
)

func TestABlockOpensWhereverItLies(t *testing.T) {
	ms := invented(500)
	ix := index.Build(ms, day)
	if !slices.Equal(ix.Block(), index.Build(ms, day).Block()) {
		t.Error("two builds of the same memories differ")
	}
	again, err := index.Open(slices.Clone(ix.Block()))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Verify(); err != nil {
		t.Fatal(err)
	}
	for _, q := range questions(20) {
		if got, want := ask(again, q), ask(ix, q); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", q, got, want)
		}
	}
	if !again.Holds(day) {
		t.Error("it does not hold when it was built")
	}
}

func TestADamagedBlockIsKnown(t *testing.T) {
	whole := index.Build(invented(50), day).Block()
	for _, n := range []int{0, 7, 100, len(whole) / 2, len(whole) - 9} {
		if _, err := index.Open(whole[:n]); !errors.Is(err, memory.ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for at := range 600 {
		b := slices.Clone(whole)
		b[at] ^= 1
		ix, err := index.Open(b)
		if err == nil {
			err = ix.Verify()
		}
		if !errors.Is(err, memory.ErrCorrupt) {
			t.Fatalf("a bit of byte %d flipped: %v", at, err)
		}
	}
}

func TestHoldsUntilAValidToComes(t *testing.T) {
	ms := []memory.Memory{
		{ID: "a", Content: "tea", CreatedAt: day, ValidTo: day.AddDate(0, 0, 2)},
		{ID: "b", Content: "tea", CreatedAt: day, ValidTo: day.AddDate(0, 0, -2)},
		{ID: "c", Content: "tea", CreatedAt: day},
	}
	ix := index.Build(ms, day)
	if ix.Len() != 2 {
		t.Fatalf("%d memories, want the two that are live", ix.Len())
	}
	for days, want := range map[int]bool{-3: false, -2: true, 0: true, 1: true, 2: false} {
		now := day.AddDate(0, 0, days)
		if ix.Holds(now) != want {
			t.Errorf("holds %d days on: %v", days, !want)
		}
		if want && index.Build(ms, now).Len() != ix.Len() {
			t.Errorf("%d days on a fresh build has other memories", days)
		}
	}
}

// TestReadersKeepWhatTheyHadWhileItIsEdited is of use with the race detector.
func TestReadersKeepWhatTheyHadWhileItIsEdited(t *testing.T) {
	ms := invented(300)
	ix := index.Build(ms[:200], day)
	qs := questions(5)
	var want [][]string
	for _, q := range qs {
		want = append(want, ask(ix, q))
	}
	var wait sync.WaitGroup
	for i := range 2 {
		wait.Go(func() {
			for k := range 20 {
				if got := ask(ix, qs[(i+k)%5]); !slices.Equal(got, want[(i+k)%5]) {
					t.Errorf("%q changed under its reader", qs[(i+k)%5])
				}
			}
		})
	}
	next := ix
	for _, m := range ms[200:] {
		next = next.With([]memory.Memory{m}, []string{ms[0].ID})
	}
	wait.Wait()
	if next.Len() != 299 {
		t.Errorf("%d memories at the end, want 299", next.Len())
	}
}

func TestAWarmSearchHardlyAllocates(t *testing.T) {
	ix := index.Build(invented(2000), day)
	for _, text := range questions(10) {
		q := index.Ask(text, day)
		q.Floor = 0.15
		ix.Search(q)
		if n := testing.AllocsPerRun(20, func() { ix.Search(q) }); n > 10 {
			t.Errorf("%v allocations for %q", n, text)
		}
	}
}

// What a damaged body says may be wrong; reading it neither fails nor hangs.
func TestADamagedBodyHarmsNobody(t *testing.T) {
	whole := index.Build(invented(120), day).Block()
	r := rand.New(rand.NewPCG(7, 8))
	qs := questions(6)
	for round := range 300 {
		b := slices.Clone(whole)
		for range 1 + r.IntN(40) {
			at := index.Counts + r.IntN(len(b)-index.Counts)
			b[at] = byte(r.IntN(256))
		}
		if r.IntN(4) == 0 {
			at := index.Counts + r.IntN(len(b)-index.Counts)
			clear(b[at:min(len(b), at+1<<r.IntN(14))])
		}
		ix, err := index.Open(b)
		if err != nil {
			continue
		}
		ask(ix, qs[round%len(qs)])
		ix.Overlaps(tokenize.Stems(qs[round%len(qs)]), 0.2)
		ix.Earliest(8)
		edited := ix.With(invented(3), []string{"m0000050"})
		ask(edited, qs[round%len(qs)])
		edited.Merged(nil)
	}
}
