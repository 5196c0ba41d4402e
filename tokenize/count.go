package tokenize

import "unicode"

// Count estimates how many tokens a text takes in a model's prompt: what each
// character costs by its script, fitted to cl100k_base, which is among the
// less thrifty vocabularies in use, so that a budget holds with others too.
// Conversations in English, Russian and Chinese, and samples of Japanese, Korean,
// Thai, Arabic, Hindi, Greek, code and memory lines came out between 0.8 and 1.3
// times the count of cl100k_base (Cantonese 0.75), and between 0.9 and 1.8 times
// (Thai, Arabic, Hindi and Greek up to 3 times) that of o200k_base. No text that is not empty costs
// nothing.
func Count(text string) int {
	n := 0.0
	var before rune
	for _, r := range text {
		n += cost(r)
		if isFigure(before) && isLatin(r) || isLatin(before) && isFigure(r) {
			n += 0.5 // ids and hashes fall to pieces where digits meet letters
		}
		before = r
	}
	whole := int(n)
	if float64(whole) < n {
		whole++
	}
	return whole
}

func isFigure(r rune) bool { return '0' <= r && r <= '9' }
func isLatin(r rune) bool  { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// cost is the share of a token one character takes.
func cost(r rune) float64 {
	switch {
	case isLatin(r), r == ' ':
		return 0.22
	case isFigure(r):
		return 0.5
	case r < 0x80:
		return 0.7
	case r >= 0x400 && r <= 0x52F:
		return 0.54
	case simplified(r) != r: // traditional characters are rarer in vocabularies
		return 1.7
	}
	switch classOf(unicode.ToLower(r)) {
	case han, hangul:
		return 1.2
	case emoji:
		return 2.5
	}
	return 1
}
