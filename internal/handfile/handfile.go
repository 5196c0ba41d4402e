// Package handfile replaces a small file that people edit by hand (the card, the
// settings) without ever overwriting what a hand has just written. It never decides
// what the text should be, and holds no lock against editors.
//
//	err := handfile.Replace("memory.md", text, func() error { … is it still what I read? … })
package handfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// Replace puts text in the place of the file at path, in one step, and it is on disk
// when Replace returns. Mode and owner stay, a symbolic link stays a link to the new
// text, a new file has mode 0644. still is asked last thing before the file is
// replaced: its error is Replace's, and nothing is changed. A save that falls between
// that look and the rename, microseconds later, is lost to the one that renames last.
//
// Where the owner can not be kept, or the file is a mount point that can not be renamed
// over, the bytes are written into the file as it stands; if that fails half way the
// old ones are put back.
func Replace(path string, text []byte, still func() error) error {
	path, err := target(path)
	if err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if !keepOwner(f.File, path) {
		return overwrite(path, text, still)
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // the slow part, before the last look at the old file
		return err
	}
	if err := still(); err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); errors.Is(err, syscall.EBUSY) {
		return overwrite(path, text, still)
	} else if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// ReadOnly reports whether err says that the place can not be written.
func ReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// overwrite writes into the file itself.
func overwrite(path string, text []byte, still func() error) error {
	if err := still(); err != nil {
		return err
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := fill(f, text); err != nil {
		return errors.Join(err, fill(f, old))
	}
	return nil
}

func fill(f *os.File, b []byte) error {
	if _, err := f.WriteAt(b, 0); err != nil {
		return err
	}
	if err := f.Truncate(int64(len(b))); err != nil {
		return err
	}
	return f.Sync()
}

// keepOwner gives f the owner of the file at path and its mode, and reports
// whether it has them. A file that is not there yet has no owner to keep.
func keepOwner(f *os.File, path string) bool {
	old, err := os.Stat(path)
	if err != nil {
		return true
	}
	now, err := f.Stat()
	if err != nil {
		return false
	}
	is, ok1 := now.Sys().(*syscall.Stat_t)
	was, ok2 := old.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || is.Uid == was.Uid && is.Gid == was.Gid {
		return true
	}
	// Chown may take mode bits away, so the mode comes after it.
	return f.Chown(int(was.Uid), int(was.Gid)) == nil && f.Chmod(old.Mode().Perm()) == nil
}

// target follows symbolic links, also to a file that does not exist yet.
func target(path string) (string, error) {
	for range 40 { // as many as Linux itself follows
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link: a file, nothing yet, or an error that opening tells better
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: %w", path, syscall.ELOOP)
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
