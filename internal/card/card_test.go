package card_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plastic/internal/card"
	"plastic/memory"
)

// written gives the path of a card with that text in a folder of its own, which
// at the end of the test must hold nothing but the named files.
func written(t *testing.T, text string, others ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.md")
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	leavesOnly(t, filepath.Dir(path), append(others, "memory.md")...)
	return path
}

func leavesOnly(t *testing.T, dir string, names ...string) {
	t.Cleanup(func() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+e.Name()+" ") {
				t.Errorf("%s was left in the folder", e.Name())
			}
		}
	})
}

func read(t *testing.T, path string) card.Card {
	t.Helper()
	c, err := card.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestReadGivesTheCardByteForByte(t *testing.T) {
	text := "\uFEFF---\r\ntitle: Карта\n---\n| 記憶 | b |\n<!-- keep -->\n\n\n"
	c := read(t, written(t, text))
	if c.State != card.Whole || string(c.Bytes) != text || c.Hash != hashOf(text) || !c.Valid {
		t.Errorf("got %+v", c)
	}
	if c.Runes != len([]rune(text)) || c.Size != int64(len(text)) || c.Tokens() == 0 {
		t.Errorf("%d runes, %d bytes, %d tokens", c.Runes, c.Size, c.Tokens())
	}
}

func TestAMissingCardIsEmpty(t *testing.T) {
	missing := read(t, filepath.Join(t.TempDir(), "memory.md"))
	empty := read(t, written(t, ""))
	for _, c := range []card.Card{missing, empty} {
		if c.State != card.Empty || c.Hash != hashOf("") || c.Bytes != nil || !c.Valid {
			t.Errorf("got %+v", c)
		}
	}
}

func TestACardIsWholeUpTo64KiB(t *testing.T) {
	text := strings.Repeat("x", card.MaxSize)
	if c := read(t, written(t, text)); c.State != card.Whole || len(c.Bytes) != card.MaxSize || c.Hash != hashOf(text) {
		t.Errorf("at the limit the state is %v with %d bytes", c.State, len(c.Bytes))
	}
	text += strings.Repeat("y", 100_000)
	if c := read(t, written(t, text)); c.State != card.TooLarge || c.Bytes != nil || c.Size != int64(len(text)) || c.Hash != hashOf(text) {
		t.Errorf("over the limit the state is %v with %d bytes, size %d", c.State, len(c.Bytes), c.Size)
	}
}

func TestACardThatIsNoTextSaysSo(t *testing.T) {
	if c := read(t, written(t, "a\xffb")); c.Valid || string(c.Bytes) != "a\xffb" || c.Runes != 3 {
		t.Errorf("got %+v", c)
	}
}

func TestWhatIsNoFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, pipe} {
		if _, err := card.Read(path); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("reading %s gives %v", path, err)
		}
		if err := card.Write(path, []byte("x"), ""); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("writing %s gives %v", path, err)
		}
	}
}

func TestWriteKeepsModeAndOwner(t *testing.T) {
	path := written(t, "old")
	if err := os.Chmod(path, 0o606); err != nil { // more than an umask lets through
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(path, 4321, 8765); err != nil {
			t.Fatal(err)
		}
	}
	before := stat(t, path)
	if err := card.Write(path, []byte("new\n"), hashOf("old")); err != nil {
		t.Fatal(err)
	}
	after := stat(t, path)
	if after.Mode != before.Mode || after.Uid != before.Uid || after.Gid != before.Gid {
		t.Errorf("mode %o of %d:%d became %o of %d:%d", before.Mode, before.Uid, before.Gid, after.Mode, after.Uid, after.Gid)
	}
	if got := read(t, path); string(got.Bytes) != "new\n" {
		t.Errorf("the card is %q", got.Bytes)
	}
}

func stat(t *testing.T, path string) syscall.Stat_t {
	t.Helper()
	var s syscall.Stat_t
	if err := syscall.Lstat(path, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWriteMakesAMissingCard(t *testing.T) {
	for _, want := range []string{"", hashOf("")} {
		dir := t.TempDir()
		leavesOnly(t, dir, "memory.md")
		path := filepath.Join(dir, "memory.md")
		if err := card.Write(path, []byte("first\n"), want); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); string(got.Bytes) != "first\n" {
			t.Errorf("the card is %q", got.Bytes)
		}
	}
}

func TestWriteFollowsLinksAndKeepsThem(t *testing.T) {
	dir := t.TempDir()
	leavesOnly(t, dir, "memory.md", "real.md", "middle.md")
	link := filepath.Join(dir, "memory.md")
	for to, from := range map[string]string{"middle.md": link, "real.md": filepath.Join(dir, "middle.md")} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	text := ""
	for _, next := range []string{"made\n", "changed\n"} { // first where the link points at nothing
		if err := card.Write(link, []byte(next), hashOf(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "real.md"))
		if err != nil || string(got) != next {
			t.Errorf("the file behind the link has %q, %v", got, err)
		}
		text = next
	}
	if to, err := os.Readlink(link); err != nil || to != "middle.md" {
		t.Errorf("the link points at %q, %v", to, err)
	}
}

func TestALoopOfLinksIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.md")
	if err := os.Symlink("memory.md", path); err != nil {
		t.Fatal(err)
	}
	if err := card.Write(path, []byte("x"), ""); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("got %v", err)
	}
}

func TestACardChangedMeanwhileIsNotReplaced(t *testing.T) {
	path := written(t, "by hand\n")
	for _, want := range []string{hashOf("as read\n"), "", "no hash"} {
		err := card.Write(path, []byte("by the bot\n"), want)
		if !errors.Is(err, card.ErrChanged) || !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("with hash %q: %v", want, err)
		}
	}
	if got := read(t, path); string(got.Bytes) != "by hand\n" {
		t.Errorf("the card is %q", got.Bytes)
	}
}

func TestTheSameTextIsNotWrittenAgain(t *testing.T) {
	path := written(t, "same\n")
	before := stat(t, path)
	if err := card.Write(path, []byte("same\n"), hashOf("same\n")); err != nil {
		t.Fatal(err)
	}
	if after := stat(t, path); after.Ino != before.Ino || after.Ctim != before.Ctim {
		t.Errorf("the file changed from %+v to %+v", before, after)
	}
}

func TestWriteRefusesMoreThan64KiB(t *testing.T) {
	path := written(t, "old")
	if err := card.Write(path, bytes.Repeat([]byte("x"), card.MaxSize+1), hashOf("old")); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	if got := read(t, path); string(got.Bytes) != "old" {
		t.Errorf("the card is %q", got.Bytes)
	}
	// One that grew too large by hand can be shortened.
	large := strings.Repeat("x", card.MaxSize+1)
	path = written(t, large)
	if err := card.Write(path, nil, hashOf(large)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got.State != card.Empty {
		t.Errorf("then the state is %v", got.State)
	}
}

func TestAReadOnlyFolderIsNamed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	path := written(t, "old")
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(path), 0o700)
	if err := card.Write(path, []byte("new"), hashOf("old")); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}
