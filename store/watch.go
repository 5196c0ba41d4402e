package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"plastic/memory"
)

const (
	burst     = 150 * time.Millisecond // quiet for so long, a burst of events is over
	longBurst = time.Second            // and looked at even if it is not
	slowLook  = 2 * time.Second        // between looks that no event asks for
	goneFor   = time.Second            // a file is believed to be gone: savers and git take it away for a moment
	largeFile = 1 << 20                // above, a file's key alone tells whether it changed
)

// Watch calls changed once when it watches, and then whenever one of the named
// files of the folder holds something else than before, until ctx ends; then it
// returns nil, and nothing of it runs any more. It returns fs.ErrClosed when the
// store is closed. changed is never called twice at a time.
//
// memory.json, archive.json and memory.journal are one thing: they have changed
// when what Read gives has, whoever wrote them. A name that is no path from the
// root is one in the folder. No names stand for these three.
//
// The folder is watched, not the files, so that every way of saving is seen:
// writing in place, a new file renamed over the old one, the old one moved away
// first. Events are hints only: a burst of them, or a queue of them that has run
// over, leads to one look at the files. Where the system sends none (network file
// systems, no inotify left) the files are looked at every two seconds.
func (s *Store) Watch(ctx context.Context, names []string, changed func()) error {
	w := newWatcher(s, names)
	defer w.close()
	w.follow()
	w.look(time.Now())
	changed()
	slow := time.NewTicker(slowLook)
	defer slow.Stop()
	p := newPause()
	defer p.t.Stop()
	for !s.isClosed() {
		look := false
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.events:
			if w.hint(e, ok) {
				p.prolong(time.Now())
			}
		case <-w.errors: // the queue has run over, or the watch is broken
			p.prolong(time.Now())
		case <-slow.C:
			look = p.since.IsZero()
		case <-p.t.C:
			look = true
		}
		if !look {
			continue
		}
		p.since = time.Time{}
		w.follow()
		moved, doubt := w.look(time.Now())
		if doubt {
			p.begin(time.Now(), goneFor)
		}
		if moved && !s.isClosed() {
			changed()
		}
	}
	return fs.ErrClosed
}

// pause ends some time after the last of a burst of events.
type pause struct {
	t     *time.Timer
	since time.Time // zero: there is no burst
}

func newPause() *pause {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &pause{t: t}
}

func (p *pause) begin(now time.Time, d time.Duration) {
	p.since = now
	p.t.Reset(d)
}

// prolong waits for quiet, but not for ever.
func (p *pause) prolong(now time.Time) {
	if p.since.IsZero() {
		p.since = now
	}
	p.t.Reset(max(0, min(burst, longBurst-now.Sub(p.since))))
}

// watcher is one Watch under way.
type watcher struct {
	s      *Store
	files  map[string]*watched // by path: the named files but those of the memory
	memory bool                // the files of the memory are watched, too
	state  *State              // what they held at the last look
	failed string              // why they could not be read then

	fs     *fsnotify.Watcher // nil: there are no events to be had
	events <-chan fsnotify.Event
	errors <-chan error
	dirs   map[string]fs.FileInfo // the folders that are watched
	paths  map[string]bool        // the paths in them that matter
}

// watched is a file as it was at the last look.
type watched struct {
	key  FileKey
	sum  [sha256.Size]byte
	racy bool      // it may have changed since without the key showing it
	gone time.Time // first looked for in vain; zero: it is there, or was not before
}

var memoryFiles = []string{memoryName, archiveName, journalName}

func newWatcher(s *Store, names []string) *watcher {
	w := &watcher{s: s, files: make(map[string]*watched), memory: len(names) == 0}
	for _, name := range names {
		switch {
		case slices.Contains(memoryFiles, name):
			w.memory = true
		case filepath.IsAbs(name):
			w.files[filepath.Clean(name)] = &watched{}
		default:
			w.files[s.path(name)] = &watched{}
		}
	}
	if s.fault("watch") != nil {
		return w
	}
	if f, err := fsnotify.NewWatcher(); err == nil {
		w.fs, w.events, w.errors = f, f.Events, f.Errors
		w.dirs = make(map[string]fs.FileInfo)
	}
	return w
}

func (w *watcher) close() {
	if w.fs != nil {
		w.fs.Close()
	}
}

// hint reports whether an event is about a file that matters, or a folder that is
// watched.
func (w *watcher) hint(e fsnotify.Event, ok bool) bool {
	if !ok {
		w.events, w.errors = nil, nil
		return false
	}
	_, dir := w.dirs[e.Name]
	return dir || w.paths[e.Name]
}

// follow watches the folders that the files are in by now: that of the memory,
// those that links lead to, and another one that has taken the place of one.
func (w *watcher) follow() {
	if w.fs == nil {
		return
	}
	w.paths = make(map[string]bool)
	dirs := map[string]bool{w.s.dir: true}
	add := func(path string) {
		w.paths[path] = true
		dirs[filepath.Dir(path)] = true
		if fi, err := os.Lstat(path); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			if target, err := resolve(path); err == nil {
				w.paths[target] = true
				dirs[filepath.Dir(target)] = true
			}
		}
	}
	for path := range w.files {
		add(path)
	}
	if w.memory {
		for _, name := range memoryFiles {
			add(w.s.path(name))
		}
	}
	kept := w.fs.WatchList()
	for dir := range w.dirs {
		if !dirs[dir] {
			w.fs.Remove(dir)
			delete(w.dirs, dir)
		}
	}
	for dir := range dirs {
		fi, err := os.Stat(dir)
		if was, ok := w.dirs[dir]; ok && err == nil && os.SameFile(was, fi) && slices.Contains(kept, dir) {
			continue
		}
		w.fs.Remove(dir)
		delete(w.dirs, dir)
		if err == nil && w.fs.Add(dir) == nil {
			w.dirs[dir] = fi
		}
	}
}

// look compares the files with what they were. doubt asks for another look soon:
// a file is not there that was.
func (w *watcher) look(now time.Time) (moved, doubt bool) {
	if _, err := os.Stat(w.s.dir); err != nil {
		return false, false // another folder may come in its place: the slow look waits for it
	}
	if w.memory && w.memoryMoved() {
		moved = true
	}
	for path, f := range w.files {
		m, d := f.look(path, now)
		moved, doubt = moved || m, doubt || d
	}
	return moved, doubt
}

func (w *watcher) memoryMoved() bool {
	st, err := w.s.Read()
	if err != nil {
		was := w.failed
		w.failed = err.Error()
		return w.failed != was
	}
	was, failed := w.state, w.failed
	w.state, w.failed = st, ""
	if was == nil || failed != "" {
		return true
	}
	if st.Rev() == was.Rev() {
		return false
	}
	ids, known := st.Changed(was)
	return !known || len(ids) > 0 || !slices.EqualFunc(st.entries(), was.entries(), sameEntry)
}

func sameEntry(a, b memory.Archived) bool {
	return a.As == b.As && a.Why == b.Why && stamp(&a).Equal(stamp(&b)) && equalMemory(&a.Memory, &b.Memory)
}

func (f *watched) look(path string, now time.Time) (moved, doubt bool) {
	key := statKey(path)
	if key == f.key && !f.racy {
		f.gone = time.Time{}
		return false, false
	}
	if key == (FileKey{}) {
		if f.gone.IsZero() {
			f.gone = now
		}
		if now.Sub(f.gone) < goneFor {
			return false, true
		}
		*f = watched{}
		return true, false
	}
	was := *f
	*f = watched{key: key, racy: key.racy(now)}
	if key.Size > largeFile {
		return key != was.key, false
	}
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		*f = was
		return false, true
	}
	f.sum = sha256.Sum256(text)
	return f.sum != was.sum || was.key == FileKey{}, false
}
