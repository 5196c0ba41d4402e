package index

import (
	"syscall"
	"time"
)

// started is when the machine was started, some seconds later to be sure.
func started() time.Time {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return time.Now()
	}
	return time.Now().Add(-time.Duration(info.Uptime)*time.Second + 2*time.Second)
}
