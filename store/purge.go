package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"plastic/memory"
)

// leastTelling is how long a purged text must be, in bytes, to be looked for
// inside other texts: a word that many texts hold would take too much with it.
const leastTelling = 12

// eraser knows what is to be erased.
type eraser struct {
	ids   map[string]bool
	texts []string
}

// purgedIn gives the ids that the journal of st purges.
func (s *Store) purgedIn(st *State) map[string]bool {
	var ids map[string]bool
	for _, o := range st.allOps() {
		if o.kind == opPurge {
			if ids == nil {
				ids = make(map[string]bool)
			}
			ids[o.id] = true
		}
	}
	return ids
}

// erase takes what the journal purges out of the files that a checkpoint does not
// write anyway: nights, queue, copies of damaged files, the lines that could not
// be read.
func (s *Store) erase(st *State) error {
	ids := s.purgedIn(st)
	if len(ids) == 0 {
		return nil
	}
	e := eraser{ids: ids, texts: s.textsOf(st, ids)}
	if err := s.eraseLines(s.path(nightsName), e.night); err != nil {
		return err
	}
	if err := s.eraseQueue(&e); err != nil {
		return err
	}
	for _, name := range []string{memoryName, archiveName, journalName, nightsName, queueName} {
		for _, path := range s.corruptCopies(name) {
			if err := s.eraseLines(path, e.line); err != nil {
				return err
			}
		}
	}
	st.log.mu.Lock()
	st.log.bad = slices.DeleteFunc(st.log.bad, func(line string) bool { return e.names(line) })
	st.log.mu.Unlock()
	return s.dropDerived()
}

// discreet gives the archive without reasons that tell what is purged.
func (s *Store) discreet(st *State, entries []memory.Archived) []memory.Archived {
	ids := s.purgedIn(st)
	if len(ids) == 0 {
		return entries
	}
	e := eraser{texts: s.textsOf(st, ids)}
	entries = slices.Clone(entries)
	for i := range entries {
		if e.names(entries[i].Why) {
			entries[i].Why = ""
		}
	}
	return entries
}

// textsOf gives every wording that the files have of the ids.
func (s *Store) textsOf(st *State, ids map[string]bool) []string {
	var texts []string
	add := func(m *memory.Memory) {
		if ids[m.ID] && len(m.Content) >= leastTelling && !slices.Contains(texts, m.Content) {
			texts = append(texts, m.Content)
		}
	}
	for id := range ids {
		if m, ok := st.base.get(id); ok {
			add(&m)
		}
	}
	for i := range st.archived.read().entries {
		add(&st.archived.read().entries[i].Memory)
	}
	for _, o := range st.allOps() {
		switch {
		case o.m != nil:
			add(o.m)
			if o.was != nil {
				add(o.was)
			}
		case o.entry != nil:
			add(&o.entry.Memory)
		}
	}
	return texts
}

// eraseLines rewrites a file of lines; redact gives a line as it may stay, nil to
// take it out.
func (s *Store) eraseLines(path string, redact func(line []byte) []byte) error {
	old, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(old))
	for line := range bytes.Lines(old) {
		bare := bytes.TrimRight(line, "\r\n")
		if kept := redact(bare); kept != nil {
			text = append(append(text, kept...), line[len(bare):]...)
		}
	}
	if bytes.Equal(text, old) {
		return nil
	}
	key := statKey(path)
	_, err = s.replaceFile(path, "", text, func() error {
		if statKey(path) != key {
			return errMoved
		}
		return nil
	})
	return err
}

// names reports whether a line speaks of what is erased.
func (e *eraser) names(line string) bool {
	for id := range e.ids {
		if strings.Contains(line, `"`+id+`"`) {
			return true
		}
	}
	for _, t := range e.texts {
		quoted := string(memory.AppendString(nil, t))
		if strings.Contains(line, t) || strings.Contains(line, quoted[1:len(quoted)-1]) {
			return true
		}
	}
	return false
}

// line takes out lines that speak of what is erased.
func (e *eraser) line(line []byte) []byte {
	if e.names(string(line)) {
		return nil
	}
	return line
}

// night takes out of a night what it says about erased memories: of an operation
// on one only its name and ids stay.
func (e *eraser) night(line []byte) []byte {
	if !e.names(string(line)) {
		return line
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(e.redact(v)) != nil {
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func (e *eraser) redact(v any) any {
	switch v := v.(type) {
	case string:
		for _, t := range e.texts {
			if strings.Contains(v, t) {
				return ""
			}
		}
	case []any:
		for i := range v {
			v[i] = e.redact(v[i])
		}
	case map[string]any:
		about := e.about(v)
		for key, inner := range v {
			_, text := inner.(string)
			_, nested := inner.(map[string]any)
			switch {
			case about && (key == "id" || key == "ids" || key == "op" || key == "name"):
			case about && (text || nested || key == "contents"):
				delete(v, key)
			default:
				v[key] = e.redact(inner)
			}
		}
	}
	return v
}

// about reports whether an object is about an erased memory.
func (e *eraser) about(obj map[string]any) bool {
	if id, ok := obj["id"].(string); ok && e.ids[id] {
		return true
	}
	ids, _ := obj["ids"].([]any)
	return slices.ContainsFunc(ids, func(v any) bool {
		id, ok := v.(string)
		return ok && e.ids[id]
	})
}
