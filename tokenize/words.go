package tokenize

import (
	"strings"
	"unicode"
)

// Words cuts a text at its blanks, and where it goes over into a script that writes no
// blanks between words, or comes from one: a handle, a Latin name or a number stands
// alone in Chinese too (@ann对花生过敏 → @ann, 对花生过敏). The words are as they were
// written, with what punctuation hangs on them.
func Words(text string) []string {
	var out []string
	for _, field := range strings.Fields(text) {
		from, was := 0, gap
		for i, r := range field {
			c := classOf(unicode.ToLower(r))
			if c != letter && c != han && c != hangul && c != sea {
				continue // what stands between hangs on the word before, a sign on the one behind
			}
			if was != gap && c != was {
				cut := i
				if i > 0 && (field[i-1] == '@' || field[i-1] == '#') {
					cut--
				}
				if cut > from {
					out, from = append(out, field[from:cut]), cut
				}
			}
			was = c
		}
		out = append(out, field[from:])
	}
	return out
}
