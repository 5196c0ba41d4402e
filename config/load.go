package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Load reads config.yaml of the folder dir, lets the environment override what
// Variables lists, and checks all of it. A file that is absent, empty or wholly
// commented gives the defaults. Faults wrap memory.ErrInvalid, see Problems; a
// file that is there and can not be read is an error too, never the defaults.
func Load(dir string) (*Config, error) {
	b, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", FileName, err)
	}
	return load(b)
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
