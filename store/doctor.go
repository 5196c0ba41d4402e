package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"plastic/memory"
)

// Check looks at every invariant of the files and gives what does not hold; it
// changes nothing.
func (s *Store) Check() ([]Problem, error) {
	out := s.strangers()
	st, err := s.read()
	switch {
	case err == nil:
		st.base.decode()
		st.archived.read()
		out = append(out, st.Problems()...)
	case len(out) == 0 || !errors.Is(err, memory.ErrCorrupt): // else it is told already
		out = append(out, s.unread(err))
	}
	if err := canWrite(s.dir); err != nil {
		out = append(out, Problem{Code: CodeReadOnly, Path: ".", Message: err.Error(), Hint: "recall works; nothing can be remembered"})
	} else {
		out = append(out, s.closedOff()...)
	}
	if left := s.leftovers(); len(left) > 0 {
		out = append(out, Problem{Code: CodeLeftover, Path: left[0], Message: fmt.Sprintf("%d temporary files of writes that were cut off", len(left)),
			Hint: "they go with the next write"})
	}
	out = append(out, s.checkNights()...)
	out = append(out, s.checkLast()...)
	if st != nil && st.archived.f == nil && s.lastKnown().Archive != (FileKey{}) {
		out = append(out, emptied(archiveName, "missing"))
	}
	if st == nil {
		return out, nil
	}
	out = append(out, s.checkQueue()...)
	if len(st.tail(s)) > 0 {
		out = append(out, Problem{Code: CodeJournal, Path: journalName, Message: "the end of memory.journal is no line of it: something may be lost", Hint: "plastic doctor --fix puts it away"})
	}
	if st.base.halfDone {
		out = append(out, Problem{Code: CodeCorrupt, Path: memoryName, Message: "a write of memory.json in place was cut off; what it was to be is known, and serves", Hint: "plastic checkpoint writes it"})
	}
	if n := len(s.purgedIn(st)); n > 0 {
		out = append(out, Problem{Code: CodeUnerased, Path: memoryName, Message: fmt.Sprintf("%d purged memories still stand in the files, which could not be written", n), Hint: "plastic checkpoint"})
	}
	out = append(out, st.oddFields()...)
	out = append(out, st.ahead(s.o.Now())...)
	return append(out, st.dangling()...), nil
}

// closedOff tells of what another user has left that can not be written or locked.
func (s *Store) closedOff() []Problem {
	var out []Problem
	if fi, err := os.Stat(s.own("")); err != nil || !fi.IsDir() {
		return nil
	}
	if err := canWrite(s.own("")); err != nil {
		out = append(out, Problem{Code: CodeReadOnly, Path: ownName, Message: err.Error(), Hint: "remove it, or give it to the user plastic runs as: without it each start reads the whole memory"})
	}
	f, _, err := openFile(s.own(lockName))
	if err == nil {
		f.Close()
	} else if readOnly(err) {
		out = append(out, Problem{Code: CodeReadOnly, Path: ownName + "/" + lockName, Message: err.Error(), Hint: "remove it, or give it to the user plastic runs as: nothing can be written"})
	}
	return out
}

// oddFields tells of fields whose values make no sense.
func (st *State) oddFields() []Problem {
	var out []Problem
	for _, m := range st.Memories() {
		if strings.TrimSpace(m.Content) == "" {
			out = append(out, Problem{Code: CodeOddField, Path: memoryName, Message: m.ID + ": its content is empty", Hint: "plastic update or plastic forget it"})
		}
		for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
			if !memory.KnownField(key) {
				continue
			}
			readAs := "not set"
			switch key {
			case "private":
				readAs = "private"
			case "importance": // one outside 0…1 is its nearer end
				readAs = strconv.FormatFloat(m.Importance, 'g', -1, 64)
			}
			out = append(out, Problem{Code: CodeOddField, Path: memoryName, Message: fmt.Sprintf("%s: %s is %s, which makes no sense; it is kept, and read as %s", m.ID, key, shorten(string(m.Extra[key])), readAs),
				Hint: "set it with plastic update, or mend it in the file"})
		}
	}
	return out
}

// farAhead is from where on a time of the archive makes no sense: clocks differ.
const farAhead = 48 * time.Hour

// ahead tells of archive entries with times that have not come yet: what was archived
// then beats every restore until they do. A memory may have such a time; it counts as new.
func (st *State) ahead(now time.Time) []Problem {
	n, first := 0, ""
	for _, e := range st.entries() {
		if limit := now.Add(farAhead); e.ArchivedAt.After(limit) || e.RestoredAt.After(limit) {
			if n++; n == 1 {
				first = e.Memory.ID
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []Problem{{Code: CodeOddField, Path: archiveName, Message: fmt.Sprintf("%d entries of archive.json have times that have not come yet (the first: %s)", n, first),
		Hint: "mend them in the file, or set this machine's clock"}}
}

// dangling tells of memories that were superseded by one that is nowhere.
func (st *State) dangling() []Problem {
	mems := st.Memories()
	have := make(map[string]bool, len(mems))
	for i := range mems {
		have[mems[i].ID] = true
	}
	archived := false
	var out []Problem
	for i := range mems {
		by := mems[i].SupersededBy
		if by == "" || have[by] {
			continue
		}
		if !archived {
			for _, e := range st.entries() {
				have[e.Memory.ID] = true
			}
			archived = true
		}
		if !have[by] {
			out = append(out, Problem{Code: CodeDangling, Path: memoryName, Message: fmt.Sprintf("%s is superseded by %s, which is nowhere", mems[i].ID, by),
				Hint: "plastic restore or plastic update it"})
		}
	}
	return out
}

// Fix settles what Check finds: both sides of a conflict are merged for good, a
// damaged file is put aside and written anew, odd entries are put away with a
// copy of the file, temporary files go. It gives what was found; Fixed says what
// is settled. What only a hand can settle (a folder in the place of a file, a
// folder that can not be written) is no error: it is found, and stands.
func (s *Store) Fix(ctx context.Context) ([]Problem, error) {
	found, err := s.Check()
	if err != nil {
		return nil, err
	}
	if err := s.wait(ctx); err != nil {
		return found, err
	}
	defer s.done()
	l, err := s.acquire(ctx, s.o.LockWait)
	if err != nil {
		return found, unlessFound(err)
	}
	defer l.release()
	for _, path := range s.leftovers() {
		os.Remove(path)
	}
	if err := s.fixNights(l); unlessFound(err) != nil {
		return found, err
	}
	if slices.ContainsFunc(found, func(p Problem) bool { return p.Code == CodeOdd && p.Path == queueName }) {
		if err := s.fixQueue(ctx); unlessFound(err) != nil {
			return found, err
		}
	}
	if slices.ContainsFunc(found, func(p Problem) bool { return p.Code == CodeLast }) {
		k := s.lastKnown()
		k.Copied = FileKey{}
		s.writeKnown(k)
	}
	if needsFile(found) {
		if _, err := s.fold(l, firmly); unlessFound(err) != nil {
			return found, err
		}
	}
	if k := s.lastKnown(); len(k.Unsettled) > 0 || gone(found, nightsName) {
		k.Unsettled = nil
		k.Nights = k.Nights && !gone(found, nightsName)
		s.writeKnown(k)
	}
	left, err := s.Check()
	if err != nil {
		return found, err
	}
	stands := make(map[string]bool)
	for _, p := range left {
		stands[p.Code+p.Path+p.Message] = true
	}
	for i := range found {
		found[i].Fixed = !stands[found[i].Code+found[i].Path+found[i].Message]
	}
	return found, nil
}

// gone reports whether a file was found missing or empty.
func gone(found []Problem, name string) bool {
	return slices.ContainsFunc(found, func(p Problem) bool { return p.Code == CodeMissing && p.Path == name })
}

// unlessFound gives an error that Check does not tell of as a problem.
func unlessFound(err error) error {
	if errors.Is(err, memory.ErrReadOnly) || errors.Is(err, memory.ErrCorrupt) {
		return nil
	}
	return err
}

// needsFile reports whether a problem is settled by writing the files anew.
func needsFile(found []Problem) bool {
	for _, p := range found {
		switch p.Code {
		case CodeCorrupt, CodeConflict, CodeMissing, CodeOdd, CodeDuplicate, CodeJournal, CodeUnerased, CodeOddField, CodeLast:
			return true
		}
	}
	return false
}
