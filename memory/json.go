package memory

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"unicode/utf8"
)

// WriteJSON writes v to w as one line of JSON whose texts stand as they are: what
// encoding/json escapes for HTML and for old JavaScript (U+2028 and U+2029), and what
// raw JSON inside v has escaped without need, is written as itself.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(unescaper{w})
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// unescaper writes JSON on, unescaped. What it is given is not its own to change, and
// is copied only where there is something to unescape.
type unescaper struct{ w io.Writer }

func (u unescaper) Write(b []byte) (int, error) {
	plain := b
	if bytes.Contains(b, []byte(`\u`)) {
		plain = Unescape(bytes.Clone(b))
	}
	if n, err := u.w.Write(plain); err != nil {
		return min(n, len(b)), err
	}
	return len(b), nil
}

// Unescape gives valid JSON with every \uXXXX written as its character, but for those
// that JSON must escape and for halves of pairs. It may change text in place.
func Unescape(text []byte) []byte {
	i := bytes.Index(text, []byte(`\u`))
	if i < 0 {
		return text
	}
	out := text[:0] // what is written is never longer than what was read
	for i = 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		if r, ok := escaped(text[i:]); ok {
			out = utf8.AppendRune(out, r)
			i += 5
			continue
		}
		out = append(out, text[i], text[i+1])
		i++
	}
	return out
}

// escaped is the character that text begins with as \uXXXX, if it may stand as itself.
func escaped(text []byte) (rune, bool) {
	if len(text) < 6 || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 32)
	r := rune(n)
	return r, err == nil && r >= ' ' && r != '"' && r != '\\' && utf8.ValidRune(r)
}
