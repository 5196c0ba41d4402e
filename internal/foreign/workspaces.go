package foreign

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"

	"plastic/memory"
)

// Smaller formats of agents that keep their memory in a folder.

// Hermes (~/.hermes/memories): MEMORY.md and USER.md, entries with a line "§"
// between them. What stands in USER.md is a standing word.

var sectionExpr = pattern(`(?m)^[ \t]*§[ \t]*$`)

func isHermes(t *tree) bool {
	for _, f := range hermesFiles(t) {
		if sectionExpr().MatchString(decode(t.head(f))) {
			return true
		}
	}
	return false
}

func hermesFiles(t *tree) []file {
	if f, ok := t.alone(); ok {
		return []file{f}
	}
	return t.named("MEMORY.md", "USER.md", "memories/MEMORY.md", "memories/USER.md")
}

func readHermes(r *reader) {
	for _, f := range hermesFiles(r.tree) {
		text := r.text(f)
		for at, line := 0, 1; at <= len(text); {
			end, next := len(text), len(text)+1
			if m := sectionExpr().FindStringIndex(text[at:]); m != nil {
				end, next = at+m[0], at+m[1]
			}
			said := text[at:end]
			lead := len(said) - len(strings.TrimLeft(said, "\n"))
			for _, piece := range pieces(strings.TrimSpace(said), maxEntry) {
				m := fact(piece)
				if strings.EqualFold(path.Base(f.name), "USER.md") {
					m.Importance = standing
				}
				if piece != "" {
					r.add(place{file: f.name, line: line + lead}, "", m)
				}
			}
			line += strings.Count(text[at:min(next, len(text))], "\n")
			at = next
		}
	}
}

// Codex (~/.codex/memories): MEMORY.md; the summary and raw notes repeat it.

func isCodex(t *tree) bool {
	return len(t.named("MEMORY.md")) > 0 && len(t.named("memory_summary.md", "raw_memories.md")) > 0
}

func readCodex(r *reader) {
	for _, f := range r.tree.named("MEMORY.md") {
		r.notes(f, r.document(f).entries, func(e entry) memory.Memory { return fact(e.said("")) })
	}
	r.note("memory_summary.md and raw notes repeat what MEMORY.md says and were passed over")
}

// nanobot: memory/MEMORY.md holds facts, memory/history.jsonl a log of lines
// {"cursor","timestamp","content"} in local time, which are events.

func isNanobot(t *tree) bool {
	return len(t.named("memory/history.jsonl", "history.jsonl")) > 0 && len(t.named("memory/MEMORY.md", "MEMORY.md")) > 0
}

func readNanobot(r *reader) {
	for _, f := range r.tree.named("MEMORY.md", "memory/MEMORY.md", "USER.md") {
		r.notes(f, r.document(f).entries, func(e entry) memory.Memory {
			m := fact(e.said(""))
			if strings.EqualFold(path.Base(f.name), "USER.md") {
				m.Importance = standing
			}
			return m
		})
	}
	for _, f := range r.tree.named("memory/history.jsonl", "history.jsonl") {
		r.lines(f, func(p place, line []byte) {
			o, err := toObject(line)
			if err != nil {
				r.refuse(p, "%v", err)
				return
			}
			m := fact(o.text("content"))
			m.Kind, m.CreatedAt = memory.Event, cmp.Or(localMoment(o.text("timestamp"), r.loc), r.when(o, "timestamp"))
			id := o.text("cursor")
			if id != "" {
				id = "history#" + id
			}
			r.add(p, id, m)
		})
	}
}

// Letta's memory file system: notes with the front matter "description". What
// stands in the folder system is in every prompt there: the persona is identity,
// the rest standing words.

func isLetta(t *tree) bool {
	for _, f := range t.named("system/*.md", "memory/system/*.md") {
		if head, _, _ := cutFront(decode(t.head(f))); head.text("description") != "" {
			return true
		}
	}
	return false
}

func readLetta(r *reader) {
	for _, f := range noteFiles(r.tree) {
		d := r.document(f)
		subject := title(path.Base(f.name))
		isPersona := strings.Contains(subject, "persona")
		if subject == "human" || subject == "persona" {
			subject = "" // the text says who
		}
		r.notes(f, d.entries, func(e entry) memory.Memory {
			m := fact(e.said(subject))
			if strings.HasPrefix(f.name, "system/") || strings.Contains(f.name, "/system/") {
				m.Importance = standing
				if isPersona {
					m.Kind = memory.Identity
				}
			}
			return m
		})
	}
}

// engram: an export {"observations":[{"id","type","title","content","project",
// "created_at",…}],"sessions":[…],"prompts":[…]}, or .engram/chunks/*.jsonl.gz,
// each of which holds the same.

func isEngram(t *tree) bool {
	if f, ok := t.alone(); ok {
		s := t.shape(f)
		return s.has(".observations") && s.has(".sessions", ".prompts", ".exported_at", ".observations[].title")
	}
	return len(engramChunks(t)) > 0
}

func engramChunks(t *tree) []file {
	return t.named("chunks/*.jsonl.gz", ".engram/chunks/*.jsonl.gz", "chunks/*.jsonl", ".engram/chunks/*.jsonl")
}

func readEngram(r *reader) {
	files := engramChunks(r.tree)
	if f, ok := r.tree.alone(); ok {
		files = []file{f}
	}
	for _, f := range files {
		if strings.HasSuffix(f.name, ".gz") {
			f = unzipped(f)
		}
		r.each(f, []string{"observations"}, func(p place, raw json.RawMessage) {
			o, err := toObject(raw)
			switch {
			case err != nil:
				r.refuse(p, "%v", err)
			case o.set("deleted_at"):
			case o.text("content", "title") == "":
				r.refuse(p, "there is no text in it")
			default:
				r.observation(p, o)
			}
		})
	}
	r.note("sessions and prompts of engram were passed over: they are no memories")
}

func (r *reader) observation(p place, o object) {
	m := fact(about(o.text("title"), tidy(o.text("content", "title"))))
	m.Kind = kind(o.text("type"))
	m.CreatedAt, m.UpdatedAt = r.when(o, "created_at"), r.when(o, "updated_at")
	m.Session = o.text("session_id")
	r.add(p, o.text("id"), m)
}
