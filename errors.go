package plastic

import (
	"errors"
	"io/fs"
	"syscall"

	"plastic/config"
	"plastic/memory"
)

// Error is a failure told to a person: what happened, and what to do next.
type Error struct {
	Message string // one sentence
	Next    string // the next step, or ""
	Err     error  // what callers branch on
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Err }

// Hint says err in a sentence with a next step.
func Hint(err error, message, next string) error {
	return &Error{Message: message, Next: next, Err: err}
}

// NextStep is the hint that err carries, else what helps where the system refused
// something, or "".
func NextStep(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Next != "" {
		return e.Next
	}
	for _, p := range config.Problems(err) {
		if p.Hint != "" {
			return p.Hint
		}
	}
	switch { // what the system says
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "make room on the disk and do it again: what was kept before is there"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return "see whose the file and its folder are, and what this user may do there"
	case errors.Is(err, fs.ErrNotExist):
		return "see that the path is right: one that is not absolute counts from the working directory"
	}
	return ""
}

// Code is the word for err that every door uses: usage, invalid, not_found,
// ambiguous, busy, denied, corrupt, read_only, model or io.
func Code(err error) string {
	switch {
	case errors.Is(err, memory.ErrUsage):
		return "usage"
	case errors.Is(err, memory.ErrInvalid):
		return "invalid"
	case errors.Is(err, memory.ErrNotFound):
		return "not_found"
	case errors.Is(err, memory.ErrAmbiguous):
		return "ambiguous"
	case errors.Is(err, memory.ErrBusy):
		return "busy"
	case errors.Is(err, memory.ErrDenied):
		return "denied"
	case errors.Is(err, memory.ErrCorrupt):
		return "corrupt"
	case errors.Is(err, memory.ErrModel), errors.Is(err, memory.ErrNoModel), errors.Is(err, memory.ErrUnreached):
		return "model"
	case errors.Is(err, memory.ErrReadOnly), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "read_only"
	}
	return "io"
}
