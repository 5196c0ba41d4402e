package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"plastic/memory"
)

// lockName is the file under .plastic/ that writers hold a kernel lock on. It is
// never renamed or removed; the lock ends with the process, whatever ends it.
const lockName = "lock"

// A waiting writer looks again after these pauses, longer each time.
const (
	shortRest = 200 * time.Microsecond
	longRest  = 4 * time.Millisecond
)

// lock is the held lock of one folder.
type lock struct {
	f    *flock.Flock
	path string
}

// errLost says that the lock file was taken away (a deleted .plastic/): another
// writer may hold the one that stands there now.
var errLost = memory.Errorf(memory.ErrBusy, "the lock file was taken away")

// acquire waits for the lock for at most wait, 0 meaning one try.
func (s *Store) acquire(ctx context.Context, wait time.Duration) (*lock, error) {
	if err := s.fault("lock"); err != nil {
		return nil, err
	}
	if err := s.makeOwn(); err != nil {
		return nil, err
	}
	path := s.own(lockName)
	perm := s.fresh()
	deadline := time.Now().Add(wait)
	for pause := shortRest; ; pause = min(2*pause, longRest) {
		l := &lock{f: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK), flock.SetPermissions(perm.mode)), path: path}
		got, err := l.f.TryLock()
		if err != nil {
			return nil, lockError(path, err)
		}
		if got && l.held() == nil {
			perm.made(path)
			return l, nil
		}
		l.release() // somebody has it, or it is no longer the file that stands there
		if !time.Now().Before(deadline) {
			return nil, memory.Errorf(memory.ErrBusy, "the memory is in use: another process holds %s", path)
		}
		if err := rest(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// held fails when the locked file is no longer the one at its path.
func (l *lock) held() error {
	mine, err := l.f.Stat()
	if err != nil {
		return errLost
	}
	there, err := os.Stat(l.path)
	if err != nil || !os.SameFile(mine, there) {
		return errLost
	}
	return nil
}

// release lets go of the lock. Unlocking that failed has closed nothing: this process would
// go on holding the lock, and so it is tried again.
func (l *lock) release() {
	const tries = 3
	for try := 0; try < tries && l.f.Close() != nil; try++ {
	}
}

func lockError(path string, err error) error {
	if what := notLock(path); what != "" {
		return memory.Errorf(memory.ErrCorrupt, "%s is %s where the lock file should be; remove it", path, what)
	}
	if readOnly(err) {
		return fmt.Errorf("lock %s: %w (%w)", path, memory.ErrReadOnly, err)
	}
	return fmt.Errorf("lock %s: %w", path, err)
}

// readOnly reports whether err says that the place can not be written.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
