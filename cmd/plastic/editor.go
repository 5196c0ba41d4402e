package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"plastic"
)

// editCard lets the owner edit a copy of the card and writes it back if the
// card is still the one that was opened. A text that could not be written stays
// in the copy.
func (a *app) editCard(ctx context.Context) error {
	return a.with(writes, func(b *plastic.Bank) error {
		old, err := shownCard(b)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "plastic-card-")
		if err != nil {
			return err
		}
		path := filepath.Join(dir, "memory.md")
		text, err := a.edit(ctx, path, old.Text)
		switch {
		case err != nil:
			os.RemoveAll(dir)
			return err
		case string(text) == old.Text:
			os.RemoveAll(dir)
			return a.answer(old, func(w io.Writer) { fmt.Fprintln(w, "the card is as it was") })
		}
		if err := a.writeCard(ctx, b, text, old.Hash); err != nil {
			return plastic.Hint(err, err.Error()+"; your text is in "+path, plastic.NextStep(err))
		}
		os.RemoveAll(dir)
		return nil
	})
}

// edit writes text to path, runs the editor on it and gives what it left there.
func (a *app) edit(ctx context.Context, path, text string) ([]byte, error) {
	editor := a.env.get("VISUAL")
	if editor == "" {
		editor = a.env.get("EDITOR")
	}
	words := strings.Fields(editor)
	if len(words) == 0 {
		return nil, usage("neither VISUAL nor EDITOR names an editor", "for example EDITOR=nano")
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := a.out.Flush(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = a.in, a.raw, a.errs, a.env
	if err := cmd.Run(); err != nil {
		return nil, plastic.Hint(err, editor+" ended with "+err.Error()+"; nothing was changed", "")
	}
	return os.ReadFile(path)
}
