package config

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"plastic/memory"
)

// Error is one fault of the settings. It wraps memory.ErrInvalid.
type Error struct {
	From    string // config.yaml, the name of an environment variable, or "" for a value given in a call
	Line    int    // 1 for the first, 0 where there is none
	Key     string // memory.anchorCount, or "" for the file as a whole
	Value   string // as written, shortened; "" where it may be a secret
	Want    string // what would do: "a whole number from 0 to 23"
	Problem string // a sentence in place of "is not Want"
	Hint    string // the next step, or ""
}

// Error gives one sentence, without the hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.From)
	if e.Line > 0 {
		b.WriteString(" line " + strconv.Itoa(e.Line))
	}
	for _, part := range []string{e.Key, e.problem()} {
		if part != "" && b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(part)
	}
	return strings.TrimSpace(b.String())
}

func (e *Error) problem() string {
	switch {
	case e.Problem != "":
		return e.Problem
	case e.Value == "":
		return "the value is not " + e.Want
	}
	return strconv.Quote(e.Value) + " is not " + e.Want
}

// Unwrap gives memory.ErrInvalid.
func (e *Error) Unwrap() error { return memory.ErrInvalid }

// Problems gives the single faults in an error of this package, in the order of
// the file, so that each can be shown with its hint.
func Problems(err error) []*Error {
	var one *Error
	if e, ok := err.(*Error); ok {
		return []*Error{e}
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var out []*Error
		for _, part := range many.Unwrap() {
			out = append(out, Problems(part)...)
		}
		return out
	}
	if errors.As(err, &one) {
		return []*Error{one}
	}
	return nil
}

func joined(errs []*Error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	list := make([]error, len(errs))
	for i, e := range errs {
		list[i] = e
	}
	return errors.Join(list...)
}

// fault is what a reader of one value has to say; the caller knows key and line.
type fault struct {
	want   string // in place of the key's own range
	hint   string
	secret bool // the value must not be echoed
}

// shortened keeps an echoed value to one readable line.
func shortened(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
