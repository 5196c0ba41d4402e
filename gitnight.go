package plastic

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
// them there is nothing to do.
func (r *repo) commitFiles(ctx context.Context, message string) error {
	var files []string
	for _, name := range gitFiles {
		if _, err := os.Stat(filepath.Join(r.dir, name)); err == nil {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return nil
	}
	changed, err := r.run(ctx, append([]string{"status", "--porcelain", "--untracked-files=all", "--"}, files...)...)
	if err != nil || changed == "" {
		return err
	}
	for line := range strings.Lines(changed) {
		switch state := line[:min(2, len(line))]; state {
		case "??": // a commit of named files wants them known
			if _, err := r.run(ctx, append([]string{"add", "--intent-to-add", "--"}, files...)...); err != nil {
				return err
			}
		case "DD", "AU", "UD", "UA", "DU", "AA", "UU":
			return errors.New("a merge waits for somebody to finish it")
		}
	}
	_, err = r.run(ctx, append([]string{"commit", "--quiet", "--no-gpg-sign", "-m", message, "--"}, files...)...)
	return err
}
