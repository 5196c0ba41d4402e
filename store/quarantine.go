package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// corruptMark stands between the name of a damaged file and the time it was put
// aside: memory.json.corrupt-20260301T080000Z.
const corruptMark = ".corrupt-"

// keptCopies is how many copies of one damaged file are kept.
const keptCopies = 10

// quarantine keeps a damaged memory.json aside before it is written anew, and the
// file as it was when odd entries are put away.
func (s *Store) quarantine(st *State, f firmness) error {
	b := st.base
	if !b.doubtful() || b.absent || b.content.blank {
		return nil
	}
	c := b.content
	switch {
	case c.damage != "":
		return s.putAside(memoryName, Problem{Code: CodeQuarantined,
			Message: fmt.Sprintf("memory.json was damaged (%s); %d memories were saved, %d lines could not be read; it is kept as %%s", c.damage, len(b.mems), c.unread),
			Hint:    "look into the copy for what is missing, then plastic doctor --fix"})
	case f == firmly && (len(c.odd) > 0 || c.merging):
		return s.putAside(memoryName, Problem{})
	}
	return nil
}

// putAside keeps a copy of the file under the corrupt name. p, if it has a code,
// stays unsettled until doctor is told to fix it; %s in its message is the copy.
func (s *Store) putAside(name string, p Problem) error {
	if err := s.fault(name + ":aside"); err != nil {
		return err
	}
	at := s.o.Now().UTC().Format("20060102T150405Z")
	path := s.path(name + corruptMark + at)
	for n := 2; ; n++ {
		err := copyFile(s.path(name), path, s.fresh())
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		path = s.path(fmt.Sprintf("%s%s%s-%d", name, corruptMark, at, n))
	}
	copies := s.corruptCopies(name)
	for len(copies) > keptCopies {
		os.Remove(copies[0])
		copies = copies[1:]
	}
	if p.Code == "" {
		return nil
	}
	p.Path = filepath.Base(path)
	p.Message = fmt.Sprintf(p.Message, p.Path)
	s.stay(p)
	return nil
}

// stay keeps a problem that the files do not show any more, until doctor is told to
// settle it.
func (s *Store) stay(p Problem) {
	if k := s.lastKnown(); !slices.Contains(k.Unsettled, p) {
		k.Unsettled = append(slices.Clone(k.Unsettled), p)
		s.writeKnown(k)
	}
	s.tell(p)
}

// copyFile copies a file to a path where there is none, synced.
func copyFile(from, to string, like manner) error {
	in, _, err := openFile(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, like.mode)
	if err != nil {
		return err
	}
	defer out.Close()
	like.made(to)
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync()); err != nil {
		os.Remove(to)
	}
	return err
}

// putAsideLines keeps what of the journal can not be read, before that is cut off or
// the journal is begun anew.
func (s *Store) putAsideLines(bad []string) error {
	if len(bad) == 0 {
		return nil
	}
	f, err := os.OpenFile(s.path(journalName+corruptMark+"lines"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, s.fresh().mode)
	if err != nil {
		return err
	}
	defer f.Close()
	s.fresh().made(f.Name())
	for _, line := range bad {
		if _, err := f.WriteString(line + "\n"); err != nil {
			return err
		}
	}
	return f.Sync()
}

// tail is what stands behind the last whole line of the journal, if it is not the
// beginning of a line that was cut off, which was never acknowledged.
func (st *State) tail(s *Store) []string {
	f, fi, err := openFile(s.path(journalName))
	if err != nil || fi.Size() <= st.log.size {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, st.log.size, fi.Size()-st.log.size))
	tail := string(text)
	if err != nil || strings.HasSuffix(tail, "\n") || tail == "{" || strings.HasPrefix(tail, "{\"") && strings.IndexByte(tail, 0) < 0 {
		return nil // it goes on, or was cut off
	}
	return []string{tail}
}

// sweep removes what plastic's own cut-off writes have left, once for each store.
func (s *Store) sweep() {
	s.mu.Lock()
	swept := s.swept
	s.swept = true
	s.mu.Unlock()
	if swept {
		return
	}
	for _, path := range s.leftovers() {
		os.Remove(path)
	}
}

// leftovers lists the temporary files of writes that were cut off. Those under
// .plastic/ are written without the lock too: only old ones are left over.
func (s *Store) leftovers() []string {
	var found []string
	names := make(map[string][]string) // by folder, which a link may lead to another
	for _, name := range []string{memoryName, archiveName, nightsName, queueName, journalName} {
		target := s.path(name)
		if fi, err := os.Lstat(target); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			if target, err = resolve(target); err != nil {
				continue
			}
		}
		dir := filepath.Dir(target)
		names[dir] = append(names[dir], filepath.Base(target))
	}
	for dir, list := range names {
		found = append(found, temps(dir, list)...)
	}
	for _, path := range temps(s.own(""), append([]string{knownName, seenName, lastName, guardName}, derivedNames...)) {
		if fi, err := os.Stat(path); err == nil && s.o.Now().Sub(fi.ModTime()) > leftoverAge {
			found = append(found, path)
		}
	}
	return found
}

// temps lists the files in dir that renameio names for one of names: .name and digits.
func temps(dir string, names []string) []string {
	var found []string
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		for _, name := range names {
			rest, ok := strings.CutPrefix(f.Name(), "."+name)
			if ok && rest != "" && strings.Trim(rest, "0123456789") == "" && f.Type().IsRegular() {
				found = append(found, filepath.Join(dir, f.Name()))
			}
		}
	}
	return found
}
