package outage

import (
	"fmt"
	"os/exec"
)

// Trace is what one run of a program did to a folder.
type Trace struct {
	start  *node // the folder before
	dir    string
	cwd    string
	calls  []call
	inodes []uint64 // of what the run made, in turn
}

// Record runs cmd, which must end well, and gives what it did below dir, an absolute
// path. What it writes to its stdout is what it acknowledges, at that moment.
func Record(cmd *exec.Cmd, dir string) (*Trace, error) {
	start, err := load(dir)
	if err != nil {
		return nil, fmt.Errorf("look at the folder: %w", err)
	}
	t := &Trace{start: start, dir: dir, cwd: cmd.Dir}
	if t.calls, err = run(cmd); err != nil {
		return nil, err
	}
	p := t.player(func(string) bool { return true })
	p.play(t.calls)
	for _, n := range p.made {
		t.inodes = append(t.inodes, n.inode)
	}
	return t, nil
}

// player does to a folder in memory what a run did to one on disk.
type player struct {
	*Trace
	root *node
	open map[int64]*handle
	made []*node
	said string                 // on stdout, so far
	then func(what string) bool // is called after each change; false ends it
	over bool                   // nobody wants more

	ended bool // the run had
}

// handle is an open file of the program.
type handle struct {
	node   *node
	at     int64
	append bool
}

func (t *Trace) player(then func(what string) bool) *player {
	return &player{Trace: t, root: t.start.clone(), open: map[int64]*handle{}, then: then}
}

func (p *player) play(calls []call) {
	for _, c := range calls {
		if p.over {
			return
		}
		p.take(c)
	}
}

func (p *player) did(what string) { p.over = p.over || !p.then(what) }

// make puts a new file or folder under a name.
func (p *player) make(in *node, name string, n *node) {
	if i := len(p.made); i < len(p.inodes) {
		n.inode = p.inodes[i]
	}
	p.made = append(p.made, n)
	in.move(move{to: name, node: n})
	p.did("make " + name)
}
