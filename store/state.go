package store

import (
	"fmt"
	"slices"
	"sync"

	"plastic/memory"
)

// State is the memory as it was at one moment: memory.json with the journal
// applied. It never changes, and stays readable after the files have moved on.
// What was not asked for is not decoded. The values it gives are shared: callers
// must not modify them.
type State struct {
	store    *Store
	base     *base
	log      *journal
	from, n  int  // the operations of log that count: [from, n)
	same     bool // log goes on from exactly this base
	draft    bool // of an update under way
	archived *archiveFile
	rev      string
	hist     *history
	step     int

	memsOnce sync.Once
	mems     []memory.Memory
	archOnce sync.Once
	arch     []memory.Archived

	archIDsOnce sync.Once
	archIDs     map[string]int32 // id → place+1 in arch of its first entry
	archNext    []int32          // … and of the next one of the same id
}

// Memories gives all of memory.json, superseded ones too, sorted by createdAt
// and id.
func (st *State) Memories() []memory.Memory {
	st.memsOnce.Do(func() {
		if st.mems == nil {
			st.mems = st.merged()
		}
	})
	return st.mems
}

// merged applies the journal to all memories of the file.
func (st *State) merged() []memory.Memory {
	mems := st.base.memories()
	ids := st.touched(st.from)
	if len(ids) == 0 {
		return mems
	}
	byID := st.base.byID()
	out := make([]memory.Memory, 0, len(mems)+len(ids))
	var fresh []memory.Memory
	skip := make(map[int32]bool, len(ids))
	for id := range ids {
		var b *memory.Memory
		i, ok := byID[id]
		if ok {
			b = &mems[i]
			skip[i] = true
		}
		if f := st.fold(id, b); f.m != nil {
			fresh = append(fresh, *f.m)
		}
	}
	slices.SortFunc(fresh, compare)
	for i := range mems {
		if skip[int32(i)] {
			continue
		}
		for len(fresh) > 0 && fresh[0].Before(&mems[i]) {
			out, fresh = append(out, fresh[0]), fresh[1:]
		}
		out = append(out, mems[i])
	}
	return append(out, fresh...)
}

// touched gives the ids that operations from the i-th on speak of.
func (st *State) touched(i int) map[string]bool {
	st.log.mu.RLock()
	defer st.log.mu.RUnlock()
	ids := make(map[string]bool)
	for _, o := range st.log.ops[i:st.n] {
		if o.kind <= opPurge && o.kind != opKeep || o.kind == opRecall {
			ids[o.id] = true
		}
	}
	return ids
}

// opsOf gives the operations on one id that count.
func (st *State) opsOf(id string) []*op {
	st.log.mu.RLock()
	defer st.log.mu.RUnlock()
	var ops []*op
	for _, i := range st.log.byID[id] {
		if int(i) >= st.from && int(i) < st.n {
			ops = append(ops, &st.log.ops[i])
		}
	}
	return ops
}

// allOps gives all operations that count.
func (st *State) allOps() []op {
	st.log.mu.RLock()
	defer st.log.mu.RUnlock()
	return st.log.ops[st.from:st.n:st.n]
}

func (st *State) fold(id string, b *memory.Memory) folded {
	return fold(b, st.opsOf(id), st.same, !st.damaged())
}

// damaged reports whether what is not in the file may still have been there.
func (st *State) damaged() bool {
	if !st.base.doubtful() {
		return false
	}
	st.base.decode()
	return st.base.hurt()
}

// Get gives the memory with this id, superseded or not.
func (st *State) Get(id string) (memory.Memory, bool) { return st.GetAt(id, Unknown) }

// GetAt is Get with the offset in memory.json (of FileKey) where the line of the
// memory begins, at its brace, as an index knows it; a wrong one costs a search, and
// so does Unknown. Gone must be right.
func (st *State) GetAt(id string, offset int64) (memory.Memory, bool) {
	ops := st.opsOf(id)
	if f, ok := st.foldWithoutBase(ops); ok {
		if f.m == nil {
			return memory.Memory{}, false
		}
		return *f.m, true
	}
	m, ok := st.base.at(id, offset)
	if len(ops) == 0 {
		return m, ok
	}
	var b *memory.Memory
	if ok {
		b = &m
	}
	f := fold(b, ops, st.same, !st.damaged())
	if f.m == nil {
		return memory.Memory{}, false
	}
	return *f.m, true
}

// foldWithoutBase folds from the last operation that says the whole memory, when
// the file can have no other opinion.
func (st *State) foldWithoutBase(ops []*op) (folded, bool) {
	if !st.same {
		return folded{}, false
	}
	for i, o := range slices.Backward(ops) {
		if o.kind == opPut || o.kind == opDrop || o.kind == opPurge {
			return fold(nil, ops[i:], true, true), true
		}
	}
	return folded{}, false
}

// Problems gives what is not in order and not settled yet, as far as it was
// looked at: a memory.json that was found in order before is not read for it.
func (st *State) Problems() []Problem {
	out := []Problem{}
	if st.base.doubtful() {
		st.base.decode()
		out = append(out, st.base.problems...)
	}
	if st.archived.done.Load() {
		out = append(out, st.archived.problems...)
	}
	st.log.mu.RLock()
	bad := len(st.log.bad)
	st.log.mu.RUnlock()
	if bad > 0 {
		out = append(out, Problem{Code: CodeJournal, Path: journalName, Message: fmt.Sprintf("%d lines of memory.journal can not be read; they are kept", bad),
			Hint: "plastic doctor --fix puts them away"})
	}
	return append(out, st.store.unsettled()...)
}

// Writable says why the memory can not be written, nil when it can.
func (st *State) Writable() error {
	if st.base.doubtful() {
		st.base.decode()
		switch c := st.base.content; {
		case c.foreign:
			return memory.Errorf(memory.ErrReadOnly, "memory.json is another tool's file (server-memory): import it into another folder")
		case c.version > formatVersion:
			return memory.Errorf(memory.ErrReadOnly, "memory.json has version %d, this plastic knows %d", c.version, formatVersion)
		}
	}
	if st.archived.done.Load() && st.archived.content.version > formatVersion {
		return memory.Errorf(memory.ErrReadOnly, "archive.json has version %d, this plastic knows %d", st.archived.content.version, formatVersion)
	}
	return canWrite(st.store.dir)
}

// Rev names what recall can see: two states with the same Rev hold the same
// memories. A checkpoint by this process, or one that only folded what was
// known, keeps it.
func (st *State) Rev() string { return st.rev }

// Draft reports whether this is the state of an update under way, which may never
// be the memory's.
func (st *State) Draft() bool { return st.draft }

// FileKey gives the key of the memory.json that offsets for GetAt are of.
func (st *State) FileKey() FileKey { return st.base.key }

// Pending reports how many operations the journal adds to the file.
func (st *State) Pending() int { return st.n - st.from }

// Lines calls fn with each memory of memory.json as the file has it, without the
// journal, and the offset that GetAt takes, until fn returns false. It reports
// false, and calls nothing, when the file is not in a form that can be read by
// line; then it is small work for the next write to put it in form.
func (st *State) Lines(fn func(offset int64, m *memory.Memory) bool) bool {
	if !st.base.plain {
		return false
	}
	text, err := st.base.raw()
	if err != nil {
		return false
	}
	lines, _, ok := splitLines(text)
	for _, l := range lines {
		m, _, err := memory.ParsePrefix(l.of(text))
		if err != nil {
			return false
		}
		if !fn(int64(l.start)+1, &m) {
			break
		}
	}
	return ok
}
