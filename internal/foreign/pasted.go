package foreign

import (
	"slices"
	"strings"
	"time"

	"plastic/tokenize"
)

// What another assistant answers when it is asked for all it remembers, pasted
// into a file. The prompt that Anthropic gives for it asks for one code block of
// lines "[date saved, if available] - memory content"; models write the date in
// their own ways, or that there is none:
//
//	```
//	[2025-03-04] - Likes green tea
//	[May 2025] - Moved to Riga
//	[unknown] - Always answer briefly
//	```
//
// Each line is a fact, with its date; a bracket that says something else stays.

var pastedExpr = pattern(`^\[([^\[\]\n]{0,40})\][ \t]+[-–—][ \t]+(?:\S|$)`)

// savedOn is the date that stands in the brackets of such a line. ok is false for
// what is none; t is zero where it says that there is none.
func savedOn(s string, loc *time.Location) (t time.Time, ok bool) {
	s = strings.TrimSpace(s)
	if slices.Contains(undated, tokenize.Fold(s)) {
		return time.Time{}, true
	}
	if t = localMoment(s, loc); t.IsZero() {
		t = moment(s, loc)
	}
	for _, layout := range []string{"2006-01", "2006/01/02", "2006", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "January 2006", "Jan 2006"} {
		if t.IsZero() {
			t, _ = time.ParseInLocation(layout, s, loc)
		}
	}
	return t, !t.IsZero() && t.Year() > 0
}

// undated are the ways to say that there is no date, folded.
var undated = []string{
	"", "-", "–", "—", "?", "none", "n/a", "na", "unknown", "date unknown", "unknown date", "no date", "undated", "unavailable", "not available",
	"date unavailable", "date not available", "no date available", "date saved unavailable", "date saved not available", "not specified", "date not specified",
	"未知", "日期未知", "无日期", "無日期", "неизвестно", "дата неизвестна", "нет даты", "без даты",
}

// pasted reports whether line is one of such an answer.
func pasted(line string) bool {
	m := pastedExpr().FindStringSubmatch(line)
	if m == nil {
		return false
	}
	_, ok := savedOn(m[1], time.UTC)
	return ok
}

// unfenced is text with the fences taken off each block of code that holds such
// an answer: at least half of its lines are of it. No line changes its number.
func unfenced(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	lines := strings.Split(text, "\n")
	open := -1
	said, all := 0, 0 // inside
	for i, line := range lines {
		switch line = strings.TrimSpace(line); {
		case open < 0:
			if fenceExpr().MatchString(line) {
				open, said, all = i, 0, 0
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			if said > 0 && said*2 >= all {
				lines[open], lines[i] = "", ""
			}
			open = -1
		case line != "":
			all++
			if pasted(strings.TrimLeft(line, "-*• ")) {
				said++
			}
		}
	}
	return strings.Join(lines, "\n")
}
