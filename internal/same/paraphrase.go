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
// put a relative in a person's place; the same names; and not each with a word at the
// beginning of a sentence that may be a name and that the other lacks. Nearness does not
// tell these apart.
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
	names, opening := named(a.Content)
	others, otherwise := named(b.Content)
	return slices.Equal(s.weighty(), t.weighty()) && slices.Equal(names, others) && !(lacks(b.Content, opening) && lacks(a.Content, otherwise))
}

// lacks reports whether a text is without one of the stems.
func lacks(text string, stems []string) bool {
	has := tokenize.Stems(text)
	return slices.ContainsFunc(stems, func(s string) bool { return !slices.Contains(has, s) })
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
// scripts with capitals those that begin with one; anything with a digit in it, an @ or a
// #. The first word of a sentence has its capital for that alone, or is a name as well:
// these are opening, without function words.
func named(text string) (out, opening []string) {
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
		case first && capital(w):
			opening = append(opening, slices.DeleteFunc(tokenize.Stems(w), tokenize.Functional)...)
		}
		first = strings.HasSuffix(raw, ".") || strings.HasSuffix(raw, "!") || strings.HasSuffix(raw, "?")
	}
	slices.Sort(out)
	return slices.Compact(out), opening
}

func capital(w string) bool {
	for _, r := range w {
		return unicode.IsUpper(r)
	}
	return false
}
