//go:build unix

package store_test

import (
	"os"
	"syscall"
)

func ownerOf(fi os.FileInfo) (uid, gid int) {
	st := fi.Sys().(*syscall.Stat_t)
	return int(st.Uid), int(st.Gid)
}

// busyMount is what a rename over a mount point answers.
const busyMount = syscall.EBUSY
