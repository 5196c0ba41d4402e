package tokenize

import (
	"bytes"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the form by which two texts are "the same text": NFKC, lower case
// (ß as ss, final ς as σ), ё as е, invisible characters dropped, runs of white
// space as one blank, no white space at the ends and no full stop at the end.
// Folding twice is folding once.
func Fold(text string) string {
	b := appendFolded(nil, text)
	out := b[:0] // never longer than what was read
	blank := false
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if unicode.IsSpace(r) {
			blank = len(out) > 0
		} else {
			if blank {
				out = append(out, ' ')
				blank = false
			}
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	if s := bytes.TrimRight(out, ".。 "); len(s) > 0 {
		out = s
	}
	return string(out)
}

// appendFolded appends the text in NFKC and lower case. Nearly all of a text is
// characters whose form is known at sight; what lies between them, with the one
// before it, which it may compose with, goes through the tables.
func appendFolded(dst []byte, text string) []byte {
	lastIn, lastOut := 0, len(dst) // where the character before begins
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			lastIn, lastOut = i, len(dst)
			dst = append(dst, lowerASCII(c))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if f := plainFold(r); f != 0 {
			lastIn, lastOut = i, len(dst)
			dst = utf8.AppendRune(dst, f)
			i += n
			continue
		}
		for i += n; i < len(text) && text[i] >= utf8.RuneSelf; i += n {
			if r, n = utf8.DecodeRuneInString(text[i:]); plainFold(r) != 0 {
				break
			}
		}
		dst = appendByTable(dst[:lastOut], text[lastIn:i])
		lastIn, lastOut = i, len(dst)
	}
	return dst
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// plainFold gives the folded form of characters that need no table: they are one
// character in NFKC, and compose with none before them. 0 for all others.
func plainFold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return rune(lowerASCII(byte(r)))
	case r >= 'а' && r <= 'я', r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r == 'ー',
		r >= 0xAC00 && r <= 0xD7A3, r > 'ß' && r <= 'ÿ', r >= 0x3001 && r <= 0x3011, r >= 0x2018 && r <= 0x201E, r == '—', r == '–', r == '«', r == '»',
		r >= 0x1F300 && r <= 0x1F64F, r >= 0x1F900 && r <= 0x1F9FF:
		return r
	case r >= 'А' && r <= 'Я':
		return r + 'а' - 'А'
	case r == 'ё' || r == 'Ё':
		return 'е'
	case r >= 'À' && r <= 'Þ' && r != '×':
		return r + 'à' - 'À'
	case r >= '！' && r <= '～': // full width ASCII
		return rune(lowerASCII(byte(r - '！' + '!')))
	case r == 0x3000 || r == 0xA0:
		return ' '
	}
	return 0
}

// appendByTable folds any text. Lowering and dropping can bring characters
// together that compose, so the result is normalised until it holds; a second
// round is seldom needed.
func appendByTable(dst []byte, text string) []byte {
	start := len(dst)
	for range 4 {
		for _, r := range norm.NFKC.String(text) {
			dst = appendLower(dst, r)
		}
		if norm.NFKC.IsNormal(dst[start:]) {
			break
		}
		text = string(dst[start:])
		dst = dst[:start]
	}
	return dst
}

func appendLower(dst []byte, r rune) []byte {
	switch {
	case r == 'ё' || r == 'Ё':
		r = 'е'
	case r == 'ß' || r == 'ẞ':
		return append(dst, "ss"...)
	case r == 'ς':
		r = 'σ'
	case invisible(r):
		return dst
	default:
		r = unicode.ToLower(r)
	}
	return utf8.AppendRune(dst, r)
}

// invisible reports characters that change nothing a reader sees: soft hyphens,
// zero width blanks, direction marks, variation selectors. Joiners stay, they
// hold emoji together and are spelling in some scripts.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x200B, r == 0x200E, r == 0x200F, r == 0x2060, r == 0xFEFF,
		r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xFE00 && r <= 0xFE0F:
		return true
	}
	return false
}

// simplified gives the simplified form of a Han character, or the character.
func simplified(r rune) rune {
	if r < hanFirst || r > hanLast {
		return r
	}
	i := uint(r - hanFirst)
	word, bit := hanBits[i/64], uint64(1)<<(i%64)
	if word&bit == 0 {
		return r
	}
	return rune(hanSimple[int(hanRank[i/64])+bits.OnesCount64(word&(bit-1))])
}

// dropped reports marks that readers leave out or put in at will and that are no
// part of a letter once the text is composed: stress marks, Arabic and Hebrew
// vowel points, the Arabic stretch.
func dropped(r rune) bool {
	switch {
	case r >= 0x300 && r <= 0x36F, r >= 0x483 && r <= 0x489, r >= 0x591 && r <= 0x5C7 && r != 0x5BE,
		r >= 0x610 && r <= 0x61A, r == 0x640, r >= 0x64B && r <= 0x65F, r == 0x670,
		r >= 0x6D6 && r <= 0x6ED && unicode.Is(unicode.Mn, r), r >= 0x1AB0 && r <= 0x1AFF,
		r >= 0x1DC0 && r <= 0x1DFF, r >= 0x20D0 && r <= 0x20FF:
		return true
	}
	return false
}
