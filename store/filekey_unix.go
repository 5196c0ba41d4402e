//go:build unix

package store

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

func inode(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// owner gives the user and group a file belongs to.
func owner(fi fs.FileInfo) (uid, gid int, ok bool) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid), true
	}
	return 0, 0, false
}

// statKey gives the key of the file at path, the zero key where there is none. It is
// asked for every turn.
func statKey(path string) FileKey {
	var st unix.Stat_t
	for {
		switch err := unix.Stat(path, &st); err {
		case nil:
			return FileKey{Size: st.Size, MTime: st.Mtim.Nano(), Inode: uint64(st.Ino)}
		case unix.EINTR:
		default:
			return FileKey{}
		}
	}
}
