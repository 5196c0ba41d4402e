package plastic_test

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestWhatTheSystemRefusesHasANextStep(t *testing.T) {
	for _, kind := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, fs.ErrPermission, fs.ErrNotExist} {
		path := &fs.PathError{Op: "open", Path: "x", Err: kind}
		for _, err := range []error{path, fmt.Errorf("write memory.journal: %w", path), plastic.Hint(path, "it was not kept", "")} {
			if plastic.NextStep(err) == "" {
				t.Errorf("%v: no next step", err)
			}
		}
	}
	if got := plastic.NextStep(plastic.Hint(syscall.ENOSPC, "it was not kept", "its own")); got != "its own" {
		t.Errorf("a hint of its own gave way to %q", got)
	}
	b := banktest.New(t).As(memory.Public)
	_, err := b.Bank.Archive()
	if got := plastic.NextStep(err); plastic.Code(err) != "denied" || !strings.Contains(got, "owner") || strings.Contains(got, "`") {
		t.Errorf("denied: %v, %q", err, got)
	}
}
