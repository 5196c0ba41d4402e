package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// settle is how long after a change the file is read again although its stamp
// stayed the same (clocks of file systems are coarse), and how long a file that
// vanished or became empty is taken for one that an editor is about to write.
const settle = 2 * time.Second

// Live is the configuration of a running process. It follows the file and keeps
// the last good one when an edit is bad.
//
//	live, err := config.Open(dir, now)   // a bad file at the start is an error
//	c, err := live.Config(now)           // each turn: one stat
//	if err != nil { … say it; c is still the last good one … }
type Live struct {
	path string

	mu    sync.Mutex // guards all below
	good  *Config
	bad   error // why the file as it is now is not in force, nil when it is
	info  fs.FileInfo
	text  []byte    // what was loaded last, nil if it could not be read
	since time.Time // when info was first seen; zero once it is settled
}

// Open loads the configuration of the folder dir, as Load does.
func Open(dir string, now time.Time) (*Live, error) {
	l := &Live{path: filepath.Join(dir, FileName), since: now}
	info, text, err := l.read()
	if err != nil {
		return nil, err
	}
	if l.good, err = load(text); err != nil {
		return nil, err
	}
	l.info, l.text = info, append([]byte{}, text...)
	return l, nil
}

// Examine is Open for who looks for what is wrong: where the file is bad the defaults
// are in force, and Problem says why.
func Examine(dir string, now time.Time) *Live {
	l, err := Open(dir, now)
	if err == nil {
		return l
	}
	return &Live{path: filepath.Join(dir, FileName), since: now, good: Default(), bad: err}
}

// Config gives the configuration in force. The file is read only when its size,
// time or inode changed. After a bad edit the error comes once, with the last
// good configuration beside it; Problem has it for as long as it stands.
func (l *Live) Config(now time.Time) (*Config, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	info, err := os.Stat(l.path)
	if err == nil && l.same(info) && l.since.IsZero() {
		return l.good, nil
	}
	if errors.Is(err, fs.ErrNotExist) && l.info == nil && l.since.IsZero() {
		return l.good, nil
	}
	info, text, err := l.read()
	if err != nil {
		l.text, l.since = nil, now // look again until it can be read
		return l.refuse(err)
	}
	if !l.same(info) {
		l.info, l.since = info, now
	}
	settled := now.Sub(l.since) >= settle || now.Before(l.since)
	if settled {
		l.since = time.Time{}
	}
	if len(text) == 0 && len(l.text) > 0 && !settled {
		return l.good, nil
	}
	if l.text != nil && bytes.Equal(text, l.text) {
		return l.good, nil
	}
	l.text = append([]byte{}, text...)
	c, err := load(text)
	if err != nil {
		return l.refuse(err)
	}
	l.good, l.bad = c, nil
	return c, nil
}

// Problem is why the file as it stands is not in force, nil when it is.
func (l *Live) Problem() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bad
}

// refuse keeps the last good configuration and says why, unless it said so.
func (l *Live) refuse(err error) (*Config, error) {
	if l.bad != nil && l.bad.Error() == err.Error() {
		return l.good, nil
	}
	l.bad = err
	return l.good, fmt.Errorf("the last good configuration stays in force: %w", err)
}

// same reports whether info is what was seen last; nil is a missing file.
func (l *Live) same(info fs.FileInfo) bool {
	if info == nil || l.info == nil {
		return info == nil && l.info == nil
	}
	return os.SameFile(info, l.info) && info.Size() == l.info.Size() && info.ModTime().Equal(l.info.ModTime())
}

// read gives the file and the stamp it had before it was read: if it changes
// between the two, the next look sees another stamp.
func (l *Live) read() (fs.FileInfo, []byte, error) {
	info, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	var text []byte
	if err == nil {
		text, err = readFile(l.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", FileName, err)
	}
	return info, text, nil
}
