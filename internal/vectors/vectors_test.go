package vectors_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plastic/internal/vectors"
	"plastic/memory"
)

func key(n int) (k vectors.Key) {
	binary.BigEndian.PutUint64(k[:], uint64(n))
	return k
}

// random is a vector of length 1.
func random(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func open(t testing.TB, path, model string) *vectors.File {
	t.Helper()
	f, err := vectors.Open(path, model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestCosinesAreThoseOfTheVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := open(t, filepath.Join(t.TempDir(), "v"), "m")
	var all [][]float32
	var keys []vectors.Key
	for i := range 200 {
		all, keys = append(all, random(rng, 384)), append(keys, key(i))
		if err := f.Add([]vectors.Entry{{Key: key(i), Vector: all[i]}}); err != nil {
			t.Fatal(err)
		}
	}
	q := random(rng, 384)
	for i, got := range f.Cos(q, append(keys, key(999))) {
		if i == 200 {
			if !math.IsNaN(float64(got)) {
				t.Errorf("a text without a vector has the cosine %v", got)
			}
			continue
		}
		if want := cosine(q, all[i]); math.Abs(float64(got)-want) > 0.01 {
			t.Errorf("cosine %v, want %v", got, want)
		}
	}
	if got := f.Cos(all[3], keys)[3]; math.Abs(float64(got)-1) > 1e-4 {
		t.Errorf("a vector with itself has the cosine %v", got)
	}
}

func TestVectorsThatAreNoneAreRefused(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "v"), "m")
	nan := float32(math.NaN())
	for _, v := range [][]float32{nil, {0, 0}, {1, nan}, {1, float32(math.Inf(1))}} {
		err := f.Add([]vectors.Entry{{Key: key(1), Vector: []float32{1, 2}}, {Key: key(2), Vector: v}})
		if !errors.Is(err, memory.ErrModel) || f.Len() != 0 {
			t.Errorf("%v: error %v, %d kept", v, err, f.Len())
		}
	}
}

func TestOtherModelsAndDimensionsAreIgnoredAndStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	a, b := open(t, path, "a"), open(t, path, "b")
	add := func(f *vectors.File, n int, v ...float32) {
		t.Helper()
		if err := f.Add([]vectors.Entry{{Key: key(n), Vector: v}}); err != nil {
			t.Fatal(err)
		}
	}
	add(a, 1, 1, 0)
	add(b, 1, 0, 1)
	if a.Len() != 1 || b.Len() != 1 || a.Cos([]float32{1, 0}, []vectors.Key{key(1)})[0] < 0.99 || b.Cos([]float32{1, 0}, []vectors.Key{key(1)})[0] > 0.01 {
		t.Error("the models are mixed")
	}
	add(a, 2, 1, 0, 0) // the model gives three dimensions now
	if a.Len() != 1 || a.Has(key(1)) || !a.Has(key(2)) {
		t.Errorf("%d vectors count after the dimension changed", a.Len())
	}
	if err := a.Compact([]string{"b"}, func(vectors.Key) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if b.Len() != 1 || a.Len() != 1 {
		t.Error("Compact took what was wanted")
	}
	if err := a.Compact(nil, func(vectors.Key) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if b.Len() != 0 {
		t.Error("Compact left a model that nobody wants")
	}
}

// The file is a map from keys to vectors, whatever is written to it, by two who have
// it open, torn at the end or compacted meanwhile.
func TestFileIsAMap(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(dir, rapid.StringMatching(`[a-z]{12}`).Draw(rt, "name"))
		files := []*vectors.File{open(t, path, "m"), open(t, path, "m")}
		want := map[int][]float32{}
		one := func() *vectors.File { return files[rapid.IntRange(0, 1).Draw(rt, "who")] }
		vector := rapid.SliceOfN(rapid.Float32Range(0.1, 1), 5, 5)
		rt.Repeat(map[string]func(*rapid.T){
			"add": func(rt *rapid.T) {
				var es []vectors.Entry
				for range rapid.IntRange(1, 4).Draw(rt, "n") {
					k, v := rapid.IntRange(0, 20).Draw(rt, "key"), vector.Draw(rt, "vector")
					es = append(es, vectors.Entry{Key: key(k), Vector: v})
					want[k] = v
				}
				if err := one().Add(es); err != nil {
					rt.Fatal(err)
				}
			},
			"remove": func(rt *rapid.T) {
				k := rapid.IntRange(0, 20).Draw(rt, "key")
				delete(want, k)
				if err := one().Remove([]vectors.Key{key(k)}); err != nil {
					rt.Fatal(err)
				}
			},
			"compact": func(rt *rapid.T) {
				k := rapid.IntRange(0, 20).Draw(rt, "key")
				delete(want, k)
				if err := one().Compact(nil, func(x vectors.Key) bool { return x != key(k) }); err != nil {
					rt.Fatal(err)
				}
			},
			"tear": func(rt *rapid.T) {
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					return
				}
				f.Write([]byte("VB\x01\x01torn")[:rapid.IntRange(0, 8).Draw(rt, "torn")])
				f.Close()
			},
			"": func(rt *rapid.T) {
				for _, f := range files {
					if f.Len() != len(want) {
						rt.Fatalf("%d vectors, want %d", f.Len(), len(want))
					}
					for k, v := range want {
						if got := f.Cos(v, []vectors.Key{key(k)})[0]; !(got > 0.999) || !f.Has(key(k)) {
							rt.Fatalf("key %d: cosine %v with its own vector", k, got)
						}
					}
				}
			},
		})
	})
}

func TestPairsAreThoseThatComparingAllFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	f := open(t, filepath.Join(t.TempDir(), "v"), "m")
	var keys []vectors.Key
	var all [][]float32
	for i := range 600 {
		v := random(rng, 256)
		if i%3 == 2 { // near to the one before
			for j := range v {
				v[j] = all[i-1][j] + v[j]*float32(0.2+0.8*rng.Float64())
			}
		}
		all, keys = append(all, v), append(keys, key(i))
		if err := f.Add([]vectors.Entry{{Key: key(i), Vector: v}}); err != nil {
			t.Fatal(err)
		}
	}
	want := 0
	for i := range all {
		for j := range i {
			if cosine(all[i], all[j]) >= 0.82 {
				want++
			}
		}
	}
	got := f.Pairs(keys, 0.82)
	if want < 50 || len(got) < want*98/100 || len(got) > want*102/100 {
		t.Errorf("%d pairs, comparing all finds %d", len(got), want)
	}
	if !slices.IsSortedFunc(got, func(a, b vectors.Pair) int { return slices.Compare(a.A[:], b.A[:]) }) {
		t.Error("the pairs are in no order")
	}
	m := f.Measure()
	if m.Vectors != 600 || m.Unrelated.P95 > 0.3 || m.Related.P95 < 0.7 {
		t.Errorf("measured %+v", m)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed")
	v, _ := vectors.Open(path, "m")
	_ = v.Add([]vectors.Entry{{Key: key(1), Vector: []float32{1, 2, 3}}, {Key: key(2), Vector: []float32{3, 2, 1}}})
	_ = v.Remove([]vectors.Key{key(1)})
	v.Close()
	seed, _ := os.ReadFile(path)
	f.Add(seed)
	f.Add(seed[:len(seed)-3])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "v")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := vectors.Open(path, "m")
		if err != nil {
			return
		}
		defer v.Close()
		v.Cos([]float32{1, 2, 3}, []vectors.Key{key(1), key(2)})
		v.Pairs([]vectors.Key{key(1), key(2)}, 0.5)
		if err := v.Add([]vectors.Entry{{Key: key(7), Vector: []float32{1, 2, 3}}}); err != nil || !v.Has(key(7)) {
			t.Fatalf("what was added after is not there: %v", err)
		}
		if err := v.Compact(nil, func(vectors.Key) bool { return true }); err != nil {
			t.Fatal(err)
		}
	})
}
