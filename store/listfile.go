package store

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"plastic/memory"
)

// archiveFile is one archive.json as it stood on disk, read when it is needed.
type archiveFile struct {
	f    *os.File // nil: there is no file
	key  FileKey
	text string // of a small one, read at once

	once     sync.Once
	done     atomic.Bool
	content  *archive
	problems []Problem
	undated  int // entries whose time could not be read
}

func openArchive(path string) (*archiveFile, error) {
	f, err := openJournal(path)
	if f == nil || err != nil {
		return &archiveFile{}, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	a := &archiveFile{f: f, key: keyOf(fi)}
	if fi.Size() <= chunk {
		text, err := io.ReadAll(f)
		f.Close()
		a.text = string(text)
		return a, err
	}
	return a, nil
}

// read gives what the file says; what can not be read of it is in problems.
func (a *archiveFile) read() *archive {
	a.once.Do(func() {
		defer a.done.Store(true)
		if a.f == nil {
			a.content = &archive{doc: doc{version: formatVersion, blank: true}}
			return
		}
		text, err := a.text, error(nil)
		if text == "" && a.key.Size > 0 {
			var b []byte
			var n int
			b = make([]byte, a.key.Size)
			n, err = a.f.ReadAt(b, 0)
			if err == io.EOF {
				err = nil // it was cut meanwhile
			}
			text = unsafe.String(unsafe.SliceData(b), n) // b is not kept elsewhere
		}
		if a.content = readArchive(text); err != nil {
			a.content.damage = err.Error()
		}
		a.date()
		a.note()
	})
	return a.content
}

// date gives entries whose time can not be read that of the file: with none their
// texts would be the first to expire.
func (a *archiveFile) date() {
	for i := range a.content.entries {
		e := &a.content.entries[i]
		if !e.ArchivedAt.IsZero() || isMark(e) {
			continue
		}
		e.ArchivedAt = time.Unix(0, a.key.MTime).UTC().Truncate(time.Second)
		if !e.Textless() && e.Memory.CreatedAt.IsZero() {
			e.Memory.CreatedAt = e.ArchivedAt
		}
		if e.Extra[memory.ArchivedAtWas] != nil {
			a.undated++
		}
	}
}

func (a *archiveFile) note() {
	c := a.content
	add := func(code, message, hint string) {
		a.problems = append(a.problems, Problem{Code: code, Path: archiveName, Message: message, Hint: hint})
	}
	switch {
	case c.version > formatVersion:
		add(CodeNewer, fmt.Sprintf("archive.json has version %d, this plastic knows %d: it is only read", c.version, formatVersion), "use a newer plastic")
	case c.blank && a.f != nil:
		a.problems = append(a.problems, emptied(archiveName, "empty"))
	case c.damage != "":
		add(CodeCorrupt, fmt.Sprintf("archive.json is damaged (%s); %d entries were saved", c.damage, len(c.entries)), "mend the file, or plastic doctor --fix")
	}
	if c.merging {
		add(CodeConflict, "archive.json holds an unfinished merge", "plastic doctor --fix merges both sides")
	}
	if a.undated > 0 {
		add(CodeOddField, fmt.Sprintf("the times of %d entries of archive.json make no sense; they are kept, and that of the file stands in their place", a.undated), "mend them in the file, or plastic doctor --fix writes it so")
	}
	if len(c.odd) > 0 {
		add(CodeOdd, fmt.Sprintf("%d entries of archive.json can not be read and stand aside: %s", len(c.odd), shorten(c.odd[0])), "mend them in the file, or plastic doctor --fix puts them away")
	}
}
