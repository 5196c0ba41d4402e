package main

import (
	"bytes"
	"container/heap"
	"encoding/json"
	"math"
	"os"
	"time"

	"plastic/compress"
	"plastic/memory"
)

// linear is what most small memories do: one JSON file, decoded whole by
// encoding/json, scored by BM25 over words and character bigrams, written whole
// after each change. It is printed for reference and counts as a peer in the
// night only: it has no index.
type linear struct {
	path string
	doc  linearFile
}

type linearFile struct {
	Version  int            `json:"version"`
	Memories []linearMemory `json:"memories"`
}

type linearMemory struct {
	ID             string    `json:"id"`
	Content        string    `json:"content"`
	Kind           string    `json:"kind"`
	Importance     float64   `json:"importance"`
	CreatedAt      time.Time `json:"createdAt"`
	RecallCount    int       `json:"recallCount,omitzero"`
	LastRecalledAt time.Time `json:"lastRecalledAt,omitzero"`
	Session        string    `json:"session,omitempty"`
	Speaker        string    `json:"speaker,omitempty"`
}

func openLinear(path string) (*linear, error) {
	l := &linear{path: path}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return l, json.Unmarshal(b, &l.doc)
}

func (l *linear) name() string { return "linear" }
func (l *linear) close() error { return nil }

// contents answers a query with the texts of the best ten.
func (l *linear) contents(query string) []string {
	const k1, b = 1.2, 0.75
	terms := meaning(grams(words(query), 2))
	at := map[string]int{}
	for i, t := range terms {
		at[t] = i
	}
	type hit struct {
		doc, length int
		times       []int
	}
	var hits []hit
	total, df := 0, make([]int, len(terms))
	for i := range l.doc.Memories {
		list := grams(words(l.doc.Memories[i].Content), 2)
		total += len(list)
		var times []int
		for _, w := range list {
			if k, ok := at[w]; ok {
				if times == nil {
					times = make([]int, len(terms))
				}
				times[k]++
			}
		}
		if times != nil {
			hits = append(hits, hit{i, len(list), times})
			for k, n := range times {
				df[k] += min(n, 1)
			}
		}
	}
	n, mean := float64(len(l.doc.Memories)), float64(total)/float64(len(l.doc.Memories))
	var best top
	for _, h := range hits {
		score := 0.0
		for k, tf := range h.times {
			idf := math.Log(1 + (n-float64(df[k])+0.5)/(float64(df[k])+0.5))
			score += idf * float64(tf) * (k1 + 1) / (float64(tf) + k1*(1-b+b*float64(h.length)/mean))
		}
		heap.Push(&best, scored{h.doc, score})
		if len(best) > 10 {
			heap.Pop(&best)
		}
	}
	out := make([]string, len(best))
	for i := len(best) - 1; i >= 0; i-- {
		out[i] = l.doc.Memories[heap.Pop(&best).(scored).doc].Content
	}
	return out
}

type scored struct {
	doc   int
	score float64
}

// top is a heap with the worst of the best on top.
type top []scored

func (t top) Len() int           { return len(t) }
func (t top) Less(i, j int) bool { return t[i].score < t[j].score }
func (t top) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *top) Push(x any)        { *t = append(*t, x.(scored)) }
func (t *top) Pop() any {
	last := len(*t) - 1
	x := (*t)[last]
	*t = (*t)[:last]
	return x
}

func (l *linear) insert(m *memory.Memory) error {
	l.doc.Memories = append(l.doc.Memories, linearMemory{
		ID: m.ID, Content: m.Content, Kind: string(m.Kind), Importance: m.Importance, CreatedAt: m.CreatedAt,
		RecallCount: m.RecallCount, LastRecalledAt: m.LastRecalledAt, Session: m.Session, Speaker: m.Speaker,
	})
	return writeSynced(l.path, &l.doc)
}

// memories are the contents as the peers' builders take them.
func (l *linear) memories() []memory.Memory {
	list := make([]memory.Memory, len(l.doc.Memories))
	for i, m := range l.doc.Memories {
		list[i] = memory.Memory{ID: m.ID, Content: m.Content, Kind: memory.Kind(m.Kind), Importance: m.Importance, CreatedAt: m.CreatedAt,
			RecallCount: m.RecallCount, LastRecalledAt: m.LastRecalledAt, Session: m.Session, Speaker: m.Speaker}
	}
	return list
}

// night plans over what is in memory, and writes what stays and what goes.
func (l *linear) night(now time.Time) error {
	plan := compress.Night(l.memories(), compress.Default(), now)
	gone, raised := map[string]bool{}, map[string]bool{}
	for _, it := range plan.Prune {
		gone[it.ID] = true
	}
	for _, it := range plan.Promote {
		raised[it.ID] = true
	}
	archive := linearFile{Version: 1}
	stays := l.doc.Memories[:0]
	for _, m := range l.doc.Memories {
		if raised[m.ID] {
			m.Importance = 0.75
		}
		if gone[m.ID] {
			archive.Memories = append(archive.Memories, m)
		} else {
			stays = append(stays, m)
		}
	}
	l.doc.Memories = stays
	if err := writeSynced(l.path+".archive", &archive); err != nil {
		return err
	}
	return writeSynced(l.path, &l.doc)
}

// writeSynced writes v as JSON beside path, syncs it and puts it in its place.
func writeSynced(path string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(b.Bytes()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
