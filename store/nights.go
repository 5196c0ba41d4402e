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
		line = []byte(bareLine(string(line)))
		if isNight(line) && !seen[string(line)] {
			seen[string(line)] = true
			nights = append(nights, line)
		}
	}
	whole, _ := joinNights(string(text))
	discreet := s.discreetNights(st)
	for line := range strings.Lines(whole) {
		add(discreet([]byte(line)))
	}
	for _, line := range s.nightsIn(st) {
		add(line)
	}
	return nights, nil
}

// nightsIn gives the nights of the journal, as they stand in nights.jsonl once that is
// written.
func (s *Store) nightsIn(st *State) [][]byte {
	discreet := s.discreetNights(st)
	var nights [][]byte
	for _, o := range st.allOps() {
		if o.kind != opNight {
			continue
		}
		if line := discreet(o.night); line != nil {
			nights = append(nights, line)
		}
	}
	return nights
}

// discreetNights gives what a night may still say while the journal purges something.
func (s *Store) discreetNights(st *State) func(line []byte) []byte {
	ids := s.purgedIn(st)
	if len(ids) == 0 {
		return func(line []byte) []byte { return line }
	}
	e := eraser{ids: ids, texts: s.textsOf(st, ids)}
	return e.night
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

// isNight reports whether a line is an object, as nights and notes between them are.
func isNight(line []byte) bool {
	return len(line) > 0 && line[0] == '{' && json.Valid(line)
}

func saysNothing(line string) bool { return strings.TrimSpace(line) == "" }

// checkNights tells of an unfinished merge of nights.jsonl, of lines in it that are no
// nights, and that it is gone.
func (s *Store) checkNights() []Problem {
	text, err := readFile(s.path(nightsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if len(bytes.TrimSpace(text)) == 0 {
		switch {
		case !s.lastKnown().Nights:
			return nil
		case err != nil:
			return []Problem{emptied(nightsName, "missing")}
		}
		return []Problem{emptied(nightsName, "empty")}
	}
	whole, merging := joinNights(string(text))
	if merging {
		return []Problem{{Code: CodeConflict, Path: nightsName, Message: "nights.jsonl holds an unfinished merge: the nights of both sides are read", Hint: "plastic doctor --fix merges both sides"}}
	}
	odd, first := 0, ""
	for line := range strings.Lines(whole) {
		if !saysNothing(line) && !isNight([]byte(bareLine(line))) {
			if odd++; odd == 1 {
				first = shorten(strings.ToValidUTF8(bareLine(line), "\uFFFD"))
			}
		}
	}
	if odd == 0 {
		return nil
	}
	return []Problem{{Code: CodeOdd, Path: nightsName, Message: fmt.Sprintf("lines of nights.jsonl that can not be read: %d; they are kept and passed over (the first: %s)", odd, first), Hint: "mend them in the file, or plastic doctor --fix puts them away"}}
}

// fixNights merges both sides of an unfinished merge, and puts away what is no night,
// with a copy of the file.
func (s *Store) fixNights(l *lock) error {
	path := s.path(nightsName)
	key := statKey(path)
	text, err := readFile(path)
	if err != nil {
		return nil
	}
	whole, merging := joinNights(string(text))
	good, odd := make([]byte, 0, len(whole)), false
	for line := range strings.Lines(whole) {
		if saysNothing(line) || isNight([]byte(bareLine(line))) {
			good = append(good, line...)
		} else {
			odd = true
		}
	}
	if !merging && !odd {
		return nil
	}
	if err := s.putAside(nightsName, Problem{}); err != nil {
		return err
	}
	_, err = s.replaceFile(path, "", good, func() error {
		if statKey(path) != key {
			return errMoved
		}
		return l.held()
	})
	if k := s.lastKnown(); err == nil && k.Nights && saysNothing(string(good)) {
		k.Nights = false // they are put away, not missing
		s.writeKnown(k)
	}
	return err
}

// writeNights appends the nights of the journal that nights.jsonl does not have,
// and removes those that are too old. Nothing happens without a new night.
func (s *Store) writeNights(st *State) (wrote bool, err error) {
	fresh := s.nightsIn(st)
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
	if len(old) == 0 && s.lastKnown().Nights {
		s.stay(emptied(nightsName, "missing"))
	}
	if !bytes.Equal(text, old) {
		wrote = true
		_, err = s.replaceFile(path, "", text, func() error {
			if statKey(path) != key {
				return errMoved
			}
			return nil
		})
	}
	if k := s.lastKnown(); err == nil && !k.Nights {
		k.Nights = true
		s.writeKnown(k)
	}
	return wrote, err
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
