package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
)

// What was allowed stands outside the folder, under $XDG_STATE_HOME/plastic
// (~/.local/state/plastic), one file for each memory folder, mode 0600:
//
//	allowed/<hash of the folder's real path>
//	  /home/ann/bot                       the path, for people
//	  model.apiBase 3f9a…                 one line for each guarded key: name, hash
//
// so that a clone, a copy or another machine starts with nothing allowed.

// Held names the guarded keys of c that were not allowed for the folder dir on
// this machine with the values they have now. Give them to Restrict.
func Held(dir string, c *Config) []string {
	keys := c.Guarded()
	if len(keys) == 0 {
		return nil
	}
	allowed := readAllowed(dir)
	return slices.DeleteFunc(keys, func(key string) bool { return allowed[key] == c.fingerprint(key) })
}

// Allowed reports whether nothing is Held.
func Allowed(dir string, c *Config) bool { return len(Held(dir, c)) == 0 }

// Allow lets every guarded key of c work for the folder dir on this machine,
// with the value it has now. What was allowed before and is not in c no longer
// is.
func Allow(dir string, c *Config) error { return writeAllowed(dir, c, c.Guarded()) }

// AllowChange allows what a person at this machine changed by going from before
// to after: guarded keys with another value, and those of set, which were given
// by name, whatever they were. Those that were allowed stay so, those that were held
// stay held.
func AllowChange(dir string, before, after *Config, set ...string) error {
	held := Held(dir, before)
	keys := after.Guarded()
	if len(keys) == 0 && len(before.Guarded()) == 0 {
		return nil
	}
	keys = slices.DeleteFunc(keys, func(key string) bool {
		f := fieldOf(key)
		return slices.Contains(held, key) && !slices.Contains(set, key) && f.flow(before.own()) == f.flow(after.own())
	})
	return writeAllowed(dir, after, keys)
}

func readAllowed(dir string) map[string]string {
	path, _, err := allowedPath(dir)
	if err != nil {
		return nil
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o022 != 0 {
		return nil // what others can write is nobody's consent
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	allowed := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if key, sum, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			allowed[key] = sum
		}
	}
	return allowed
}

func writeAllowed(dir string, c *Config, keys []string) error {
	path, folder, err := allowedPath(dir)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%q\n", folder)
	for _, key := range keys {
		text += key + " " + c.fingerprint(key) + "\n"
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keep what was allowed: %w", err)
	}
	if err := renameio.WriteFile(path, []byte(text), 0o600, renameio.WithStaticPermissions(0o600)); err != nil {
		return fmt.Errorf("keep what was allowed: %w", err)
	}
	return nil
}

// allowedPath gives the file for dir and dir's real path.
func allowedPath(dir string) (path, folder string, err error) {
	folder, err = filepath.Abs(dir)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return "", "", fmt.Errorf("find the folder: %w", err)
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // a relative one is to be ignored
		home, err := os.UserHomeDir()
		if err != nil || !filepath.IsAbs(home) {
			return "", "", errors.New("keep what was allowed: neither $XDG_STATE_HOME nor $HOME is set")
		}
		state = filepath.Join(home, ".local", "state")
	}
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(state, "plastic", "allowed", hex.EncodeToString(sum[:16])), folder, nil
}
