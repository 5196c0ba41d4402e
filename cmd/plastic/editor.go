package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
		if err == nil && string(text) == old.Text {
			os.RemoveAll(dir)
			return a.answer(old, func(w io.Writer) { fmt.Fprintln(w, "the card is as it was") })
		}
		if err == nil {
			err = a.writeCard(ctx, b, text, old.Hash)
		}
		if err != nil && worked(path, old.Text) {
			return plastic.Hint(err, err.Error()+"; your text is in "+path, plastic.NextStep(err))
		}
		os.RemoveAll(dir)
		return err
	})
}

// worked reports whether the file at path holds something else than was given.
func worked(path, given string) bool {
	text, err := os.ReadFile(path)
	return err == nil && string(text) != given
}

// edit writes text to path, runs the editor on it and gives what it left there.
func (a *app) edit(ctx context.Context, path, text string) ([]byte, error) {
	editor := a.env.get("VISUAL")
	if editor == "" {
		editor = a.env.get("EDITOR")
	}
	command := editorCommand(editor, path)
	if len(command) == 0 {
		return nil, usage("neither VISUAL nor EDITOR names an editor", "for example EDITOR=nano")
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := a.out.Flush(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = a.in, a.raw, a.errs, a.env
	if err := cmd.Run(); err != nil {
		return nil, plastic.Hint(err, editor+" ended with "+err.Error()+"; nothing was changed", "")
	}
	left, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, plastic.Hint(err, editor+" left no file; nothing was changed", "")
	}
	return left, err
}

// editorCommand is how editor is run on the file at path: by words or, where it
// has quotes or other signs that mean something to a shell, by the shell, as git
// does it. None for an editor of blanks.
func editorCommand(editor, path string) []string {
	words := strings.Fields(editor)
	if len(words) > 0 && runtime.GOOS != "windows" && strings.ContainsAny(editor, "\"'\\$`~;&|<>(){}*?#") {
		return []string{"sh", "-c", editor + ` "$@"`, editor, path}
	}
	if len(words) > 0 {
		words = append(words, path)
	}
	return words
}
