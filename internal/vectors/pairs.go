package vectors

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Pair are two texts that are near in meaning.
type Pair struct {
	A, B Key
	Cos  float32
}

const (
	signBits  = 256 // of a vector's signature
	signWords = signBits / 64
	perBit    = 32 // coordinates that one bit looks at

	// slack is how many standard deviations more bits than expected two signatures may
	// differ in and still be compared: less than one pair in a thousand is missed.
	slack = 3.5
)

// Pairs gives every two of keys whose vectors have a cosine of at least least, those
// without a vector left out. Most pairs are told apart by their signatures, 256 signs
// of random sums (Charikar 2002), which costs some nanoseconds a pair; only near ones
// are compared whole. 20,000 keys take about a second, 100,000 half a minute.
func (f *File) Pairs(keys []Key, least float32) []Pair {
	_ = f.refresh()
	f.mu.RLock()
	defer f.mu.RUnlock()
	var rows []row
	var have []Key
	for _, k := range keys {
		if r, ok := f.rows[k]; ok && int(r.dim) == f.dim {
			rows, have = append(rows, r), append(have, k)
		}
	}
	signs := f.signatures(rows)
	most := farthest(float64(least))
	var mu sync.Mutex
	var out []Pair
	each(len(rows), func(i int) {
		var mine []Pair
		s := &signs[i]
		for j := i + 1; j < len(rows); j++ {
			t := &signs[j]
			d := bits.OnesCount64(s[0]^t[0]) + bits.OnesCount64(s[1]^t[1]) + bits.OnesCount64(s[2]^t[2]) + bits.OnesCount64(s[3]^t[3])
			if d > most {
				continue
			}
			if cos := f.between(rows[i], rows[j]); cos >= least {
				mine = append(mine, Pair{have[i], have[j], cos})
			}
		}
		if len(mine) > 0 {
			mu.Lock()
			out = append(out, mine...)
			mu.Unlock()
		}
	})
	slices.SortFunc(out, func(a, b Pair) int {
		if c := slices.Compare(a.A[:], b.A[:]); c != 0 {
			return c
		}
		return slices.Compare(a.B[:], b.B[:])
	})
	return out
}

// farthest is how many bits the signatures of two vectors with this cosine differ in
// at most.
func farthest(cos float64) int {
	p := angle(cos)
	return int(signBits*p + slack*deviation(p)) // of a binomial distribution
}

// between is the cosine of two rows.
func (f *File) between(a, b row) float32 {
	x, y := f.data[a.at:a.at+int64(a.dim)], f.data[b.at:b.at+int64(b.dim)]
	var s int32
	for i := range x {
		s += int32(int8(x[i])) * int32(int8(y[i]))
	}
	return float32(s) * a.scale * b.scale
}

// signatures gives the signs of signBits random sums of some of a vector's numbers.
// The sums are the same in every run.
func (f *File) signatures(rows []row) [][signWords]uint64 {
	rng := rand.New(rand.NewPCG(1, 2))
	type pick struct {
		at   int32
		sign int8
	}
	picks := make([]pick, signBits*perBit)
	for i := range picks {
		picks[i] = pick{int32(rng.IntN(max(f.dim, 1))), int8(rng.IntN(2)*2 - 1)}
	}
	out := make([][signWords]uint64, len(rows))
	each(len(rows), func(i int) {
		v := f.data[rows[i].at : rows[i].at+int64(rows[i].dim)]
		for bit := range signBits {
			var sum int32
			for _, p := range picks[bit*perBit : (bit+1)*perBit] {
				sum += int32(int8(v[p.at])) * int32(p.sign)
			}
			if sum > 0 {
				out[i][bit/64] |= 1 << (bit % 64)
			}
		}
	})
	return out
}

// each calls do for 0…n−1, on every core.
func each(n int, do func(i int)) {
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for c := range cores {
		wg.Go(func() {
			for i := c; i < n; i += cores {
				do(i)
			}
		})
	}
	wg.Wait()
}
