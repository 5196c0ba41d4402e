package main

import "testing"

func TestCellsCountsColumnsOfATerminal(t *testing.T) {
	for text, want := range map[string]int{
		"":         0,
		"abc":      3,
		"Кунжут":   6,
		"大肥魚":      6,
		"й":        1, // one letter and a mark
		"ｶﾅ":       2, // half width
		"あ、":       4,
		"한국":       4,
		"☂ 🐟":      4,
		"│█▁":      3,
		"a\u200db": 2,
	} {
		if got := cells(text); got != want {
			t.Errorf("cells(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestClipKeepsWithinColumnsAndSaysSo(t *testing.T) {
	for _, text := range []string{"", "short", "大肥魚大肥魚大肥魚", "mixed 大肥魚 and more", "Кунжут поймал край шторы"} {
		for width := 1; width < 30; width++ {
			got := clip(text, width)
			if cells(got) > width {
				t.Errorf("clip(%q, %d) = %q takes %d columns", text, width, got, cells(got))
			}
			if cells(text) <= width && got != text {
				t.Errorf("clip(%q, %d) = %q, though it fits", text, width, got)
			}
		}
	}
}
