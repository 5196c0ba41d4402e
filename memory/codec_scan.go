package memory

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parser walks over JSON text in one pass, without copies where a string has no
// escapes. It is lenient about what editing by hand leaves behind (comments,
// missing and trailing commas), strict about what tells a whole text from a
// broken one: brackets, quotes, and no line break inside a string.
type parser struct {
	s      string
	i      int
	closed bool // the object opened first was closed
}

// open steps into an object and gives its first key; p stands at its value.
func (p *parser) open() (key string, ok bool) {
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != '{' {
		return "", false
	}
	p.i++
	return p.next()
}

// next gives the next key of the object, or closes it.
func (p *parser) next() (key string, ok bool) {
	for {
		p.space()
		if p.i >= len(p.s) {
			return "", false
		}
		switch p.s[p.i] {
		case ',':
			p.i++
			continue
		case '}':
			p.i++
			p.closed = true
			return "", false
		case '"':
		default:
			return "", false
		}
		break
	}
	start := p.i
	if !p.str() {
		return "", false
	}
	key = unquote(p.s[start:p.i])
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != ':' {
		return "", false
	}
	p.i++
	p.space()
	return key, true
}

// space steps over blanks and comments.
func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		case '/':
			if !p.comment() {
				return
			}
		default:
			return
		}
	}
}

func (p *parser) comment() bool {
	rest := p.s[p.i:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			p.i += n + 1
		} else {
			p.i = len(p.s)
		}
		return true
	case strings.HasPrefix(rest, "/*"):
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			p.i += n + 4
			return true
		}
	}
	return false
}

// str steps over a string. A line break inside it means that it was not closed.
func (p *parser) str() bool {
	from := p.i + 1
	for {
		n := strings.IndexByte(p.s[from:], '"')
		if n < 0 {
			return false
		}
		end := from + n
		slashes := 0
		for end-slashes-1 > p.i && p.s[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			if strings.IndexByte(p.s[p.i:end], '\n') >= 0 {
				return false
			}
			p.i = end + 1
			return true
		}
		from = end + 1
	}
}

// value steps over any value. Inside brackets only strings and brackets count;
// whether the rest is JSON is seen when it is kept.
func (p *parser) value() bool {
	if p.i >= len(p.s) {
		return false
	}
	switch p.s[p.i] {
	case '"':
		return p.str()
	case '{', '[':
		return p.brackets()
	}
	start := p.i
	for p.i < len(p.s) && strings.IndexByte(",:]}[{\" \t\r\n/", p.s[p.i]) < 0 {
		p.i++
	}
	return p.i > start
}

func (p *parser) brackets() bool {
	depth := 0
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case '"':
			if !p.str() {
				return false
			}
			continue
		case '/':
			if p.comment() {
				continue
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				p.i++
				return true
			}
		}
		p.i++
	}
	return false
}

func isBlank(s string) bool {
	p := parser{s: s}
	p.space()
	return p.i == len(s)
}

// unquote gives the text of a string with its quotes. Half surrogates and bytes
// that are not UTF-8 become U+FFFD; a backslash before a character that needs
// none is kept.
func unquote(raw string) string {
	s := raw[1 : len(raw)-1]
	if strings.IndexByte(s, '\\') < 0 {
		if utf8.ValidString(s) {
			return s
		}
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], '\\')
		if n < 0 || i+n+1 >= len(s) {
			b = append(b, s[i:]...)
			break
		}
		b = append(b, s[i:i+n]...)
		i += n
		b, n = appendUnescaped(b, s[i:])
		i += n
	}
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return string(b)
}

// appendUnescaped reads the escape that s begins with and says how long it is.
func appendUnescaped(b []byte, s string) ([]byte, int) {
	switch s[1] {
	case '"', '\\', '/':
		return append(b, s[1]), 2
	case 'n':
		return append(b, '\n'), 2
	case 't':
		return append(b, '\t'), 2
	case 'r':
		return append(b, '\r'), 2
	case 'b':
		return append(b, '\b'), 2
	case 'f':
		return append(b, '\f'), 2
	case 'u':
		r, ok := hex4(s)
		if !ok {
			break
		}
		if utf16.IsSurrogate(r) {
			if lo, ok := hex4(s[6:]); ok {
				if both := utf16.DecodeRune(r, lo); both != utf8.RuneError {
					return utf8.AppendRune(b, both), 12
				}
			}
			r = utf8.RuneError
		}
		return utf8.AppendRune(b, r), 6
	}
	return append(b, '\\'), 1
}

// hex4 reads the \uXXXX that s begins with.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// cleanRaw gives a value as it can stand on one line: without blanks, comments
// and trailing commas. What is no JSON even then is kept as a string.
func cleanRaw(s string) json.RawMessage {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if b := squeeze(s); json.Valid(b) {
		return b
	}
	return appendString(nil, strings.TrimSpace(s))
}

func squeeze(s string) []byte {
	b := make([]byte, 0, len(s))
	p := parser{s: s}
	for p.space(); p.i < len(s); p.space() {
		start := p.i
		switch c := s[p.i]; {
		case c == '"':
			if !p.str() {
				return nil
			}
		case c == ']' || c == '}':
			b = bytes.TrimSuffix(b, []byte(","))
			p.i++
		default:
			p.i++
			// Letters and digits with a blank between them would grow together.
			for p.i < len(s) && strings.IndexByte("{}[],:\"/ \t\r\n", c) < 0 && strings.IndexByte("{}[],:\"/ \t\r\n", s[p.i]) < 0 {
				p.i++
			}
			if n := len(b); n > 0 && strings.IndexByte("{}[],:", c) < 0 && strings.IndexByte("{[,:", b[n-1]) < 0 {
				return nil
			}
		}
		b = append(b, s[start:p.i]...)
	}
	return b
}

func fieldOf(key string) field {
	switch key {
	case "id":
		return fID
	case "content":
		return fContent
	case "kind":
		return fKind
	case "importance":
		return fImportance
	case "pinned":
		return fPinned
	case "private":
		return fPrivate
	case "createdAt":
		return fCreatedAt
	case "updatedAt":
		return fUpdatedAt
	case "recallCount":
		return fRecallCount
	case "lastRecalledAt":
		return fLastRecalledAt
	case "consolidatedAt":
		return fConsolidatedAt
	case "validTo":
		return fValidTo
	case "supersededBy":
		return fSupersededBy
	case "source":
		return fSource
	case "session":
		return fSession
	case "speaker":
		return fSpeaker
	}
	return fUnknown
}
