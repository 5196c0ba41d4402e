package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"plastic/memory"
)

// manner is what a new file gets: the mode and, for root, the owner that the
// files of the folder have.
type manner struct {
	mode     fs.FileMode
	uid, gid int
	owned    bool
}

// fresh gives the manner of memory.json, or where there is none, of the folder.
func (s *Store) fresh() manner {
	m := manner{mode: 0o644}
	fi, err := os.Stat(s.path(memoryName))
	if err == nil {
		m.mode = fi.Mode().Perm() | 0o600
	} else if fi, err = os.Stat(s.dir); err != nil {
		return m
	}
	if uid, gid, ok := owner(fi); ok && (uid != os.Geteuid() || gid != os.Getegid()) {
		m.uid, m.gid, m.owned = uid, gid, true
	}
	return m
}

// give makes path belong to whom the folder's files belong, as far as it may.
func (m manner) give(path string) {
	if m.owned && os.Geteuid() == 0 {
		os.Lchown(path, m.uid, m.gid)
	}
}

// Give makes a file that root has just made belong to whom its folder belongs, so
// that one run of root's leaves nothing that its user can not write. For others
// than root, and for files of others, it does nothing.
func Give(path string) {
	if os.Geteuid() != 0 {
		return
	}
	fi, err := os.Lstat(path)
	if err != nil {
		return
	}
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return
	}
	uid, _, ok := owner(fi)
	to, group, _ := owner(dir)
	if ok && uid == 0 && to != 0 {
		os.Lchown(path, to, group)
	}
}

// made gives a new file its mode, of which the umask took away what others who use the
// folder may need, and its owner. A file of another user is left as it is.
func (m manner) made(path string) {
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Mode().Perm() != m.mode {
		os.Chmod(path, m.mode)
	}
	m.give(path)
}

// Adopt gives a file under .plastic/ that another room has just made what this room's
// own have there: the mode of memory.json and, where root made it, its owner.
func (s *Store) Adopt(path string) { s.fresh().made(path) }

// replaceFile puts data in the place of path: whole or not at all, whatever ends
// the process or the power. Owner, mode and symbolic links stay. check is asked
// right before the rename. A file that can not be renamed over (a mount of its
// own, or an owner that can not be given) is written in place, with all of data
// kept under guard until that is done. It gives the key of the file it
// wrote, which is no longer that of the path if another hand came right after.
func (s *Store) replaceFile(path, guard string, data []byte, check func() error) (FileKey, error) {
	name := filepath.Base(path)
	target, err := resolve(path)
	if err != nil {
		return FileKey{}, err
	}
	key, err := s.renameOver(target, name, guard, data, check)
	if err == nil && guard != "" {
		os.Remove(guard) // of an earlier write that was cut off
	}
	if err == nil || !inPlaceOnly(err) || guard == "" {
		return key, err
	}
	return s.writeInPlace(target, name, guard, data)
}

var errOwner = errors.New("the owner can not be kept")

func inPlaceOnly(err error) bool {
	return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EXDEV) || errors.Is(err, errOwner)
}

// resolve follows symbolic links, also to a file that is not there.
func resolve(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if to, lerr := os.Readlink(path); lerr == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(path), to)
			}
			return to, nil
		}
		return path, nil
	}
	return target, err
}

func (s *Store) renameOver(target, name, guard string, data []byte, check func() error) (key FileKey, err error) {
	dir := filepath.Dir(target)
	like, old := s.fresh(), time.Time{}
	fi, err := os.Stat(target)
	if err == nil {
		like.mode, old = fi.Mode().Perm(), fi.ModTime()
	}
	if err := s.fault(name + ":create"); err != nil {
		return key, err
	}
	t, err := renameio.NewPendingFile(target, renameio.WithTempDir(dir), renameio.WithStaticPermissions(like.mode))
	if err != nil {
		return key, writeError(name, err)
	}
	defer t.Cleanup()
	if err := sameOwner(t.File, target, guard, fi, like); err != nil {
		return key, err
	}
	err = inTurn(
		s.step(name+":write"),
		func() error { return write(t.File, data) },
		func() error { return os.Chtimes(t.Name(), time.Time{}, ownTime(old)) },
		func() error { key, err = keyOfOpen(t.File); return err },
		s.step(name+":sync"),
		t.Sync,
		check,
		s.step(name+":rename"),
		func() error { return os.Rename(t.Name(), target) }, // CloseAtomicallyReplace would sync once more
		t.File.Close,
		s.step(name+":dir"),
		func() error { return syncDir(dir) },
	)
	if err != nil {
		return key, writeError(name, err)
	}
	return key, nil
}

// inTurn does the steps up to the first that fails; nil steps are none.
func inTurn(steps ...func() error) error {
	for _, f := range steps {
		if f == nil {
			continue
		}
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// ownTime gives a modification time that no other write can get: later than the
// last one, and off the kernel's coarse tick.
func ownTime(old time.Time) time.Time {
	now := time.Now()
	if !now.After(old) {
		now = old.Add(time.Microsecond)
	}
	if now.Nanosecond()%1000 == 0 {
		now = now.Add(time.Nanosecond)
	}
	return now
}

// giveTime gives the file at path a time of its own. Who may write a file and does not own
// it may not: its key says all a little later then.
func giveTime(path string) error {
	err := os.Chtimes(path, time.Time{}, ownTime(time.Time{}))
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// sameOwner gives f, which is to stand at target, the owner and group of what stands there.
func sameOwner(f *os.File, target, guard string, old fs.FileInfo, like manner) error {
	if old == nil {
		if like.owned && os.Geteuid() == 0 {
			return f.Chown(like.uid, like.gid)
		}
		return nil
	}
	uid, gid, ok := owner(old)
	mine, err := f.Stat()
	if !ok || err != nil {
		return err
	}
	if u, g, _ := owner(mine); u == uid && g == gid {
		return nil
	}
	if f.Chown(uid, gid) == nil {
		return f.Chmod(old.Mode().Perm())
	}
	// Another's file in a folder of ours: in place, if we may; else it becomes ours, and
	// stays the group's.
	if guard != "" {
		if w, err := os.OpenFile(target, os.O_WRONLY, 0); err == nil {
			w.Close()
			return errOwner
		}
	}
	if f.Chown(-1, gid) == nil {
		return f.Chmod(old.Mode().Perm())
	}
	return nil
}

func (s *Store) writeInPlace(target, name, guard string, data []byte) (key FileKey, err error) {
	over, err := readFile(target)
	if err != nil {
		return key, writeError(name, err)
	}
	err = inTurn(
		func() error { return writeLocal(guard, guarding(data, over), s.fresh()) },
		func() error { return syncFile(guard) },
		func() error { return syncDir(filepath.Dir(guard)) },
		s.step(name+":guarded"),
	)
	if err != nil {
		return key, err
	}
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return key, writeError(name, err)
	}
	defer f.Close()
	err = inTurn(
		func() error { return write(f, data) },
		s.step(name+":inplace"),
		func() error { return f.Truncate(int64(len(data))) },
		func() error { return giveTime(target) },
		f.Sync,
		func() error { key, err = keyOfOpen(f); return err },
		func() error { return os.Remove(guard) },
	)
	if err != nil {
		return key, writeError(name, err)
	}
	return key, nil
}

func write(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return err
}

func writeError(name string, err error) error {
	if readOnly(err) {
		return fmt.Errorf("write %s: %w (%w)", name, memory.ErrReadOnly, err)
	}
	return fmt.Errorf("write %s: %w", name, err)
}

// writeLocal replaces a file under .plastic/, unsynced: it can be made again.
func writeLocal(path string, data []byte, like manner) error {
	t, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(like.mode))
	if err != nil {
		return err
	}
	defer t.Cleanup()
	if err := write(t.File, data); err != nil {
		return err
	}
	like.give(t.Name())
	// CloseAtomicallyReplace would sync; a rename alone is whole enough here.
	if err := os.Rename(t.Name(), path); err != nil {
		return err
	}
	return t.File.Close()
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// syncDir makes a rename in dir last. File systems that can not are let be.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}
