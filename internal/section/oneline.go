package section

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineBreak stands for a line break inside a memory.
const lineBreak = "⏎"

// OneLine shows stored text as data in one line. The store keeps the original.
//
//   - Line breaks of every kind (\n, \r\n, \r, VT, FF, U+0085, U+2028, U+2029)
//     become ` ⏎ `; white space at the ends goes, a tab is a blank.
//   - What can not be seen goes: bidirectional overrides and isolates, zero-width
//     characters, tag characters, soft hyphens, second variation selectors. What
//     writing needs stays: joiners inside emoji, and between letters or marks of
//     scripts that join; flags made of tags; one direction mark at a time in
//     text that holds right-to-left letters.
//   - Control characters become their pictures (␛), what is no character U+FFFD.
//   - A `<` that opens a tag, a comment or a special token becomes `‹`; a<b and
//     vector<int> stay.
//
// OneLine(OneLine(s)) = OneLine(s).
func OneLine(s string) string {
	if plain(s) {
		return s
	}
	w := writer{rtl: strings.ContainsFunc(s, rightToLeft)}
	s = strings.ToValidUTF8(s, "\uFFFD")
	for len(s) > 0 {
		s = s[w.step(s):]
	}
	// Only now: what can not be seen could have stood between `<` and a name.
	return breakTags(w.out.String())
}

// plain is the quick way for the common text that needs nothing done: letters,
// digits, marks of ASCII, and letters of scripts that need no joiner.
func plain(s string) bool {
	for i, r := range s {
		switch {
		case r == '<' || r < ' ' || r == 0x7F:
			return false
		case r == ' ':
			if i == 0 || i == len(s)-1 {
				return false
			}
		case r < 0x7F:
		case r == utf8.RuneError || !unicode.IsLetter(r) || filler(r):
			return false
		}
	}
	return true
}

// writer builds the line and remembers what came before.
type writer struct {
	out    strings.Builder
	rtl    bool   // the text holds right-to-left letters
	last   rune   // the last rune written, 0 at the start
	breaks int    // line breaks not written yet: at the end they never are
	blanks []byte // blanks not written yet, alike
}

func (w *writer) put(r rune) {
	if w.last != 0 {
		if w.breaks > 0 {
			w.blanks = append(w.blanks[:0], strings.Repeat(" "+lineBreak, w.breaks)+" "...)
		}
		w.out.Write(w.blanks)
	}
	w.breaks, w.blanks = 0, w.blanks[:0]
	w.out.WriteRune(r)
	w.last = r
}

// before is the rune that the next one will stand behind.
func (w *writer) before() rune {
	if w.breaks > 0 || len(w.blanks) > 0 {
		return ' '
	}
	return w.last
}

// step writes what the beginning of s becomes and gives its length in bytes.
func (w *writer) step(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == '\r' && strings.HasPrefix(s, "\r\n"):
		w.breaks++
		return 2
	case lineEnd(r):
		w.breaks++
	case r == '\t':
		w.blanks = append(w.blanks, ' ')
	case unicode.IsSpace(r):
		w.blanks = utf8.AppendRune(w.blanks, r)
	case r < ' ':
		w.put('␀' + r)
	case r == 0x7F:
		w.put('␡')
	case noCharacter(r):
		w.put(utf8.RuneError)
	case r == blackFlag:
		w.put(r)
		flag := flagTags(s[n:])
		w.out.WriteString(flag)
		return n + len(flag)
	case w.needs(r, s[n:]):
		w.put(r)
	}
	return n
}

func lineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// needs reports whether r, before rest, is seen or serves what is seen.
func (w *writer) needs(r rune, rest string) bool {
	last := w.before()
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == zwj:
		return (emoji(last) || last == coloured) && emoji(next) || joins(last) && joins(next)
	case r == zwnj:
		return joins(last) && joins(next)
	case directionMark(r):
		return w.rtl && !directionMark(last)
	case variationSelector(r):
		return last > ' ' && !variationSelector(last) && !unicode.Is(unicode.Cf, last)
	case filler(r):
		return false
	case unicode.Is(unicode.Cf, r):
		return numberSign(r)
	}
	return true
}

// breakTags makes of every `<` that opens a tag a `‹`.
func breakTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	before := ' '
	for i, r := range s {
		if r == '<' && opensTag(s[i+1:], before) {
			r = '‹'
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// opensTag reports whether a `<` between before and rest would open or close a
// tag, a comment or a special token. A letter before it makes it a comparison or
// a type, unless what follows can only be markup.
func opensTag(rest string, before rune) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if strings.ContainsRune("/!?|", next) {
		return true
	}
	return unicode.IsLetter(next) && !unicode.IsLetter(before) && !unicode.IsDigit(before) && before != '_'
}
