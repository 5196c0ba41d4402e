package main

import (
	"strings"
	"unicode"
)

// cells is how many columns s takes in a terminal: Han, kana, Hangul, full-width
// forms and emoji take two, marks and joiners none.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	for _, span := range doubleWide {
		if r >= span[0] && r <= span[1] {
			return 2
		}
	}
	return 1
}

// doubleWide are the ranges that East Asian Width (UAX 11) calls W or F.
var doubleWide = [...][2]rune{
	{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
	{0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
	{0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD},
}

// clip shortens s to at most width columns, with an ellipsis for the rest.
func clip(s string, width int) string {
	if cells(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for _, r := range s {
		if used+runeCells(r) > width-1 {
			break
		}
		used += runeCells(r)
		b.WriteRune(r)
	}
	return b.String() + "…"
}
