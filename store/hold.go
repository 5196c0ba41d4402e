package store

import (
	"os"
	"syscall"

	"github.com/gofrs/flock"

	"plastic/memory"
)

// Hold takes the file .plastic/name for this process alone, until release or the
// end of the process: for what only one may do at a time, however long it takes.
// Writers are not kept waiting. It fails with memory.ErrBusy when another has it.
func (s *Store) Hold(name string) (release func(), err error) {
	if err := s.makeOwn(); err != nil {
		return nil, err
	}
	perm := s.fresh()
	l := &lock{f: flock.New(s.own(name), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK), flock.SetPermissions(perm.mode)), path: s.own(name)}
	got, err := l.f.TryLock()
	switch {
	case err != nil:
		return nil, lockError(l.path, err)
	case !got:
		l.f.Close()
		return nil, memory.Errorf(memory.ErrBusy, "the memory is in use: another process holds %s", l.path)
	}
	perm.made(l.path)
	return l.release, nil
}
