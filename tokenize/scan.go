package tokenize

import (
	"bytes"
	"unicode/utf8"
)

// part is one word of an identifier in Tokenizer.run.
type part struct {
	from, to int // the word without what is attached
	end      int // with what is attached behind: c++, c#, 50%
	sep      byte
}

// scan cuts folded text where its scripts change and hands each piece on.
func (t *Tokenizer) scan(s []byte) {
	for i := 0; i < len(s); {
		r, n := decode(s[i:])
		switch c := classOf(r); c {
		case letter:
			i = t.identifier(s, i)
		case han, hangul, sea:
			i = t.characters(s, i, c)
		case emoji:
			i = t.emoji(s, i)
		default:
			i += n
			if ends(r) {
				t.sentence++
			}
		}
	}
}

// ends reports the end of a sentence in folded text.
func ends(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '؟', '।', '\n', ';':
		return true
	}
	return false
}

func decode(s []byte) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRune(s)
}

// identifier reads the words from i on that hold together without blanks:
//
//	identifier = [ prefix ] word { connector word }
//	word       = letters and digits [ "++" | "+" | "#" | "%" ]
//	prefix     = "@" | "#" | "."
//	connector  = one of - _ . / \ : @ & + , (the comma between digits only)
//
// and yields the whole, its segments and its words.
func (t *Tokenizer) identifier(s []byte, i int) int {
	t.run, t.parts = t.run[:0], t.parts[:0]
	prefix := prefixBefore(s, i)
	if prefix != 0 {
		t.run = append(t.run, prefix)
	}
	for {
		from := len(t.run)
		i = t.word(s, i)
		if len(t.run) == from {
			break // joiners only
		}
		p := part{from: from, to: len(t.run)}
		n := attached(s, i)
		t.run = append(t.run, s[i:i+n]...)
		i += n
		p.end = len(t.run)
		t.parts = append(t.parts, p)
		sep, next, ok := connector(s, i)
		if !ok {
			break
		}
		t.parts[len(t.parts)-1].sep = sep
		t.run = append(t.run, sep)
		i = next
	}
	switch {
	case len(t.parts) == 0:
	case t.known != nil:
		t.offerIdentifier(prefix != 0)
	default:
		t.yieldIdentifier(prefix != 0)
	}
	return i
}

// word appends the letters and digits from i on, and apostrophes between letters.
func (t *Tokenizer) word(s []byte, i int) int {
	for i < len(s) {
		r, n := decode(s[i:])
		switch classOf(r) {
		case letter:
			t.run = append(t.run, s[i:i+n]...)
		case mark:
			if r != 0x200C && r != 0x200D {
				t.run = append(t.run, s[i:i+n]...)
			}
		case nothing:
		default:
			if r != '\'' && r != '’' && r != 'ʼ' || !letterAt(s, i+n) || digitBefore(s, i) {
				return i
			}
			t.run = append(t.run, '\'')
		}
		i += n
	}
	return i
}

func letterAt(s []byte, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := decode(s[i:])
	return classOf(r) == letter
}

func digitBefore(s []byte, i int) bool { return i > 0 && isDigit(s[i-1]) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// prefixBefore gives the sign that belongs to the word at i: @name, #tag, .env.
func prefixBefore(s []byte, i int) byte {
	if i == 0 {
		return 0
	}
	c := s[i-1]
	switch c {
	case '@', '#':
		return c
	case '.':
		if !isDigit(s[i]) && (i == 1 || bytes.IndexByte([]byte(" \t\n\"'(`"), s[i-2]) >= 0) {
			return c
		}
	}
	return 0
}

// attached gives the length of what hangs on the word that ends before i:
// C++ and c++17, 18+ and A+, C#, 50%.
func attached(s []byte, i int) int {
	rest := s[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("++")):
		return 2
	case len(rest) == 0:
		return 0
	case rest[0] == '+', rest[0] == '#':
		if !letterAt(s, i+1) {
			return 1
		}
	case rest[0] == '%':
		if digitBefore(s, i) {
			return 1
		}
	}
	return 0
}

// connector reads one connector at i that has a word behind it.
func connector(s []byte, i int) (sep byte, next int, ok bool) {
	if i >= len(s) {
		return 0, i, false
	}
	r, n := decode(s[i:])
	switch r {
	case '-', '_', '.', '/', ':', '@', '&', '+':
		sep = byte(r)
	case '\\':
		sep = '/'
	case '‐':
		sep = '-'
	case ',':
		if !digitBefore(s, i) || i+1 >= len(s) || !isDigit(s[i+1]) {
			return 0, i, false
		}
		sep = ','
	default:
		return 0, i, false
	}
	return sep, i + n, letterAt(s, i+n)
}

// characters reads a run of one script that writes no borders between words,
// in characters as readers see them: a letter with its marks.
func (t *Tokenizer) characters(s []byte, i int, kind class) int {
	t.run, t.at = t.run[:0], t.at[:0]
	for i < len(s) {
		r, n := decode(s[i:])
		c := classOf(r)
		switch {
		case c == kind:
			t.at = append(t.at, len(t.run))
			if c == han {
				r = simplified(r)
			}
			t.run = utf8.AppendRune(t.run, r)
		case c == mark:
			if r != 0x200C && r != 0x200D {
				t.run = append(t.run, s[i:i+n]...)
			}
		case c != nothing:
			t.giveCharacters(kind)
			return i
		}
		i += n
	}
	t.giveCharacters(kind)
	return i
}

func (t *Tokenizer) giveCharacters(kind class) {
	if t.known != nil {
		t.offerCharacters(kind)
	} else {
		t.yieldCharacters(kind)
	}
}

// emoji reads one emoji with its joined parts. Skin tones are left out: 👍🏽 is
// found by 👍.
func (t *Tokenizer) emoji(s []byte, i int) int {
	t.run = t.run[:0]
	joined, flag := true, false
	for i < len(s) {
		r, n := decode(s[i:])
		switch {
		case skinTone(r):
		case r == 0x200D:
			joined = true
			t.run = utf8.AppendRune(t.run, r)
		case emojiTag(r):
			t.run = utf8.AppendRune(t.run, r)
		case classOf(r) == emoji && (joined || flag && flagHalf(r)):
			flag = joined && flagHalf(r)
			joined = false
			t.run = utf8.AppendRune(t.run, r)
		case classOf(r) != nothing:
			t.giveEmoji()
			return i
		}
		i += n
	}
	t.giveEmoji()
	return i
}

func (t *Tokenizer) giveEmoji() {
	if t.known != nil {
		t.offerEmoji()
	} else {
		t.yieldEmoji()
	}
}
