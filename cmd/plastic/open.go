package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"plastic"
	"plastic/memory"
)

// access says what a verb does to the folder.
type access int

const (
	reads    access = iota // a folder that is not there yet reads as an empty memory
	writes                 // the default folder is made
	examines               // as reads, and a bad config.yaml is told with all else
)

// litter lets garbage lie longer than a server may: a command has ended before most
// of it matters, and most of them before the first collection, which comes at 16 MB.
// Where the folder is large so much garbage would be much memory; there the heap
// grows by less from the first collection on.
func litter(dir string) {
	debug.SetGCPercent(smallGC)
	var size int64
	for _, name := range []string{"memory.json", "archive.json"} {
		if fi, err := os.Stat(filepath.Join(dir, name)); err == nil {
			size += fi.Size()
		}
	}
	if size > largeFolder {
		runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, largeGC)
	}
}

const (
	largeFolder = 8 << 20 // bytes
	smallGC     = 400     // of 4 MB, where the runtime begins
	largeGC     = 75
)

// with opens the memory of this run for f and closes it after.
func (a *app) with(use access, f func(b *plastic.Bank) error) (err error) {
	audience, err := a.audience()
	if err != nil {
		return err
	}
	dir, clean, err := a.ready(use)
	if err != nil {
		return err
	}
	defer clean()
	litter(dir)
	b, err := openBank(dir, plastic.Options{Now: a.time, Notice: a.noticeTo(audience), Debug: a.debug(), Progress: a.progress, Examine: use == examines})
	if err != nil {
		return err
	}
	defer func() {
		if e := b.Close(); err == nil {
			err = e
		}
	}()
	if err := a.setClock(location(b)); err != nil {
		return err
	}
	return f(b.For(audience).By("cli"))
}

// audience is who reads the answers of this run.
func (a *app) audience() (memory.Audience, error) {
	who, err := memory.ParseAudience(a.flags.audience)
	if err != nil {
		return "", usage("unknown audience "+quote(a.flags.audience), "the audiences are trusted, owner and public")
	}
	return who, nil
}

// ready finds the folder and sees to it that it is there. For a verb that only
// reads, a default folder that does not exist is stood in for by an empty one,
// which clean removes: every verb answers as it would for an empty memory.
func (a *app) ready(use access) (dir string, clean func(), err error) {
	p, err := a.place()
	if err != nil {
		return "", nil, err
	}
	a.home = p.path
	is, err := p.look()
	if err != nil {
		return "", nil, err
	}
	if is == present {
		return p.path, func() {}, nil
	}
	if use == writes {
		return p.path, func() {}, plastic.Init(p.path, plastic.InitOptions{})
	}
	dir, err = os.MkdirTemp("", "plastic-empty-")
	return dir, func() { os.RemoveAll(dir) }, err
}

// place is the folder of this run.
func (a *app) place() (place, error) {
	wd, err := os.Getwd()
	if err != nil {
		wd = "" // the working directory is gone; the other ways still hold
	}
	return findFolder(a.flags.dir, a.env, wd)
}

// time is the clock of this run.
func (a *app) time() time.Time {
	if a.clock.IsZero() {
		return time.Now()
	}
	return a.clock
}

// setClock reads --now or PLASTIC_NOW; a bare date is midnight in loc. It runs
// once before the folder is open and once with the folder's own time zone.
func (a *app) setClock(loc *time.Location) error {
	text, name := a.flags.now, "--now"
	if text == "" {
		text, name = a.env.get("PLASTIC_NOW"), "PLASTIC_NOW"
	}
	if text == "" {
		return nil
	}
	t, err := parseTime(name, text, loc)
	a.clock = t
	return err
}

// debug is where the scores before the cut go: stderr with MEMORY_DEBUG=1.
func (a *app) debug() io.Writer {
	if on := a.env.get("MEMORY_DEBUG"); on != "" && on != "0" {
		return a.errs
	}
	return nil
}

// location is the time zone of the folder's dates.
func location(b *plastic.Bank) *time.Location {
	c, err := b.Config()
	if err != nil || c == nil {
		return time.Local
	}
	return c.Memory.Location()
}
