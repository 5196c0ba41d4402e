package sleep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"plastic/layers"
	"plastic/memory"
)

// mostInView bounds what one call shows, in characters.
const mostInView = 60_000

// Candidates are the memories outside clusters that may be forgotten by arithmetic:
// a half-life old, never recalled, importance up to .25, fading, and not judged
// before with the same text. The oldest come first; one call shows so many.
func Candidates(ms []memory.Memory, clustered map[string]bool, p Params, now time.Time) []memory.Memory {
	stand := layers.Stand(ms, p.Layers, now)
	var out []memory.Memory
	room := mostInView
	for i := range ms {
		m := &ms[i]
		switch {
		case stand[i].Layer != layers.Fading, m.Private && !p.SendPrivate, clustered[m.ID], p.young(m, now):
		case m.RecallCount > 0, m.Importance > mostForgettable, !p.halfFaded(m, now), p.Judged[m.ID] == Sum(m):
		default:
			if room -= utf8.RuneCountInString(m.Content) + lineCost; room < 0 {
				return out
			}
			out = append(out, *m)
		}
	}
	return out
}

const (
	mostForgettable = 0.25 // level 2 of 5
	lineCost        = 90   // what a line holds beside the text, about
)

// halfFaded reports whether m is older than the half-life of its kind.
func (p *Params) halfFaded(m *memory.Memory, now time.Time) bool {
	fade, ok := p.Layers.Fade[m.Kind]
	if !ok {
		fade = 1
	}
	return layers.AgeDays(m, p.Layers, now)*fade >= p.Layers.HalfLifeDays
}

// Overview chooses what one call about the whole memory shows: core, important and
// most recalled ones, and of the rest, in a fifth of the room at least, those behind
// the id after, in the order of ids and then from the first again. next is where
// the following call goes on.
func Overview(ms []memory.Memory, p Params, after string, now time.Time) (view []memory.Memory, next string) {
	stand := layers.Stand(ms, p.Layers, now)
	var first, rest []memory.Memory
	for i := range ms {
		m := &ms[i]
		switch {
		case stand[i].Layer == layers.None, m.Private && !p.SendPrivate:
		case m.Kind == memory.Core, m.RecallCount > 0, stand[i].Layer == layers.Important:
			first = append(first, *m)
		default:
			rest = append(rest, *m)
		}
	}
	slices.SortFunc(first, func(a, b memory.Memory) int {
		return cmp.Or(-cmp.Compare(isCore(&a), isCore(&b)), cmp.Compare(b.Importance, a.Importance), b.RecallCount-a.RecallCount, a.Compare(&b))
	})
	view, room := fill(nil, first, mostInView-mostInView/5)
	room += mostInView / 5
	slices.SortFunc(rest, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	at, _ := slices.BinarySearchFunc(rest, after, func(m memory.Memory, id string) int { return cmp.Compare(m.ID, id+"\x00") })
	before := len(view)
	view, _ = fill(view, slices.Concat(rest[at:], rest[:at]), room)
	if len(view) > before {
		next = view[len(view)-1].ID
	}
	return view, next
}

func isCore(m *memory.Memory) int {
	if m.Kind == memory.Core {
		return 1
	}
	return 0
}

// fill appends memories of list to view while there is room for them.
func fill(view, list []memory.Memory, room int) ([]memory.Memory, int) {
	for i := range list {
		cost := min(utf8.RuneCountInString(list[i].Content), int(short)) + lineCost
		if room < cost {
			break
		}
		room -= cost
		view = append(view, list[i])
	}
	return view, room
}

// Fingerprint names what the overview depends on: the texts and kinds of the
// memories a night may speak of, and the share of core. While it stays the same
// there is nothing new to ask.
func Fingerprint(ms []memory.Memory, p Params, now time.Time) string {
	sent := Sendable(ms, p, now)
	slices.SortFunc(sent, func(a, b memory.Memory) int { return a.Compare(&b) })
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", p.CoreBudget)
	for i := range sent {
		fmt.Fprintf(h, "%q %q %q\n", sent[i].ID, sent[i].Kind, sent[i].Content)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
