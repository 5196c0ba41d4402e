package plastic

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"plastic/config"
	"plastic/memory"
	"plastic/store"
)

const configFile = "config.yaml"

// SetConfig sets one key of config.yaml, keeping comments and order. A guarded
// key that is set here is allowed on this machine by that.
func (b *Bank) SetConfig(ctx context.Context, key, value string) error {
	if err := b.mayDump("config"); err != nil {
		return err
	}
	if err := b.canRun(key, value); err != nil {
		return err
	}
	return b.withConfig(ctx, func(path string) error { return config.Set(path, key, value) }, key)
}

// canRun refuses a command whose first word is a whole line: a night would look for a
// program of that name and fail, long after it was set.
func (b *Bank) canRun(key, value string) error {
	if key != "sleep.after" && key != "sleep.notify" {
		return nil
	}
	c, err := config.Default().With(key, value)
	if err != nil {
		return err
	}
	for _, argv := range [][]string{c.Sleep.After, c.Sleep.Notify} {
		if len(argv) == 0 || !strings.ContainsAny(argv[0], " \t\n") {
			continue
		}
		path := argv[0]
		if !filepath.IsAbs(path) {
			path = filepath.Join(b.Dir(), path) // commands run in the folder
		}
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			continue
		}
		words, line := strings.Join(strings.Fields(argv[0]), ", "), strings.Join(argv, " ")
		return Hint(memory.ErrInvalid, fmt.Sprintf("there is no program %q for %s: in a list each item is one word", clip(argv[0], 80), key),
			fmt.Sprintf("write [%s], or the whole as one text for the shell: '%s'", clip(words, 80), clip(line, 80)))
	}
	return nil
}

// UsePreset sets the keys of a preset: human, sharp or frugal.
func (b *Bank) UsePreset(ctx context.Context, name string) error {
	if err := b.mayDump("config"); err != nil {
		return err
	}
	return b.withConfig(ctx, func(path string) error { return config.ApplyPreset(path, name) })
}

// withConfig changes config.yaml under the folder's lock. What a person sets
// here is allowed here: keys, and whatever else has another value then.
func (b *Bank) withConfig(ctx context.Context, change func(path string) error, keys ...string) error {
	_, err := b.store.Update(ctx, func(*store.Tx) error {
		before, err := config.Load(b.Dir())
		if err != nil {
			return err
		}
		if err := change(filepath.Join(b.Dir(), configFile)); err != nil {
			return err
		}
		after, err := config.Load(b.Dir())
		if err != nil {
			return err
		}
		return config.AllowChange(b.Dir(), before, after, keys...)
	})
	return err
}

// AllowConfig lets the guarded keys of config.yaml, those that run a command or
// send memories somewhere, work on this machine as they are set now. It exists
// for the owner alone.
func (b *Bank) AllowConfig() error {
	if err := b.mayDump("config"); err != nil {
		return err
	}
	c, err := config.Load(b.Dir())
	if err != nil {
		return err
	}
	return config.Allow(b.Dir(), c)
}
