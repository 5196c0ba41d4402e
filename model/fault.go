package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"plastic/memory"
)

// mostSaid bounds what is quoted of an endpoint's message, in runes.
const mostSaid = 200

// asError tells of a status. What the endpoint said is quoted, unless it repeats what
// was sent or holds a key: an error ends up in logs.
func (s *status) asError(where, sent, key string) error {
	said := message(s.body)
	if said != "" && (key != "" && strings.Contains(said, key) || repeats(said, sent)) {
		said = "its message repeats what was sent"
	}
	if said != "" {
		said = ": " + said
	}
	what := fmt.Sprintf("answered %d %s", s.code, http.StatusText(s.code))
	switch s.code {
	case http.StatusNotFound:
		what += " (is the address right?)"
	case http.StatusUnauthorized, http.StatusForbidden:
		what += " (is there a key, and is it this endpoint's?)"
	case http.StatusConflict:
		what = "answered with an error"
	case http.StatusOK:
		what = "answered no JSON"
	}
	if passes(s.code) {
		return &statusError{s.code, fmt.Errorf("%w at %s %s%s", memory.ErrUnreached, where, what, said)}
	}
	return &statusError{s.code, fmt.Errorf("%w at %s %s%s", memory.ErrModel, where, what, said)}
}

// statusError is an error that is a status of the endpoint.
type statusError struct {
	code int
	err  error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// message is what an error's body says, on one line.
func message(body []byte) string {
	var in struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	said := string(body[:min(len(body), 4*mostSaid)])
	if json.Unmarshal(body, &in) == nil {
		var e struct {
			Message string `json:"message"`
		}
		var plain string
		switch {
		case json.Unmarshal(in.Error, &e) == nil && e.Message != "":
			said = e.Message
		case json.Unmarshal(in.Error, &plain) == nil && plain != "":
			said = plain
		case in.Message != "":
			said = in.Message
		case len(in.Detail) > 0:
			said = string(in.Detail)
		}
	}
	if said == "{}" {
		said = ""
	}
	return firstRunes(strings.Join(strings.FieldsFunc(said, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "), mostSaid)
}

func firstRunes(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// repeats reports whether said quotes a piece of sent, which is JSON: a dozen letters,
// or four characters of a script whose characters say as much as three letters.
func repeats(said, sent string) bool {
	const piece, dense = 12, 3
	r := []rune(said)
	for i := range r {
		n, weight := i, 0
		for ; n < len(r) && weight < piece; n++ {
			weight++
			if unicode.In(r[n], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
				weight += dense - 1
			}
		}
		if weight < piece {
			return false
		}
		quoted, err := json.Marshal(string(r[i:n]))
		if err == nil && strings.Contains(sent, string(quoted[1:len(quoted)-1])) {
			return true
		}
	}
	return false
}
