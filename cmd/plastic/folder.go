package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"plastic"
	"plastic/memory"
)

// place is a folder, and whether somebody named it.
type place struct {
	path  string
	named bool // by --dir or PLASTIC_DIR: it is never made on the way
}

// findFolder says where the memory is: --dir, else $PLASTIC_DIR, else the
// nearest folder upward from wd that holds a memory.json beside a config.yaml
// or a memory.md, else $XDG_DATA_HOME/plastic or ~/.local/share/plastic.
func findFolder(flag string, env environ, wd string) (place, error) {
	if flag != "" {
		return place{flag, true}, nil
	}
	if dir := env.get("PLASTIC_DIR"); dir != "" {
		return place{dir, true}, nil
	}
	if dir := upward(wd); dir != "" {
		return place{dir, false}, nil
	}
	if data := env.get("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return place{filepath.Join(data, "plastic"), false}, nil
	}
	if home := env.get("HOME"); filepath.IsAbs(home) {
		return place{filepath.Join(home, ".local", "share", "plastic"), false}, nil
	}
	if home := env.get("USERPROFILE"); filepath.IsAbs(home) {
		return place{filepath.Join(home, ".local", "share", "plastic"), false}, nil
	}
	return place{}, usage("there is no home folder to keep the memory in", "name a folder: --dir DIR, or PLASTIC_DIR")
}

// upward is the nearest memory folder from dir up, or "".
func upward(dir string) string {
	for dir != "" {
		if isFile(dir, "memory.json") && (isFile(dir, "config.yaml") || isFile(dir, "memory.md")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

func isFile(dir, name string) bool {
	st, err := os.Stat(filepath.Join(dir, name))
	return err == nil && !st.IsDir()
}

// state of a folder on disk.
type presence int

const (
	absent presence = iota
	present
)

// look says whether p is there; a folder somebody named must be.
func (p place) look() (presence, error) {
	st, err := os.Stat(p.path)
	switch {
	case err == nil && !st.IsDir():
		return absent, plastic.Hint(memory.ErrInvalid, p.path+" is not a folder", "--dir names the folder that holds memory.json")
	case err == nil:
		return present, nil
	case !errors.Is(err, fs.ErrNotExist):
		return absent, err
	case p.named:
		return absent, plastic.Hint(memory.ErrInvalid, "there is no folder "+p.path, "`plastic init "+p.path+"` makes it")
	}
	return absent, nil
}

// absolute is path from the root, for programs.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
