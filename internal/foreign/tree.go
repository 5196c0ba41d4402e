package foreign

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"plastic/memory"
)

// What is read at most. An export of years of conversations is some hundred
// megabytes in one file; anything else that is read whole is text a person could
// still have written.
const (
	maxBytes  = 1 << 30   // all files together, unpacked
	maxWhole  = 64 << 20  // one file that must be in memory as a whole
	maxFiles  = 20000     // files of a folder or archive
	maxDepth  = 8         // folders below each other
	maxHead   = 64 << 10  // of a file, to tell its format
	maxSample = 300       // files whose head is looked at
	maxRatio  = 250       // unpacked to packed size; text packs 3 to 30 times
	freeSize  = 256 << 10 // below this size no ratio is asked for
)

// A tree is the files below what was given, whatever that was.
type tree struct {
	title string // what was given, for messages
	files []file // sorted by name
	left  int64  // bytes that may still be read
	close func()
	heads map[string][]byte
}

// A file has a name with slashes, relative to the tree.
type file struct {
	name string
	open func() (io.ReadCloser, error)
}

func open(p string, o Options) (*tree, error) {
	info, err := os.Stat(p)
	if err != nil {
		return nil, err
	}
	t := newTree(p, o)
	switch {
	case info.IsDir():
		return t, t.addFolder(p)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a file nor a folder: %w", p, memory.ErrInvalid)
	}
	t.files = []file{{filepath.Base(p), func() (io.ReadCloser, error) { return os.Open(p) }}}
	if !bytes.HasPrefix(t.head(t.files[0]), []byte("PK\x03\x04")) && !bytes.HasPrefix(t.head(t.files[0]), []byte("PK\x05\x06")) {
		return t, nil
	}
	return t, t.addZip(p)
}

func openStream(name string, src io.Reader, o Options) (*tree, error) {
	t := newTree(name, o)
	b, err := io.ReadAll(io.LimitReader(src, min(t.left, maxWhole)+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if int64(len(b)) > min(t.left, maxWhole) {
		return nil, fmt.Errorf("%s: %w", name, errLarge)
	}
	t.files = []file{{path.Base(filepath.ToSlash(name)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}}
	return t, nil
}

func newTree(title string, o Options) *tree {
	t := &tree{title: title, left: o.MaxBytes, close: func() {}, heads: map[string][]byte{}}
	if t.left <= 0 {
		t.left = maxBytes
	}
	return t
}

// errLarge says that a bound of size was met.
var errLarge = fmt.Errorf("larger than an import may be: %w", memory.ErrInvalid)

// addFolder lists the folder. Links that lead out of it are not followed, hidden
// folders are other programs' business.
func (t *tree) addFolder(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	t.close = func() { root.Close() }
	fsys := root.FS()
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // a folder that can not be read; the others can
		case d.IsDir():
			if name != "." && (passed(d.Name()) || strings.Count(name, "/") >= maxDepth) {
				return fs.SkipDir
			}
			return nil
		case passed(d.Name()):
			return nil
		case len(t.files) == maxFiles:
			return fmt.Errorf("%s has more than %d files: %w", dir, maxFiles, memory.ErrInvalid)
		}
		if info, err := fs.Stat(fsys, name); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		t.files = append(t.files, file{name, func() (io.ReadCloser, error) { return fsys.Open(name) }})
		return nil
	})
	if err != nil {
		t.close()
		return err
	}
	t.sort()
	return nil
}

// passed tells names that hold no memories. engram hides its folder.
func passed(name string) bool {
	return strings.HasPrefix(name, ".") && name != ".engram" || name == "node_modules" || name == "__MACOSX"
}

// addZip puts the archive's files in place of the archive. An archive with names
// that lead out of it, or that swells beyond what text does, is refused whole.
func (t *tree) addZip(p string) error {
	t.files = nil
	z, err := zip.OpenReader(p)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("%s is no zip archive that can be read (%v): %w", p, err, memory.ErrInvalid)
	}
	t.close = func() { z.Close() }
	if err := t.takeZip(p, z.File); err != nil {
		t.close()
		return err
	}
	t.sort()
	t.strip()
	return nil
}

func (t *tree) takeZip(p string, entries []*zip.File) error {
	if len(entries) > maxFiles {
		return fmt.Errorf("%s has more than %d files: %w", p, maxFiles, memory.ErrInvalid)
	}
	var sum uint64
	seen := map[string]bool{}
	for _, e := range entries {
		name := strings.TrimPrefix(strings.ReplaceAll(e.Name, `\`, "/"), "./")
		if !fs.ValidPath(strings.TrimSuffix(name, "/")) || !filepath.IsLocal(name) {
			return fmt.Errorf("%s names a file outside itself, %q: %w", p, clip(e.Name, 80), memory.ErrInvalid)
		}
		sum += e.UncompressedSize64
		if e.UncompressedSize64 > freeSize && e.UncompressedSize64/maxRatio > e.CompressedSize64 {
			return fmt.Errorf("%s: %q swells as no text does: %w", p, clip(e.Name, 80), memory.ErrInvalid)
		}
		if hidden := slices.ContainsFunc(strings.Split(name, "/"), passed); hidden || seen[name] || !e.Mode().IsRegular() {
			continue
		}
		seen[name] = true
		t.files = append(t.files, file{name, func() (io.ReadCloser, error) { return e.Open() }})
	}
	if sum > uint64(t.left) {
		return fmt.Errorf("%s unpacks to %d bytes: %w", p, sum, errLarge)
	}
	return nil
}

func (t *tree) sort() {
	slices.SortFunc(t.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// strip drops the one folder that an archive was packed with, unless its name
// says what is in it.
func (t *tree) strip() {
	if len(t.files) == 0 {
		return
	}
	top, _, ok := strings.Cut(t.files[0].name, "/")
	known := slices.Contains([]string{"memory", "memories", "system", "projects", ".engram"}, top)
	for _, f := range t.files {
		ok = ok && strings.HasPrefix(f.name, top+"/")
	}
	if ok && !known {
		for i := range t.files {
			t.files[i].name = strings.TrimPrefix(t.files[i].name, top+"/")
		}
	}
}

// head gives the first bytes of f, as text; nothing if it can not be read.
func (t *tree) head(f file) []byte {
	if b, ok := t.heads[f.name]; ok {
		return b
	}
	var b []byte
	if r, err := f.open(); err == nil {
		b, _ = io.ReadAll(io.LimitReader(r, maxHead))
		r.Close()
	}
	t.heads[f.name] = b
	return b
}

// stream opens f for reading within what the tree may still read.
func (t *tree) stream(f file) (io.ReadCloser, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	return &metered{t, r}, nil
}

// A metered stream fails with errLarge once the tree has read its share.
type metered struct {
	t *tree
	io.ReadCloser
}

func (m *metered) Read(p []byte) (int, error) {
	if m.t.left <= 0 {
		return 0, errLarge
	}
	n, err := m.ReadCloser.Read(p[:min(int64(len(p)), m.t.left)])
	m.t.left -= int64(n)
	return n, err
}

// whole reads all of f.
func (t *tree) whole(f file) ([]byte, error) {
	r, err := t.stream(f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxWhole+1))
	if err == nil && len(b) > maxWhole {
		err = errLarge
	}
	return b, err
}

// unzipped is f, which is gzip, as what is packed in it.
func unzipped(f file) file {
	open := func() (io.ReadCloser, error) {
		packed, err := f.open()
		if err != nil {
			return nil, err
		}
		z, err := gzip.NewReader(packed)
		if err != nil {
			packed.Close()
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{z, packed}, nil
	}
	return file{f.name, open}
}

// named lists the files whose path matches one of the patterns of path.Match,
// without regard to case.
func (t *tree) named(patterns ...string) []file {
	var out []file
	for _, f := range t.files {
		for _, p := range patterns {
			if ok, _ := path.Match(strings.ToLower(p), strings.ToLower(f.name)); ok {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// sample is as many files as are worth a look to tell their format.
func sample(files []file) []file { return files[:min(len(files), maxSample)] }

// alone gives the file if one file is all that was given.
func (t *tree) alone() (file, bool) {
	if len(t.files) == 1 && !strings.Contains(t.files[0].name, "/") {
		return t.files[0], true
	}
	return file{}, false
}
