package card

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"

	"plastic/memory"
)

// ErrChanged says that the card is not the one the writer had read.
var ErrChanged = fmt.Errorf("the card was changed since it was read: %w", memory.ErrInvalid)

// Write replaces the card at path by b, if the file still has the hash want
// ("" stands for a missing or empty card); otherwise it fails with ErrChanged and
// changes nothing. The file is replaced in one step and on disk when Write
// returns; mode and owner stay, and a symbolic link stays a link to the new text.
// Equal bytes are not written again. Over MaxSize it fails with
// memory.ErrInvalid, in a read-only place with memory.ErrReadOnly.
//
// No lock is held against editors: a save that falls between the last look at
// the file and the rename, microseconds later, is lost to the one that renames
// last.
func Write(path string, b []byte, want string) error {
	if len(b) > MaxSize {
		return fmt.Errorf("the card would have %d bytes, the limit is %d: %w", len(b), MaxSize, memory.ErrInvalid)
	}
	if want == "" {
		want = hashOf(nil)
	}
	path, err := target(path)
	if err != nil {
		return fmt.Errorf("write the card: %w", err)
	}
	old, err := unchanged(path, want)
	if err != nil {
		return err
	}
	if bytes.Equal(old.Bytes, b) && old.State != TooLarge {
		return nil
	}
	if err := replace(path, b, want); err != nil {
		if errors.Is(err, ErrChanged) {
			return err
		}
		if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w: %w", memory.ErrReadOnly, err)
		}
		return fmt.Errorf("write the card: %w", err)
	}
	return nil
}

func unchanged(path, want string) (Card, error) {
	c, err := Read(path)
	if err == nil && c.Hash != want {
		err = ErrChanged
	}
	return c, err
}

// replace writes b beside path and renames it over. Where that can not be done
// with the owner kept, or at all because the file itself is a mount point, the
// bytes are written into the file as it stands.
func replace(path string, b []byte, want string) error {
	dir := filepath.Dir(path)
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(dir),
		renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if !keepOwner(f.File, path) {
		return overwrite(path, b, want)
	}
	if _, err := f.Write(b); err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // the slow part, before the last look at the old file
		return err
	}
	if _, err := unchanged(path, want); err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); errors.Is(err, syscall.EBUSY) {
		return overwrite(path, b, want)
	} else if err != nil {
		return err
	}
	return syncDir(dir)
}

// overwrite writes b into the file itself; if that fails half way, the old bytes
// are put back.
func overwrite(path string, b []byte, want string) error {
	old, err := unchanged(path, want)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := fill(f, b); err != nil {
		if old.State == TooLarge {
			return err
		}
		return errors.Join(err, fill(f, old.Bytes))
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

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
