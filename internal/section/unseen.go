package section

import (
	"unicode"
	"unicode/utf8"
)

const (
	zwj       = '\u200D'
	zwnj      = '\u200C'
	coloured  = '\uFE0F' // the variation selector that asks for an emoji in colour
	blackFlag = '\U0001F3F4'
)

// filler reports whether r is a letter, mark or symbol that shows nothing at all.
func filler(r rune) bool {
	switch r {
	case 0x034F, // combining grapheme joiner
		0x115F, 0x1160, 0x3164, 0xFFA0, // Hangul fillers
		0x17B4, 0x17B5, // Khmer inherent vowels
		0x2800: // empty Braille pattern
		return true
	}
	return false
}

// noCharacter reports whether r is a C1 control or one of Unicode's
// non-characters.
func noCharacter(r rune) bool {
	return r > 0x7F && r < 0xA0 || r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF
}

// numberSign reports whether r, a format character, is seen: the Arabic, Syriac
// and Kaithi signs that stand around a number.
func numberSign(r rune) bool {
	switch {
	case r >= 0x0600 && r <= 0x0605, r == 0x06DD, r == 0x070F, r == 0x0890, r == 0x0891,
		r == 0x08E2, r == 0x110BD, r == 0x110CD:
		return true
	}
	return false
}

// directionMark reports whether r is one of LRM, RLM and ALM.
func directionMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x061C }

func variationSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

// rightToLeft reports whether r is a letter of Hebrew, Arabic, Syriac, Thaana,
// NKo or another script of their blocks.
func rightToLeft(r rune) bool {
	return unicode.IsLetter(r) && (r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF ||
		r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF)
}

// joins reports whether r belongs to a script in which a joiner changes how
// letters are written: Arabic and its kin, the scripts of India and south-east
// Asia, Mongolian.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && !filler(r) &&
		(r >= 0x0600 && r <= 0x0DFF || r >= 0x1000 && r <= 0x109F || r >= 0x1780 && r <= 0x18AF ||
			r >= 0xA8E0 && r <= 0xA8FF || r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC)
}

// emoji reports whether r can stand beside a joiner in an emoji: a symbol beyond
// Latin-1, skin tones among them.
func emoji(r rune) bool { return r > 0xFF && unicode.IsSymbol(r) && !filler(r) }

// flagTags gives the tag characters at the start of s if they finish a flag such
// as Scotland's: two to six letters or digits and the end mark.
func flagTags(s string) string {
	const tagSpace, tagTilde, tagEnd = 0xE0020, 0xE007E, 0xE007F
	tags := 0
	for i, r := range s {
		switch {
		case r == tagEnd && tags >= 2:
			return s[:i+utf8.RuneLen(r)]
		case r > tagSpace && r <= tagTilde && tags < 6:
			tags++
		default:
			return ""
		}
	}
	return ""
}
