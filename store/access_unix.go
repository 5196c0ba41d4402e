//go:build unix

package store

import (
	"golang.org/x/sys/unix"

	"plastic/memory"
)

// canWrite says why files can not be made in dir, nil when they can.
func canWrite(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return memory.Errorf(memory.ErrReadOnly, "%s can not be written (%w)", dir, err)
	}
	return nil
}
