package foreign

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"plastic/tokenize"
)

// pattern is a regular expression that is compiled when it is first asked for:
// most runs of the program import nothing.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// decode gives a file's bytes as text: a byte order mark is dropped and heeded,
// line ends become \n, NUL and bytes that are not UTF-8 become U+FFFD.
func decode(b []byte) string {
	s := string(b)
	switch {
	case strings.HasPrefix(s, "\ufeff"):
		s = s[3:]
	case strings.HasPrefix(s, "\xff\xfe"):
		s = decode16(b[2:], binary.LittleEndian)
	case strings.HasPrefix(s, "\xfe\xff"):
		s = decode16(b[2:], binary.BigEndian)
	}
	return clean(s)
}

// garbled reports whether b is text in another encoding, or none: what decode
// would make of it says nothing any more. A few odd bytes do not make it so.
func garbled(b []byte) bool {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return false
	}
	odd := 0
	for rest := b; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 || r == 0 {
			odd++
		}
		rest = rest[n:]
	}
	return odd > 2 && odd*50 > len(b)
}

func decode16(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) > 1; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return string(utf16.Decode(units))
}

// clean makes s text that can be stored: valid UTF-8, without NUL, lines that end
// in \n.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

// tidy is clean without blanks around the text.
func tidy(s string) string { return strings.TrimSpace(clean(s)) }

// oneLine gives s as a name: no control characters, at most n runes.
func oneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, tidy(s))
	if runes := []rune(s); len(runes) > n {
		s = string(runes[:n])
	}
	return strings.TrimSpace(s)
}

// clip shortens s for a message.
func clip(s string, n int) string {
	if runes := []rune(clean(s)); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}

// title makes words of a file's or note's name: "garden-plan.md" → "garden plan".
func title(name string) string {
	name = oneLine(name, 120)
	for _, ext := range []string{".md", ".markdown", ".txt", ".json"} {
		name = strings.TrimSuffix(name, ext)
	}
	if !strings.Contains(name, " ") {
		name = strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	}
	return name
}

var (
	dayExpr   = pattern(`\d{4}-\d{2}-\d{2}`)
	camelExpr = pattern(`([a-z0-9])([A-Z])`)
)

// dayIn finds the first date YYYY-MM-DD in s that stands alone, and where.
func dayIn(s string, loc *time.Location) (day time.Time, from, to int) {
	for _, m := range dayExpr().FindAllStringIndex(s, -1) {
		if m[0] > 0 && isDigit(s[m[0]-1]) || m[1] < len(s) && isDigit(s[m[1]]) {
			continue
		}
		if t, err := time.ParseInLocation(time.DateOnly, s[m[0]:m[1]], loc); err == nil && t.Year() > 0 {
			return t, m[0], m[1]
		}
	}
	return time.Time{}, 0, 0
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// moment reads a time as exports write it: RFC 3339, with a blank in the middle,
// without a zone (UTC), or a bare date (midnight in loc).
func moment(s string, loc *time.Location) time.Time {
	s = strings.TrimSuffix(strings.TrimSpace(s), " UTC")
	if t, err := time.ParseInLocation(time.DateOnly, s, loc); err == nil {
		return t
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// localMoment reads a date and time without a zone as one of loc.
func localMoment(s string, loc *time.Location) time.Time {
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, strings.TrimSpace(s), loc); err == nil {
			return t
		}
	}
	return time.Time{}
}

// phrase makes words of a relation's name: works_at, worksAt → works at.
func phrase(s string) string {
	s = camelExpr().ReplaceAllString(oneLine(s, 120), "$1 $2")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) }), " ")
	if s == strings.ToUpper(s) || strings.Contains(s, " ") {
		s = strings.ToLower(s) // WORKS_AT, Works At
	}
	return s
}

// pieces cuts a text longer than n runes where it can be cut best: between lines,
// then sentences, then words.
func pieces(s string, n int) []string {
	var out []string
	for longer(s, n) {
		end := 0
		for range n {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		cut := 0
		for _, mark := range []string{"\n", ". ", "! ", "? ", "。", "！", "？", " "} {
			if i := strings.LastIndex(s[:end], mark); i > end/3 && cut == 0 {
				cut = i + len(mark)
			}
		}
		if cut == 0 {
			cut = end
		}
		out = append(out, strings.TrimSpace(s[:cut]))
		s = strings.TrimSpace(s[cut:])
	}
	return append(out, s)
}

// longer reports whether s has more than n runes, without counting all of them.
func longer(s string, n int) bool {
	if len(s) <= n {
		return false
	}
	for range s {
		if n--; n < 0 {
			return true
		}
	}
	return false
}

// about puts the subject before a text that does not name it: "Ada: likes tea".
func about(subject, text string) string {
	if subject = strings.TrimRight(oneLine(subject, 120), ":： "); subject == "" || mentions(text, subject) {
		return text
	}
	if fenceExpr().MatchString(firstLine(text)) {
		return subject + ":\n" + text
	}
	return subject + ": " + text
}

// mentions reports whether text has name in it as words of its own, without
// regard to case; in scripts without blanks anywhere.
func mentions(text, name string) bool {
	text, name = tokenize.Fold(text), tokenize.Fold(name)
	if name == "" {
		return true
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		first, size := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if !(spaced(before) && spaced(first)) && !(spaced(last) && spaced(after)) {
			return true
		}
		from = i + size
	}
}

// spaced tells the letters and digits of scripts that put blanks between words.
func spaced(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !dense(r)
}

// dense tells the letters of scripts that do not.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
