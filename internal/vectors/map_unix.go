//go:build unix

package vectors

import (
	"os"
	"syscall"
)

// mapFile gives the bytes of a file. A file of vectors only grows or is replaced, so
// what is mapped stays.
func mapFile(path string) (data []byte, info os.FileInfo, free func(), err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, info, func() {}, nil
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, nil, err
	}
	return data, info, func() { syscall.Munmap(data) }, nil
}

// lock holds the lock file at path until unlock.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
