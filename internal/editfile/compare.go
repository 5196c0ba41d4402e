package editfile

import (
	"strings"
	"unicode/utf8"
)

// Plan is what an edit asks for. Each list is in the order of the text.
type Plan struct {
	New     []Item
	Changed []Pair
	Gone    []Item // as they were
}

// Pair is a memory as it was given and as it is wanted.
type Pair struct{ Was, Is Item }

// Empty reports whether nothing is asked for.
func (p Plan) Empty() bool { return len(p.New)+len(p.Changed)+len(p.Gone) == 0 }

// Compare says what became of the memories of the text given in the text edited.
// It fails with a *SyntaxError where edited can not be read, names a memory that
// was not given, or names one twice; and where it is not UTF-8, for then an editor
// has written all that it was given in another encoding.
func Compare(given, edited string) (Plan, error) {
	if n := foreignLine(edited); n > 0 {
		return Plan{}, wrong(n, "it is not UTF-8: save the text in that encoding")
	}
	before, err := Parse(given)
	if err != nil {
		return Plan{}, err
	}
	after, err := Parse(edited)
	if err != nil {
		return Plan{}, err
	}
	was := make(map[string]Item, len(before))
	for _, it := range before {
		was[it.ID] = it
	}
	p, at := Plan{}, map[string]int{}
	for _, it := range after {
		if it.ID == "" {
			p.New = append(p.New, it)
			continue
		}
		old, ok := was[it.ID]
		if !ok {
			return Plan{}, wrong(it.Line, "no memory in this text had the id %s; a new memory has none, and a text that begins with brackets has [] before them", it.ID)
		}
		if first, twice := at[it.ID]; twice {
			return Plan{}, wrong(it.Line, "%s stands on line %d already; to remember a copy take its [%s] away", it.ID, first, it.ID)
		}
		at[it.ID] = it.Line
		if !it.Equal(old) {
			p.Changed = append(p.Changed, Pair{Was: old, Is: it})
		}
	}
	for _, it := range before {
		if _, stays := at[it.ID]; !stays {
			p.Gone = append(p.Gone, it)
		}
	}
	return p, nil
}

// foreignLine is the first line, from 1, that is not UTF-8, 0 if there is none.
func foreignLine(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if n++; !utf8.ValidString(line) {
			return n
		}
	}
	return 0
}
