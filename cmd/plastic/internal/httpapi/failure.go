package httpapi

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"

	"plastic"
	"plastic/memory"
)

// failure is an error as programs read it.
type failure struct {
	Error string `json:"error"`
	Code  string `json:"code"`
	Hint  string `json:"hint"`
}

// statusError is a failure of the protocol, which has a status of its own.
type statusError struct {
	error
	status int
}

func (e statusError) Unwrap() error { return e.error }

func withStatus(status int, err error, message, hint string) error {
	return statusError{plastic.Hint(err, message, hint), status}
}

// statusOf gives the status for err and the word for it.
func statusOf(err error) (status int, code string) {
	code = plastic.Code(err)
	var own statusError
	switch {
	case errors.As(err, &own):
		return own.status, code
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, "busy"
	}
	switch code {
	case "usage", "invalid":
		return http.StatusBadRequest, code
	case "denied":
		return http.StatusForbidden, code
	case "not_found":
		return http.StatusNotFound, code
	case "ambiguous":
		return http.StatusConflict, code
	case "busy":
		return http.StatusServiceUnavailable, code
	}
	return http.StatusInternalServerError, code
}

// failureOf is what a reads of err. What went wrong inside, and where the folder
// dir lies, is told to the owner alone.
func failureOf(err error, a memory.Audience, dir string) (int, failure) {
	status, code := statusOf(err)
	f := failure{err.Error(), code, plastic.NextStep(err)}
	switch {
	case a == memory.Trusted:
	case status == http.StatusInternalServerError:
		f.Error, f.Hint = "the memory can not do this now", ""
	default:
		hide := strings.NewReplacer(dir+string(filepath.Separator), "", dir, "the folder")
		f.Error, f.Hint = hide.Replace(f.Error), hide.Replace(f.Hint)
	}
	return status, f
}

// inside says for the log what went wrong inside, without any text of a memory.
func inside(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Op + " " + filepath.Base(p.Path) + ": " + p.Err.Error()
	}
	return ""
}

// writeJSON answers with v. Texts go out as they are, not as HTML.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	return memory.WriteJSON(w, v)
}
