//go:build unix

package index

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"plastic/memory"
)

// mapFile gives the bytes of a file, and when it was last written.
func mapFile(path string) (data []byte, changed time.Time, unmap func(), err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would wait for a writer
	if err != nil {
		return nil, time.Time{}, nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, nil, err
	}
	if size := fi.Size(); !fi.Mode().IsRegular() || size == 0 || size != int64(int(size)) {
		return nil, time.Time{}, nil, memory.Errorf(memory.ErrCorrupt, "not a search index")
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(fi.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, time.Time{}, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return data, fi.ModTime(), func() { syscall.Munmap(data) }, nil
}
