//go:build unix

package plastic_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"plastic"
)

// Something that is no file in the place of one is never waited for: reading verbs
// answer or say what stands there, and doctor names it where it matters.
func TestWhatIsNoFileInAnyPlaceIsSaidAndHoldsNothingUp(t *testing.T) {
	from := wholeFolder(t)
	kinds := map[string]func(path string) error{
		"a pipe": func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a folder": func(path string) error {
			return errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, "kept"), nil, 0o644))
		},
		"a link to itself": func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"a device":         func(path string) error { return os.Symlink(os.DevNull, path) },
	}
	names := append(slices.Collect(maps.Keys(sound)), ".plastic/sessions", ".plastic/asleep", ".plastic/turns", ".plastic/import", ".plastic/seen.json", ".plastic/since")
	for _, name := range names {
		for kind, makes := range kinds {
			t.Run(name+" is "+kind, func(t *testing.T) {
				dir := copied(t, from)
				path := filepath.Join(dir, name)
				must(t, errors.Join(os.RemoveAll(path), makes(path)))
				b := examined(t, dir)
				defer b.Close()
				_, err := readable(b)
				if err != nil && (plastic.Code(err) != "corrupt" || !strings.Contains(err.Error(), filepath.Base(name))) {
					t.Errorf("read: %v", err)
				}
				if _, serr := b.Stats(); serr != nil && err == nil && plastic.Code(serr) != "corrupt" {
					t.Errorf("stats: %v", serr)
				}
				_, _ = b.Queue()
				_, _ = b.Nights()
				found, ferr := b.Doctor(context.Background(), true)
				if ferr != nil {
					t.Fatalf("doctor: %v", ferr)
				}
				if !strings.HasPrefix(name, ".plastic/") && !slices.ContainsFunc(found.Problems, func(p plastic.Problem) bool { return p.Path == name && p.Hint != "" && !p.Fixed }) {
					t.Errorf("doctor says %+v", found.Problems)
				}
				if _, rerr := b.Remember(context.Background(), plastic.Draft{Content: "Zoe plays the harp in Riga"}); rerr != nil && plastic.Code(rerr) != "corrupt" {
					t.Errorf("remember: %v", rerr)
				}
			})
		}
	}
}
