package memory

import (
	"errors"
	"fmt"
)

// What callers branch on. Each door maps them to its own codes.
var (
	ErrUsage     = errors.New("usage")                // the call itself is malformed
	ErrInvalid   = errors.New("invalid")              // a value is out of its range
	ErrNotFound  = errors.New("no such memory")       // no memory has that id
	ErrAmbiguous = errors.New("ambiguous id")         // a short id fits several memories
	ErrBusy      = errors.New("the memory is in use") // the lock was not had in time
	ErrDenied    = errors.New("not allowed")          // the audience may not do this
	ErrCorrupt   = errors.New("damaged")              // a file can not be read as what it is
	ErrReadOnly  = errors.New("read-only")            // the folder or file can not be written
	ErrModel     = errors.New("the model")            // an endpoint gave no usable answer
	ErrNoModel   = errors.New("no model configured")  // nothing is configured for this
	ErrUnreached = errors.New("the endpoint")         // it was not reached, or refused for now: no try
)

// Errorf is fmt.Errorf for an error of a kind that callers branch on: errors.Is finds
// the kind, and the sentence does not end with its word.
func Errorf(kind error, format string, args ...any) error {
	return &kinded{fmt.Errorf(format, args...), kind}
}

// kinded is an error that says its own sentence and is of a kind.
type kinded struct {
	error
	kind error
}

func (k *kinded) Unwrap() []error { return []error{k.kind, k.error} }
