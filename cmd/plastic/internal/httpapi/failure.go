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
	f := failure{err.Error(), code, ownWords(plastic.NextStep(err))}
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

// ownWords says a next step of the shell in the words of this door.
func ownWords(step string) string {
	return strings.NewReplacer(
		"or pass --allow-secret if it is none", "or say \"allowSecret\": true if it is none",
		"`plastic list` shows the ids, `plastic recall` finds them by what they say", "GET /v1/memories shows the ids, GET /v1/memories/search finds them by what they say",
		"`plastic archive`", "GET /v1/memories/archive",
		"`plastic forget ID…`", "DELETE /v1/memories/{id}",
		"(`plastic card --json` gives its hash)", "(GET /v1/card gives its hash)",
		"content, kind, importance, pin and private", "content, kind, importance, pinned and private",
		"`plastic nights show DATE` numbers them", "GET /v1/sleep/runs has them in their order",
		"`plastic nights` lists them", "GET /v1/sleep/runs lists them",
		"`plastic reindex`", "POST /v1/reindex",
		"--level takes 1 to 5", "level takes 1 to 5",
		// What is done on the machine itself is said so.
		"`plastic config set model.", "there: `plastic config set model.",
	).Replace(step)
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
