package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Measured says where the cosines of one memory's texts lie.
type Measured struct {
	Vectors   int    `json:"vectors"`
	Dimension int    `json:"dimension"`
	Unrelated Spread `json:"unrelated"` // of random pairs
	Related   Spread `json:"related"`   // of each text and its nearest

	// What recall.cosineZero and recall.cosineOne would be for these: where half of the
	// unrelated pairs lie, and where nearly all of the nearest do. Texts that answer a
	// question are less near to it than two statements about one thing are to each other.
	CosineZero float64 `json:"cosineZero"`
	CosineOne  float64 `json:"cosineOne"`
}

// Spread are percentiles of cosines.
type Spread struct {
	Pairs int     `json:"pairs"`
	P5    float64 `json:"p5"`
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
}

const (
	measuredPairs = 4000 // random ones
	measuredTexts = 500  // whose nearest is looked for
)

// Measure compares random pairs, which are unrelated nearly always, and some texts
// with their nearest.
func (f *File) Measure() Measured {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var rows []row
	for _, r := range f.rows {
		if int(r.dim) == f.dim {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return int(a.at - b.at) })
	out := Measured{Vectors: len(rows), Dimension: f.dim}
	if len(rows) < 2 {
		return out
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var unrelated []float64
	for range measuredPairs {
		i, j := rng.IntN(len(rows)), rng.IntN(len(rows))
		if i != j {
			unrelated = append(unrelated, float64(f.between(rows[i], rows[j])))
		}
	}
	texts := rng.Perm(len(rows))[:min(measuredTexts, len(rows))]
	related := make([]float64, len(texts))
	each(len(texts), func(i int) {
		best := float32(-1)
		for j := range rows {
			if j != texts[i] {
				best = max(best, f.between(rows[texts[i]], rows[j]))
			}
		}
		related[i] = float64(best)
	})
	out.Unrelated, out.Related = spread(unrelated), spread(related)
	out.CosineZero = round(out.Unrelated.P50)
	out.CosineOne = round(min(1, max(out.Related.P95, out.CosineZero+0.1)))
	return out
}

func round(x float64) float64 { return math.Round(100*x) / 100 }

func spread(x []float64) Spread {
	if len(x) == 0 {
		return Spread{}
	}
	slices.Sort(x)
	at := func(p float64) float64 { return math.Round(1000*x[int(p*float64(len(x)-1))]) / 1000 }
	return Spread{Pairs: len(x), P5: at(0.05), P50: at(0.5), P95: at(0.95)}
}

// angle is the angle of a cosine as a share of a half turn, 0…1.
func angle(cos float64) float64 { return math.Acos(min(max(cos, -1), 1)) / math.Pi }

func deviation(p float64) float64 { return math.Sqrt(signBits * p * (1 - p)) }
