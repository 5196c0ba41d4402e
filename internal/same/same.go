// Package same judges whether two texts say the same thing. It errs to the side
// of "different": a contradiction that is merged is lost, a duplicate is only
// one line too many.
//
//	if same.Fact(&old, &new, same.Params{Jaccard: 0.7, Location: time.Local}) { … }
//
// It reads no file and changes nothing.
package same

import (
	"time"

	"plastic/memory"
	"plastic/tokenize"
)

// Params are the settings of Fact.
type Params struct {
	Jaccard  float64        // least share of common stems, 0…1 (dedupeJaccard)
	Location *time.Location // whose days tell events apart
}

// Fact reports whether a and b are one memory: the same text after folding, or
// enough common stems where the shorter text stands in the longer one in the
// same order and what the longer adds turns it into no other statement: no
// negation, no wish or condition, no relative in a person's place. Another
// speaker, an event of another day, another tense ("worked" for "works") or
// sign ("-5" for "5", "€5" for "$5") is always another memory.
func Fact(a, b *memory.Memory, p Params) bool { return Texts(Read(a), Read(b), p) }

// Text is a memory read once, to be compared often.
type Text struct {
	m               *memory.Memory
	folded, speaker string
	stems, sequence []string
	split           bool     // stems and sequence are there
	plain           []string // see plainly
}

// Read prepares m, which must not change afterwards.
func Read(m *memory.Memory) *Text {
	return &Text{m: m, folded: tokenize.Fold(m.Content), speaker: tokenize.Fold(m.Speaker)}
}

// Texts is Fact for texts that were read before.
func Texts(a, b *Text, p Params) bool {
	if a.speaker != "" && b.speaker != "" && a.speaker != b.speaker {
		return false
	}
	if (a.m.Kind == memory.Event || b.m.Kind == memory.Event) && day(a.m.CreatedAt, p.Location) != day(b.m.CreatedAt, p.Location) {
		return false
	}
	if a.folded == b.folded {
		return true
	}
	a.cut()
	b.cut()
	if Jaccard(a.stems, b.stems) < p.Jaccard {
		return false
	}
	short, long := a.sequence, b.sequence
	if len(short) > len(long) {
		short, long = long, short
	}
	added, inside := extra(short, long)
	return inside && len(short) > 0 && !turns(long, added) && signs(a.folded) == signs(b.folded) && !inflected(a.folded, b.folded)
}

func (t *Text) cut() {
	if !t.split {
		t.stems, t.sequence, t.split = tokenize.Stems(t.m.Content), sequence(t.m.Content), true
	}
}

// More reports whether text b is the more detailed wording of the two. A hyphen
// adds nothing.
func More(a, b string) bool { return len(tokenize.Stems(b)) > len(tokenize.Stems(a)) }

func day(t time.Time, loc *time.Location) string {
	if loc == nil {
		loc = time.UTC
	}
	return t.In(loc).Format(time.DateOnly)
}

// Jaccard is |A∩B| / |A∪B| of two lists taken as sets, 0…1; 0 when both are empty.
func Jaccard(a, b []string) float64 {
	in := make(map[string]uint8, len(a)+len(b))
	for _, s := range a {
		in[s] |= 1
	}
	for _, s := range b {
		in[s] |= 2
	}
	both := 0
	for _, where := range in {
		if where == 3 {
			both++
		}
	}
	if len(in) == 0 {
		return 0
	}
	return float64(both) / float64(len(in))
}

// sequence is a text as stems and single characters in order. Bigrams would
// break where a character is put in between.
func sequence(text string) []string {
	var out []string
	tokenize.Terms(text, func(f tokenize.Field, term []byte) {
		if f == tokenize.Word || f == tokenize.Single {
			out = append(out, string(term))
		}
	})
	return out
}
