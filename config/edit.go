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

	"plastic/internal/handfile"
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
	name := filepath.Base(path)
	for range 5 {
		old, there, err := readIfThere(path)
		if err != nil {
			return err
		}
		text, err := change(old)
		if err != nil {
			return err
		}
		if there && bytes.Equal(text, old) {
			return nil
		}
		err = handfile.Replace(path, text, func() error {
			now, still, err := readIfThere(path)
			if err == nil && (still != there || !bytes.Equal(now, old)) {
				err = errChanged
			}
			return err
		})
		switch {
		case errors.Is(err, errChanged):
		case handfile.ReadOnly(err):
			return fmt.Errorf("write %s: %w (%w)", name, memory.ErrReadOnly, err)
		case err != nil:
			return fmt.Errorf("write %s: %w", name, err)
		default:
			return nil
		}
	}
	return memory.Errorf(memory.ErrBusy, "write %s: another hand keeps changing it", name)
}

// errChanged says that the file is not what was read.
var errChanged = errors.New("the file has changed")

func readIfThere(path string) (text []byte, there bool, err error) {
	text, err = os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return text, true, nil
}
