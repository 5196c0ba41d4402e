package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"plastic/memory"
)

const (
	seed         = 7
	queriesAsked = 200
)

// A size is one number of memories: the data, every tool's files made of it, and
// what was measured on them.
type size struct {
	programs
	n         int
	dir       string
	generator *generator
	memories  []memory.Memory
	fresh     []memory.Memory // what comes after them
	queries   []string
	figures   *figures
}

// size makes the data of n memories and fills every tool with it, under dir.
func (p programs) size(n int, dir string) (*size, error) {
	g := newGenerator(seed)
	s := &size{programs: p, n: n, dir: dir, generator: g, figures: newFigures()}
	s.memories = g.memories(n)
	s.queries = g.queries(queriesAsked)
	s.fresh = g.fresh(coldRounds + insertRounds + 2)
	if err := os.MkdirAll(filepath.Join(dir, "base"), 0o755); err != nil {
		return nil, err
	}
	if err := writeMemories(s.base("memory.json"), s.memories); err != nil {
		return nil, err
	}
	if _, err := s.folder(filepath.Join("base", "plastic")); err != nil {
		s.failed("everything")(product, err)
	}
	for _, peer := range []struct {
		tool  string
		build func() error
	}{
		{"FTS5", func() error { return s.fillFTS("words.db", false) }},
		{"FTS5 trigram", func() error { return s.fillFTS("trigram.db", true) }},
		{"bleve", func() error { return buildBleve(s.base("bleve"), s.memories) }},
	} {
		start := time.Now()
		if err := peer.build(); err != nil {
			s.failed("everything")(peer.tool, err)
		}
		fmt.Fprintf(os.Stderr, "%d memories, %s filled: %.1f s\n", n, peer.tool, time.Since(start).Seconds())
	}
	info, err := os.Stat(p.bin)
	if err == nil {
		s.figures.set("binary", product, float64(info.Size())/1e6)
	}
	return s, err
}

func (s *size) fillFTS(name string, trigram bool) error {
	return errors.Join(buildFTS(s.base(name), trigram, s.memories), optimizeFTS(s.base(name)))
}

// base is a file that nothing writes to once it is filled.
func (s *size) base(name string) string { return filepath.Join(s.dir, "base", name) }

// folder makes a memory folder of plastic's; one recall leaves its index warm on
// disk. That the program does not run is noted here and by each row it is missing in.
func (s *size) folder(name string) (string, error) {
	dir := filepath.Join(s.dir, name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", err
	}
	if err := copyFile(s.base("memory.json"), filepath.Join(dir, "memory.json"), 0o644); err != nil {
		return "", err
	}
	if _, err := s.run(command{s.bin, "--dir", dir, "recall", "--no-rehearse", "--", rareWord}); err != nil {
		s.failed("everything")(product, err)
	}
	return dir, nil
}

// copyOf copies a base file or folder of a peer.
func (s *size) copyOf(name, to string) (string, error) {
	to = filepath.Join(s.dir, to)
	if err := os.RemoveAll(to); err != nil {
		return "", err
	}
	info, err := os.Stat(s.base(name))
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return to, os.CopyFS(to, os.DirFS(s.base(name)))
	}
	return to, copyFile(s.base(name), to, 0o644)
}

func copyFile(from, to string, mode fs.FileMode) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, mode)
}

// failed notes that a tool can not take part in a row.
func (s *size) failed(row string) func(tool string, err error) {
	return func(tool string, err error) { s.figures.fail(row, tool, err) }
}

// buildBinary builds the command in root as it is shipped, static and stripped, and
// installs it as users do, by a copy. What the linker itself wrote lies in memory in
// single pages, as what was mapped in after the machine's start does; with either a
// start takes 0.6 to 0.9 ms more.
func buildBinary(root, command, out string) error {
	linked := out + ".linked"
	defer os.Remove(linked)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", linked, command)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w", command, err)
	}
	return copyFile(linked, out, 0o755)
}

// diskUse is the size of a file, or of all files under a folder, in bytes.
func diskUse(path string) (float64, error) {
	total := 0.0
	err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += float64(info.Size())
		}
		return err
	})
	return total, err
}
