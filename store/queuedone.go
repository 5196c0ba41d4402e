package store

import (
	"bytes"
)

// distilledName lists, under .plastic/, turns of imports that were distilled, so that
// importing them again does nothing. Lost, it costs some calls of a model.
const distilledName = "turns"

const mostDistilled = 4 << 20 // bytes

func (s *Store) noteDistilled(done map[string]bool) {
	old, _ := readFile(s.own(distilledName))
	have := map[string]bool{}
	for line := range bytes.Lines(old) {
		have[string(bytes.TrimSpace(line))] = true
	}
	text := old
	for id := range done {
		if len(id) == len(TurnID("")) && id[0] == 't' && !have[id] {
			text = append(append(text, id...), '\n')
		}
	}
	if len(text) > len(old) {
		text = text[max(0, len(text)-mostDistilled):]
		_ = writeLocal(s.own(distilledName), text, s.fresh())
	}
}

// distilled adds the turns of imports that were distilled to known.
func (s *Store) distilled(known map[string]bool) {
	text, _ := readFile(s.own(distilledName))
	for line := range bytes.Lines(text) {
		known[string(bytes.TrimSpace(line))] = true
	}
	if st, err := s.Read(); err == nil {
		for id := range st.done() {
			known[id] = true
		}
	}
}
