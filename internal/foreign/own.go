package foreign

import (
	"bytes"
	"encoding/json"
	"strings"

	"plastic/memory"
)

// A memory of plastic's own goes through other formats beside its text, as its
// line form without the content: {"id":"k3v9x2","kind":"fact",…}. So an export
// that comes back is known by its id, and a private memory stays private.

func besides(m memory.Memory) []byte {
	m.Content = ""
	return bytes.Replace(memory.AppendJSON(nil, &m), []byte(`"content":"",`), nil, 1)
}

// withText is the memory of which text and what stands beside it are known.
func withText(raw []byte, text string) (memory.Memory, error) {
	rest := bytes.TrimSpace(raw)
	if len(rest) < 2 || rest[0] != '{' {
		return memory.Memory{}, memory.Errorf(memory.ErrInvalid, "what stands beside the text is no memory")
	}
	line := []byte(`{"content":""`)
	if len(bytes.TrimSpace(rest[1:len(rest)-1])) > 0 {
		line = append(line, ',')
	}
	m, err := memory.ParseJSON(append(line, rest[1:]...))
	m.Content = text
	return m, err
}

// strict are the fields that a hand edit may have oddly and an import may not.
var strict = []string{"id", "importance", "pinned", "createdAt", "updatedAt", "recallCount", "lastRecalledAt", "validTo", "kind"}

// own takes a memory of plastic's own: its id, and its source if it has one, stay.
// What a line says oddly is a reason to refuse it.
func (r *reader) own(p place, m memory.Memory) {
	if strings.TrimSpace(m.Content) == "" {
		r.refuse(p, "there is no text in it")
		return
	}
	for _, name := range strict {
		if raw, odd := m.Extra[name]; odd {
			r.refuse(p, "%s %s can not be read", name, clip(string(raw), 40))
			return
		}
	}
	level := 0
	if raw, ok := m.Extra["level"]; ok {
		if json.Unmarshal(raw, &level) != nil || level < 1 || level > 5 {
			r.refuse(p, "level %s is no whole number from 1 to 5", clip(string(raw), 40))
			return
		}
		m.Importance, _ = memory.FromLevel(level)
		delete(m.Extra, "level")
	}
	m.Content = clean(m.Content)
	if m.ID == "" && m.Source == "" {
		key, known := r.key(p, "", m)
		if known {
			r.repeated++
			return
		}
		m.Source = "import:" + r.format + ":" + key
	}
	r.res.Items = append(r.res.Items, Item{Line: p.line, Where: p.String(), Memory: m, Level: level})
}
