package plastic

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plastic/config"
	"plastic/memory"
	"plastic/store"
)

// InitOptions say what Init writes.
type InitOptions struct {
	Preset string // human, sharp or frugal

	// Git makes the folder a git repository, unless it is in one, and sets up this
	// clone to merge by memory and field with Program, the path of this program.
	Git     bool
	Hook    bool // a pre-commit hook, too, that runs the verb checkpoint
	Program string
	Notice  func(Problem) // is told of what was left as it is; nil: dropped
}

// Init makes dir a memory folder. What is there already stays as it is. With Git
// it fails, before anything is written, where git is missing.
func Init(dir string, o InitOptions) error {
	if !o.Git {
		return initFolder(dir, o)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	git, err := findGit(dir)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(o.Program) {
		return memory.Errorf(memory.ErrInvalid, "the merge driver %q is no absolute path", o.Program)
	}
	if err := initFolder(dir, o); err != nil {
		return err
	}
	if o.Notice == nil {
		o.Notice = func(Problem) {}
	}
	return git.setUp(context.Background(), gitSetup{program: o.Program, hook: o.Hook, notice: o.Notice})
}

func initFolder(dir string, o InitOptions) error {
	if o.Preset != "" {
		if _, err := config.FindPreset(o.Preset); err != nil {
			return err
		}
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return Hint(memory.ErrInvalid, dir+" is not a folder", "name the folder that is to hold memory.json")
	}
	if err := store.Create(dir); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"memory.md": nil, "config.yaml": config.Template()} {
		if err := writeNew(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{".gitignore": gitIgnore, ".gitattributes": gitAttributes} {
		if err := addLines(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	if o.Preset == "" {
		return nil
	}
	return config.ApplyPreset(filepath.Join(dir, "config.yaml"), o.Preset)
}

// writeNew writes a file that is not there yet.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(text)
	store.Give(path)
	return errors.Join(err, f.Sync(), f.Close())
}

// addLines adds to the file at path the lines of text that it does not have: a
// person's own lines stay.
func addLines(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	has := map[string]bool{}
	for line := range strings.Lines(string(old)) {
		has[strings.TrimSpace(line)] = true
	}
	var missing strings.Builder
	for line := range strings.Lines(text) {
		if !has[strings.TrimSpace(line)] {
			missing.WriteString(line)
		}
	}
	if missing.Len() == 0 {
		return nil
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		text = "\n" + missing.String()
	} else {
		text = missing.String()
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.WriteString(text)
	store.Give(path)
	return errors.Join(err, f.Sync(), f.Close())
}

// What git keeps out, and how it merges the rest.
const (
	gitIgnore = `# plastic: this machine's own, and keys
/.plastic/
/.env
/memory.journal
/queue.jsonl
/*.corrupt-*
`
	gitAttributes = `# plastic: one memory is one line, so git's own union merge keeps them all
memory.json merge=union
archive.json merge=union
nights.jsonl merge=union
`
)

// openConfig reads the configuration once; a bad one ends the start.
func openConfig(dir string, o Options) (*config.Live, error) {
	if o.Config != nil {
		return nil, nil
	}
	if o.Examine {
		return config.Examine(dir, o.Now()), nil
	}
	return config.Open(dir, o.Now())
}
