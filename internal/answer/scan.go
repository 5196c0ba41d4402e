package answer

import (
	"bytes"
	"encoding/json"
	"strings"
)

// restarts is how often the scan begins anew after a bracket that does not close.
const restarts = 64

// spans gives the outermost bracketed pieces of a text, in order. A bracket that does
// not close is passed over, with what follows it looked at again.
func spans(text string) []string {
	var out []string
	at := 0
	for again := 0; at < len(text) && again <= restarts; {
		i := strings.IndexAny(text[at:], "{[")
		if i < 0 {
			break
		}
		begin := at + i
		end, ok := closes(text, begin)
		if !ok {
			at = begin + 1
			again++
			continue
		}
		out = append(out, text[begin:end])
		at = end
	}
	return out
}

// closes gives the end of the bracketed piece that begins at begin.
func closes(text string, begin int) (end int, ok bool) {
	var stack []byte
	for i := begin; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			if i = stringEnd(text, i); i >= len(text) {
				return 0, false
			}
		case '{', '[':
			stack = append(stack, c+2) // the ASCII code of the closing one
		case '}', ']':
			if stack[len(stack)-1] != c {
				return 0, false
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// stringEnd gives where the string that begins at i has its closing quote.
func stringEnd(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// repaired takes commas before a closing bracket away, and breaks of lines in strings.
func repaired(raw []byte) []byte {
	var out bytes.Buffer
	text := string(raw)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			end := min(stringEnd(text, i), len(text)-1)
			out.WriteString(strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text[i : end+1]))
			i = end
		case ',':
			if rest := strings.TrimLeft(text[i+1:], " \t\r\n"); rest != "" && (rest[0] == '}' || rest[0] == ']') {
				continue
			}
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.Bytes()
}

// doubled makes those single quotes double that begin or end a string by what stands
// beside them. It is for texts without any double quote: these tell which is which.
func doubled(text string) string {
	out := []byte(text)
	before := byte(0) // the last character that is no space
	for i := range out {
		c := text[i]
		if c == '\'' {
			after := strings.TrimLeft(text[i+1:], " \t\r\n")
			if strings.IndexByte("{[,:", before) >= 0 || after != "" && strings.IndexByte(",:]}", after[0]) >= 0 {
				out[i] = '"'
			}
		}
		if strings.IndexByte(" \t\r\n", c) < 0 {
			before = c
		}
	}
	return string(out)
}

// broken gives the whole items of a list under key that does not end.
func broken(text, key string) (List, bool) {
	text = text[:min(len(text), most)]
	name := strings.LastIndex(text, `"`+key+`"`)
	if name < 0 {
		return List{}, false
	}
	rest := strings.TrimLeft(text[name+len(key)+2:], ": \t\r\n")
	if rest == "" || rest[0] != '[' {
		return List{}, false
	}
	l := List{Cut: true}
	for at := 1; ; {
		for at < len(rest) && strings.IndexByte(", \t\r\n", rest[at]) >= 0 {
			at++
		}
		if at >= len(rest) || rest[at] != '{' {
			return l, true
		}
		end, ok := closes(rest, at)
		if !ok || !json.Valid([]byte(rest[at:end])) {
			return l, true
		}
		l.Items = append(l.Items, json.RawMessage(rest[at:end]))
		at = end
	}
}
