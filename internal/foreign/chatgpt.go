package foreign

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// ChatGPT's data export: conversations.json, or conversations-000.json and so on,
// each [{"title","create_time","current_node","mapping":{id:{parent,children,
// message}}}]. Of a conversation the branch that ends at current_node counts, and
// of that what the user and the assistant said in sight of each other; it becomes
// turns, unless the user took the conversation out of memory.
//
// Saved memories are in the export only as what conversations show of them: the
// newest list that a model was given (model_set_context, "1. [2024-05-03]. text"),
// and what was written after it to the tool bio. A memory.json with [{"content",
// "enabled"}] is read where there is one.

func isChatGPT(t *tree) bool {
	for _, f := range chatGPTFiles(t) {
		if s := t.shape(f); s.has("[].mapping", ".mapping") {
			return true
		}
	}
	for _, f := range chatGPTMemories(t) {
		if s := t.shape(f); s.has("[].content", ".memories[].content") && s.has("[].enabled", ".memories[].enabled") {
			return true
		}
	}
	return false
}

func chatGPTFiles(t *tree) []file {
	if f, ok := t.alone(); ok {
		return []file{f}
	}
	return t.named("conversations.json", "conversations-*.json", "conversations/*.json")
}

func chatGPTMemories(t *tree) []file {
	if f, ok := t.alone(); ok {
		return []file{f}
	}
	return t.named("memory.json", "memories.json", "saved_memories.json")
}

func readChatGPT(r *reader) {
	g := gpt{r: r}
	alone, one := r.tree.alone()
	if one && !r.tree.shape(alone).has("[].mapping", ".mapping") {
		g.memoryFile(alone)
		return
	}
	for _, f := range chatGPTFiles(r.tree) {
		r.each(f, nil, g.conversation)
	}
	if g.off > 0 {
		r.note("%d conversations are marked as not to be remembered and were passed over", g.off)
	}
	g.saved()
	if !one {
		for _, f := range chatGPTMemories(r.tree) {
			g.memoryFile(f)
		}
	}
}

// gpt is one export under way.
type gpt struct {
	r    *reader
	off  int         // conversations taken out of memory
	list savedMemory // the newest list of saved memories
	bio  []savedMemory
}

type savedMemory struct {
	text  string
	at    time.Time
	id    string
	place place
}

func (g *gpt) conversation(p place, raw json.RawMessage) {
	o, err := toObject(raw)
	if err != nil {
		g.r.refuse(p, "%v", err)
		return
	}
	mapping := o.object("mapping")
	if mapping == nil {
		g.r.refuse(p, "it is no conversation: there is no mapping")
		return
	}
	if o.set("is_do_not_remember") || o.set("is_temporary_chat") {
		g.off++
		return
	}
	c := chat{r: g.r, session: o.text("conversation_id", "id"), start: g.r.when(o, "create_time", "update_time")}
	for _, id := range g.line(mapping, o.text("current_node")) {
		m := mapping.object(id).object("message")
		if m == nil {
			continue
		}
		at := g.r.when(m, "create_time")
		if g.remembers(p, id, m, cmp.Or(at, c.start)) || hidden(m) {
			continue
		}
		switch m.object("author").text("role") {
		case "user":
			c.user(id, gptText(m), at)
		case "assistant":
			c.assistant(gptText(m))
		}
	}
	c.end()
}

// line is the branch from the beginning to the node current; without one, to the
// newest leaf. A loop ends it.
func (g *gpt) line(mapping object, current string) []string {
	if mapping.object(current) == nil {
		current = g.leaf(mapping)
	}
	var ids []string
	seen := map[string]bool{}
	for id := current; id != "" && !seen[id] && mapping.object(id) != nil; id = mapping.object(id).text("parent") {
		seen[id] = true
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	return ids
}

func (g *gpt) leaf(mapping object) string {
	best, when := "", time.Time{}
	for _, id := range sortedKeys(mapping) {
		n := mapping.object(id)
		if at := g.r.when(n.object("message"), "create_time"); len(n.list("children")) == 0 && (best == "" || at.After(when)) {
			best, when = id, at
		}
	}
	return best
}

// remembers takes what the message shows of saved memories, and reports whether
// that is all there is to it.
func (g *gpt) remembers(p place, id string, m object, at time.Time) bool {
	content := m.object("content")
	s := savedMemory{at: at, id: id, place: p}
	switch {
	case content.text("content_type") == "model_editable_context":
		if s.text = content.text("model_set_context"); s.text != "" && (g.list.text == "" || !at.Before(g.list.at)) {
			g.list = s
		}
		return true
	case m.text("recipient") == "bio" && m.object("author").text("role") == "assistant":
		if s.text = gptText(m); strings.TrimSpace(s.text) != "" {
			g.bio = append(g.bio, s)
		}
		return true
	}
	return false
}

var numberedExpr = pattern(`(?m)^\s*\d+\.\s+\[`)

// saved adds the saved memories: the newest list, and what was written after it.
func (g *gpt) saved() {
	known := func(text string) bool { return strings.Contains(g.list.text, tidy(text)) }
	if g.list.text != "" {
		md := numberedExpr().ReplaceAllString(clean(g.list.text), "- [")
		for _, e := range entries(outline(md, 1), time.Time{}, g.r.loc) {
			m := fact(e.said(""))
			m.CreatedAt = e.day
			g.r.add(g.list.place, "saved#"+digest(m.Content), m)
		}
	}
	slices.SortStableFunc(g.bio, func(a, b savedMemory) int { return a.at.Compare(b.at) })
	for _, s := range g.bio {
		switch {
		case g.list.text != "" && (s.at.Before(g.list.at) || known(s.text)):
		case strings.HasPrefix(strings.ToLower(tidy(s.text)), "forget "):
			g.r.note("a saved memory was to be forgotten, which can not be told apart here: %q", clip(s.text, 80))
		default:
			for line := range strings.Lines(clean(s.text)) {
				if line = strings.TrimSpace(line); line != "" {
					m := fact(line)
					m.CreatedAt = s.at
					g.r.add(s.place, "saved#"+digest(line), m)
				}
			}
		}
	}
}

// hidden tells messages the user never saw: of the system, of tools and to tools,
// thoughts, and those marked so.
func hidden(m object) bool {
	meta := m.object("metadata")
	if meta.set("is_visually_hidden_from_conversation") || meta.set("is_user_system_message") || m.text("channel") == "analysis" {
		return true
	}
	if to := m.text("recipient"); to != "" && to != "all" {
		return true
	}
	switch m.object("content").text("content_type") {
	case "", "text", "multimodal_text":
		return false
	}
	return true
}

// gptText is the text of a message's parts; spoken words are among them.
func gptText(m object) string {
	content := m.object("content")
	var said []string
	for _, part := range content.list("parts") {
		switch v := part.(type) {
		case string:
			said = append(said, v)
		case map[string]any:
			said = append(said, object(v).text("text"))
		}
	}
	if len(said) == 0 {
		said = append(said, content.text("text"))
	}
	said = slices.DeleteFunc(said, func(s string) bool { return strings.TrimSpace(s) == "" })
	return citeExpr().ReplaceAllString(strings.Join(said, "\n\n"), "")
}

// citeExpr are the marks of citations, in signs of private use.
var citeExpr = pattern(`[ \t]*\x{e200}[^\x{e201}]*\x{e201}|\x{3010}\d+(?::\d+)?\x{2020}[^\x{3011}]*\x{3011}`)

func (g *gpt) memoryFile(f file) {
	g.r.each(f, []string{"memories"}, func(p place, raw json.RawMessage) {
		o, err := toObject(raw)
		switch {
		case err != nil:
			g.r.refuse(p, "%v", err)
		case o["enabled"] == false:
			g.r.note("saved memories that were switched off were passed over")
		default:
			m := fact(o.text("content", "text", "memory"))
			m.CreatedAt, m.UpdatedAt = g.r.when(o, "created_at", "create_time", "created_timestamp"), g.r.when(o, "updated_at", "update_time", "updated_timestamp")
			g.r.add(p, o.text("id"), m)
		}
	})
}
