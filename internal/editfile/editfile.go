// Package editfile writes memories as a Markdown list for an editor, reads back
// what the editor left, and says what became of each memory. It opens no file
// and changes no memory.
//
//	given := editfile.Render(memories, time.Local)
//	// … a person edits the text …
//	plan, err := editfile.Compare(given, edited)
//
// One memory is one item of the list:
//
//   - [k3v9x2] @ann told me she keeps two cats {event 0.3 pinned}
//   - [a81b2c] a text of two lines:
//     the second one is indented
//   - an item without [id] is a new memory
//
// The braces hold what is not the default: a kind (fact), an importance from 0
// to 1 (0.5), pinned, private. Without braces all four are at their defaults.
// An item that is gone is a memory to forget. Comments <!-- … --> and empty
// lines between items say nothing.
package editfile

import (
	"fmt"
	"strings"
	"time"

	"plastic/memory"
)

// Item is one memory as the text has it.
type Item struct {
	Line       int    // where it begins in the text, from 1
	ID         string // "" for a new one
	Content    string // tidy: see Tidy
	Kind       memory.Kind
	Importance float64 // 0…1
	Pinned     bool
	Private    bool
}

// ItemOf is m as Parse reads what Render writes of it, without a line.
func ItemOf(m *memory.Memory) Item {
	kind := m.Kind
	if kind == "" {
		kind = memory.Fact
	}
	return Item{ID: m.ID, Content: Tidy(m.Content), Kind: kind, Importance: m.Importance, Pinned: m.Pinned, Private: m.Private}
}

// Equal reports whether two items say the same, wherever they stand.
func (it Item) Equal(o Item) bool {
	o.Line = it.Line
	return it == o
}

// Tidy is text as a list can hold it: lines end in \n and without white space,
// nothing empty stands at the ends. What differs from a memory in nothing else
// is no change of it: editors strip and convert such things by themselves.
func Tidy(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, blanks)
	}
	return strings.Join(lines, "\n")
}

// blanks are what an editor strips from the end of a line.
const blanks = " \t\r\v\f"

const head = `<!--
%s. What you change here is changed, once you have seen the difference.
An item that you delete is forgotten (restore brings it back); one without [id] is remembered anew.
{…} at the end says what is not the default: fact, event, core or identity; an importance
from 0 to 1 (0.5 if none); pinned; private. Further lines of an item are indented.
-->
`

// Render writes memories as a list, in the order given. A comment names the day
// of creation in loc wherever it changes. Line breaks and white space that Tidy
// changes are not kept; a memory of white space alone is left out.
func Render(ms []memory.Memory, loc *time.Location) string {
	var b strings.Builder
	count := fmt.Sprintf("%d memories", len(ms))
	if len(ms) == 1 {
		count = "1 memory"
	}
	fmt.Fprintf(&b, head, count)
	day := ""
	for i := range ms {
		if Tidy(ms[i].Content) == "" {
			continue
		}
		if d := ms[i].CreatedAt.In(loc).Format(time.DateOnly); d != day {
			day = d
			fmt.Fprintf(&b, "\n<!-- %s -->\n", day)
		}
		b.WriteString(ItemOf(&ms[i]).String())
	}
	return b.String()
}

// String is the item as the list has it, with a line break at the end.
func (it Item) String() string {
	var b strings.Builder
	b.WriteString("- ")
	if it.ID != "" || strings.HasPrefix(it.Content, "[") { // [] keeps the text's own brackets
		b.WriteString("[" + it.ID + "] ")
	}
	lines := strings.Split(it.Content, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
		case line == "":
			b.WriteString("\n")
			continue
		default:
			b.WriteString("\n" + indent)
		}
		b.WriteString(line)
	}
	set := it.Settings()
	if set == "" && strings.HasSuffix(it.Content, "}") {
		set = "{}" // else the text's own braces would be taken for these
	}
	if set != "" {
		b.WriteString(" " + set)
	}
	b.WriteString("\n")
	return b.String()
}

const indent = "  "
