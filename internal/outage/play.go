package outage

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// here is where a call looks that is given a path alone.
const here = -100

// place gives the folder that path is in and its name there; nil outside of the
// recorded folder.
func (p *player) place(at int64, path string) (folder *node, name string) {
	if !filepath.IsAbs(path) {
		if at != here {
			return nil, "" // relative to an open folder: nothing that plastic does
		}
		path = filepath.Join(p.cwd, path)
	}
	rel, err := filepath.Rel(p.dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return nil, ""
	}
	folder = p.root
	parts := strings.Split(rel, "/")
	for _, part := range parts[:len(parts)-1] {
		if folder = folder.entries[part]; folder == nil || folder.entries == nil {
			return nil, ""
		}
	}
	return folder, parts[len(parts)-1]
}

func (p *player) find(at int64, path string) *node {
	folder, name := p.place(at, path)
	if folder == nil || name == "." {
		return folder
	}
	n := folder.entries[name]
	if n == nil || n.link == "" {
		return n
	}
	if filepath.IsAbs(n.link) {
		return p.find(here, n.link)
	}
	return p.find(at, filepath.Join(filepath.Dir(path), n.link))
}

// take does what one call did.
func (p *player) take(c call) {
	switch c.name {
	case "openat":
		p.takeOpen(c)
	case "write", "pwrite64":
		p.takeWrite(c)
	case "truncate":
		p.change("cut", p.find(here, c.text(0)), change{at: c.number(1), cut: true})
	case "utimensat":
		if m := timesOf.FindAllStringSubmatch(c.args[2], -1); m != nil {
			last := m[len(m)-1]
			sec, _ := strconv.ParseInt(last[1], 10, 64)
			nsec, _ := strconv.ParseInt(last[2], 10, 64)
			p.change("time", p.find(c.number(0), c.text(1)), change{mtime: time.Unix(sec, nsec)})
		}
	case "rename":
		p.rename(here, c.text(0), here, c.text(1))
	case "renameat", "renameat2":
		p.rename(c.number(0), c.text(1), c.number(2), c.text(3))
	case "unlink":
		p.remove(here, c.text(0))
	case "unlinkat":
		p.remove(c.number(0), c.text(1))
	case "mkdir":
		p.makeFolder(here, c.text(0))
	case "mkdirat":
		p.makeFolder(c.number(0), c.text(1))
	default:
		if h := p.open[c.number(0)]; h != nil {
			p.takeHandle(c, h)
		}
	}
}

// takeHandle does what a call did to an open file.
func (p *player) takeHandle(c call, h *handle) {
	switch c.name {
	case "close":
		delete(p.open, c.number(0))
	case "copy_file_range":
		if to := p.open[c.number(2)]; to != nil {
			text, at := h.node.now.text[h.at:h.at+c.ret], to.at
			h.at, to.at = h.at+c.ret, to.at+c.ret
			p.change("copy", to.node, change{at: at, text: text})
		}
	case "lseek":
		h.at = c.ret
	case "fstat":
		if m := inodeOf.FindStringSubmatch(c.args[1]); m != nil {
			h.node.inode, _ = strconv.ParseUint(m[1], 10, 64)
		}
	case "fsync", "fdatasync":
		h.node.sync()
		p.did("sync")
	case "ftruncate":
		p.change("cut", h.node, change{at: c.number(1), cut: true})
	}
}

func (p *player) change(what string, n *node, ch change) {
	if n != nil {
		n.change(ch)
		p.did(what)
	}
}

func (p *player) takeOpen(c call) {
	delete(p.open, c.ret)
	path, flags := c.text(1), c.args[2]
	n := p.find(c.number(0), path)
	if n == nil {
		folder, name := p.place(c.number(0), path)
		if folder == nil || !strings.Contains(flags, "O_CREAT") {
			return
		}
		mode, _ := strconv.ParseUint(c.args[3], 0, 32)
		n = &node{mode: fs.FileMode(mode)}
		p.make(folder, name, n)
	} else if strings.Contains(flags, "O_TRUNC") {
		p.change("empty", n, change{cut: true})
	}
	p.open[c.ret] = &handle{node: n, append: strings.Contains(flags, "O_APPEND")}
}

func (p *player) takeWrite(c call) {
	const stdout = 1
	text := c.text(1)
	text = text[:min(int(c.ret), len(text))]
	if c.number(0) == stdout {
		p.said += text
		p.did("say")
		return
	}
	h := p.open[c.number(0)]
	if h == nil {
		return
	}
	at := h.at
	switch {
	case h.append:
		at = int64(len(h.node.now.text))
		h.at = at + c.ret
	case c.name == "pwrite64":
		at = c.number(3)
	default:
		h.at = at + c.ret
	}
	p.change("write", h.node, change{at: at, text: []byte(text)})
}

func (p *player) rename(fromAt int64, from string, toAt int64, to string) {
	a, old := p.place(fromAt, from)
	b, name := p.place(toAt, to)
	if a == nil || b == nil {
		return
	}
	n := a.entries[old]
	if a == b {
		a.move(move{from: old, to: name, node: n})
	} else {
		b.move(move{to: name, node: n})
		a.move(move{from: old})
	}
	p.did("rename to " + name)
}

func (p *player) remove(at int64, path string) {
	if folder, name := p.place(at, path); folder != nil {
		folder.move(move{from: name})
		p.did("remove " + name)
	}
}

func (p *player) makeFolder(at int64, path string) {
	if folder, name := p.place(at, path); folder != nil {
		n := &node{mode: fs.ModeDir | 0o755, entries: map[string]*node{}}
		n.sync()
		p.make(folder, name, n)
	}
}
