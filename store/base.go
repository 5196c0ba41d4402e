package store

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"plastic/memory"
)

// base is one memory.json as it stood on disk: opened when it was met, so that it
// stays what it was after it is replaced, and decoded only when somebody asks
// for more than single memories of a file that is known to be in order.
type base struct {
	absent   bool     // there is no file
	f        *os.File // open on a file whose text is not loaded
	key      FileKey
	mtime    time.Time
	plain    bool // known good: every memory can be found by the first bytes of its line
	halfDone bool // the file is not: a write in place was cut off, and this is what it wrote
	last     func() []memory.Memory
	arch     *archiveFile
	past     func() bool // the folder has a history: a missing or empty file is a damage
	rev      string
	vouched  atomic.Bool // that it is in order was written down
	racy     atomic.Bool // another hand may still change it without the key showing it

	textOnce sync.Once
	textErr  error
	text     atomic.Pointer[string]

	once     sync.Once // guards the filling of all below
	decoded  atomic.Bool
	content  *content
	mems     []memory.Memory
	adopt    []memory.Archived // goes to the archive at the next write of content
	problems []Problem
	given    bool // ids or times were given, or ids resolved: a rewrite is wanted

	idsOnce sync.Once
	ids     map[string]int32

	muLines sync.RWMutex // guards lines, kept
	lines   map[string]foundLine
	kept    int // of lines, those with a memory
}

// foundLine is where a memory's line was found, and what it says if it is kept.
type foundLine struct {
	offset int64 // Gone: it has none
	memory *memory.Memory
}

// mostFound is how many lines that were read are kept as memories: those that are
// recalled again and again.
const mostFound = 1024

// openBase opens memory.json; a missing one gives a base without a file.
func openBase(path string) (*base, error) {
	f, fi, err := openFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &base{absent: true, past: never}, nil
	}
	if err != nil {
		return nil, err
	}
	b := &base{f: f, key: keyOf(fi), mtime: fi.ModTime(), past: never}
	if fi.Size() <= chunk {
		// Read at once and closed: many states of a small memory hold no files open.
		_, err = b.raw()
		f.Close()
	}
	return b, err
}

func never() bool { return false }

// doubtful reports whether the file must be decoded before anything is said of it.
func (b *base) doubtful() bool { return !b.plain || b.decoded.Load() }

// raw gives the whole text. It is read once and never changed.
func (b *base) raw() (string, error) {
	b.textOnce.Do(func() {
		if b.absent || b.text.Load() != nil {
			return
		}
		buf := make([]byte, b.key.Size)
		n, err := io.ReadFull(io.NewSectionReader(b.f, 0, b.key.Size), buf)
		if err != nil && err != io.ErrUnexpectedEOF {
			b.textErr = err
			return
		}
		text := unsafe.String(unsafe.SliceData(buf), n) // buf is not kept elsewhere
		b.text.Store(&text)
	})
	if text := b.text.Load(); text != nil {
		return *text, nil
	}
	return "", b.textErr
}

// decode reads and settles the whole file, once.
func (b *base) decode() {
	b.once.Do(func() {
		text, err := b.raw()
		if err != nil {
			b.content = &content{doc: doc{version: formatVersion, damage: err.Error()}}
		} else {
			b.content = readContent(text)
		}
		if b.plain && b.content.inForm() {
			b.mems = b.content.mems // it was looked at before, and nothing was left to settle
		} else {
			b.settle()
		}
		b.decoded.Store(true)
	})
}

// memories gives all memories, sorted.
func (b *base) memories() []memory.Memory {
	b.decode()
	return b.mems
}

// byID tells where in memories each id stands.
func (b *base) byID() map[string]int32 {
	b.idsOnce.Do(func() {
		mems := b.memories()
		b.ids = make(map[string]int32, len(mems))
		for i := range mems {
			b.ids[mems[i].ID] = int32(i)
		}
	})
	return b.ids
}

// get finds one memory: in a file that is known good by the first bytes of its
// line, else by decoding all.
func (b *base) get(id string) (memory.Memory, bool) {
	if b.absent && !b.past() {
		return memory.Memory{}, false
	}
	if b.plain && !b.decoded.Load() {
		if m, ok, sure := b.find(id); sure {
			return m, ok
		}
	}
	if i, ok := b.byID()[id]; ok {
		return b.mems[i], true
	}
	return memory.Memory{}, false
}

// at is get with the offset where the line is expected to begin (at its brace). A
// line that is not there is looked for nearby, farther and farther out: lines move
// by what was put in and taken out before them.
func (b *base) at(id string, offset int64) (memory.Memory, bool) {
	if b.plain && offset == Gone {
		return memory.Memory{}, false
	}
	if l, ok := b.found(id); ok && b.plain {
		if offset = l.offset; offset == Gone {
			return memory.Memory{}, false
		}
	}
	if b.plain && offset >= 0 && !b.decoded.Load() && memory.ValidID(id) {
		if m, ok := b.lineAt(id, offset); ok {
			return m, true
		}
		for reach := int64(nearby); reach < b.key.Size; reach *= 16 {
			if off := b.searchIn(idHead+id+`"`, offset-reach, offset+reach); off >= 0 {
				return b.lineAt(id, off)
			}
		}
	}
	return b.get(id)
}

// nearby is how far from where it was a line is looked for first.
const nearby = 8 << 10

// searchIn is search between two offsets, which may lie outside.
func (b *base) searchIn(pattern string, from, to int64) int64 {
	from, to = max(from, 0), min(to, b.key.Size)
	if from >= to {
		return -1
	}
	if text := b.text.Load(); text != nil {
		if to = min(to, int64(len(*text))); from >= to {
			return -1
		}
		if i := lineStart((*text)[from:to], pattern); i >= 0 {
			return from + int64(i)
		}
		return -1
	}
	buf := make([]byte, to-from)
	n, err := b.f.ReadAt(buf, from)
	if err != nil && err != io.EOF {
		return -1
	}
	if i := lineStart(unsafe.String(unsafe.SliceData(buf), n), pattern); i >= 0 {
		return from + int64(i)
	}
	return -1
}

// find looks for the line of id; sure is false when the file must be decoded to
// know.
func (b *base) find(id string) (m memory.Memory, ok, sure bool) {
	if l, ok := b.found(id); ok {
		if l.offset == Gone {
			return memory.Memory{}, false, true
		}
		if m, ok := b.lineAt(id, l.offset); ok {
			return m, true, true
		}
	}
	pattern := idHead + id + `"`
	if !memory.ValidID(id) {
		return memory.Memory{}, false, true
	}
	off, err := b.search(pattern)
	if err != nil {
		return memory.Memory{}, false, false
	}
	if off < 0 {
		return memory.Memory{}, false, true
	}
	m, ok = b.lineAt(id, off)
	return m, ok, ok
}

// chunk is how much of a large file is searched at a time.
const chunk = 256 << 10

// search gives the offset of the first line that begins with pattern behind its
// blank or comma, -1 when there is none.
func (b *base) search(pattern string) (int64, error) {
	if b.text.Load() != nil || b.key.Size <= chunk {
		text, err := b.raw()
		return int64(lineStart(text, pattern)), err
	}
	const before = 2 // the line break and the blank or comma
	buf := make([]byte, chunk)
	for pos := int64(0); pos < b.key.Size; pos += int64(chunk - len(pattern) - before) {
		n, err := b.f.ReadAt(buf, pos)
		if err != nil && err != io.EOF {
			return -1, err
		}
		if i := lineStart(unsafe.String(unsafe.SliceData(buf), n), pattern); i >= 0 {
			return pos + int64(i), nil
		}
	}
	return -1, nil
}

func lineStart(text, pattern string) int {
	for i := 0; ; {
		n := strings.Index(text[i:], pattern)
		if n < 0 {
			return -1
		}
		i += n
		if i >= 2 && text[i-2] == '\n' && (text[i-1] == ' ' || text[i-1] == ',') {
			return i
		}
		i++
	}
}

// lineAt reads the memory whose line begins at offset, if it is that of id.
func (b *base) lineAt(id string, offset int64) (memory.Memory, bool) {
	if b.absent || offset < 0 || offset >= b.key.Size {
		return memory.Memory{}, false
	}
	if l, ok := b.found(id); ok && l.offset == offset && l.memory != nil {
		m := *l.memory
		m.Extra = maps.Clone(m.Extra)
		return m, true
	}
	line := ""
	if text := b.text.Load(); text != nil {
		if offset >= int64(len(*text)) {
			return memory.Memory{}, false
		}
		line, _, _ = strings.Cut((*text)[offset:], "\n")
	} else if line = b.readLine(offset); line == "" {
		return memory.Memory{}, false
	}
	if !namesItself(line, id) {
		return memory.Memory{}, false
	}
	m, _, err := memory.ParsePrefix(line)
	if err != nil {
		return memory.Memory{}, false
	}
	b.keepLine(m, offset)
	return m, true
}

func (b *base) found(id string) (foundLine, bool) {
	b.muLines.RLock()
	defer b.muLines.RUnlock()
	l, ok := b.lines[id]
	return l, ok
}

// keepLine remembers where the line of m was found.
func (b *base) keepLine(m memory.Memory, offset int64) {
	b.muLines.Lock()
	defer b.muLines.Unlock()
	l := foundLine{offset: offset}
	if b.kept < mostFound {
		l.memory = &m
		m.Extra = maps.Clone(m.Extra)
		b.kept++
	}
	b.putLine(m.ID, l)
}

// putLine notes where a line is, or Gone. The caller holds muLines.
func (b *base) putLine(id string, l foundLine) {
	if b.lines == nil {
		b.lines = map[string]foundLine{}
	}
	b.lines[id] = l
}

func (b *base) readLine(offset int64) string {
	for size := 1 << 10; ; size *= 8 {
		buf := make([]byte, size)
		n, err := b.f.ReadAt(buf, offset)
		if i := slices.Index(buf[:n], '\n'); i >= 0 {
			return string(buf[:i])
		}
		if err != nil {
			return ""
		}
	}
}
