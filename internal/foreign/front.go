package foreign

import (
	"strconv"
	"strings"
)

// front is the front matter of a note: the simple YAML that tools write there,
// one key a line, a mapping or list indented below it. Keys of a mapping stand in
// it by themselves (metadata: type: user → type). What is more than that is
// passed over.
type front map[string][]string

// text is the first value of the first of the keys that has one.
func (f front) text(keys ...string) string {
	for _, k := range keys {
		if v := f[k]; len(v) > 0 && v[0] != "" {
			return v[0]
		}
	}
	return ""
}

var keyExpr = pattern(`^([ \t]*)([A-Za-z_][\w.-]*):(?:[ \t]+(.*))?$`)

// maxFront is how many lines front matter may have.
const maxFront = 200

// cutFront splits a note into front matter and body; first is the number of the
// body's first line. Text without front matter is all body.
func cutFront(text string) (head front, body string, first int) {
	head = front{}
	lines := strings.SplitAfter(text, "\n")
	if strings.TrimRight(lines[0], " \t\n") != "---" {
		return head, text, 1
	}
	end, keys := 0, 0
	for i := 1; i < len(lines) && i <= maxFront && end == 0; i++ {
		if l := strings.TrimRight(lines[i], " \t\n"); l == "---" || l == "..." {
			end = i
		} else if keyExpr().MatchString(l) {
			keys++
		}
	}
	if end == 0 || keys == 0 {
		return head, text, 1
	}
	head.parse(lines[1:end])
	return head, strings.Join(lines[end+1:], ""), end + 2
}

func (f front) parse(lines []string) {
	key := ""
	block := false // the value is text on the lines below
	for _, l := range lines {
		l = strings.TrimRight(l, " \t\n")
		item, isItem := strings.CutPrefix(strings.TrimLeft(l, " \t"), "- ")
		switch m := keyExpr().FindStringSubmatch(l); {
		case strings.HasPrefix(strings.TrimSpace(l), "#"):
		case block && (l == "" || l[0] == ' ' || l[0] == '\t'):
			if len(f[key]) > 0 {
				f[key][0] = strings.TrimSpace(f[key][0] + " " + strings.TrimSpace(l))
			}
		case isItem && key != "":
			f[key] = append(f[key], unquoted(item))
		case m == nil:
		default:
			key, block = strings.ToLower(m[2]), false
			f.set(key, strings.TrimSpace(m[3]))
			block = len(m[3]) > 0 && strings.ContainsRune("|>", rune(m[3][0]))
		}
	}
}

func (f front) set(key, value string) {
	switch {
	case f[key] != nil || value == "":
		return // the first one counts
	case value[0] == '|' || value[0] == '>':
		f[key] = []string{""}
	case strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]"):
		for _, v := range strings.Split(value[1:len(value)-1], ",") {
			f[key] = append(f[key], unquoted(v))
		}
	default:
		f[key] = []string{unquoted(value)}
	}
}

// unquoted is a YAML scalar as text.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
		return s[1 : len(s)-1]
	}
	if len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	return s
}
