package plastic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"plastic/config"
	"plastic/store"
)

// How long a command of a night may take, how much of what it says is told, and how
// large a persona may be.
const (
	commandTime = 15 * time.Minute
	commandSays = 500 // bytes
	maxPersona  = 64 << 10
)

// persona is the bot's character for the model of the night, or "".
func (b *Bank) persona(c *config.Config) string {
	if c.Sleep.Persona == "" {
		return ""
	}
	path := c.Sleep.Persona
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.Dir(), path)
	}
	f, err := os.Open(path)
	var text []byte
	if err == nil {
		defer f.Close()
		text, err = io.ReadAll(io.LimitReader(f, maxPersona))
	}
	if err != nil {
		b.notice(Problem{Code: "persona", Path: c.Sleep.Persona, Message: "the persona can not be read: " + err.Error(), Hint: "the night goes on without it (sleep.persona)"})
		return ""
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// after runs the command of sleep.after as a stage of its own, and adds what became
// of it to the phases of out. That it failed is kept, in a line behind the night's.
func (b *Bank) after(ctx context.Context, c *config.Config, out *Night) {
	if len(c.Sleep.After) == 0 {
		return
	}
	ph := Phase{Name: "after", Ops: []Op{}}
	if err := b.command(ctx, c.Sleep.After, *out, out.DryRun || c.Sleep.DryRun); err != nil {
		ph.Failed = err.Error()
		b.notice(Problem{Code: "sleep_after", Path: configFile, Message: "sleep.after failed: " + err.Error()})
	}
	out.Phases = append(out.Phases[:len(out.Phases):len(out.Phases)], ph)
	if ph.Failed == "" || out.DryRun {
		return
	}
	line := nightLine{Date: out.Date, Started: out.Started, Ended: Time{b.opts.Now()}, Phases: []Phase{ph}, After: true}
	if _, err := b.store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { tx.Night(line); return nil }); err != nil {
		b.notice(Problem{Code: "sleep_after", Path: nightsFile, Message: "that sleep.after failed could not be kept: " + err.Error()})
	}
}

// notify tells the owner of a notable night by the command of sleep.notify.
func (b *Bank) notify(ctx context.Context, c *config.Config, out *Night) {
	if len(c.Sleep.Notify) == 0 || !out.Notable() {
		return
	}
	if err := b.command(ctx, c.Sleep.Notify, *out, c.Sleep.DryRun); err != nil {
		b.notice(Problem{Code: "sleep_notify", Path: configFile, Message: "sleep.notify failed: " + err.Error()})
	}
}

// notablyPruned is the share of the memory from which a compression is notable.
const notablyPruned = 0.1

// Notable reports whether the owner should hear of the night: an operation of the
// model was applied, a phase failed, or a tenth of the memory was pruned.
func (n Night) Notable() bool {
	for _, p := range n.Phases {
		if p.Failed != "" {
			return true
		}
		for _, op := range p.Ops {
			if op.Applied {
				return true
			}
		}
	}
	return n.Compress.Pruned > 0 && float64(n.Compress.Pruned) >= notablyPruned*float64(n.Compress.Before)
}

// command runs a program of the configuration with the night's report on stdin. It
// is no shell's line: the words are the program and its arguments.
func (b *Bank) command(ctx context.Context, argv []string, report Night, dry bool) error {
	raw, err := json.Marshal(report)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin = b.Dir(), bytes.NewReader(append(raw, '\n'))
	cmd.Env = append(os.Environ(), "PLASTIC_DIR="+b.Dir())
	if dry {
		cmd.Env = append(cmd.Env, "PLASTIC_DRY_RUN=1")
	}
	cmd.WaitDelay = time.Second
	said, err := cmd.CombinedOutput()
	if err != nil {
		if text := strings.TrimSpace(string(said[max(0, len(said)-commandSays):])); text != "" {
			return fmt.Errorf("%s: %w: %s", argv[0], err, strings.ToValidUTF8(text, ""))
		}
		return fmt.Errorf("%s: %w", argv[0], err)
	}
	return nil
}
