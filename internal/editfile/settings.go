package editfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"plastic/memory"
)

// Settings is what of the item is not the default, in braces; "" if nothing is.
func (it Item) Settings() string {
	var words []string
	switch it.Kind {
	case memory.Fact, "":
	case memory.Event, memory.Core, memory.Identity:
		words = append(words, string(it.Kind))
	default:
		words = append(words, kindKey+quote(string(it.Kind)))
	}
	if it.Importance != memory.DefaultImportance {
		words = append(words, strconv.FormatFloat(it.Importance, 'f', -1, 64))
	}
	if it.Pinned {
		words = append(words, "pinned")
	}
	if it.Private {
		words = append(words, "private")
	}
	if len(words) == 0 {
		return ""
	}
	return "{" + strings.Join(words, " ") + "}"
}

// kindKey marks a kind that is none of the four.
const kindKey = "kind="

// quote writes s with neither braces nor blanks in it.
func quote(s string) string {
	return strings.NewReplacer("{", `\x7b`, "}", `\x7d`, " ", `\x20`, ",", `\x2c`).Replace(strconv.QuoteToASCII(s))
}

// settings takes the braces off the end of text. known is set for an item with
// an id, whose last braces always are such; in a new one braces of which no word
// is a setting belong to the text.
func settings(text string, known bool) (rest string, it Item, err error) {
	it = Item{Kind: memory.Fact, Importance: memory.DefaultImportance}
	text = strings.TrimRight(text, blanks+"\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	at := strings.LastIndexByte(last, '{')
	if !strings.HasSuffix(last, "}") || at < 0 || at > 0 && !strings.ContainsRune(blanks, rune(last[at-1])) {
		if known && strings.HasSuffix(last, "}") {
			return "", it, errors.New("its text ends in } and no {…} follows: put {} after it")
		}
		return text, it, nil
	}
	inside := last[at+1 : len(last)-1]
	good, bad := 0, ""
	for _, word := range strings.FieldsFunc(inside, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if it.set(word) {
			good++
		} else if bad == "" {
			bad = word
		}
	}
	switch {
	case bad == "":
		return strings.TrimRight(text[:len(text)-len(last)+at], blanks+"\n"), it, nil
	case !known && good == 0:
		return text, Item{Kind: memory.Fact, Importance: memory.DefaultImportance}, nil
	}
	return "", it, fmt.Errorf("{%s}: %q is neither fact, event, core or identity, nor kind=…, a number from 0 to 1, pinned or private; if the braces belong to the text, put {} after them", inside, bad)
}

// set reads one word of the braces and reports whether it is one.
func (it *Item) set(word string) bool {
	switch lower := strings.ToLower(word); lower {
	case "fact", "event", "core", "identity":
		it.Kind = memory.Kind(lower)
		return true
	case "pinned", "pin":
		it.Pinned = true
		return true
	case "private":
		it.Private = true
		return true
	}
	if kind, ok := strings.CutPrefix(word, kindKey); ok {
		if s, err := strconv.Unquote(kind); err == nil {
			kind = s
		}
		it.Kind = memory.Kind(kind)
		return kind != ""
	}
	x, err := strconv.ParseFloat(strings.TrimPrefix(word, "importance="), 64)
	if err != nil || memory.CheckImportance(x) != nil {
		return false
	}
	it.Importance = x
	return true
}
