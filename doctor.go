package plastic

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"plastic/config"
	"plastic/internal/index"
	"plastic/internal/vectors"
)

// Doctor checks every invariant of the folder, and with fix mends what can be
// mended without losing anything. OK is false while a problem stands.
func (b *Bank) Doctor(ctx context.Context, fix bool) (Checked, error) {
	if err := b.mayDump("doctor"); err != nil {
		return Checked{}, err
	}
	out := Checked{OK: true, Problems: []Problem{}}
	found, err := b.store.Check()
	if fix {
		found, err = b.store.Fix(ctx)
	}
	if err != nil {
		return Checked{}, err
	}
	for _, p := range found {
		out.Problems = append(out.Problems, problem(p))
	}
	out.Problems = append(out.Problems, b.around(fix)...)
	out.Problems = append(out.Problems, b.checkDerived(fix)...)
	for _, p := range out.Problems {
		out.OK = out.OK && p.Fixed
	}
	return out, nil
}

// around are the problems beside the memory files: configuration, keys, copies
// that sync tools left, card. With fix keys that others can read are closed to them.
func (b *Bank) around(fix bool) []Problem {
	var out []Problem
	if err := b.badConfig(); err != nil {
		hint := cmp.Or(NextStep(err), "mend it in the file, or bring it back from git; without the file all defaults hold")
		out = append(out, Problem{Code: "config", Path: "config.yaml", Message: err.Error(), Hint: hint})
	}
	open := config.EnvOpen(b.Dir())
	_, warnings := config.Env(b.Dir())
	for i, w := range warnings {
		p := Problem{Code: "env", Path: ".env", Message: w, Hint: "mend it in the file"}
		if open && i == 0 { // the mode is told first
			p.Hint = "chmod 600 .env"
			p.Fixed = fix && os.Chmod(filepath.Join(b.Dir(), ".env"), 0o600) == nil
		}
		out = append(out, p)
	}
	out = append(out, b.conflictCopies()...)
	return append(out, b.cardProblems()...)
}

// checkDerived looks at every byte of what was made of the memory, which a recall that
// maps it does not; with fix what is damaged is removed and made anew when needed.
func (b *Bank) checkDerived(fix bool) []Problem {
	var out []Problem
	tell := func(path string, err error) {
		p := Problem{Code: "derived", Path: ".plastic/" + filepath.Base(path), Message: "it is damaged: " + err.Error(), Hint: "it holds nothing of its own; remove it, or `plastic doctor --fix`"}
		if fix {
			p.Fixed = os.Remove(path) == nil
		}
		out = append(out, p)
	}
	for _, shared := range []bool{false, true} {
		path := b.store.Derived(shared)
		ix, _, err := index.OpenFile(path)
		if err == nil {
			err = ix.Verify()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			tell(path, err)
		}
	}
	if path := b.store.Local("vectors"); vectors.Verify(path) != nil {
		tell(path, vectors.Verify(path))
	}
	if fix && len(out) > 0 {
		b.mu.Lock()
		clear(b.views)
		b.mu.Unlock()
	}
	return out
}

// Checkpoint folds the journal into memory.json and archive.json, and reports
// whether there was anything to write. A night's commit that failed is tried again.
func (b *Bank) Checkpoint(ctx context.Context) (bool, error) {
	if err := b.mayWrite("checkpoint"); err != nil {
		return false, err
	}
	written, err := b.store.Checkpoint(ctx)
	if err == nil {
		b.commitAgain(ctx)
	}
	return written, err
}
