package foreign

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"plastic/memory"
)

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// partExpr are the archives of an export that comes in parts: projects-000.zip.
var partExpr = pattern(`^[A-Za-z_]+-[0-9]{3}\.zip$`)

// unpackParts puts what is in the archives of such an export beside the other
// files of the folder.
func (t *tree) unpackParts(dir string) error {
	var parts []string
	t.files = slices.DeleteFunc(t.files, func(f file) bool {
		part := partExpr().MatchString(f.name) && isZip(t.head(f))
		if part {
			parts = append(parts, f.name)
		}
		return part
	})
	for _, name := range parts {
		at := len(t.files)
		if err := t.addZip(filepath.Join(dir, name)); err != nil {
			return err
		}
		if strings.HasPrefix(name, "projects-") { // one file a project, named by its uuid alone
			for i := range t.files[at:] {
				if f := &t.files[at+i]; !strings.Contains(f.name, "/") && f.name != "projects.json" {
					f.name = "projects/" + f.name
				}
			}
		}
	}
	return nil
}

// addZip adds the archive's files. An archive with names that lead out of it, or
// that swells beyond what text does, is refused whole.
func (t *tree) addZip(p string) error {
	z, err := zip.OpenReader(p)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return memory.Errorf(memory.ErrInvalid, "%s is no zip archive that can be read (%v)", p, err)
	}
	before := t.close
	t.close = func() { before(); z.Close() }
	files, err := t.zipped(p, z.File)
	if err != nil {
		return err
	}
	sortFiles(files)
	strip(files)
	t.files = append(t.files, files...)
	return nil
}

// zipped lists the files among the archive's entries.
func (t *tree) zipped(p string, entries []*zip.File) (files []file, err error) {
	if len(t.files)+len(entries) > maxFiles {
		return nil, memory.Errorf(memory.ErrInvalid, "%s has more than %d files", p, maxFiles)
	}
	var sum uint64
	seen := map[string]bool{}
	for _, e := range entries {
		name := strings.TrimPrefix(strings.ReplaceAll(e.Name, `\`, "/"), "./")
		if !fs.ValidPath(strings.TrimSuffix(name, "/")) || !filepath.IsLocal(name) {
			return nil, memory.Errorf(memory.ErrInvalid, "%s names a file outside itself, %q", p, clip(e.Name, 80))
		}
		sum += e.UncompressedSize64
		if e.UncompressedSize64 > freeSize && e.UncompressedSize64/maxRatio > e.CompressedSize64 {
			return nil, memory.Errorf(memory.ErrInvalid, "%s: %q swells as no text does", p, clip(e.Name, 80))
		}
		if hidden := slices.ContainsFunc(strings.Split(name, "/"), passed); hidden || seen[name] || !e.Mode().IsRegular() {
			continue
		}
		seen[name] = true
		files = append(files, file{name, func() (io.ReadCloser, error) { return e.Open() }})
	}
	if sum > uint64(t.left) {
		return nil, fmt.Errorf("%s unpacks to %d bytes: %w", p, sum, errLarge)
	}
	return files, nil
}

// strip drops the one folder that an archive was packed with, unless its name
// says what is in it.
func strip(files []file) {
	if len(files) == 0 {
		return
	}
	top, _, ok := strings.Cut(files[0].name, "/")
	known := slices.Contains([]string{"memory", "memories", "system", "projects", ".engram"}, top)
	for _, f := range files {
		ok = ok && strings.HasPrefix(f.name, top+"/")
	}
	if ok && !known {
		for i := range files {
			files[i].name = strings.TrimPrefix(files[i].name, top+"/")
		}
	}
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
