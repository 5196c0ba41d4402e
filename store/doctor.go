package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	"plastic/memory"
)

// Check looks at every invariant of the files and gives what does not hold; it
// changes nothing.
func (s *Store) Check() ([]Problem, error) {
	st, err := s.read()
	if err != nil {
		return nil, err
	}
	st.base.decode()
	st.archived.read()
	out := st.Problems()
	if fi, err := os.Stat(s.own(lockName)); err == nil && fi.IsDir() {
		out = append(out, Problem{Code: CodeLock, Path: ownName + "/" + lockName, Message: "a folder stands where the lock file should be", Hint: "remove it"})
	}
	if err := canWrite(s.dir); err != nil {
		out = append(out, Problem{Code: CodeReadOnly, Path: ".", Message: err.Error(), Hint: "recall works; nothing can be remembered"})
	}
	if left := s.leftovers(); len(left) > 0 {
		out = append(out, Problem{Code: CodeLeftover, Path: left[0], Message: fmt.Sprintf("%d temporary files of writes that were cut off", len(left)),
			Hint: "they go with the next write"})
	}
	out = append(out, st.oddFields()...)
	return append(out, st.dangling()...), nil
}

// oddFields tells of fields whose values make no sense.
func (st *State) oddFields() []Problem {
	var out []Problem
	for _, m := range st.Memories() {
		for key := range m.Extra {
			if memory.KnownField(key) {
				out = append(out, Problem{Code: CodeOddField, Path: memoryName, Message: fmt.Sprintf("%s: %s is %s, which makes no sense; it is kept, and read as not set", m.ID, key, shorten(string(m.Extra[key]))),
					Hint: "set it with plastic update, or mend it in the file"})
			}
		}
	}
	return out
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
// is settled.
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
		return found, err
	}
	defer l.release()
	for _, path := range s.leftovers() {
		os.Remove(path)
	}
	if needsFile(found) {
		if _, err := s.fold(l, firmly); err != nil && !errors.Is(err, memory.ErrReadOnly) {
			return found, err
		}
	}
	if k := s.lastKnown(); len(k.Unsettled) > 0 {
		k.Unsettled = nil
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

// needsFile reports whether a problem is settled by writing the files anew.
func needsFile(found []Problem) bool {
	for _, p := range found {
		switch p.Code {
		case CodeCorrupt, CodeConflict, CodeMissing, CodeOdd, CodeDuplicate, CodeJournal:
			return true
		}
	}
	return false
}
