package card

import (
	"bytes"
	"errors"
	"fmt"

	"plastic/internal/handfile"
	"plastic/memory"
)

// ErrChanged says that the card is not the one the writer had read.
var ErrChanged = memory.Errorf(memory.ErrInvalid, "the card was changed since it was read")

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
		return memory.Errorf(memory.ErrInvalid, "the card would have %d bytes, the limit is %d", len(b), MaxSize)
	}
	if want == "" {
		want = hashOf(nil)
	}
	old, err := unchanged(path, want)
	if err != nil {
		return err
	}
	if bytes.Equal(old.Bytes, b) && old.State != TooLarge {
		return nil
	}
	err = handfile.Replace(path, b, func() error { _, err := unchanged(path, want); return err })
	switch {
	case err == nil || errors.Is(err, ErrChanged):
		return err
	case handfile.ReadOnly(err):
		err = fmt.Errorf("%w: %w", memory.ErrReadOnly, err)
	}
	return fmt.Errorf("write the card: %w", err)
}

func unchanged(path, want string) (Card, error) {
	c, err := Read(path)
	if err == nil && c.Hash != want {
		err = ErrChanged
	}
	return c, err
}
