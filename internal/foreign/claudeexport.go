package foreign

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
)

// Claude's data export, as a folder, a zip or one of its files:
//
//	memories.json        [{"conversations_memory": md, "project_memories": {uuid: md}, …}]
//	memories/<acct>.json {"conversations_memory", "project_memories", "memory_files": [{"path","content"}]}
//	projects.json, projects/<uuid>.json   name the projects
//	conversations.json   [{"uuid","name","created_at","chat_messages":[{"sender","text","content":[…],"created_at"}]}]
//
// Each paragraph and list item of a memory text is a memory; of a project's with
// the project's name as subject. Conversations become turns.

func isClaudeExport(t *tree) bool {
	for _, f := range slices.Concat(claudeMemories(t), claudeConversations(t)) {
		s := t.shape(f)
		if s.has("[].conversations_memory", ".conversations_memory", "[].project_memories", ".project_memories", ".memory_files", "[].chat_messages", ".chat_messages") {
			return true
		}
	}
	return false
}

func claudeMemories(t *tree) []file {
	if f, ok := t.alone(); ok {
		return []file{f}
	}
	return t.named("memories.json", "memories/*.json")
}

func claudeConversations(t *tree) []file {
	if f, ok := t.alone(); ok {
		return []file{f}
	}
	return t.named("conversations.json", "conversations-*.json", "conversations/*.json")
}

func readClaudeExport(r *reader) {
	projects := r.claudeProjects()
	alone, one := r.tree.alone()
	isChats := one && r.tree.shape(alone).has("[].chat_messages", ".chat_messages")
	if !isChats {
		for _, f := range claudeMemories(r.tree) {
			r.each(f, nil, func(p place, raw json.RawMessage) { r.claudeMemory(p, raw, projects) })
		}
	}
	if !one || isChats {
		for _, f := range claudeConversations(r.tree) {
			r.each(f, nil, r.claudeChat)
		}
	}
}

// claudeProjects gives the projects' names by their uuid.
func (r *reader) claudeProjects() map[string]string {
	names := map[string]string{}
	for _, f := range r.tree.named("projects.json", "projects/*.json") {
		r.each(f, nil, func(p place, raw json.RawMessage) {
			o, err := toObject(raw)
			if err != nil {
				r.refuse(p, "%v", err)
				return
			}
			names[o.text("uuid")] = o.text("name")
			if o.text("prompt_template") != "" || len(o.list("docs")) > 0 {
				r.note("instructions and documents of projects are files, not memories, and were passed over")
			}
		})
	}
	return names
}

func (r *reader) claudeMemory(p place, raw json.RawMessage, projects map[string]string) {
	o, err := toObject(raw)
	if err != nil {
		r.refuse(p, "%v", err)
		return
	}
	found := false
	text := func(at, subject, md string, when time.Time) {
		found = found || strings.TrimSpace(md) != ""
		_, body, first := cutFront(clean(md))
		for _, e := range entries(outline(body, first), when, r.loc) {
			if e.comment {
				continue
			}
			m := fact(e.said(subject))
			m.CreatedAt = e.day
			r.add(place{file: p.file, at: at}, at+"#"+digest(m.Content), m)
		}
	}
	text("conversations_memory", "", o.text("conversations_memory"), time.Time{})
	byProject := o.object("project_memories")
	for _, uuid := range sortedKeys(byProject) {
		md := byProject.text(uuid)
		if inner := byProject.object(uuid); inner != nil {
			md = inner.text("content", "memory", "text")
		}
		text("project_memories "+uuid, projects[uuid], md, time.Time{})
	}
	for _, mf := range o.objects("memory_files") {
		at := mf.text("path", "name")
		subject := ""
		if rest, ok := strings.CutPrefix(at, "/areas/"); ok {
			subject = title(path.Base(rest))
		}
		text("memory_files "+at, subject, mf.text("content", "text"), r.when(mf, "updated_at", "created_at"))
	}
	if !found {
		r.refuse(p, "there is no memory in it")
	}
}

func sortedKeys(o object) []string {
	var keys []string
	for k := range o {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (r *reader) claudeChat(p place, raw json.RawMessage) {
	o, err := toObject(raw)
	if err != nil {
		r.refuse(p, "%v", err)
		return
	}
	if _, ok := o["chat_messages"].([]any); !ok {
		r.refuse(p, "it is no conversation: there are no chat_messages")
		return
	}
	c := chat{r: r, session: o.text("uuid"), start: r.when(o, "created_at")}
	for _, m := range branch(o.objects("chat_messages")) {
		switch m.text("sender", "role") {
		case "human", "user":
			c.user(m.text("uuid"), claudeText(m), r.when(m, "created_at"))
		case "assistant":
			c.assistant(claudeText(m))
		}
	}
	c.end()
}

// claudeText is what a message says, without tools and thoughts.
func claudeText(m object) string {
	var said []string
	for _, b := range m.objects("content") {
		if b.text("type") == "text" {
			said = append(said, b.text("text"))
		}
	}
	if text := tidy(strings.Join(said, "\n\n")); text != "" {
		return text
	}
	return m.text("text")
}

// branch is the line of messages that ends in the last one, where messages name
// their parents; a question asked anew leaves the old one behind. Where the
// parents do not reach back to the beginning, it is all messages.
func branch(ms []object) []object {
	at := map[string]int{}
	for i, m := range ms {
		if id := m.text("uuid"); id != "" {
			at[id] = i
		}
	}
	var line []object
	for i := len(ms) - 1; i >= 0 && len(line) <= len(ms); {
		line = append(line, ms[i])
		parent := ms[i].text("parent_message_uuid")
		if strings.HasPrefix(parent, "00000000-") {
			slices.Reverse(line)
			return line
		}
		next, ok := at[parent]
		if !ok {
			break
		}
		i = next
	}
	return ms
}

// A chat makes turns of messages: what the user says up to an answer, and the
// answers up to the next question, are one turn.
type chat struct {
	r       *reader
	session string
	start   time.Time // of the conversation, where messages have no time

	asked, answered []string // of the turn under way
	at              time.Time
	id              string // of its first message
}

func (c *chat) user(id, text string, at time.Time) {
	if len(c.answered) > 0 {
		c.end()
	}
	if c.at.IsZero() {
		c.at = at
	}
	if len(c.asked) == 0 {
		c.id = id
	}
	c.asked = append(c.asked, tidy(text))
}

func (c *chat) assistant(text string) {
	if text = tidy(text); len(c.asked) > 0 && text != "" {
		c.answered = append(c.answered, text)
	}
}

func (c *chat) end() {
	c.start = cmp.Or(c.at, c.start)
	c.r.turn(c.id, Turn{User: strings.Join(c.asked, "\n\n"), Assistant: strings.Join(c.answered, "\n\n"), At: c.start, Session: c.session})
	c.asked, c.answered, c.at, c.id = nil, nil, time.Time{}, ""
}
