// Package sleep consolidates a memory with a model that only proposes: it finds
// what belongs together, writes the questions, reads the answers, and decides
// operation by operation what of a plan may be done to the memories as they are
// now. It calls no model, reads no clock, touches no file and changes no memory:
// whoever uses it carries the Ask, and writes what a Done says.
//
//	for _, c := range sleep.Clusters(ms, nil, p, now) {
//		reply, err := chat(ctx, sleep.AskCluster(c, p, now))
//		if err != nil { … }
//		ops, _, err := sleep.Read(reply)
//		if err != nil { … }
//		for _, done := range guard.Apply(sleep.InCluster, ops, c) { … }
//	}
package sleep

import (
	"time"

	"plastic/layers"
	"plastic/memory"
)

// Params are the settings of a night with a model.
type Params struct {
	ClusterJaccard float64 // 0…1: from this share of common stems on two memories belong together
	ClusterCosine  float64 // 0…1: … or from this cosine of their vectors on
	MaxCluster     int     // larger clusters are cut at their weakest edges
	MaxOps         int     // how many operations one night applies
	MaxForget      int     // how many memories one night forgets
	KeepRecent     time.Duration
	MaxContent     int // characters of one memory
	CoreBudget     int // characters of the prompt section that core memories may take
	Layers         layers.Params

	SendPrivate bool   // private memories may be shown to the model
	Persona     string // the bot's character, for the system prompt
	Model       string // "": the one configured
	Effort      string // of reasoning

	// Refuse says why a text may not be kept (a secret in it), or "". nil: never.
	Refuse func(text string) string

	Early     map[string]bool   // members of clusters in which something was refused because it was too young
	Judged    map[string]string // by id the Sum of what was judged not worth forgetting
	Lowered   map[string]bool   // ids that were core or important before a night weighed them anew
	Rejected  map[string]bool   // Keys of operations that a person took back
	Originals map[string]string // by id the wording before the first night that changed it
}

// Verb is what an operation does.
type Verb string

// The operations a plan may hold.
const (
	Merge     Verb = "merge"     // two or more ids → content, under the id of the most recalled
	Supersede Verb = "supersede" // an old id, then the id of what holds now
	Rewrite   Verb = "rewrite"   // an id → content
	Split     Verb = "split"     // an id → contents
	Derive    Verb = "derive"    // ids of the evidence → content, a new fact; the evidence stays
	Forget    Verb = "forget"    // ids to the archive
	Set       Verb = "set"       // ids → kind, importance or both
)

// Op is one operation as a model proposes it.
type Op struct {
	Op         Verb        `json:"op"`
	IDs        []string    `json:"ids"`
	Content    string      `json:"content,omitempty"`
	Contents   []string    `json:"contents,omitempty"`
	Kind       memory.Kind `json:"kind,omitempty"`
	Importance *float64    `json:"importance,omitempty"`
	Why        string      `json:"why"`
}

// Scope is the phase of the night that an operation was proposed in.
type Scope string

// The phases that ask a model.
const (
	InCluster Scope = "clusters" // memories that belong together
	Outside   Scope = "forget"   // candidates outside clusters: the list may only get shorter
	Whole     Scope = "overview" // kinds, importance and the share of core
)

// verbs are the operations a phase may propose.
func (s Scope) verbs() []Verb {
	switch s {
	case InCluster:
		return []Verb{Merge, Supersede, Rewrite, Split, Derive, Forget, Set}
	case Outside:
		return []Verb{Forget}
	}
	return []Verb{Set, Merge, Rewrite}
}

// Sendable are the memories of ms a night may speak of: live ones, without the
// private ones unless they may leave the machine.
func Sendable(ms []memory.Memory, p Params, now time.Time) []memory.Memory {
	out := make([]memory.Memory, 0, len(ms))
	for i := range ms {
		if m := &ms[i]; m.Live(now) && (p.SendPrivate || !m.Private) {
			out = append(out, *m)
		}
	}
	return out
}

// edited is when m was last written or changed on purpose.
func edited(m *memory.Memory) time.Time {
	if m.UpdatedAt.After(m.CreatedAt) {
		return m.UpdatedAt
	}
	return m.CreatedAt
}

// young reports whether m was written or changed less than KeepRecent ago.
func (p *Params) young(m *memory.Memory, now time.Time) bool {
	return now.Before(edited(m).Add(p.KeepRecent))
}
