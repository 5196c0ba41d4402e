package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"plastic/internal/index"
	"plastic/memory"
)

// invented gives n memories of 20 to 300 characters over three years: 45 % Chinese,
// 35 % English, 20 % Russian, words by Zipf's law, every other one in a
// conversation of twenty turns.
func invented(n int) []memory.Memory { return inventedTalks(n, 2) }

// inventedTalks puts every k-th run of twenty into a conversation, none with 0.
func inventedTalks(n, k int) []memory.Memory {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 30000)
	ms := make([]memory.Memory, n)
	for i := range ms {
		ms[i] = memory.Memory{
			ID: fmt.Sprintf("m%07d", i), Content: sentence(r, zipf), Kind: memory.Fact, Importance: r.Float64(),
			CreatedAt: day.Add(time.Duration(i-n) * 3 * 365 * 24 * time.Hour / time.Duration(n)),
		}
		if k > 0 && i/20%k == 0 {
			ms[i].Session, ms[i].Speaker = fmt.Sprint("s", i/20), []string{"user", "assistant"}[i%2]
		}
	}
	return ms
}

func sentence(r *rand.Rand, zipf *rand.Zipf) string {
	var s strings.Builder
	size := 20 + r.IntN(280)
	lang := r.IntN(100)
	for n := 0; n < size; {
		w := word(zipf.Uint64(), lang)
		s.WriteString(w)
		n += len([]rune(w))
	}
	return s.String()
}

// word spells the k-th word of a language.
func word(k uint64, lang int) string {
	if lang < 45 {
		r := rand.New(rand.NewPCG(k, 3))
		return string([]rune{0x4e00 + rune(r.IntN(3000)), 0x4e00 + rune(r.IntN(3000))})
	}
	letters := []rune("etaoinshrdlcumwfgypbvk")
	if lang >= 80 {
		letters = []rune("оеаинтсрвлкмдпуяыьгз")
	}
	r := rand.New(rand.NewPCG(k, 4))
	w := make([]rune, 2+r.IntN(7))
	for i := range w {
		w[i] = letters[r.IntN(len(letters))]
	}
	return string(w) + " "
}

func questions(n int) []string {
	r := rand.New(rand.NewPCG(5, 6))
	zipf := rand.NewZipf(r, 1.1, 4, 30000)
	out := make([]string, n)
	for i := range out {
		lang := r.IntN(100)
		for range 2 + r.IntN(5) {
			out[i] += word(zipf.Uint64(), lang)
		}
	}
	return out
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		searchIn(b, fmt.Sprint("loose/", n), index.Build(inventedTalks(n, 0), day))
		searchIn(b, fmt.Sprint("talks/", n), index.Build(invented(n), day))
	}
}

func searchIn(b *testing.B, name string, ix *index.Index) {
	b.Run(name, func(b *testing.B) {
		var qs []index.Query
		for _, q := range questions(200) {
			a := index.Ask(q, day)
			a.Floor, a.Head, a.Within = 0.15, 40, 2.0/3
			qs = append(qs, a)
		}
		b.ReportAllocs()
		hits, i := 0, 0
		for b.Loop() {
			hits += len(ix.Search(qs[i%len(qs)]).Hits)
			i++
		}
		b.ReportMetric(float64(hits)/float64(i), "hits/op")
	})
}

func BenchmarkBuild(b *testing.B) {
	ms := invented(10_000)
	size := 0
	for i := range ms {
		size += len(ms[i].Content)
	}
	b.SetBytes(int64(size))
	var ix *index.Index
	for b.Loop() {
		ix = index.Build(ms, day)
	}
	b.ReportMetric(float64(len(ix.Block()))/float64(len(ms)), "bytes/memory")
}

func BenchmarkWithOne(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix := index.Build(invented(n), day)
			more := invented(1000)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				m := more[i%1000]
				m.ID = fmt.Sprint("new", i)
				m.CreatedAt = day
				ix = ix.With([]memory.Memory{m}, nil)
				i++
			}
		})
	}
}

func BenchmarkRehearseTen(b *testing.B) {
	ms := invented(100_000)
	ix := index.Build(ms, day)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		ten := ms[i%9000*10:][:10]
		for k := range ten {
			ten[k].RecallCount++
			ten[k].LastRecalledAt = day
		}
		ix = ix.With(ten, nil)
		i++
	}
}
