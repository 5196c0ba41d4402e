package store

import (
	"bytes"
	"os"
	"syscall"
)

// distilledName lists, under .plastic/, turns of imports that were distilled, so that
// importing them again does nothing. Lost, it costs some calls of a model.
const distilledName = "turns"

const mostDistilled = 4 << 20 // bytes

// noteDistilled adds turns of imports to the list; it may hold one twice.
func (s *Store) noteDistilled(done map[string]bool) {
	var add []byte
	for id := range done {
		if len(id) == len(TurnID("")) && id[0] == 't' {
			add = append(append(add, id...), '\n')
		}
	}
	if len(add) == 0 {
		return
	}
	path := s.own(distilledName)
	if fi, err := os.Stat(path); err == nil && fi.Size() < mostDistilled {
		if f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0); err == nil {
			_, _ = f.Write(add)
			f.Close()
			return
		}
	}
	old, _ := readFile(path)
	if len(old) > mostDistilled/2 { // the older half goes
		_, old, _ = bytes.Cut(old[len(old)-mostDistilled/2:], []byte("\n"))
	}
	_ = writeLocal(path, append(old, add...), s.fresh())
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
