package tokenize

import "unicode"

// Count estimates how many tokens a text takes in a model's prompt, by script.
func Count(text string) int {
	n := 0.0
	for _, r := range text {
		n += tokensOf(r)
	}
	return int(n + 0.999)
}

func tokensOf(r rune) float64 {
	switch {
	case r < 0x80:
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == ' ':
			return 0.22
		case '0' <= r && r <= '9':
			return 0.5
		}
		return 0.6
	case r >= 0x400 && r <= 0x52F:
		return 0.42
	}
	switch classOf(unicode.ToLower(r)) {
	case han:
		return 1.1
	case hangul:
		return 1.2
	case sea:
		return 1
	case emoji:
		return 2.5
	case letter:
		return 0.6
	}
	return 1
}
