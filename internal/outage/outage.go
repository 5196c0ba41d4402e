// Package outage tells what a power cut may leave of what a program wrote. It is for
// tests: a program runs under strace, which tells each write, rename and sync it makes
// below one folder; from this the folder can be made as it may stand after the power
// was cut at any of these moments.
//
// A disk keeps what was synced. Of the rest anything may be there or not: of a file
// what was written since its last fsync may be missing, cut short, or zeros in full
// length; of a folder each name that was made, moved or removed since its own fsync
// may be as before, whatever happened to the others.
//
//	trace, err := outage.Record(exec.Command(program), dir)
//	for cut := range trace.Cuts(rnd, 8) {
//		err := cut.Make(elsewhere)
//		// whoever opens elsewhere must find there what cut.Said promised
//	}
//
// It says nothing about what the program reads, nor about several processes at once.
package outage

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// node is a file, a link or a folder: as programs see it, as the disk has it for sure,
// and what has happened in between.
type node struct {
	inode uint64 // in the recording; 0: not known
	mode  fs.FileMode
	link  string // of a symbolic link

	now, sure content  // of a file
	since     []change // of a file, what the disk may not have

	entries, surely map[string]*node // of a folder
	moves           []move           // of a folder, what the disk may not have
}

// content is the text of a file and its time; the zero time is any.
type content struct {
	text  []byte
	mtime time.Time
}

// change is one write, one cut or one setting of the time of a file.
type change struct {
	at    int64
	text  []byte
	cut   bool // to the length at
	mtime time.Time
}

// move is what happens to names of one folder in one step: gone from one, there under
// the other.
type move struct {
	from, to string // "" is none
	node     *node  // what is under to
}

func (c content) with(ch change) content {
	switch {
	case !ch.mtime.IsZero():
		c.mtime = ch.mtime
		return c
	case ch.cut && int64(len(c.text)) >= ch.at:
		c.text = bytes.Clone(c.text[:ch.at])
	case ch.cut:
		c.text = append(bytes.Clone(c.text), make([]byte, ch.at-int64(len(c.text)))...)
	default:
		text := make([]byte, max(int64(len(c.text)), ch.at+int64(len(ch.text))))
		copy(text, c.text)
		copy(text[ch.at:], ch.text)
		c.text = text
	}
	c.mtime = time.Time{}
	return c
}

func (n *node) change(ch change) {
	n.now = n.now.with(ch)
	n.since = append(n.since, ch)
}

func (n *node) move(m move) {
	m.apply(n.entries)
	n.moves = append(n.moves, m)
}

func (m move) apply(entries map[string]*node) {
	if m.from != "" {
		delete(entries, m.from)
	}
	if m.to != "" {
		entries[m.to] = m.node
	}
}

// sync makes sure of all that n has.
func (n *node) sync() {
	n.sure, n.since = n.now, nil
	n.surely, n.moves = maps.Clone(n.entries), nil
}

// load takes in what stands at path, all of it on disk for sure.
func load(path string) (*node, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	n := &node{mode: fi.Mode()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		n.inode = st.Ino
	}
	switch {
	case fi.IsDir():
		n.entries = map[string]*node{}
		files, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if n.entries[f.Name()], err = load(filepath.Join(path, f.Name())); err != nil {
				return nil, err
			}
		}
	case fi.Mode()&fs.ModeSymlink != 0:
		n.link, err = os.Readlink(path)
	default:
		n.now.mtime = fi.ModTime()
		n.now.text, err = os.ReadFile(path)
	}
	n.sync()
	return n, err
}

// clone gives a folder like n with all below it, of which all is on disk for sure.
func (n *node) clone() *node {
	c := &node{inode: n.inode, mode: n.mode, link: n.link, now: n.now}
	if n.entries != nil {
		c.entries = map[string]*node{}
		for name, e := range n.entries {
			c.entries[name] = e.clone()
		}
	}
	c.sync()
	return c
}
