package outage

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Cut is the folder as it may stand after the power was cut at one moment.
type Cut struct {
	After string // what the program had done last
	Said  string // what it had answered
	Ended bool   // it had ended, and well
	How   string // what the disk has of what was not synced
	root  *found
}

// found is what stands on the disk afterwards.
type found struct {
	inode   uint64
	mode    fs.FileMode
	link    string
	content content
	entries map[string]*found
}

// A fate is what becomes of the changes of one file that were not synced.
type fate int

const (
	kept   fate = iota // all of them are there
	lost               // none
	torn               // all but the end of the last
	zeroed             // the length is, and zeros in place of what was written
	behead             // the last is there but for its beginning, which is zeros
	some               // those up to one by chance
	fates
)

var fateNames = [...]string{"kept", "lost", "torn", "zeroed", "beheaded", "some"}

// most is how many moves of one folder are tried in all their combinations.
const most = 5

// Cuts gives the ways in which the folder may stand if the power is cut after any
// thing that the program did, each once for each answer: with all moves of names that were
// not synced tried in every combination where they are few, and by chance where they
// are many; chance says how many more ways are drawn at each moment.
func (t *Trace) Cuts(rnd *rand.Rand, chance int) iter.Seq[Cut] {
	return func(yield func(Cut) bool) {
		seen := map[[sha256.Size]byte]bool{}
		var p *player
		p = t.player(func(what string) bool {
			for way := range p.root.ways(rnd, chance) {
				f := p.root.after(way)
				sum := f.sum(fmt.Sprint(p.said, p.ended))
				if seen[sum] {
					continue
				}
				seen[sum] = true
				if !yield(Cut{After: what, Said: p.said, Ended: p.ended, How: way.how, root: f}) {
					return false
				}
			}
			return true
		})
		p.play(t.calls)
		if p.ended = true; !p.over {
			p.did("end")
		}
	}
}

// way is one choice of all that chance decides.
type way struct {
	how   string
	moved func(n *node, i int) bool // whether the i-th move of a folder is there
	fate  func(n *node) fate
	upTo  func(n int) int
}

func (root *node) ways(rnd *rand.Rand, chance int) iter.Seq[way] {
	return func(yield func(way) bool) {
		always := func(f fate) func(*node) fate { return func(*node) fate { return f } }
		for f := range fates {
			for mask := range 1 << min(len(root.moves), most) {
				for _, below := range [2]bool{true, false} {
					moved := func(n *node, i int) bool {
						if n != root {
							return below
						}
						// The earliest are free, those behind them go with the last of these.
						return mask>>min(i, most-1)&1 == 1
					}
					how := fmt.Sprintf("files %s, names %b of %d, below %v", fateNames[f], mask, len(root.moves), below)
					if !yield(way{how, moved, always(f), rnd.IntN}) {
						return
					}
				}
			}
		}
		for range chance {
			drawn := map[*node]fate{}
			w := way{
				how:   "by chance",
				moved: func(*node, int) bool { return rnd.IntN(2) == 0 },
				fate: func(n *node) fate {
					if _, ok := drawn[n]; !ok {
						drawn[n] = fate(rnd.IntN(int(fates)))
					}
					return drawn[n]
				},
				upTo: rnd.IntN,
			}
			if !yield(w) {
				return
			}
		}
	}
}

// after gives what stands on the disk if it goes that way.
func (n *node) after(w way) *found {
	f := &found{inode: n.inode, mode: n.mode, link: n.link}
	if n.surely == nil {
		f.content = n.left(w)
		return f
	}
	entries := maps.Clone(n.surely)
	for i, m := range n.moves {
		if w.moved(n, i) {
			m.apply(entries)
		}
	}
	f.entries = map[string]*found{}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		f.entries[name] = entries[name].after(w)
	}
	return f
}

// left gives what stands in a file.
func (n *node) left(w way) content {
	if len(n.since) == 0 {
		return n.sure
	}
	changes := slices.Clone(n.since)
	last := &changes[len(changes)-1]
	for i := range changes {
		if changes[i].text != nil {
			last = &changes[i]
		}
	}
	switch w.fate(n) {
	case lost:
		return n.sure
	case torn:
		last.text = last.text[:len(last.text)/2]
	case zeroed:
		for i := range changes {
			changes[i].text = make([]byte, len(changes[i].text))
		}
	case behead:
		last.text = append(make([]byte, len(last.text)/2), last.text[len(last.text)/2:]...)
	case some:
		changes = changes[:w.upTo(len(changes)+1)]
	}
	c := n.sure
	for _, ch := range changes {
		c = c.with(ch)
	}
	return c
}

func (f *found) sum(said string) (sum [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintf(h, "%q", said)
	f.each("", func(path string, f *found) error {
		fmt.Fprintf(h, "%q %d %q %d %d ", path, f.inode, f.link, f.content.mtime.UnixNano(), len(f.content.text))
		h.Write(f.content.text)
		return nil
	})
	h.Sum(sum[:0])
	return sum
}

// each calls do with all below f, folders before what is in them.
func (f *found) each(path string, do func(path string, f *found) error) error {
	for _, name := range slices.Sorted(maps.Keys(f.entries)) {
		e := f.entries[name]
		if err := do(filepath.Join(path, name), e); err != nil {
			return err
		}
		if err := e.each(filepath.Join(path, name), do); err != nil {
			return err
		}
	}
	return nil
}

// Make makes the folder at dir, which must not be there or be empty.
func (c *Cut) Make(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	inodes := map[string]uint64{} // those that were recorded → those they have now
	err := c.root.each("", func(path string, f *found) error {
		path = filepath.Join(dir, path)
		switch {
		case f.entries != nil:
			return os.Mkdir(path, f.mode.Perm())
		case f.link != "":
			return os.Symlink(f.link, path)
		}
		if err := os.WriteFile(path, f.content.text, 0o644); err != nil {
			return err
		}
		fi, err := os.Stat(path)
		if st, ok := fi.Sys().(*syscall.Stat_t); err == nil && ok && f.inode != 0 {
			inodes[strconv.FormatUint(f.inode, 10)] = st.Ino
		}
		return f.dated(path)
	})
	if err != nil {
		return err
	}
	return c.root.each("", func(path string, f *found) error {
		if !bytes.Contains(f.content.text, []byte(`"inode":`)) {
			return nil
		}
		text := inodeIn.ReplaceAllFunc(f.content.text, func(m []byte) []byte {
			now, ok := inodes[string(bytes.TrimPrefix(m, []byte(`"inode":`)))]
			if !ok {
				return m
			}
			return fmt.Appendf(nil, `"inode":%d`, now)
		})
		path = filepath.Join(dir, path)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
		return f.dated(path)
	})
}

// inodeIn finds what a file says of the inode of another: on a real disk that would
// still be right.
var inodeIn = regexp.MustCompile(`"inode":\d+`)

func (f *found) dated(path string) error {
	if f.content.mtime.IsZero() {
		return nil
	}
	return os.Chtimes(path, time.Time{}, f.content.mtime)
}
