package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"plastic/memory"
)

// TurnID is the id of a turn that comes from elsewhere, by its source: the same turn
// has the same id again.
func TurnID(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "t" + hex.EncodeToString(sum[:8])
}

// parseTurn reads a line of the queue. It is not ok for one that is none.
func parseTurn(line []byte) (t Turn, ok bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return t, false
	}
	var in struct {
		Turn
		At json.RawMessage `json:"at"`
	}
	if json.Unmarshal(line, &in) != nil {
		return t, false
	}
	t = in.Turn
	t.At, _ = memory.ParseTime(string(in.At))
	if t.ID == "" {
		t.ID = TurnID(string(line)) // one that another hand wrote
	}
	return t, strings.TrimSpace(t.User) != "" || strings.TrimSpace(t.Assistant) != ""
}

// line is t as a line of the queue, without its end; fields of old that a Turn does not
// have are kept.
func (t *Turn) line(old []byte) []byte {
	out := unescaped(t)
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(old, &fields)
	for _, name := range []string{"id", "user", "assistant", "at", "session", "source", "private", "tries", "setAside", "reason"} {
		delete(fields, name)
	}
	if len(fields) == 0 {
		return out
	}
	rest := unescaped(fields)
	return append(append(out[:len(out)-1], ','), rest[1:]...)
}

// unescaped is v as JSON on one line, in plain characters.
func unescaped(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}
