package foreign

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"plastic/memory"
)

// basic-memory notes: front matter with title, type, permalink and tags; in the
// text observations and relations beside what any note has:
//
//	- [method] Pour over brings out subtle flavours #brewing (learnt at the fair)
//	- pairs_well_with [[Chocolate Desserts]]
//
// An observation is a memory with the note's title as subject; its category stays
// beside it, and [event] makes it an event. A relation is a sentence.

func isBasicMemory(t *tree) bool {
	for _, f := range sample(noteFiles(t)) {
		if head, _, _ := cutFront(decode(t.head(f))); head.text("permalink") != "" && head.text("title", "type") != "" {
			return true
		}
	}
	return false
}

var (
	categoryExpr = pattern(`^\[([^\[\]()]+)\]\s+(\S.*)$`)
	clockExpr    = pattern(`^[\d:.,\s-]+$`)
	relationExpr = pattern(`^(?:"([^"]+)"|'([^']+)'|(\S+))\s+\[\[([^\[\]]+)\]\](?:\s*(\([^()]*\)))?$`)
	wikiExpr     = pattern(`\[\[([^\[\]|]+)(?:\|([^\[\]]+))?\]\]`)
)

func readBasicMemory(r *reader) {
	for _, f := range noteFiles(r.tree) {
		d := r.document(f)
		name := title(d.front.text("title"))
		if name == "" {
			name = title(path.Base(f.name))
		}
		// the note's own title is no context: it is the subject
		for i := range d.entries {
			d.entries[i].context = slices.DeleteFunc(d.entries[i].context, func(c string) bool { return c == name || c == "Observations" || c == "Relations" })
		}
		r.notes(f, d.entries, func(e entry) memory.Memory { return noteFact(name, e) })
	}
}

func noteFact(name string, e entry) memory.Memory {
	e.text = strings.TrimSpace(strings.TrimSuffix(e.text, "#bm:links_to"))
	if m := relationExpr().FindStringSubmatch(e.text); m != nil {
		target := wikiExpr().ReplaceAllString("[["+m[4]+"]]", "$1")
		return fact(strings.TrimSpace(name + " " + phrase(m[1]+m[2]+m[3]) + " " + target + " " + m[5]))
	}
	category := ""
	if m := categoryExpr().FindStringSubmatch(e.text); m != nil && !clockExpr().MatchString(m[1]) && (len(m[1]) > 1 || isLetter(m[1][0])) && !strings.EqualFold(m[1], "x") {
		category, e.text = m[1], m[2]
	}
	e.text = wikiExpr().ReplaceAllStringFunc(e.text, func(s string) string {
		if m := wikiExpr().FindStringSubmatch(s); m[2] != "" {
			return m[2]
		}
		return wikiExpr().ReplaceAllString(s, "$1")
	})
	f := fact(e.said(name))
	if category != "" {
		f.Kind = kind(category)
		raw, _ := json.Marshal(category)
		f.Extra = map[string]json.RawMessage{"category": raw}
	}
	return f
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
