package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"plastic/memory"
)

// nightLife is how long a night stays in nights.jsonl.
const nightLife = 2 * 365 * 24 * time.Hour

// Nights gives the lines of nights.jsonl, oldest first, with those that are still
// in the journal. Lines that are no JSON objects are passed over.
func (s *Store) Nights() ([]json.RawMessage, error) {
	st, err := s.Read()
	if err != nil {
		return nil, err
	}
	text, err := readFile(s.path(nightsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	nights := []json.RawMessage{}
	seen := make(map[string]bool)
	add := func(line []byte) {
		line = bytes.TrimSpace(line)
		if isNight(line) && !seen[string(line)] {
			seen[string(line)] = true
			nights = append(nights, line)
		}
	}
	whole, _ := joinNights(string(text))
	for line := range strings.Lines(whole) {
		add([]byte(line))
	}
	for _, o := range st.allOps() {
		if o.kind == opNight {
			add(o.night)
		}
	}
	return nights, nil
}

// joinNights gives the lines of both sides of an unfinished merge, each once, and
// whether there was one.
func joinNights(text string) (whole string, merging bool) {
	ours, theirs, merging := sides(text)
	if !merging {
		return text, false
	}
	have := make(map[string]bool)
	var b strings.Builder
	for line := range strings.Lines(ours + theirs) {
		if bare := strings.TrimRight(line, "\r\n"); !have[bare] {
			have[bare] = true
			b.WriteString(line)
		}
	}
	return b.String(), true
}

// checkNights tells of an unfinished merge of nights.jsonl, and of lines that can not be read.
func (s *Store) checkNights() []Problem {
	text, err := readFile(s.path(nightsName))
	if err != nil {
		return nil
	}
	whole, merging := joinNights(string(text))
	var out []Problem
	if merging {
		out = append(out, Problem{Code: CodeConflict, Path: nightsName, Message: "nights.jsonl holds an unfinished merge: the nights of both sides are read", Hint: "plastic doctor --fix merges both sides"})
	}
	odd := 0
	for line := range strings.Lines(whole) {
		if bare := strings.TrimSpace(line); bare != "" && !isNight([]byte(bare)) {
			odd++
		}
	}
	if odd > 0 {
		out = append(out, Problem{Code: CodeOdd, Path: nightsName, Message: fmt.Sprintf("lines of nights.jsonl that can not be read: %d; they are kept and passed over", odd), Hint: "mend or remove them by hand"})
	}
	return out
}

// isNight reports whether a line is an object, as nights and notes between them are.
func isNight(line []byte) bool {
	return len(line) > 0 && line[0] == '{' && json.Valid(line)
}

// fixNights merges both sides of an unfinished merge.
func (s *Store) fixNights(l *lock) error {
	path := s.path(nightsName)
	key := statKey(path)
	text, err := readFile(path)
	if err != nil {
		return nil
	}
	whole, merging := joinNights(string(text))
	if !merging {
		return nil
	}
	_, err = s.replaceFile(path, "", []byte(whole), func() error {
		if statKey(path) != key {
			return errMoved
		}
		return l.held()
	})
	return err
}

// writeNights appends the nights of the journal that nights.jsonl does not have,
// and removes those that are too old. Nothing happens without a new night.
func (s *Store) writeNights(st *State) (wrote bool, err error) {
	var fresh [][]byte
	for _, o := range st.allOps() {
		if o.kind == opNight {
			fresh = append(fresh, o.night)
		}
	}
	if len(fresh) == 0 {
		return false, nil
	}
	path := s.path(nightsName)
	key := statKey(path)
	old, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	nl := lineEnd(bytes.Contains(old, []byte("\r\n")))
	have := make(map[string]bool)
	text := make([]byte, 0, len(old)+len(fresh)*512)
	oldest := s.o.Now().Add(-nightLife)
	for line := range bytes.Lines(old) {
		bare := bytes.TrimRight(line, "\r\n")
		have[string(bare)] = true
		if !endedBefore(bare, oldest) {
			text = append(append(text, bare...), nl...)
		}
	}
	for _, line := range fresh {
		if !have[string(line)] {
			text = append(append(text, line...), nl...)
		}
	}
	if bytes.Equal(text, old) {
		return false, nil
	}
	_, err = s.replaceFile(path, "", text, func() error {
		if statKey(path) != key {
			return errMoved
		}
		return nil
	})
	return true, err
}

// endedBefore reports whether a night's date lies before t. What has no date
// stays.
func endedBefore(line []byte, t time.Time) bool {
	old := false
	memory.Members(string(line), func(key, raw string) {
		if key != "date" {
			return
		}
		if at, ok := memory.ParseTime(raw); ok && !at.IsZero() {
			old = at.Before(t)
		}
	})
	return old
}
