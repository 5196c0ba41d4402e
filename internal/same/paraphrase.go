package same

import (
	"slices"
	"strings"
	"unicode"

	"plastic/memory"
	"plastic/tokenize"
)

// Paraphrase reports whether two texts that are near in meaning, by a measure of
// the caller's, may be one memory in other words: the same speaker and, of events,
// the same day; the same numbers and signs; as many words that deny, condition or
// put a relative in a person's place; the same names. Nearness does not tell these
// apart.
func Paraphrase(a, b *memory.Memory, p Params) bool {
	s, t := Read(a), Read(b)
	switch {
	case s.speaker != "" && t.speaker != "" && s.speaker != t.speaker:
		return false
	case (a.Kind == memory.Event || b.Kind == memory.Event) && day(a.CreatedAt, p.Location) != day(b.CreatedAt, p.Location):
		return false
	case signs(s.folded) != signs(t.folded):
		return false
	}
	return slices.Equal(s.weighty(), t.weighty()) && slices.Equal(named(a.Content), named(b.Content))
}

// weighty are the terms that change what a sentence says, sorted: numbers as they
// stand, and the others by what they do.
func (t *Text) weighty() []string {
	var out []string
	for _, term := range t.plainly() {
		switch w := strings.Trim(term, "'’"); {
		case number(w):
			out = append(out, w)
		case in(denials, w), in(negations, w):
			out = append(out, "not")
		case in(conditions, w):
			out = append(out, "if")
		case in(relatives, w):
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// named are the words of a text that are names by their form, folded and sorted: of
// scripts with capitals those that begin with one, but for the first of a sentence;
// anything with a digit in it, an @ or a #.
func named(text string) []string {
	var out []string
	first := true
	for _, raw := range tokenize.Words(text) {
		w := strings.TrimFunc(raw, func(r rune) bool { return unicode.IsPunct(r) && r != '@' && r != '#' })
		w, _ = strings.CutSuffix(strings.ReplaceAll(w, "’", "'"), "'s")
		switch {
		case w == "":
		case strings.ContainsAny(w, "@#") || strings.ContainsFunc(w, unicode.IsDigit):
			out = append(out, strings.ToLower(w))
		case !first && capital(w) && w != "I":
			out = append(out, tokenize.Stems(w)...)
		}
		first = strings.HasSuffix(raw, ".") || strings.HasSuffix(raw, "!") || strings.HasSuffix(raw, "?")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func capital(w string) bool {
	for _, r := range w {
		return unicode.IsUpper(r)
	}
	return false
}
