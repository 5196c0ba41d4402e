package foreign

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

// mem0 gives {"results":[{"id","memory","metadata","created_at","updated_at",
// "user_id","agent_id","run_id",…},…]}; its CLI takes a bare array, where the text
// is memory, text or content. One object a line, and texts alone, are read too;
// relations of its graph are sentences.
//
// run_id becomes the session; who said it (actor_id, user_id, agent_id) the
// speaker, unless it is one of the names that stand for nobody. An expiration_date
// ends the memory, a category or metadata.kind that is a kind of plastic is one,
// and metadata.importance counts where it is from 0 to 1. metadata.plastic is how
// plastic's own memories come back as they were.

func isMem0(t *tree) bool {
	f, ok := mem0File(t)
	if !ok {
		return false
	}
	s := t.shape(f)
	return s.has(".results") && (s.has(".results[].memory") || !s.has(".results[]")) || s.has(".memories[].memory") ||
		s.has("[].memory", "[].text", "[].content") && !s.has("[].role", "[].mapping", "[].createdAt") ||
		s.has(".memory") && s.has(".id", ".user_id", ".hash", ".metadata")
}

func mem0File(t *tree) (file, bool) {
	if f, ok := t.alone(); ok {
		return f, true
	}
	if all := t.named("*.json"); len(all) == 1 {
		return all[0], true
	}
	return file{}, false
}

func readMem0(r *reader) {
	f, ok := mem0File(r.tree)
	if !ok {
		r.refuse(place{file: r.tree.title}, "it is not one JSON file")
		return
	}
	if r.tree.shape(f).lines > 1 {
		r.lines(f, func(p place, line []byte) { r.mem0(p, line) })
		return
	}
	r.each(f, []string{"results", "memories", "relations"}, func(p place, raw json.RawMessage) { r.mem0(p, raw) })
}

func (r *reader) mem0(p place, raw json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		r.add(p, "", fact(text))
		return
	}
	o, err := toObject(raw)
	if err != nil {
		r.refuse(p, "%v", err)
		return
	}
	text = o.text("memory", "text", "content", "data")
	if from, how, to := o.text("source"), o.text("relationship", "relation"), o.text("target", "destination"); text == "" && from != "" && how != "" && to != "" {
		r.add(p, from+"→"+how+"→"+to, fact(oneLine(from, 200)+" "+phrase(how)+" "+oneLine(to, 200)))
		return
	}
	if strings.TrimSpace(text) == "" {
		r.refuse(p, "there is no text in it (memory, text or content)")
		return
	}
	meta := o.object("metadata")
	if mine := meta.object("plastic"); mine != nil {
		beside, err := json.Marshal(mine)
		if err == nil {
			if m, err := withText(beside, text); err == nil {
				r.own(p, m)
				return
			}
		}
	}
	m := fact(text)
	m.CreatedAt, m.UpdatedAt = r.when(o, "created_at", "createdAt", "timestamp"), r.when(o, "updated_at", "updatedAt")
	m.ValidTo = r.when(o, "expiration_date")
	m.Session, m.Speaker = o.text("run_id", "session_id"), speaker(o, meta)
	m.Private = o.set("private") || meta.set("private")
	if x, ok := meta.number("importance"); ok && memory.CheckImportance(x) == nil {
		m.Importance = x
	}
	for _, word := range append([]any{meta["kind"], meta["category"], meta["type"]}, o.list("categories")...) {
		if k, ok := word.(string); ok && m.Kind == memory.Fact {
			m.Kind = kind(k)
		}
	}
	r.add(p, o.text("id"), m)
}

// kind is plastic's kind of that name, else fact.
func kind(word string) memory.Kind {
	switch word = strings.ToLower(strings.TrimSpace(word)); word {
	case "event", "events", "episode", "episodic":
		return memory.Event
	case "identity", "persona":
		return memory.Identity
	}
	return memory.Fact
}

var nobody = []string{"user", "default", "default_user", "default-user", "mem0-cli", "assistant", "anonymous"}

func speaker(os ...object) string {
	for _, o := range os {
		for _, key := range []string{"actor_id", "user_id", "agent_id"} {
			if s := o.text(key); s != "" && !slices.Contains(nobody, strings.ToLower(s)) {
				return s
			}
		}
	}
	return ""
}

type mem0Memory struct {
	ID        string         `json:"id"`
	Memory    string         `json:"memory"`
	UserID    string         `json:"user_id,omitempty"`
	RunID     string         `json:"run_id,omitempty"`
	Metadata  map[string]any `json:"metadata"`
	CreatedAt string         `json:"created_at,omitempty"`
	UpdatedAt string         `json:"updated_at,omitempty"`
}

// writeMem0 writes one array with a memory a line.
func writeMem0(w io.Writer, ms []memory.Memory) error {
	stamp := func(t time.Time) string {
		if t = whole(t); t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i, m := range ms {
		lead := ","
		if i == 0 {
			lead = "["
		}
		if _, err := io.WriteString(w, lead); err != nil {
			return err
		}
		err := enc.Encode(mem0Memory{
			ID: m.ID, Memory: clean(m.Content), UserID: m.Speaker, RunID: m.Session,
			CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt),
			Metadata: map[string]any{"kind": m.Kind, "importance": m.Importance, "plastic": json.RawMessage(besides(m))},
		})
		if err != nil {
			return fmt.Errorf("write %s: %w", m.ID, err)
		}
	}
	tail := "]\n"
	if len(ms) == 0 {
		tail = "[]\n"
	}
	_, err := io.WriteString(w, tail)
	return err
}
