package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"syscall"

	"github.com/google/renameio/v2"

	"plastic/memory"
)

// Set gives key the value that text says, in the config.yaml at path; see SetAll.
func Set(path, key, text string) error { return SetAll(path, Change{Key: key, Value: text}) }

// SetAll makes changes in the config.yaml at path, all or none. The lines of the
// keys change and nothing else: comments, order, blank lines and line ends stay.
// A missing or empty file becomes Template first. Values that With would refuse
// are refused, and so is a change that leaves a fault in the file (of several
// faults the others may stay while one is mended). The caller holds the lock of
// the folder; a hand edit meanwhile is not overwritten, see Edit.
func SetAll(path string, changes ...Change) error {
	return Edit(path, func(old []byte) ([]byte, error) {
		if len(old) == 0 {
			old = Template()
		}
		return Edited(old, changes...)
	})
}

// Edited is the text old with the changes made; see SetAll.
func Edited(old []byte, changes ...Change) ([]byte, error) {
	want, faults := lenient(old)
	if errs := want.change(changes); len(errs) > 0 {
		return nil, joined(errs)
	}
	text := old
	for _, ch := range changes {
		f, rest := fieldAt(ch.Key)
		value, err := want.flowAt(ch.Key)
		if err != nil {
			return nil, err
		}
		path := slices.Concat(f.path(), rest)
		if text, err = splice(text, path, value); err != nil {
			return nil, err
		}
	}
	got, left := lenient(text)
	switch {
	case len(left) > 0 && len(left) >= len(faults):
		for _, e := range left {
			e.From = FileName
		}
		return nil, joined(left)
	case !reflect.DeepEqual(got, want):
		return nil, byHand(changes[0].Key, 0)
	}
	return text, nil
}

// byHand refuses to edit what is written in a way that splice does not know.
func byHand(key string, line int) error {
	return &Error{From: FileName, Line: line, Key: key, Problem: "this part of the file is written in a way that can not be changed in place",
		Hint: "change it in an editor"}
}

// Edit replaces the file at path by what change makes of its text (nil if there
// is no file), atomically and durably. Nothing is written when the text stays
// the same. If the file changed while change was at work, change is called again
// with the new text; after some tries the error wraps memory.ErrBusy. Owner,
// mode and symbolic links stay. A folder or file that can not be written is
// memory.ErrReadOnly.
func Edit(path string, change func(old []byte) ([]byte, error)) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for range 5 {
		old, info, err := readIfThere(path)
		if err != nil {
			return err
		}
		text, err := change(old)
		if err != nil {
			return err
		}
		if info != nil && bytes.Equal(text, old) {
			return nil
		}
		done, err := replace(path, old, info, text)
		switch {
		case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
			return fmt.Errorf("write %s: %w (%w)", filepath.Base(path), memory.ErrReadOnly, err)
		case err != nil:
			return fmt.Errorf("write %s: %w", filepath.Base(path), err)
		case done:
			return nil
		}
	}
	return fmt.Errorf("write %s: another hand keeps changing it: %w", filepath.Base(path), memory.ErrBusy)
}

func readIfThere(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return b, info, nil
}

// replace puts text in the place of old unless the file is no longer old, which
// it looks at last thing before the rename.
func replace(path string, old []byte, info fs.FileInfo, text []byte) (done bool, err error) {
	opts := []renameio.Option{renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644)}
	if info != nil {
		opts = append(opts, renameio.WithStaticPermissions(info.Mode().Perm()))
	}
	f, err := renameio.NewPendingFile(path, opts...)
	if err != nil {
		return false, err
	}
	defer f.Cleanup()
	if _, err := f.Write(text); err != nil {
		return false, err
	}
	if err := keepOwner(f.File, info); err != nil {
		return false, err
	}
	if err := f.Sync(); err != nil {
		return false, err
	}
	now, there, err := readIfThere(path)
	if err != nil || !bytes.Equal(now, old) || (there == nil) != (info == nil) {
		return false, err
	}
	err = f.CloseAtomicallyReplace()
	if errors.Is(err, syscall.EBUSY) { // a file that is a mount point can not be renamed over
		return true, inPlace(path, text)
	}
	if err != nil {
		return false, err
	}
	return true, syncFolder(filepath.Dir(path))
}

// keepOwner gives f the owner of the file it will replace, where that is
// another: a bot's file edited by root stays the bot's.
func keepOwner(f *os.File, info fs.FileInfo) error {
	if info == nil {
		return nil
	}
	was, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(was.Uid) == os.Geteuid() && int(was.Gid) == os.Getegid() {
		return nil
	}
	return f.Chown(int(was.Uid), int(was.Gid))
}

func inPlace(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Truncate(int64(len(text))); err != nil {
		return err
	}
	return f.Sync()
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
