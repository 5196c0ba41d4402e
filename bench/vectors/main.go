// Command vectors measures the exact scan over vectors beside chromem-go, whose query
// is an exact scan too, and beside a plain loop over float32: made-up vectors of 1,024
// dimensions in clusters, 50 questions, medians.
//
//	go run ./vectors -sizes 10000,100000
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/philippgille/chromem-go"

	"plastic/internal/vectors"
)

const (
	dim       = 1024
	questions = 50
	top       = 10
)

func main() {
	sizes := flag.String("sizes", "10000,100000", "how many vectors, comma-separated")
	flag.Parse()
	fmt.Println("| vectors | what | ms | × of chromem-go | top-10 in common with float32 |")
	fmt.Println("|---|---|---|---|---|")
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			log.Fatal(err)
		}
		measure(n)
	}
}

func measure(n int) {
	rng := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float32, 200)
	for i := range centres {
		centres[i] = random(rng, nil)
	}
	all := make([][]float32, n)
	for i := range all {
		all[i] = random(rng, centres[rng.IntN(len(centres))])
	}
	asks := make([][]float32, questions)
	for i := range asks {
		asks[i] = random(rng, centres[rng.IntN(len(centres))])
	}
	dir, err := os.MkdirTemp("", "vectors")
	check(err)
	defer os.RemoveAll(dir)

	path := filepath.Join(dir, "vectors")
	f, err := vectors.Open(path, "m")
	check(err)
	keys := make([]vectors.Key, n)
	begun := time.Now()
	for at := 0; at < n; at += 64 {
		var batch []vectors.Entry
		for i := at; i < min(at+64, n); i++ {
			binary.BigEndian.PutUint64(keys[i][:], uint64(i))
			batch = append(batch, vectors.Entry{Key: keys[i], Vector: all[i]})
		}
		check(f.Add(batch))
	}
	added := time.Since(begun)
	f.Close()
	begun = time.Now()
	f, err = vectors.Open(path, "m")
	check(err)
	opened := time.Since(begun)
	info, err := os.Stat(path)
	check(err)

	var ours, plain [][]int
	scan := median(asks, func(q []float32) { ours = append(ours, best(f.Cos(q, keys))) })
	loop := median(asks, func(q []float32) {
		cos := make([]float32, n)
		for i, v := range all {
			cos[i] = product(q, v)
		}
		plain = append(plain, best(cos))
	})
	common := 0
	for i := range ours {
		for _, x := range ours[i] {
			if slices.Contains(plain[i], x) {
				common++
			}
		}
	}

	db := chromem.NewDB()
	c, err := db.CreateCollection("c", nil, func(context.Context, string) ([]float32, error) { return nil, nil })
	check(err)
	docs := make([]chromem.Document, n)
	for i := range docs {
		docs[i] = chromem.Document{ID: strconv.Itoa(i), Embedding: all[i], Content: "x"}
	}
	check(c.AddDocuments(context.Background(), docs, runtime.NumCPU()))
	peer := median(asks, func(q []float32) {
		_, err := c.QueryEmbedding(context.Background(), q, top, nil, nil)
		check(err)
	})
	row := func(what string, d time.Duration, note string) {
		fmt.Printf("| %d | %s | %.2f | %.2f | %s |\n", n, what, float64(d.Microseconds())/1000, float64(d)/float64(peer), note)
	}
	row("plastic, a question", scan, fmt.Sprintf("%.1f %%", 100*float64(common)/float64(top*len(asks))))
	row("chromem-go, a question (all cores)", peer, "")
	row("a plain loop over float32", loop, "100 %")
	row("plastic, opening the file", opened, "")
	row("plastic, adding all in batches of 64", added, fmt.Sprintf("%d MB on disk", info.Size()>>20))
	f.Close()
}

func best(cos []float32) []int {
	order := make([]int, len(cos))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case cos[a] > cos[b]:
			return -1
		case cos[a] < cos[b]:
			return 1
		}
		return a - b
	})
	return order[:top]
}

func median(asks [][]float32, do func([]float32)) time.Duration {
	var took []time.Duration
	for _, q := range asks {
		begun := time.Now()
		do(q)
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// random is a vector of length 1, near to centre if there is one.
func random(rng *rand.Rand, centre []float32) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		if centre != nil {
			v[i] = v[i]*0.6/32 + centre[i]
		}
	}
	length := float32(math.Sqrt(float64(product(v, v))))
	for i := range v {
		v[i] /= length
	}
	return v
}

func product(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
