package store

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"plastic/memory"
)

// The last good copy of memory.json stands in .plastic/last.json, whole, with what
// checkpoints have changed since then behind it in .plastic/last.more: so a change of
// one memory need not write all the others twice. In last.more each checkpoint is
//
//	<CRC-32 of the rest> <key before> <key after> <n> <id that is gone> …
//	{"id":…}        n lines as memory.json has them
//
// A key is size, mtime and inode of memory.json. What does not go on from the copy as
// it is by then is passed over. Neither file is synced: they can be made again.
const moreName = "last.more"

// A copy of a small memory.json is always made whole; of a larger one where last.more
// would grow past its tenth.
const (
	smallCopy = 64 << 10
	moreShare = 10
)

// keepCopy makes the last good copy that of the memory.json of key, which has text and
// was made of that of st: at has the offsets in text of its new lines, nil where they
// are not known. k is brought up to date.
func (s *Store) keepCopy(k *known, st *State, text []byte, key FileKey, at map[string]int64) error {
	if k.Copied == st.base.key && k.Whole != (FileKey{}) && at != nil && len(text) > smallCopy && !st.takesTexts() {
		step := appendCopyStep(nil, text, st.base.key, key, st.touched(st.from), at)
		if s.appendMore(step, int64(len(text)/moreShare)) == nil {
			k.Copied = key
			return nil
		}
	}
	if err := writeLocal(s.own(lastName), text, s.fresh()); err != nil {
		return err
	}
	k.Copied, k.Whole = key, key
	if err := os.Remove(s.own(moreName)); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// takesTexts reports whether texts are to be gone for good: then no copy may keep what
// memory.json has no more.
func (st *State) takesTexts() bool {
	return slices.ContainsFunc(st.allOps(), func(o op) bool { return o.kind == opPurge || o.kind == opExpire })
}

// appendMore adds a step to last.more, which must be a file and stay below most bytes.
func (s *Store) appendMore(step []byte, most int64) error {
	path := s.own(moreName)
	if fi, err := os.Lstat(path); err == nil {
		if err := mustBeFile(path, fi); err != nil {
			return err
		}
		most -= fi.Size()
	}
	if int64(len(step)) > most {
		return fmt.Errorf("%s is full", moreName)
	}
	like := s.fresh()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, like.mode)
	if err != nil {
		return err
	}
	defer f.Close()
	like.give(path)
	return write(f, step)
}

// appendCopyStep appends the step from one memory.json to the next, which has text.
func appendCopyStep(dst, text []byte, from, to FileKey, changed map[string]bool, at map[string]int64) []byte {
	rest := append(append(appendFileKey(nil, from), ' '), appendFileKey(nil, to)...)
	rest = strconv.AppendInt(append(rest, ' '), int64(len(at)), 10)
	for id := range changed {
		if _, there := at[id]; !there {
			rest = append(append(rest, ' '), id...)
		}
	}
	rest = append(rest, '\n')
	for _, offset := range at {
		line := text[offset:]
		rest = append(rest, line[:bytes.IndexByte(line, '\n')+1]...)
	}
	return append(fmt.Appendf(dst, "%08x ", crc32.ChecksumIEEE(rest)), rest...)
}

func appendFileKey(dst []byte, k FileKey) []byte {
	return fmt.Appendf(dst, "%d %d %d", k.Size, k.MTime, k.Inode)
}

// lastCopy reads the last good copy of memory.json, nothing when there is none. A copy that
// is damaged itself, for it is not synced, gives what it still has: there is none behind it.
func (s *Store) lastCopy() []memory.Memory {
	text, err := readFile(s.own(lastName))
	if err != nil {
		return nil
	}
	b := &base{content: readContent(string(text)), past: never, last: func() []memory.Memory { return nil }}
	b.settle()
	more, err := readFile(s.own(moreName))
	if err != nil || len(more) == 0 {
		return b.mems
	}
	at := s.readKnown().Whole
	changed := map[string]*memory.Memory{} // nil: gone
	for len(more) > 0 {
		from, to, step, rest := cutCopyStep(more)
		if more = rest; step != nil && from == at {
			step(changed)
			at = to
		}
	}
	mems := slices.DeleteFunc(b.mems, func(m memory.Memory) bool { _, is := changed[m.ID]; return is })
	for _, m := range changed {
		if m != nil {
			mems = append(mems, *m)
		}
	}
	slices.SortFunc(mems, compare)
	return mems
}

// cutCopyStep reads the first step of a last.more: what it goes on from and to, and
// how to take it; step is nil where it is not whole.
func cutCopyStep(more []byte) (from, to FileKey, step func(map[string]*memory.Memory), rest []byte) {
	end := bytes.IndexByte(more, '\n') + 1
	if end == 0 {
		return from, to, nil, nil
	}
	head, rest := string(more[:end]), more[end:]
	f := strings.Fields(head)
	const keys = 3 // numbers of a key
	var x [2*keys + 1]uint64
	for i := range x {
		var err error
		if i+1 < len(f) {
			x[i], err = strconv.ParseUint(f[i+1], 10, 64)
		}
		if i+1 >= len(f) || err != nil {
			return from, to, nil, rest
		}
	}
	lines := rest
	for n := x[2*keys]; n > 0 && len(rest) > 0; n-- {
		rest = rest[bytes.IndexByte(rest, '\n')+1:]
		if len(rest) > 0 && bytes.IndexByte(rest, '\n') < 0 {
			break // torn
		}
	}
	lines = lines[:len(lines)-len(rest)]
	_, body, _ := strings.Cut(head, " ")
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(body)), crc32.IEEETable, lines)
	if fmt.Sprintf("%08x", sum) != f[0] {
		return from, to, nil, more[end:]
	}
	from = FileKey{int64(x[0]), int64(x[1]), x[2]}
	to = FileKey{int64(x[3]), int64(x[4]), x[5]}
	return from, to, func(changed map[string]*memory.Memory) {
		for _, id := range f[2*keys+2:] {
			changed[id] = nil
		}
		for line := range strings.Lines(unsafe.String(unsafe.SliceData(lines), len(lines))) {
			if m, _, err := memory.ParsePrefix(line); err == nil {
				changed[m.ID] = &m
			}
		}
	}, rest
}

// checkLast tells of a last good copy that is none: nothing could be brought back
// from it when it is needed.
func (s *Store) checkLast() []Problem {
	text, err := readFile(s.own(lastName))
	if err != nil {
		return nil
	}
	bad, k := false, s.lastKnown()
	now, err := readFile(s.path(memoryName))
	switch {
	case err != nil || k.Copied != statKey(s.path(memoryName)):
		c := readContent(string(text))
		bad = c.damage != "" || c.blank || c.foreign || len(c.odd) > 0
	case k.Whole == k.Copied || k.Whole == (FileKey{}):
		bad = string(now) != string(text)
	default:
		bad = !slices.EqualFunc(s.lastCopy(), readContent(string(now)).mems, func(a, b memory.Memory) bool { return equalMemory(&a, &b) })
	}
	if !bad {
		return nil
	}
	return []Problem{{Code: CodeLast, Path: ownName + "/" + lastName, Message: "the copy of memory.json that would serve if it were damaged is not as it was made", Hint: "plastic doctor --fix makes it anew"}}
}
