package sleep

import (
	"cmp"
	"slices"

	"plastic/memory"
	"plastic/tokenize"
)

// mostInPostings bounds how far back the postings of one stem are read. Texts of
// one mould, thousands of them, share every stem but one or two; each is then
// compared with its last neighbours only, which joins them all the same.
const mostInPostings = 256

// join gives the pairs of memories whose stems have a Jaccard of least or more. It
// is the prefix filter of Bayardo, Ma and Srikant (All Pairs Similarity Search,
// 2007): with the stems of a text in order of rarity, two texts so alike share one
// of the first n − ⌈least·n⌉ + 1, so that only the postings of rare stems are read.
// Texts of the very same stems are chained, not compared each with each.
func join(ms []memory.Memory, least float64) []edge {
	if !(least > 0) {
		return nil
	}
	sets := stemSets(ms)
	order := make([]int32, 0, len(ms))
	for i := range sets {
		if len(sets[i]) > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(len(sets[a]), len(sets[b])), slices.Compare(sets[a], sets[b]), cmp.Compare(a, b))
	})
	j := joiner{sets: sets, least: least, postings: make([][]posting, highest(sets)+1), seen: make([]int32, len(ms))}
	for n, x := range order {
		if n > 0 && slices.Equal(sets[order[n-1]], sets[x]) {
			j.add(order[n-1], x, 1)
			continue
		}
		j.probe(x)
	}
	return j.out
}

type joiner struct {
	sets     [][]int32
	least    float64
	postings [][]posting // by stem, who has it among its rarest
	seen     []int32     // by place, the place + 1 it was compared with last
	out      []edge
}

// posting is a text, and where among its stems the stem stands.
type posting struct{ who, at int32 }

// probe compares x with what came before it, all of it no longer than x. Two texts
// that meet at the i-th and k-th stem can share no more than what stands behind; if
// that is too little they are passed over (Xiao et al., PPJoin, 2008).
func (j *joiner) probe(x int32) {
	set := j.sets[x]
	n := len(set)
	prefix := n - ceil(j.least*float64(n)) + 1
	indexed := n - ceil(2*j.least/(1+j.least)*float64(n)) + 1
	for i, stem := range set[:prefix] {
		list := j.postings[stem]
		for _, p := range list[max(0, len(list)-mostInPostings):] {
			y, m := p.who, len(j.sets[p.who])
			if j.seen[y] == x+1 || float64(m) < j.least*float64(n)-1e-9 {
				continue
			}
			if behind := min(n-i, m-int(p.at)); float64(behind) < j.least/(1+j.least)*float64(n+m)-1e-9 {
				continue
			}
			j.seen[y] = x + 1
			if jaccard := jaccard(set, j.sets[y]); jaccard >= j.least-1e-9 {
				j.add(x, y, jaccard)
			}
		}
		if i < indexed {
			j.postings[stem] = append(list, posting{x, int32(i)})
		}
	}
}

func (j *joiner) add(x, y int32, jaccard float64) {
	j.out = append(j.out, edge{min(x, y), max(x, y), above(jaccard, j.least)})
}

func ceil(x float64) int {
	n := int(x - 1e-9)
	if float64(n) < x-1e-9 {
		n++
	}
	return n
}

// jaccard is |a∩b| / |a∪b| of two sorted sets.
func jaccard(a, b []int32) float64 {
	common, i, k := 0, 0, 0
	for i < len(a) && k < len(b) {
		switch {
		case a[i] == b[k]:
			common++
			i++
			k++
		case a[i] < b[k]:
			i++
		default:
			k++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// stemSets gives each text's stems as numbers, each once, the rarest first: the
// numbers rise with how many texts have the stem.
func stemSets(ms []memory.Memory) [][]int32 {
	number := map[string]int32{}
	var names []string
	var df []int32
	sets := make([][]int32, len(ms))
	for i := range ms {
		var set []int32
		for _, stem := range tokenize.Stems(ms[i].Content) {
			n, ok := number[stem]
			if !ok {
				n = int32(len(df))
				number[stem], df, names = n, append(df, 0), append(names, stem)
			}
			set = append(set, n)
		}
		slices.Sort(set)
		sets[i] = slices.Compact(set)
		for _, n := range sets[i] {
			df[n]++
		}
	}
	rank := make([]int32, len(df))
	byRarity := make([]int32, len(df))
	for i := range byRarity {
		byRarity[i] = int32(i)
	}
	slices.SortFunc(byRarity, func(a, b int32) int { return cmp.Or(cmp.Compare(df[a], df[b]), cmp.Compare(names[a], names[b])) })
	for r, n := range byRarity {
		rank[n] = int32(r)
	}
	for _, set := range sets {
		for i, n := range set {
			set[i] = rank[n]
		}
		slices.Sort(set)
	}
	return sets
}

func highest(sets [][]int32) int32 {
	most := int32(-1)
	for _, set := range sets {
		if len(set) > 0 {
			most = max(most, set[len(set)-1])
		}
	}
	return most
}
