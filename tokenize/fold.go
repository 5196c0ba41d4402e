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

// appendFolded appends the text in NFKC and lower case. Lowering and dropping
// can bring characters together that compose, so the result is normalised again
// until it holds; a second round is seldom needed.
func appendFolded(dst []byte, text string) []byte {
	start := len(dst)
	i := 0
	for i < len(text) && text[i] < utf8.RuneSelf {
		dst = append(dst, lowerASCII(text[i]))
		i++
	}
	if i == len(text) {
		return dst
	}
	if i > 0 { // a combining mark may belong to the letter before it
		i--
		dst = dst[:len(dst)-1]
	}
	text = text[i:]
	start += i
	for range 4 {
		if !norm.NFKC.IsNormalString(text) {
			text = norm.NFKC.String(text)
		}
		settled := true
		for _, r := range text {
			if low, plain := lower(r); plain {
				dst = utf8.AppendRune(dst, low)
			} else {
				dst = appendOdd(dst, r)
				settled = false
			}
		}
		if settled || norm.NFKC.IsNormal(dst[start:]) {
			break
		}
		text = string(dst[start:])
		dst = dst[:start]
	}
	return dst
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// lower is the lower case of the characters most texts consist of; plain says
// that r is one of them and that its lower case composes with marks as r does.
func lower(r rune) (low rune, plain bool) {
	switch {
	case r < utf8.RuneSelf:
		return rune(lowerASCII(byte(r))), true
	case r >= 'а' && r <= 'я', r >= 0x3000 && r < 0xA640, r >= 0xAC00 && r < 0xD7A4, r >= 0xDF && r <= 0xFF && r != 'ß':
		return r, true
	case r >= 'А' && r <= 'Я':
		return r + 'а' - 'А', true
	}
	return r, false
}

func appendOdd(dst []byte, r rune) []byte {
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
