package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"plastic/memory"
)

// notFile is the error of a name under which no file can stand: a folder, a pipe,
// a link that leads to itself. It wraps memory.ErrCorrupt.
type notFile struct{ path, what string }

func (e *notFile) Error() string {
	return fmt.Sprintf("%s is %s, not a file; move it away", e.path, e.what)
}
func (e *notFile) Unwrap() error { return memory.ErrCorrupt }

// openFile opens a file for reading and tells what it is. It never waits for the
// other end of a pipe.
func openFile(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, openError(path, err)
	}
	fi, err := f.Stat()
	if err == nil {
		err = mustBeFile(path, fi)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

// readFile is os.ReadFile for what must be a file.
func readFile(path string) ([]byte, error) {
	f, fi, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, fi.Size())
	n, err := io.ReadFull(f, text)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return text[:n], nil // it was cut meanwhile
	}
	return text[:n], err
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, syscall.ELOOP):
		return &notFile{path, "a link that leads to itself"}
	case errors.Is(err, syscall.ENXIO):
		return &notFile{path, "a socket"}
	}
	return err
}

func mustBeFile(path string, fi fs.FileInfo) error {
	if what := kindOf(fi.Mode()); what != "" {
		return &notFile{path, what}
	}
	return nil
}

// kindOf says what something is that is no file, "" of a file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// notFolder says what stands at path and is no folder, "" where nothing does.
func notFolder(path string) string {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return deadLink(path)
	case fi.IsDir():
		return ""
	case fi.Mode().IsRegular():
		return "a file"
	}
	return kindOf(fi.Mode())
}

// notLock says what stands in the place of the lock and can not be locked.
func notLock(path string) string {
	if fi, err := os.Stat(path); err == nil {
		return kindOf(fi.Mode())
	}
	return deadLink(path)
}

func deadLink(path string) string {
	if fi, err := os.Lstat(path); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		return "a link to nowhere"
	}
	return ""
}

// strangers tells of what stands under the names of the store's files and is none.
func (s *Store) strangers() []Problem {
	var out []Problem
	for _, name := range []string{memoryName, archiveName, journalName, nightsName, queueName} {
		out = stranger(out, s.path(name), name)
	}
	if what := notFolder(s.own("")); what != "" {
		return append(out, Problem{Code: CodeCorrupt, Path: ownName, Message: ownName + " is " + what + ", not a folder", Hint: "remove it"})
	}
	if what := notLock(s.own(lockName)); what != "" {
		out = append(out, Problem{Code: CodeLock, Path: ownName + "/" + lockName, Message: what + " stands where the lock file should be", Hint: "remove it"})
	}
	for _, name := range []string{knownName, seenName, lastName, moreName, guardName} {
		out = stranger(out, s.own(name), ownName+"/"+name)
	}
	return out
}

func stranger(out []Problem, path, name string) []Problem {
	fi, err := os.Stat(path)
	if err == nil {
		err = mustBeFile(path, fi)
	} else {
		err = openError(path, err)
	}
	var odd *notFile
	if !errors.As(err, &odd) {
		return out
	}
	return append(out, Problem{Code: CodeCorrupt, Path: name, Message: name + " is " + odd.what + ", not a file", Hint: "move it away"})
}

// unread tells why the files could not be read.
func (s *Store) unread(err error) Problem {
	p := Problem{Code: CodeIO, Path: ".", Message: err.Error(), Hint: "nothing is lost; plastic needs to read it"}
	if errors.Is(err, memory.ErrCorrupt) {
		p.Code = CodeCorrupt
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		if rel, rerr := filepath.Rel(s.dir, at.Path); rerr == nil {
			p.Path = filepath.ToSlash(rel)
		}
	}
	return p
}
