package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plastic/memory"
)

// Load reads config.yaml of the folder dir, lets the environment override what
// Variables lists, and checks all of it. A file that is absent, empty or wholly
// commented gives the defaults. Faults wrap memory.ErrInvalid, see Problems; a
// file that is there and can not be read is an error too, never the defaults.
func Load(dir string) (*Config, error) {
	b, err := readFile(filepath.Join(dir, FileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", FileName, err)
	}
	return load(b)
}

// readFile reads a regular file. The kind is asked before opening: opening a pipe
// would wait for a writer.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, memory.Errorf(memory.ErrInvalid, "%s is not a file (%s)", path, info.Mode().Type())
	}
	return os.ReadFile(path)
}

func load(b []byte) (*Config, error) {
	c, errs := lenient(b)
	for _, e := range errs {
		e.From = FileName
	}
	errs = append(errs, c.override()...)
	if c.Memory.Timezone == "Local" {
		if bad := checkTZ(); bad != nil {
			errs = append(errs, bad)
		}
	}
	if len(errs) > 0 {
		return nil, joined(errs)
	}
	return c, nil
}
