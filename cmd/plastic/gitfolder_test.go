package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
)

// Recalls are counted in the journal, which is not in git.
func TestTenThousandRecallsLeaveGitStatusEmpty(t *testing.T) {
	y := newYard(t, true, 1)
	y.use("first", func(b *plastic.Bank) {
		list, err := b.List(plastic.Filter{})
		y.check(err)
		for i := range 10_000 {
			word, _, _ := strings.Cut(list.Memories[i%len(list.Memories)].Content, " ")
			got, err := b.Recall(t.Context(), plastic.Query{Text: word})
			y.check(err)
			if len(got.Memories) == 0 {
				t.Fatal("nothing was recalled")
			}
		}
	})
	if got := y.git("first", "status", "--porcelain"); got != "" {
		t.Errorf("git status: %s", got)
	}
	y.use("first", func(b *plastic.Bank) {
		_, err := b.Checkpoint(t.Context())
		y.check(err)
	})
	if got := y.git("first", "status", "--porcelain"); got != " M memory.json\n" {
		t.Errorf("git status after a checkpoint: %s", got)
	}
}

// A lock of git's is git's: the night is kept, the commit is told to have failed
// and made later.
func TestANightThatCanNotBeCommittedIsCommittedLater(t *testing.T) {
	y := newYard(t, true, 1)
	dir := filepath.Join(y.dir, "first")
	config := filepath.Join(dir, "config.yaml")
	y.check(os.WriteFile(config, []byte("git: {commitNights: true}\nmemory: {timezone: UTC}\n"), 0o644))
	y.git("first", "commit", "-q", "-am", "nights")
	y.check(os.WriteFile(filepath.Join(dir, "memory.md"), []byte("mine, not to be committed\n"), 0o644))
	var told []plastic.Problem
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return y.now }, Notice: func(p plastic.Problem) { told = append(told, p) }})
	y.check(err)
	defer b.Close()
	count := func() string { return y.git("first", "rev-list", "--count", "HEAD") }
	before := count()
	lock := filepath.Join(dir, ".git", "index.lock")
	y.check(os.WriteFile(lock, nil, 0o644))

	y.remember(b)
	night, err := b.Compress(t.Context(), plastic.Nightly{})
	y.check(err)
	if !night.Done || count() != before || len(told) != 1 || told[0].Code != "git" || !strings.Contains(told[0].Message, "index.lock") {
		t.Fatalf("%+v, told %+v", night, told)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Fatal("git's lock is gone:", err)
	}
	if !tellsOfGit(t, b) {
		t.Error("doctor does not tell of the commit that failed")
	}
	y.check(os.Remove(lock))
	_, err = b.Checkpoint(t.Context())
	y.check(err)
	if tellsOfGit(t, b) {
		t.Error("doctor tells of a commit that was made")
	}
	if count() == before || len(told) != 1 {
		t.Fatalf("not committed later, told %+v", told)
	}
	if got := y.git("first", "status", "--porcelain"); got != " M memory.md\n" {
		t.Errorf("git status: %s", got)
	}
	if got := y.git("first", "log", "-1", "--format=%B"); !strings.HasPrefix(got, "2026-11-01 sleep compression: ") {
		t.Errorf("the message is %q", got)
	}
	before = count()
	_, err = b.Checkpoint(t.Context())
	y.check(err)
	if _, err := b.Compress(t.Context(), plastic.Nightly{}); err != nil || count() != before {
		t.Errorf("a night that is done was committed again: %v", err)
	}
}

// tellsOfGit reports whether doctor tells that git refused a commit, and why.
func tellsOfGit(t *testing.T, b *plastic.Bank) bool {
	t.Helper()
	got, err := b.Doctor(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(got.Problems, func(p plastic.Problem) bool {
		return p.Code == "git" && strings.Contains(p.Message, "index.lock")
	})
}

// A conflict that the driver has left to a person is not settled by a night.
func TestANightLeavesAnUnfinishedMergeAlone(t *testing.T) {
	y := newYard(t, true, 1)
	dir := filepath.Join(y.dir, "first")
	y.check(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("git: {commitNights: true}\n"), 0o644))
	y.git("first", "commit", "-q", "-am", "nights")
	y.clone("first", "other")
	for clone, text := range map[string]string{"first": "{\"version\":1,\"memories\":[", "other": "{\"version\":1,\"memories\":[\n {\"id\":\"x\""} {
		y.check(os.WriteFile(filepath.Join(y.dir, clone, "memory.json"), []byte(text), 0o644))
		y.git(clone, "commit", "-q", "-am", "broken by hand")
	}
	pull := exec.Command("git", "pull", "-q", "--no-rebase", "../other", "HEAD")
	pull.Dir = dir
	if out, err := pull.CombinedOutput(); err == nil {
		t.Fatalf("two broken files were merged: %s", out)
	}
	var told []plastic.Problem
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return y.now }, Notice: func(p plastic.Problem) { told = append(told, p) }})
	y.check(err)
	defer b.Close()
	_, err = b.Compress(t.Context(), plastic.Nightly{Again: true})
	y.check(err)
	if !strings.HasPrefix(y.git("first", "status", "--porcelain", "memory.json"), "UU ") {
		t.Error("the merge was settled")
	}
	if last := told[len(told)-1]; !strings.Contains(last.Message, "a merge waits") {
		t.Errorf("told %+v", told)
	}
}

// A file that a person keeps out of git does not keep the others out.
func TestANightCommitsWhatGitDoesNotIgnore(t *testing.T) {
	y := newYard(t, true, 1)
	dir := filepath.Join(y.dir, "first")
	y.check(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("git: {commitNights: true}\n"), 0o644))
	y.git("first", "rm", "-q", "--cached", "--ignore-unmatch", "nights.jsonl")
	y.check(os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("/.plastic/\n/memory.journal\nnights.jsonl\n"), 0o644))
	y.git("first", "add", "-A")
	y.git("first", "commit", "-q", "-m", "without the nights")
	var told []plastic.Problem
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return y.now }, Notice: func(p plastic.Problem) { told = append(told, p) }})
	y.check(err)
	defer b.Close()
	y.remember(b)
	_, err = b.Compress(t.Context(), plastic.Nightly{})
	y.check(err)
	if got := y.git("first", "status", "--porcelain"); got != "" || len(told) > 0 {
		t.Errorf("git status: %s; told %+v", got, told)
	}
	if got := y.git("first", "ls-files"); !strings.Contains(got, "memory.json\n") || strings.Contains(got, "nights.jsonl") {
		t.Errorf("in git: %s", got)
	}
}

// A commit amid a rebase would become part of it.
func TestANightWaitsForARebaseToEnd(t *testing.T) {
	y := newYard(t, true, 1)
	dir := filepath.Join(y.dir, "first")
	y.check(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("git: {commitNights: true}\n"), 0o644))
	y.git("first", "commit", "-q", "-am", "nights")
	branch := strings.TrimSpace(y.git("first", "symbolic-ref", "--short", "HEAD"))
	stop := exec.Command("git", "-c", "sequence.editor=sed -i.bak 1s/pick/edit/", "rebase", "-q", "-i", "HEAD~1")
	stop.Dir = dir
	if out, err := stop.CombinedOutput(); err != nil {
		t.Skipf("no rebase here: %v: %s", err, out)
	}
	var told []plastic.Problem
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return y.now }, Notice: func(p plastic.Problem) { told = append(told, p) }})
	y.check(err)
	defer b.Close()
	y.remember(b)
	before := y.git("first", "rev-parse", "HEAD")
	_, err = b.Compress(t.Context(), plastic.Nightly{})
	y.check(err)
	if y.git("first", "rev-parse", "HEAD") != before || len(told) != 1 || !strings.Contains(told[0].Message, "a rebase waits") {
		t.Errorf("told %+v", told)
	}
	y.git("first", "rebase", "--quit")
	y.git("first", "checkout", "-q", branch)
	_, err = b.Checkpoint(t.Context())
	y.check(err)
	if y.git("first", "rev-parse", "HEAD") == before || y.git("first", "status", "--porcelain") != "" {
		t.Error("not committed after the rebase")
	}
}

// Without git.commitNights, git is not run at all.
func TestGitRunsOnlyWhereItIsAskedFor(t *testing.T) {
	y := newYard(t, true, 1)
	traces := filepath.Join(y.dir, "git-was-here")
	bin := filepath.Join(y.dir, "bin")
	y.check(os.Mkdir(bin, 0o755))
	y.check(os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\ntouch "+traces+"\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	y.use("first", func(b *plastic.Bank) {
		for range 5 {
			y.operate(b)
		}
		_, err := b.Compress(t.Context(), plastic.Nightly{Again: true})
		y.check(err)
		_, _, err = b.Night(t.Context())
		y.check(err)
		_, err = b.Checkpoint(t.Context())
		y.check(err)
	})
	if _, err := os.Stat(traces); err == nil {
		t.Error("git was run")
	}
}
