// Package store keeps the memory files: memory.json, archive.json, the journal
// between them and the nights. It loses nothing: what Update has answered is on
// disk, whatever ends the process or the power; what another hand writes into the
// files is read, never overwritten; what can not be read is kept and told.
//
// It never decides what a memory is worth, who may see it or what is forgotten,
// and never touches the card, the settings or any file it does not know.
//
//	s, err := store.Open(dir, store.Options{})
//	st, err := s.Update(ctx, func(tx *store.Tx) error {
//		tx.Put(memory.Memory{ID: tx.NewID(), Content: "Ann keeps two cats", Importance: 0.5})
//		return nil
//	})
//
// One write path: lock, read what is new, change, append to the journal, sync,
// answer. memory.json follows in a checkpoint (checkpoint.go).
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"plastic/memory"
)

// The files of the folder.
const (
	memoryName  = "memory.json"
	archiveName = "archive.json"
	nightsName  = "nights.jsonl"
	queueName   = "queue.jsonl"
	ownName     = ".plastic"   // this machine's own
	knownName   = "state.json" // under .plastic
	seenName    = "seen.json"  // under .plastic
	lastName    = "last.json"  // under .plastic: the last good copy of memory.json
	emptyMemory = `{"version":1,"memories":[` + "\n]}\n"
)

const (
	defaultLockWait = 10 * time.Second
	smallFile       = 4 << 20         // up to here memory.json is written with every update
	growth          = 20              // a larger one when the journal has this part of its size
	manyRehearsals  = 512             // lines of recalls from which a journal is compacted, for every start reads them …
	manyRecalled    = 1 << 13         // … or so many memories in them …
	longJournal     = 1 << 20         // … or so many bytes of them
	settleTime      = 2 * time.Second // a damaged file is left alone for so long: an editor may be at it
	leftoverAge     = time.Minute
)

// Options say how a store behaves. The zero value works.
type Options struct {
	Now      func() time.Time // the clock; nil: time.Now
	LockWait time.Duration    // how long a write waits for another process; 0: 10 s; then memory.ErrBusy

	// Delay is 0 for a command: memory.json is written before Update returns,
	// while it is small. In a server it is the time within which an owned
	// goroutine writes it, for which Close waits.
	Delay time.Duration

	Notice func(Problem) // is told each problem once; nil: nobody
}

// Store is one open folder. It is safe for use by several goroutines, beside any
// number of other processes.
type Store struct {
	dir  string
	o    Options
	turn chan struct{} // held by the one goroutine that writes

	mu     sync.Mutex // guards cur, jkey, swept, closed
	cur    *State
	jkey   FileKey // of the journal that cur has read
	swept  bool
	closed bool
	paths  struct{ memory, archive, journal string }

	muKnown sync.Mutex // guards known
	known   known

	muQueue   sync.Mutex // guards queueSeen, queueKey
	queueSeen *standing  // of the queue file of queueKey; nil: none yet
	queueKey  FileKey

	muTold sync.Mutex // guards told
	told   map[string]bool

	late  lateWriter
	fails func(step string) error // test seam: what goes wrong at a step of a write
}

// Create makes the folder and an empty memory.json in it. What is there already
// stays as it is.
func Create(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, memoryName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(emptyMemory)
	Give(f.Name())
	return errors.Join(err, f.Sync(), f.Close(), syncDir(dir))
}

// Open opens the folder. It writes nothing. A folder that is not there is an
// error that wraps fs.ErrNotExist.
func Open(dir string, o Options) (*Store, error) {
	fi, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() {
		return nil, memory.Errorf(memory.ErrUsage, "%s is not a folder", dir)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.LockWait <= 0 {
		o.LockWait = defaultLockWait
	}
	return &Store{dir: dir, o: o, turn: make(chan struct{}, 1), told: make(map[string]bool)}, nil
}

// Dir gives the folder.
func (s *Store) Dir() string { return s.dir }

// Local gives the path of a file of this machine's own, .plastic/name, and makes
// the folder for it if it can.
func (s *Store) Local(name string) string {
	s.makeOwn()
	return s.own(name)
}

// ReadLocal reads a file of this machine's own, .plastic/name. What is no file there is
// an error, never waited for.
func (s *Store) ReadLocal(name string) ([]byte, error) { return readFile(s.own(name)) }

// SetLocal puts data in the place of a file of this machine's own, .plastic/name,
// whole but unsynced: it can be made again. Mode and, for root, owner are those
// of the memory.
func (s *Store) SetLocal(name string, data []byte) error {
	if err := s.makeOwn(); err != nil {
		return err
	}
	return writeLocal(s.own(name), data, s.fresh())
}

// Close writes what the goroutine of Delay has not yet written and waits for it.
// The store can not be used afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return nil
	}
	return s.late.stop()
}

// Read gives the memory as it is now. It costs a stat of each file when nothing
// has changed, never waits for a writer and writes nothing but what it found out
// about the files, under .plastic/.
func (s *Store) Read() (*State, error) {
	if s.isClosed() {
		return nil, fs.ErrClosed
	}
	return s.read()
}

func (s *Store) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Store) read() (*State, error) {
	s.mu.Lock()
	st, err := s.load()
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	s.look(st)
	return st, nil
}

// look decodes files that nobody has vouched for, and tells what is wrong with
// them.
func (s *Store) look(st *State) {
	if !st.base.plain {
		st.base.decode()
		s.vouch(st)
	}
	for _, p := range st.Problems() {
		s.tell(p)
	}
}

// tell gives a problem to Notice, once.
func (s *Store) tell(p Problem) {
	if s.o.Notice == nil {
		return
	}
	key := p.Code + "\x00" + p.Path + "\x00" + p.Message
	s.muTold.Lock()
	told := s.told[key]
	s.told[key] = true
	s.muTold.Unlock()
	if !told {
		s.o.Notice(p)
	}
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }
func (s *Store) own(name string) string  { return filepath.Join(s.dir, ownName, name) }

func (s *Store) makeOwn() error {
	path := s.own("")
	err := os.Mkdir(path, 0o755)
	switch {
	case err == nil:
		if fi, serr := os.Stat(s.dir); serr == nil { // who may write there may write here
			os.Chmod(path, fi.Mode()&(fs.ModePerm|fs.ModeSetgid|fs.ModeSticky)|0o700)
		}
		s.fresh().give(path)
		return nil
	case errors.Is(err, fs.ErrExist):
		if what := notFolder(path); what != "" {
			return memory.Errorf(memory.ErrCorrupt, "%s is %s, not a folder; remove it", path, what)
		}
		return nil
	case readOnly(err):
		return fmt.Errorf("%s can not be written: %w (%w)", s.dir, memory.ErrReadOnly, err)
	}
	return err
}

// fault lets a test fail or end the process at a step of a write.
func (s *Store) fault(step string) error {
	if s.fails == nil {
		return nil
	}
	return s.fails(step)
}

func (s *Store) step(name string) func() error {
	return func() error { return s.fault(name) }
}

// wait takes the turn to write among the goroutines of this store.
func (s *Store) wait(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) done() { <-s.turn }
