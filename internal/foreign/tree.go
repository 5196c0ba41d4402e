package foreign

import (
	"bytes"
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
	maxWhole  = 256 << 20 // one file that must be in memory as a whole; 100,000 memories are some 100 MB
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
		if err := t.addFolder(p); err != nil {
			return nil, err
		}
		t.reroot()
		return t, nil
	case !info.Mode().IsRegular():
		return nil, memory.Errorf(memory.ErrInvalid, "%s is neither a file nor a folder", p)
	}
	t.files = []file{{filepath.Base(p), func() (io.ReadCloser, error) { return os.Open(p) }}}
	if !isZip(t.head(t.files[0])) {
		return t, nil
	}
	t.files = nil
	if err := t.addZip(p); err != nil {
		t.close()
		return nil, err
	}
	t.reroot()
	return t, nil
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
var errLarge = memory.Errorf(memory.ErrInvalid, "larger than an import may be")

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
			return memory.Errorf(memory.ErrInvalid, "%s has more than %d files", dir, maxFiles)
		}
		if info, err := fs.Stat(fsys, name); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		t.files = append(t.files, file{name, func() (io.ReadCloser, error) { return fsys.Open(name) }})
		return nil
	})
	if err == nil {
		err = t.unpackParts(dir)
	}
	if err != nil {
		t.close()
		return err
	}
	sortFiles(t.files)
	return nil
}

// passed tells names that hold no memories. engram hides its folder.
func passed(name string) bool {
	return strings.HasPrefix(name, ".") && name != ".engram" || name == "node_modules" || name == "__MACOSX"
}

func sortFiles(files []file) {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
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
