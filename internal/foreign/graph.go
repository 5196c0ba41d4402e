package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"plastic/memory"
)

// The knowledge graph of MCP server-memory, one object a line:
//
//	{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}
//	{"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}
//
// An observation is a memory with the entity before it, a relation a sentence. The
// answer of read_graph, {"entities":[…],"relations":[…]}, and the names that other
// readers tolerate (entityName, id, from_id, to_id, relation_type) are read too.
// The format knows no times; where a server adds them ("createdAt", "mtime" and
// the like, of an entity, a relation or an observation), they count. A private
// memory goes into an entity of its own
// that says "private":true.

func isServerMemory(t *tree) bool {
	f, ok := graphFile(t)
	if !ok {
		return false
	}
	s := t.shape(f)
	return s.types["entity"] && s.has(".name", ".entityName", ".observations") || s.types["relation"] && s.has(".from", ".from_id") ||
		s.has(".entities") && (s.has(".entities[].observations", ".entities[].entityType") || s.has(".relations"))
}

func graphFile(t *tree) (file, bool) {
	if f, ok := t.alone(); ok {
		return f, true
	}
	if fs := t.named("memory.jsonl", "memory.json"); len(fs) > 0 {
		return fs[len(fs)-1], true
	}
	return file{}, false
}

func readServerMemory(r *reader) {
	f, ok := graphFile(r.tree)
	if !ok {
		r.refuse(place{file: "memory.jsonl"}, "the folder has none")
		return
	}
	if s := r.tree.shape(f); s.has(".entities") {
		r.graphObject(f)
		return
	}
	r.lines(f, func(p place, line []byte) {
		o, err := toObject(line)
		if err != nil {
			r.refuse(p, "%v", err)
			return
		}
		r.node(p, o, o.text("type"))
	})
}

func (r *reader) graphObject(f file) {
	r.each(f, nil, func(p place, raw json.RawMessage) {
		o, err := toObject(raw)
		if err != nil {
			r.refuse(p, "%v", err)
			return
		}
		r.nodes(f, o, "entities", "entity")
		r.nodes(f, o, "relations", "relation")
	})
}

func (r *reader) nodes(f file, o object, key, kind string) {
	for i, v := range o.list(key) {
		p := place{file: f.name, at: fmt.Sprintf("%s %d", kind, i+1)}
		if m, ok := v.(map[string]any); ok {
			r.node(p, m, kind)
		} else {
			r.refuse(p, "it is no JSON object")
		}
	}
}

func (r *reader) node(p place, o object, kind string) {
	switch kind {
	case "entity":
		r.entity(p, o)
	case "relation":
		from, to, how := o.text("from", "from_id"), o.text("to", "to_id"), o.text("relationType", "relation_type")
		if from == "" || to == "" || how == "" {
			r.refuse(p, "a relation needs from, to and relationType")
			return
		}
		m := fact(oneLine(from, 200) + " " + phrase(how) + " " + oneLine(to, 200))
		m.CreatedAt = r.when(o, graphTimes...)
		r.add(p, from+"→"+how+"→"+to, m)
	default:
		r.refuse(p, "the type %q is neither entity nor relation", clip(kind, 40))
	}
}

// graphTimes are the names under which servers keep when something was said.
var graphTimes = []string{"createdAt", "created_at", "timestamp", "addedAt", "added_at", "obsMtime", "mtime", "updatedAt", "updated_at"}

// plasticEntity is where memories without a subject go on export.
const plasticEntity = "plastic"

func (r *reader) entity(p place, o object) {
	name := o.text("name", "entityName", "id")
	if name == "" {
		r.refuse(p, "an entity without a name")
		return
	}
	mine := o.text("entityType") == plasticEntity
	said := o.list("observations")
	if text, ok := o["observations"].(string); ok {
		said = []any{text}
	}
	if len(said) == 0 {
		if kind := o.text("entityType"); kind != "" && !mine {
			m := fact(oneLine(name, 200) + " is of the kind " + phrase(kind))
			m.CreatedAt = r.when(o, graphTimes...)
			r.add(p, name+"#", m)
		}
		return
	}
	for i, v := range said {
		text, ok := v.(string)
		at := r.when(o, graphTimes...)
		if m, is := v.(map[string]any); is {
			text = object(m).text("content", "text", "observation")
			ok = text != ""
			at = cmp.Or(r.when(m, graphTimes...), at)
		}
		if !ok || strings.TrimSpace(text) == "" {
			r.refuse(p, "observation %d of %s is no text", i+1, clip(name, 60))
			continue
		}
		m := fact(text)
		m.CreatedAt = at
		if !mine {
			m.Content = about(name, tidy(text))
		}
		m.Private = o.set("private")
		r.add(p, name+"#"+digest(text), m)
	}
}

type graphEntity struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
	Private      bool     `json:"private,omitempty"`
}

// writeServerMemory writes one entity for each subject that memories name before a
// colon, and one for all others.
func writeServerMemory(w io.Writer, ms []memory.Memory) error {
	var order []*graphEntity
	by := map[graphEntityKey]*graphEntity{}
	for _, m := range ms {
		k := graphEntityKey{plasticEntity, m.Private}
		text := clean(m.Content)
		if name, rest, ok := subject(text); ok && !m.Private {
			k.name, text = name, rest
		}
		e := by[k]
		if e == nil {
			e = &graphEntity{Type: "entity", Name: k.name, EntityType: "subject", Private: m.Private}
			if k.name == plasticEntity {
				e.EntityType = plasticEntity
			}
			if m.Private {
				e.Name += " (private)"
			}
			by[k] = e
			order = append(order, e)
		}
		e.Observations = append(e.Observations, text)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, e := range order {
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

type graphEntityKey struct {
	name    string
	private bool
}

// subject splits "Ada: likes tea", if putting it together again gives the same.
func subject(text string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(text, ": ")
	if !ok || utf8.RuneCountInString(name) > 40 || strings.EqualFold(name, plasticEntity) || strings.ContainsAny(name, "\n.!?:;,") {
		return "", "", false
	}
	return name, rest, rest == tidy(rest) && rest != "" && name == oneLine(name, 40) && about(name, rest) == text
}
