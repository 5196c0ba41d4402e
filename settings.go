package plastic

import (
	"context"
	"path/filepath"

	"plastic/config"
	"plastic/store"
)

const configFile = "config.yaml"

// SetConfig sets one key of config.yaml, keeping comments and order. A guarded
// key that is set here is allowed on this machine by that.
func (b *Bank) SetConfig(ctx context.Context, key, value string) error {
	if err := b.mayDump("config"); err != nil {
		return err
	}
	return b.withConfig(ctx, func(path string) error { return config.Set(path, key, value) }, key)
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
