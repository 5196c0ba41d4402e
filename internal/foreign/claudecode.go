package foreign

import (
	"path"
	"slices"
	"strings"

	"plastic/memory"
)

// A Claude Code memory folder (~/.claude/projects/<project>/memory), or those of
// all projects from a folder above them: MEMORY.md is
// an index of lines "- [Title](file.md): hook"; each topic is a note with front
// matter
//
//	name: deploy-rules
//	description: how we ship
//	type: feedback          (or below metadata:, with originSessionId and modified)
//
// A topic is one memory, with its title as the subject; a long one is cut at its
// own lists and paragraphs. The types user and feedback are standing words. What
// MEMORY.md says beside the index, and topics that are listed but gone, are
// memories of their own.

var indexExpr = pattern(`^\[([^\]]+)\]\(([^)\s]+\.md)\)\s*[-–—:：]*\s*(.*)$`)

func isClaudeCode(t *tree) bool {
	if f, ok := t.alone(); ok {
		return topicFront(t, f)
	}
	for _, f := range sample(t.named("*.md", "memory/*.md", "*/memory/*.md", "projects/*/memory/*.md")) {
		if strings.EqualFold(path.Base(f.name), "MEMORY.md") {
			if indexed(t, f) {
				return true
			}
		} else if topicFront(t, f) {
			return true
		}
	}
	return false
}

// topicFront tells the front matter of a topic.
func topicFront(t *tree, f file) bool {
	head, _, _ := cutFront(decode(t.head(f)))
	return head.text("name") != "" && head.text("permalink") == "" &&
		(head.text("node_type") == "memory" || slices.Contains([]string{"user", "feedback", "project", "reference"}, head.text("type")))
}

// indexed reports whether f lists notes that stand beside it.
func indexed(t *tree, f file) bool {
	for _, b := range outline(decode(t.head(f)), 1).blocks {
		if m := indexExpr().FindStringSubmatch(b.text); m != nil && len(t.named(path.Join(path.Dir(f.name), m[2]))) > 0 {
			return true
		}
	}
	return false
}

func readClaudeCode(r *reader) {
	files := r.tree.named("*.md", "memory/*.md", "memory/*/*.md", "*/*.md")
	if below := r.tree.named("*/memory/*.md", "*/memory/*/*.md", "projects/*/memory/*.md", "projects/*/memory/*/*.md"); len(below) > 0 {
		files = below // of several projects; what else there is are not memories
	}
	if f, ok := r.tree.alone(); ok {
		files = []file{f}
	}
	titles := map[string]string{} // by path
	for _, f := range files {
		if strings.EqualFold(path.Base(f.name), "MEMORY.md") {
			r.index(f, titles)
		}
	}
	for _, f := range files {
		if !strings.EqualFold(path.Base(f.name), "MEMORY.md") {
			r.topic(f, titles[f.name])
		}
	}
}

func (r *reader) index(f file, titles map[string]string) {
	d := r.document(f)
	r.notes(f, slices.DeleteFunc(d.entries, func(e entry) bool {
		m := indexExpr().FindStringSubmatch(e.text)
		if m == nil {
			return false
		}
		at := path.Join(path.Dir(f.name), m[2])
		titles[at] = m[1]
		if len(r.tree.named(at)) > 0 {
			return true
		}
		if m[3] == "" {
			r.refuse(place{file: f.name, line: e.line}, "%s is listed, but not there", clip(m[2], 80))
		} else {
			r.add(place{file: f.name, line: e.line}, at, fact(about(m[1], m[3])))
		}
		return true
	}), func(e entry) memory.Memory { return fact(e.said("")) })
}

// maxTopic is how long a topic may be to stay one memory, in runes.
const maxTopic = 1500

func (r *reader) topic(f file, listed string) {
	d := r.document(f)
	subject := listed
	if subject == "" {
		subject = title(d.front.text("name", "title"))
	}
	if subject == "" {
		subject = title(path.Base(f.name))
	}
	as := func(text string) memory.Memory {
		m := fact(text)
		m.Session = d.front.text("originsessionid")
		m.UpdatedAt = moment(d.front.text("modified", "updated"), r.loc)
		if t := d.front.text("type"); t == "user" || t == "feedback" {
			m.Importance = standing
		}
		return m
	}
	body := strings.TrimSpace(d.body)
	if body == "" {
		body = d.front.text("description")
	}
	if !longer(body, maxTopic) {
		m := as(about(subject, topicHead().ReplaceAllString(body, "")))
		m.CreatedAt = d.day
		r.add(place{file: f.name, line: d.first}, f.name, m)
		return
	}
	r.notes(f, d.entries, func(e entry) memory.Memory { return as(e.said(subject)) })
}

// topicHead is the heading that repeats the title of a note.
var topicHead = pattern(`^#\s[^\n]*\n+`)
