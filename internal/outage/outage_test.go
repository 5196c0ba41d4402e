package outage_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic/internal/outage"
)

// The test binary is also the program that is recorded: OUTAGE_SAVES says how it saves.
func TestMain(m *testing.M) {
	how := os.Getenv("OUTAGE_SAVES")
	if how == "" {
		os.Exit(m.Run())
	}
	if err := saves(os.Args[1], how); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("saved")
}

// saves puts "new" in the place of the file at path; how names what it syncs.
func saves(path, how string) error {
	f, err := os.Create(path + "~")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString("new"); err != nil {
		return err
	}
	if strings.Contains(how, "file") {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if err := os.Rename(path+"~", path); err != nil || !strings.Contains(how, "folder") {
		return err
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// cuts gives what may stand in the file after a power cut, before and after the answer.
func cuts(t *testing.T, how string) (before, after []string) {
	t.Helper()
	if !outage.Possible() {
		t.Skip("strace is missing, or may not be used")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, filepath.Join(dir, "a"))
	cmd.Env = append(os.Environ(), "OUTAGE_SAVES="+how)
	trace, err := outage.Record(cmd, dir)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range trace.Cuts(rand.New(rand.NewPCG(1, 2)), 4) {
		at := filepath.Join(t.TempDir(), "cut")
		if err := cut.Make(at); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(at, "a"))
		if err != nil {
			text = []byte("nothing")
		}
		if cut.Said == "saved\n" {
			after = append(after, string(text))
		} else {
			before = append(before, string(text))
		}
	}
	slices.Sort(before)
	slices.Sort(after)
	return slices.Compact(before), slices.Compact(after)
}

func TestWhatWasSyncedIsThereAndTheRestMayBe(t *testing.T) {
	for _, row := range []struct {
		how           string
		before, after string
	}{
		{"file, folder", `["new" "old"]`, `["new"]`},
		{"file", `["new" "old"]`, `["new" "old"]`},
		{"folder", `["" "\x00\x00\x00" "\x00ew" "n" "new" "old"]`, `["" "\x00\x00\x00" "\x00ew" "n" "new"]`},
		{"nothing", `["" "\x00\x00\x00" "\x00ew" "n" "new" "old"]`, `["" "\x00\x00\x00" "\x00ew" "n" "new" "old"]`},
	} {
		before, after := cuts(t, row.how)
		if got := fmt.Sprintf("%q", before); got != row.before {
			t.Errorf("synced %s, before the answer: %s, want %s", row.how, got, row.before)
		}
		if got := fmt.Sprintf("%q", after); got != row.after {
			t.Errorf("synced %s, after the answer: %s, want %s", row.how, got, row.after)
		}
	}
}
