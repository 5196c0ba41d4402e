package plastic

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Under .plastic/ commitMark holds the message of a commit that failed and is to be
// tried again, failureMark what git said.
const (
	commitMark  = "commit"
	failureMark = "commit-failed"
)

// longReport bounds, in bytes, the reports that wait for a commit: how many nights
// are missed does not matter.
const longReport = 64 << 10

// commitNight commits what plastic has written, with the night's report as the
// message, where git.commitNights is on. A failure is told, and tried again with
// the next night or checkpoint: the memory itself is kept in any case. It never
// pushes, and never touches git's locks.
func (b *Bank) commitNight(ctx context.Context, c Compressed) {
	if !b.settings().Git.CommitNights {
		return
	}
	report := c.report()
	if earlier := b.mark(commitMark); earlier != "" && len(earlier) < longReport {
		report += "\n\n" + earlier
	}
	if _, err := b.store.Checkpoint(ctx); err != nil {
		b.notCommitted(report, err)
		return
	}
	b.commit(ctx, report)
}

// report is the night as a message of a commit: ids, and no memory's words.
func (c Compressed) report() string {
	text := c.Date + " " + c.String()
	for _, l := range []struct {
		what string
		ids  []string
	}{{"pruned", c.Archived}, {"promoted", c.Raised}} {
		if len(l.ids) > 0 {
			text += "\n\n" + l.what + ":\n" + strings.Join(l.ids, "\n")
		}
	}
	return text
}

// commitAgain tries a commit again that failed.
func (b *Bank) commitAgain(ctx context.Context) {
	if !b.settings().Git.CommitNights || os.Getenv("GIT_INDEX_FILE") != "" {
		return // or git itself has called, as a hook
	}
	if report := b.mark(commitMark); report != "" {
		b.commit(ctx, report)
	}
}

func (b *Bank) commit(ctx context.Context, report string) {
	r, err := findGit(b.Dir())
	if err == nil {
		err = r.commitFiles(ctx, report)
	}
	if err != nil {
		b.notCommitted(report, err)
		return
	}
	os.Remove(b.store.Local(commitMark))
	os.Remove(b.store.Local(failureMark))
}

func (b *Bank) notCommitted(report string, err error) {
	b.setMark(commitMark, report)
	b.setMark(failureMark, err.Error())
	b.notice(uncommitted(err.Error()))
}

// uncommitted tells of the commit that failed and has not been made since: a
// night that a timer runs tells nobody.
func (b *Bank) uncommitted() []Problem {
	if !b.settings().Git.CommitNights || b.mark(commitMark) == "" {
		return nil
	}
	return []Problem{uncommitted(b.mark(failureMark))}
}

func uncommitted(said string) Problem {
	return Problem{Code: "git", Path: nightsFile, Message: "the night in " + nightsFile + " is kept, but not committed: " + said, Hint: "it is tried again with the next night, or plastic checkpoint"}
}

// commitFiles commits plastic's own files and nothing else; without a change in
// them there is nothing to do. One that git ignores stays out.
func (r *repo) commitFiles(ctx context.Context, message string) error {
	files, err := r.wanted(ctx)
	if err != nil || len(files) == 0 {
		return err
	}
	changed, err := r.run(ctx, append([]string{"status", "--porcelain", "--untracked-files=all", "--"}, files...)...)
	if err != nil || changed == "" {
		return err
	}
	if err := r.atRest(ctx); err != nil {
		return err
	}
	for line := range strings.Lines(changed) {
		switch state := line[:min(2, len(line))]; state {
		case "??": // a commit of named files wants them known
			if _, err := r.run(ctx, append([]string{"add", "--intent-to-add", "--"}, files...)...); err != nil {
				return err
			}
		case "DD", "AU", "UD", "UA", "DU", "AA", "UU":
			return unfinished("merge")
		}
	}
	_, err = r.run(ctx, append([]string{"commit", "--quiet", "--no-gpg-sign", "-m", message, "--"}, files...)...)
	return err
}

// wanted are plastic's files that are there and that git does not ignore.
func (r *repo) wanted(ctx context.Context) ([]string, error) {
	files := slices.DeleteFunc(slices.Clone(gitFiles), func(name string) bool {
		_, err := os.Stat(filepath.Join(r.dir, name))
		return err != nil
	})
	if len(files) == 0 {
		return nil, nil
	}
	said, err := r.run(ctx, append([]string{"check-ignore", "--"}, files...)...)
	var none *exec.ExitError
	if err != nil && !(errors.As(err, &none) && none.ExitCode() == 1) {
		return nil, err
	}
	ignored := strings.Fields(said)
	if slices.Contains(ignored, "memory.json") {
		return nil, errors.New("git ignores memory.json: git.commitNights has nothing to commit")
	}
	return slices.DeleteFunc(files, func(name string) bool { return slices.Contains(ignored, name) }), nil
}

// underWay are the files by which git knows what a person has begun; a commit in
// its midst would become part of it, or stand on no branch when it ends.
var underWay = [][2]string{
	{"MERGE_HEAD", "merge"}, {"rebase-merge", "rebase"}, {"rebase-apply", "rebase"},
	{"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"}, {"BISECT_LOG", "bisect"},
}

// atRest fails while a merge, rebase or the like is not finished.
func (r *repo) atRest(ctx context.Context) error {
	for _, u := range underWay {
		path, err := r.run(ctx, "rev-parse", "--git-path", u[0])
		if err != nil {
			return err
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.dir, path)
		}
		if _, err := os.Stat(path); err == nil {
			return unfinished(u[1])
		}
	}
	return nil
}

func unfinished(what string) error {
	return errors.New("a " + what + " waits for somebody to finish it")
}
