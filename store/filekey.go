package store

import (
	"io/fs"
	"os"
	"time"
)

// FileKey tells one state of a file from another without reading it. The zero
// key stands for no file. Plastic gives every memory.json that it writes a
// modification time of its own (nanoseconds, never twice), so the key of such a
// file says all; of a file that another hand wrote it says all once the file is
// older than the racy window.
type FileKey struct {
	Size  int64  `json:"size"`
	MTime int64  `json:"mtime"` // nanoseconds since 1970
	Inode uint64 `json:"inode"`
}

// racyWindow is how long after its last change a file may change again without
// showing it: a tick of the kernel's coarse clock, with room.
const racyWindow = 20 * time.Millisecond

// coarseWindow is the same on file systems that keep whole seconds only.
const coarseWindow = 2 * time.Second

func keyOf(fi fs.FileInfo) FileKey {
	return FileKey{Size: fi.Size(), MTime: fi.ModTime().UnixNano(), Inode: inode(fi)}
}

func keyOfOpen(f *os.File) (FileKey, error) {
	fi, err := f.Stat()
	if err != nil {
		return FileKey{}, err
	}
	return keyOf(fi), nil
}

// racy reports whether at now the file of this key may still change unseen.
func (k FileKey) racy(now time.Time) bool {
	window := racyWindow
	if k.MTime%int64(time.Second) == 0 {
		window = coarseWindow
	}
	age := now.Sub(time.Unix(0, k.MTime))
	return age > -window && age < window
}
