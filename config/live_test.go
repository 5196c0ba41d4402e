package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plastic/config"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// running is a process that has the folder's configuration open.
type running struct {
	*testing.T
	path string
	live *config.Live
	now  time.Time
}

func run(t *testing.T, text string) *running {
	t.Helper()
	alone(t)
	r := &running{T: t, path: filepath.Join(t.TempDir(), config.FileName), now: start}
	write(t, r.path, text)
	live, err := config.Open(filepath.Dir(r.path), r.now)
	if err != nil {
		t.Fatal(err)
	}
	r.live = live
	return r
}

// anchors expects a count in force after d, and the error to hold text.
func (r *running) anchors(d time.Duration, count int, text string) {
	r.Helper()
	r.now = r.now.Add(d)
	c, err := r.live.Config(r.now)
	if c.Memory.AnchorCount != count {
		r.Errorf("anchorCount is %d, want %d", c.Memory.AnchorCount, count)
	}
	if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
		r.Errorf("the error is %v, want %q", err, text)
	}
}

func TestARunningProcessFollowsTheFile(t *testing.T) {
	r := run(t, "memory: {anchorCount: 1}\n")
	r.anchors(time.Minute, 1, "")
	write(t, r.path, "memory: {anchorCount: 22}\n")
	r.anchors(time.Minute, 22, "")
	if err := config.Set(r.path, "memory.anchorCount", "3"); err != nil {
		t.Fatal(err)
	}
	r.anchors(time.Millisecond, 3, "")
}

func TestABadEditIsSaidOnceAndTheLastGoodStays(t *testing.T) {
	r := run(t, "memory: {anchorCount: 1}\n")
	write(t, r.path, "memory: {anchorCount: many}\n")
	r.anchors(time.Minute, 1, `config.yaml line 1: memory.anchorCount: "many" is not a whole number`)
	r.anchors(time.Second, 1, "")
	r.anchors(time.Minute, 1, "")
	if r.live.Problem() == nil {
		t.Error("the problem is forgotten while it stands")
	}
	write(t, r.path, "memory: {anchorCount: 2, nope: 1}\n")
	r.anchors(time.Minute, 1, "memory.nope: unknown key")
	write(t, r.path, "memory: {anchorCount: 1}\n")
	r.anchors(time.Minute, 1, "")
	if err := r.live.Problem(); err != nil {
		t.Errorf("settled, and still %v", err)
	}
}

func TestAnEditWithinTheClocksGrainIsSeen(t *testing.T) {
	r := run(t, "memory: {anchorCount: 1}\n")
	info, _ := os.Stat(r.path)
	write(t, r.path, "memory: {anchorCount: 2}\n") // the same size and inode
	if err := os.Chtimes(r.path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	r.anchors(10*time.Millisecond, 2, "")
}

func TestAFileThatAnEditorIsAboutToWriteIsNotTheDefaults(t *testing.T) {
	r := run(t, "memory: {anchorCount: 1}\n")
	r.anchors(time.Minute, 1, "")
	if err := os.Rename(r.path, r.path+"~"); err != nil {
		t.Fatal(err)
	}
	r.anchors(time.Minute, 1, "")
	r.anchors(100*time.Millisecond, 1, "")
	write(t, r.path, "")
	r.anchors(100*time.Millisecond, 1, "")
	write(t, r.path, "memory: {anchorCount: 2}\n")
	r.anchors(100*time.Millisecond, 2, "")
	if err := os.Remove(r.path); err != nil {
		t.Fatal(err)
	}
	r.anchors(time.Minute, 2, "")
	r.anchors(time.Minute, 8, "")
	r.anchors(time.Minute, 8, "")
	write(t, r.path, "memory: {anchorCount: 5}\n")
	r.anchors(time.Minute, 5, "")
}

func TestAFileThatCanNotBeReadForAWhileComesBack(t *testing.T) {
	r := run(t, "memory: {anchorCount: 1}\n")
	r.anchors(time.Minute, 1, "")
	if err := os.Remove(r.path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(r.path, 0o755); err != nil {
		t.Fatal(err)
	}
	r.anchors(time.Minute, 1, "read config.yaml")
	r.anchors(time.Second, 1, "")
	if err := os.Remove(r.path); err != nil {
		t.Fatal(err)
	}
	write(t, r.path, "memory: {anchorCount: 1}\n")
	r.anchors(time.Minute, 1, "")
	if err := r.live.Problem(); err != nil {
		t.Errorf("settled, and still %v", err)
	}
}

func TestAStartWithABadFileFails(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, config.FileName), "memory: {anchorCount: -1}\n")
	if _, err := config.Open(dir, start); len(config.Problems(err)) != 1 {
		t.Errorf("got %v", err)
	}
}
