package tokenize

import "unicode"

// class is what a character does in a text.
type class uint8

const (
	gap     class = iota // ends everything
	letter               // letters and digits of scripts that write words
	mark                 // belongs to the character before it
	nothing              // is not there
	han                  // Han and kana
	hangul
	sea // Thai, Lao, Khmer, Myanmar: words without blanks between
	emoji
)

// classOf classifies a folded character. The common blocks come first; the
// tables of unicode cost ten times as much.
func classOf(r rune) class {
	switch {
	case r < 0x80:
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return letter
		}
		return gap
	case r >= 0x430 && r <= 0x481, r >= 0xE0 && r <= 0x24F && r != 0xF7:
		return letter
	case dropped(r):
		return nothing
	case r >= 0x3041 && r <= 0x30FF:
		switch r {
		case 0x3099, 0x309A:
			return mark
		case 0x309B, 0x309C, 0x30A0, 0x30FB:
			return gap
		}
		return han
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3400 && r <= 0x4DBF, r >= 0x20000 && r <= 0x3FFFF, r >= 0x3005 && r <= 0x3007:
		return han
	case r >= 0xAC00 && r <= 0xD7FB, r >= 0x1100 && r <= 0x11FF, r >= 0x3131 && r <= 0x318E, r >= 0xA960 && r <= 0xA97C:
		return hangul
	case r >= 0x0E01 && r <= 0x0EFF, r >= 0x1000 && r <= 0x109F, r >= 0x1780 && r <= 0x17FF, r >= 0xAA60 && r <= 0xAA7F:
		return classSEA(r)
	case pictograph(r):
		return emoji
	case r == 0x200C || r == 0x200D:
		return mark
	case unicode.IsLetter(r):
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return han
		}
		return letter
	case unicode.IsDigit(r):
		return letter
	case unicode.IsMark(r):
		return mark
	}
	return gap
}

func classSEA(r rune) class {
	switch {
	case unicode.IsLetter(r):
		return sea
	case unicode.IsMark(r):
		return mark
	case unicode.IsDigit(r):
		return letter
	}
	return gap
}

// pictograph reports the blocks emoji live in, and what emoji are made of.
func pictograph(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r >= 0x2B05 && r <= 0x2B55,
		r >= 0x231A && r <= 0x23FF && r != 0x2329 && r != 0x232A, r == 0x3030, r == 0x303D:
		return true
	}
	return false
}

func skinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }
func flagHalf(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
func emojiTag(r rune) bool { return r >= 0xE0020 && r <= 0xE007F }
