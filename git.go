package plastic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"plastic/store"
)

// gitFiles are the files that plastic writes and that belong in git.
var gitFiles = []string{"memory.json", "archive.json", nightsFile}

const nightsFile = "nights.jsonl"

// GitMerge is git's merge driver: it merges the versions in the files ours and
// theirs from the one in base, and leaves the result in ours. pathname says which
// of plastic's files they are versions of; empty, ours says. It never leaves a
// conflict; where a side can not be read it fails and leaves ours as it is.
func GitMerge(base, ours, theirs, pathname string) error {
	var texts [3][]byte
	for i, path := range []string{base, ours, theirs} {
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		texts[i] = text
	}
	if pathname == "" {
		pathname = ours
	}
	merged, err := store.GitMerge(pathname, texts[0], texts[1], texts[2])
	if err != nil || bytes.Equal(merged, texts[1]) {
		return err
	}
	if err := os.WriteFile(ours, merged, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", ours, err)
	}
	return nil
}

// gitPatience is how long one command of git may take.
const gitPatience = 30 * time.Second

// repo runs git in one folder.
type repo struct{ git, dir string }

// findGit looks for git on PATH.
func findGit(dir string) (*repo, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, Hint(err, "git is not installed, or not on PATH", "install git first; the memory works without it")
	}
	return &repo{git: path, dir: dir}, nil
}

// run gives what git prints, without the line end. An error says what git said.
func (r *repo) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.git, args...)
	cmd.Dir = r.dir
	cmd.Env = gitEnv(os.Environ())
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		said := strings.TrimSpace(errs.String())
		if said == "" {
			said = strings.TrimSpace(out.String())
		}
		if ctx.Err() != nil {
			said = fmt.Sprintf("it did not end within %s", gitPatience)
		}
		if said == "" {
			said = err.Error()
		}
		return "", &gitError{verb: args[0], said: said, err: err}
	}
	return strings.TrimRight(out.String(), "\r\n"), nil
}

// gitError is what git said when it failed.
type gitError struct {
	verb, said string
	err        error
}

func (e *gitError) Error() string { return "git " + e.verb + ": " + OneLine(e.said) }
func (e *gitError) Unwrap() error { return e.err }

// gitEnv is the environment without what would lead git to another repository
// or have it ask somebody, and with messages that can be read here.
func gitEnv(env []string) []string {
	out := make([]string, 0, len(env)+2)
	for _, kv := range env {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "LC_ALL":
		default:
			out = append(out, kv)
		}
	}
	return append(out, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
}

// gitSetup says how a clone is set up.
type gitSetup struct {
	program string // path of this program, for the merge driver and the hook
	hook    bool
	notice  func(Problem)
}

// setUp makes the folder part of a repository, one of its own where there is none,
// and tells this clone of the merge driver. Done twice it is as done once.
func (r *repo) setUp(ctx context.Context, s gitSetup) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	for name, text := range map[string]string{"archive.json": emptyArchive, nightsFile: ""} {
		if err := writeNew(filepath.Join(r.dir, name), []byte(text)); err != nil {
			return err
		}
	}
	prefix, err := r.run(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	attributes, err := r.own(ctx, "info/attributes")
	if err != nil {
		return err
	}
	if err := addLines(attributes, driverAttributes(prefix)); err != nil {
		return err
	}
	for _, kv := range [][2]string{
		{"merge.plastic.name", "plastic: memories by id and field"},
		{"merge.plastic.driver", driverCommand(s.program)},
	} {
		if _, err := r.run(ctx, "config", "--replace-all", kv[0], kv[1]); err != nil {
			return err
		}
	}
	if !s.hook {
		return nil
	}
	return r.addHook(ctx, s, prefix)
}

// emptyArchive is archive.json before anything was forgotten. It is there from the
// first commit on: a file that comes later is not in `git commit -a`, and without
// the archive another clone does not know what was forgotten.
const emptyArchive = "{\"version\":1,\"archive\":[\n]}\n"

// begin makes a repository unless the folder is in one that does not ignore it.
func (r *repo) begin(ctx context.Context) error {
	_, err := r.run(ctx, "rev-parse", "--is-inside-work-tree")
	var said *gitError
	switch {
	case err == nil:
		if _, err := r.run(ctx, "check-ignore", "-q", "memory.json"); err != nil {
			return nil // it is not ignored
		}
	case !errors.As(err, &said) || !strings.Contains(said.said, "not a git repository"):
		return Hint(err, err.Error(), "")
	}
	_, err = r.run(ctx, "init", "-q")
	return err
}

// own gives the path of a file of the repository itself, and makes its folder.
func (r *repo) own(ctx context.Context, name string) (string, error) {
	path, err := r.run(ctx, "rev-parse", "--git-path", name)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

// driverCommand is what git runs to merge. Where program is not there any more git
// would take ours for the result and lose theirs: then it is git's union merge.
func driverCommand(program string) string {
	return strings.ReplaceAll(shellWord(program), "%", "%%") + " git-merge %O %A %B %P; s=$?; " +
		"case $s in 126|127) exec git merge-file --union %A %O %B;; esac; exit $s"
}

// driverAttributes are the lines of info/attributes; they go before those of
// .gitattributes, which every clone has.
func driverAttributes(prefix string) string {
	var b strings.Builder
	b.WriteString("# plastic: memories are merged by id and field\n")
	for _, name := range gitFiles {
		pattern := "/" + strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(prefix) + name
		if strings.ContainsAny(pattern, " \t\"\n") {
			pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(pattern) + `"`
		}
		b.WriteString(pattern + " merge=plastic\n")
	}
	return b.String()
}

// shellWord is path as one word of a shell.
func shellWord(path string) string {
	if runtime.GOOS == "windows" {
		path = filepath.ToSlash(path)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(path) + `"`
}

// hookMark tells plastic's own hook from another.
const hookMark = "# plastic: what the journal holds goes into the commit\n"

// addHook writes a pre-commit hook, or adds this folder to the one of another
// memory in the same repository. A hook that is there already, and is not of
// plastic, stays as it is, and that is told; so is a folder of hooks that other
// clones or repositories share.
func (r *repo) addHook(ctx context.Context, s gitSetup, prefix string) error {
	command := shellWord(s.program) + " --dir " + shellWord("./"+prefix)
	leave := func(path, why string) error {
		s.notice(Problem{Code: "git", Path: path, Message: why, Hint: "add to it: " + command + " checkpoint && git add " + strings.Join(gitFiles, " ")})
		return nil
	}
	if shared, err := r.run(ctx, "config", "core.hooksPath"); err == nil && shared != "" {
		return leave(shared, "hooks are kept in "+shared+" (core.hooksPath), which is not this clone's own; no hook was written")
	}
	path, err := r.own(ctx, "hooks/pre-commit")
	if err != nil {
		return err
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(old) > 0 && !strings.Contains(string(old), hookMark) {
		return leave(path, "there is a pre-commit hook already; it stays as it is")
	}
	if err := os.WriteFile(path, []byte(hookText(string(old), s.program, prefix)), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Chmod(path, 0o755)
}

// hookText is the hook for the folder at prefix and those that old was for. It
// never keeps a commit from being made. A commit of named paths only has an index
// of its own, which is left alone.
func hookText(old, program, prefix string) string {
	folder := " " + shellWord("./"+prefix)
	text := "#!/bin/sh\n" + hookMark +
		`case "$GIT_INDEX_FILE" in *next-index*) exit 0 ;; esac` + "\n" +
		"fold() {\n" +
		"\t\"$1\" --dir \"$2\" checkpoint >/dev/null || return 0\n" +
		"\tfor f in " + strings.Join(gitFiles, " ") + "; do\n" +
		"\t\tif test -f \"$2$f\"; then git add -- \"$2$f\"; fi\n" +
		"\tdone\n}\n"
	for line := range strings.Lines(old) {
		if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(line, "fold ") && !strings.HasSuffix(line, folder) {
			text += line + "\n"
		}
	}
	return text + "fold " + shellWord(program) + folder + "\nexit 0\n"
}
