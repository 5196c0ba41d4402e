package sleep

import (
	"cmp"
	"slices"
	"time"

	"plastic/memory"
)

// Pair is two memories whose vectors are near.
type Pair struct {
	A, B string // ids
	Cos  float64
}

// Clusters groups the memories of ms a night may speak of by what they say: two
// belong together from ClusterJaccard or ClusterCosine on, and so does what hangs
// together through others. What is larger than MaxCluster is cut at its weakest
// edges. Clusters that are settled, and memories that stand alone, are left out.
// The order is that of the first member by createdAt and id, and so within.
//
// The time grows with the number of memories, not with its square: see join.
func Clusters(ms []memory.Memory, near []Pair, p Params, now time.Time) [][]memory.Memory {
	sent := Sendable(ms, p, now)
	slices.SortFunc(sent, func(a, b memory.Memory) int { return a.Compare(&b) })
	edges := append(join(sent, p.ClusterJaccard), nearEdges(sent, near, p.ClusterCosine)...)
	var out [][]memory.Memory
	for _, members := range components(len(sent), edges, max(p.MaxCluster, 2)) {
		cluster := make([]memory.Memory, len(members))
		for i, at := range members {
			cluster[i] = sent[at]
		}
		if !p.settled(cluster, now) {
			out = append(out, cluster)
		}
	}
	return out
}

// Clustered are the ids of all memories that belong to any other, settled or not.
func Clustered(ms []memory.Memory, near []Pair, p Params, now time.Time) map[string]bool {
	sent := Sendable(ms, p, now)
	out := map[string]bool{}
	for _, e := range append(join(sent, p.ClusterJaccard), nearEdges(sent, near, p.ClusterCosine)...) {
		out[sent[e.a].ID], out[sent[e.b].ID] = true, true
	}
	return out
}

// settled reports whether a model has seen every member since its last edit, and
// nothing then waited for a member to grow old enough that has done so by now.
func (p *Params) settled(cluster []memory.Memory, now time.Time) bool {
	for i := range cluster {
		m := &cluster[i]
		edit := edited(m)
		if edit.After(now) { // a date ahead of the clock tells nothing
			edit = m.ConsolidatedAt
		}
		if m.ConsolidatedAt.IsZero() || m.ConsolidatedAt.Before(edit) {
			return false
		}
		grown := edited(m).Add(p.KeepRecent)
		if p.Early[m.ID] && !now.Before(grown) && m.ConsolidatedAt.Before(grown) {
			return false
		}
	}
	return true
}

// edge joins two places of a list; weight is 0…1, how far above the threshold.
type edge struct {
	a, b   int32
	weight float64
}

func nearEdges(ms []memory.Memory, near []Pair, least float64) []edge {
	if len(near) == 0 {
		return nil
	}
	at := make(map[string]int32, len(ms))
	for i := range ms {
		at[ms[i].ID] = int32(i)
	}
	var out []edge
	for _, n := range near {
		a, okA := at[n.A]
		b, okB := at[n.B]
		if okA && okB && a != b && n.Cos >= least {
			out = append(out, edge{min(a, b), max(a, b), above(n.Cos, least)})
		}
	}
	return out
}

// above places x, which is least…1, on a scale from 0 to 1, so that likenesses of
// words and of vectors can be compared.
func above(x, least float64) float64 {
	if least >= 1 {
		return 1
	}
	return min((x-least)/(1-least), 1)
}

// components are the groups of two or more that edges join, none larger than most:
// edges are taken from the strongest to the weakest, and one that would make too
// large a group is cut. Equal edges go by the places they join.
func components(n int, edges []edge, most int) [][]int32 {
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	parent, size := make([]int32, n), make([]int32, n)
	for i := range parent {
		parent[i], size[i] = int32(i), 1
	}
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, e := range edges {
		a, b := root(e.a), root(e.b)
		if a == b || int(size[a]+size[b]) > most {
			continue
		}
		a, b = min(a, b), max(a, b)
		parent[b] = a
		size[a] += size[b]
	}
	groups := map[int32][]int32{}
	var order []int32
	for i := range parent {
		r := root(int32(i))
		if size[r] < 2 {
			continue
		}
		if groups[r] == nil {
			order = append(order, r)
		}
		groups[r] = append(groups[r], int32(i))
	}
	out := make([][]int32, 0, len(order))
	for _, r := range order {
		out = append(out, groups[r])
	}
	return out
}
