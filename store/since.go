package store

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// What is made of the memory, the search index, outlives the process that made it:
// a Mark names the state it was made of, and Since tells a later process what has
// changed from there. Between two files of memory.json the way is in
// .plastic/steps, one line for each checkpoint:
//
//	<CRC-32 of the rest> <key before> <key after> <id>:<offset> …
//
// A key is size, mtime and inode of memory.json and of archive.json, each with a
// blank; the offset of a line is that for GetAt.
const stepsName = "steps"

// Gone is the offset for GetAt of a memory that is known to be in memory.json no
// more, Unknown that of one that has to be looked for.
const (
	Unknown int64 = -1
	Gone    int64 = -2
)

const (
	longSteps = 64 << 10 // steps are begun anew here
	wideStep  = 2000     // memories that one step may list; more are compared instead
)

// Counted is how often, and when last, a memory was recalled.
type Counted struct {
	Count int
	At    time.Time
}

// Changes are what differs between a mark and a state.
type Changes struct {
	IDs      map[string]int64   // memories that may have changed or gone, with the offset for GetAt
	Recalled map[string]Counted // others that were recalled only: the counts and times reached
}

// mark is what Mark writes: the files, the journal up to its n-th operation, and
// the memories that this part of the journal speaks of.
type place struct {
	files filesKey
	log   string
	n     int
	dirty []string
}

// filesKey is the key of memory.json with that of archive.json, which has a say in
// what lives.
type filesKey struct{ memory, archive FileKey }

func (k filesKey) append(dst []byte) []byte {
	return fmt.Appendf(dst, "%d %d %d %d %d %d", k.memory.Size, k.memory.MTime, k.memory.Inode, k.archive.Size, k.archive.MTime, k.archive.Inode)
}

// keyFields is the number of fields of a key.
const keyFields = 6

func parseKey(f []string) (k filesKey, ok bool) {
	if len(f) < keyFields {
		return k, false
	}
	var x [keyFields]uint64
	for i := range x {
		n, err := strconv.ParseInt(f[i], 10, 64)
		if u, uerr := strconv.ParseUint(f[i], 10, 64); uerr == nil {
			x[i] = u
		} else if err == nil {
			x[i] = uint64(n)
		} else {
			return k, false
		}
	}
	return filesKey{FileKey{int64(x[0]), int64(x[1]), x[2]}, FileKey{int64(x[3]), int64(x[4]), x[5]}}, true
}

func (st *State) files() filesKey { return filesKey{st.base.key, st.archived.key} }

// settled reports whether the files are in order, so that their keys say all.
func (st *State) settled() bool {
	b := st.base
	return !b.absent && !b.racy.Load() && (b.plain || b.decoded.Load() && b.inOrder())
}

// Mark names this state for Since, in a later process too. It is nil for one that
// has no name: of files that are not in order, or that may still change unseen, or
// of an update under way.
func (st *State) Mark() []byte {
	if st.draft || !st.settled() {
		return nil
	}
	out := st.files().append(nil)
	name := st.log.name
	if name == "" {
		name = "-"
	}
	out = fmt.Appendf(out, " %s %d", name, st.n)
	for id := range st.touched(st.from) {
		out = append(append(out, ' '), id...)
	}
	return out
}

func parsePlace(mark []byte) (p place, ok bool) {
	f := strings.Fields(string(mark))
	if p.files, ok = parseKey(f); !ok || len(f) < keyFields+2 {
		return p, false
	}
	n, err := strconv.Atoi(f[keyFields+1])
	p.log, p.n, p.dirty = f[keyFields], n, f[keyFields+2:]
	return p, err == nil && n >= 0
}

// Since tells what may have changed from the state that Mark named to st; ok is
// false where only a comparison of all can tell.
func (st *State) Since(mark []byte) (c Changes, ok bool) {
	p, ok := parsePlace(mark)
	if !ok || !st.settled() {
		return Changes{}, false
	}
	c = Changes{IDs: map[string]int64{}, Recalled: map[string]Counted{}}
	from := st.from
	switch {
	case p.files == st.files() && p.log == st.log.name && p.n >= st.from && p.n <= st.n:
		from = p.n
	default:
		if p.files != st.files() && !st.store.steps(p.files, st.files(), c.IDs) {
			return Changes{}, false
		}
		for _, id := range p.dirty {
			c.add(id, Unknown)
		}
	}
	st.log.mu.RLock()
	defer st.log.mu.RUnlock()
	for _, o := range st.log.ops[from:st.n] {
		switch o.kind {
		case opPut, opDrop, opPurge:
			c.add(o.id, Unknown)
			delete(c.Recalled, o.id)
		case opRecall:
			c.recall(o.id, o.count, o.at)
		}
	}
	return c, true
}

// add notes a changed memory; a hint that is known is kept.
func (c *Changes) add(id string, offset int64) {
	if _, known := c.IDs[id]; !known {
		c.IDs[id] = offset
	}
}

func (c *Changes) recall(id string, count int, at time.Time) {
	if _, changed := c.IDs[id]; changed {
		return
	}
	r := c.Recalled[id]
	c.Recalled[id] = Counted{max(r.Count, count), later(r.At, at)}
}

// steps walks from one file to another, adding the memories that changed on the
// way to ids. It reports whether the way is known.
func (s *Store) steps(from, to filesKey, ids map[string]int64) bool {
	text, err := readFile(s.own(stepsName))
	if err != nil {
		return false
	}
	for at := to; at != from; {
		text = bytes.TrimRight(text, "\n")
		if len(text) == 0 {
			return false
		}
		line := text[bytes.LastIndexByte(text, '\n')+1:]
		text = text[:len(text)-len(line)]
		before, after, list, ok := parseStep(string(line))
		if !ok || after != at {
			continue // cut off, or of a way that another hand has left
		}
		for id, offset := range list {
			if _, known := ids[id]; !known {
				ids[id] = offset
			}
		}
		at = before
	}
	return true
}

func parseStep(line string) (from, to filesKey, ids map[string]int64, ok bool) {
	head, rest, _ := strings.Cut(line, " ")
	if sum, err := strconv.ParseUint(head, 16, 32); err != nil || crc32.ChecksumIEEE([]byte(rest)) != uint32(sum) {
		return from, to, nil, false
	}
	f := strings.Fields(rest)
	from, ok = parseKey(f)
	if !ok {
		return from, to, nil, false
	}
	if to, ok = parseKey(f[keyFields:]); !ok {
		return from, to, nil, false
	}
	ids = make(map[string]int64, len(f)-2*keyFields)
	for _, x := range f[2*keyFields:] {
		id, offset, _ := strings.Cut(x, ":")
		n, err := strconv.ParseInt(offset, 10, 64)
		if err != nil {
			return from, to, nil, false
		}
		ids[id] = n
	}
	return from, to, ids, true
}

// noteStep keeps the way from the files of st to those that a checkpoint wrote, if
// it is a short one: nothing depends on it but time. at has the offsets in text of
// the lines that are new in it.
func (s *Store) noteStep(st *State, to filesKey, at map[string]int64) {
	changed := st.touched(st.from)
	if from := st.files(); !st.settled() || from == to || len(changed) > wideStep {
		return
	}
	rest := append(append(st.files().append(nil), ' '), to.append(nil)...)
	for id := range changed {
		offset, there := at[id]
		if !there {
			offset = Gone
		}
		if at == nil {
			offset = Unknown
		}
		rest = fmt.Appendf(rest, " %s:%d", id, offset)
	}
	line := fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(rest), rest)
	flags := os.O_WRONLY | os.O_APPEND | os.O_CREATE
	if fi, err := os.Stat(s.own(stepsName)); err == nil && fi.Size() > longSteps {
		flags = os.O_WRONLY | os.O_TRUNC
	}
	like := s.fresh()
	f, err := os.OpenFile(s.own(stepsName), flags|syscall.O_NONBLOCK, like.mode) // a pipe would wait for a reader
	if err != nil {
		return
	}
	defer f.Close()
	like.made(f.Name())
	f.Write(line)
}

// Offsets calls fn with each memory of memory.json, without the journal, and the
// offset that GetAt takes. It decodes nothing, and calls nothing when the file can
// not be read by line.
func (st *State) Offsets(fn func(id string, offset int64)) {
	if !st.settled() {
		return
	}
	text, err := st.base.raw()
	if err != nil {
		return
	}
	lines, _, _ := splitLines(text)
	for _, l := range lines {
		fn(lineID(l.of(text)), int64(l.start)+1)
	}
}

// The files that hold what was made of the memory.
var derivedNames = []string{"index", "index.shared"}

// Derived gives the path of the index over all memories, or over those that are not
// private. The folder for it may not be there.
func (s *Store) Derived(shared bool) string { return s.own(derivedName(shared)) }

func derivedName(shared bool) string {
	if shared {
		return derivedNames[1]
	}
	return derivedNames[0]
}

// KeepDerived puts parts, one after the other, in the place of that file: whole or
// not at all, and not synced. A folder that can not be written is an error.
func (s *Store) KeepDerived(shared bool, parts ...[]byte) error {
	if err := s.makeOwn(); err != nil {
		return err
	}
	return writeLocal(s.Derived(shared), slices.Concat(parts...), s.fresh())
}

// dropDerived removes what is made of the memory: it holds words of all.
func (s *Store) dropDerived() error {
	var errs []error
	for _, name := range derivedNames {
		if err := os.Remove(s.own(name)); err != nil && !os.IsNotExist(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
