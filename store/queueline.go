package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"plastic/memory"
)

// The queue, queue.jsonl: JSON objects, one a line, in the order they came. A turn:
//
//	{"id":"…","user":"…","assistant":"…","at":"…","session":"…","source":"…","private":true,"tries":1,"setAside":true,"reason":"…"}
//
// All but user or assistant may be missing, fields that are not known stay. A later
// line of the same id says the turn anew; it keeps its first place. And turns that left:
//
//	{"done":["id",…]}
//
// takes out those that stand before it: a long file is appended to, and written anew
// when half of it counts no more. Any other line is left as it is and says nothing.

// glanced is what a line of the queue is, without the texts of a turn.
type glanced struct {
	kind              lineKind
	id                string // of a turn
	private, setAside bool
	done              []string
}

type lineKind uint8

const (
	blankLine lineKind = iota
	oddLine
	turnLine
	doneLines
)

const byteOrderMark = "\uFEFF"

// bareLine is a line of the queue without what surrounds its object.
func bareLine(line string) string {
	line = strings.TrimSpace(strings.Trim(line, "\x00\r\n")) // a power cut leaves zeros
	line = strings.TrimSpace(strings.TrimPrefix(line, byteOrderMark))
	return strings.TrimSpace(strings.TrimSuffix(line, ","))
}

func glance(line string) (l glanced) {
	zeros := strings.IndexByte(line, 0) >= 0
	line = bareLine(line)
	if line == "" {
		if zeros {
			l.kind = oddLine
		}
		return l
	}
	var id, done string
	told := false
	n := memory.Members(line, func(key, raw string) {
		switch key {
		case "id":
			id = raw
		case "user", "assistant":
			told = told || says(raw)
		case "private":
			l.private = !saysNo(raw)
		case "setAside":
			l.setAside = isAside(raw)
		case "done":
			done = raw
		}
	})
	switch {
	case n != len(line):
		return glanced{kind: oddLine}
	case told:
		l.kind, l.id = turnLine, turnName(id, line)
		return l
	case strings.HasPrefix(done, "["):
		l = glanced{kind: doneLines}
		memory.Elements(done, func(raw string) { l.done = append(l.done, memory.Unquote(raw)) })
		return l
	}
	return glanced{kind: oddLine}
}

// says reports whether a raw value is a string with something in it.
func says(raw string) bool {
	return len(raw) > 2 && raw[0] == '"' && strings.TrimSpace(raw[1:len(raw)-1]) != ""
}

// turnName is the id of a turn in its line; one that another hand wrote without an id
// has one by what it says.
func turnName(raw, line string) string {
	id := raw
	if strings.HasPrefix(raw, `"`) {
		id = memory.Unquote(raw)
	}
	if id == "" || raw == "null" || strings.HasPrefix(raw, "{") || strings.HasPrefix(raw, "[") {
		return TurnID(line)
	}
	return strings.Clone(id)
}

// TurnID is the id of a turn that comes from elsewhere, by its source: the same turn
// has the same id again.
func TurnID(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "t" + hex.EncodeToString(sum[:8])
}

// parseTurn reads the line of a turn in a file of this key. What says nothing about a
// field leaves it not set; without a time the turn is as old as the file. Any private
// but false is private.
func parseTurn(line string, file FileKey) (t Turn) {
	line = bareLine(line)
	var id string
	memory.Members(line, func(key, raw string) {
		switch key {
		case "id":
			id = raw
		case "user":
			t.User = memory.Unquote(raw)
		case "assistant":
			t.Assistant = memory.Unquote(raw)
		case "at":
			t.At, _ = memory.ParseTime(raw)
		case "session":
			t.Session = memory.Unquote(raw)
		case "source":
			t.Source = memory.Unquote(raw)
		case "private":
			t.Private = !saysNo(raw)
		case "tries":
			t.Tries, _ = strconv.Atoi(strings.Trim(raw, `"`))
		case "setAside":
			t.SetAside = isAside(raw)
		case "reason":
			t.Reason = memory.Unquote(raw)
		}
	})
	t.ID = turnName(id, line)
	if t.At.IsZero() && file.MTime != 0 {
		t.At = time.Unix(0, file.MTime).UTC().Truncate(time.Second)
	}
	return t
}

func saysNo(raw string) bool { return raw == "false" || raw == `"false"` }

func isAside(raw string) bool { return !saysNo(raw) && raw != "null" }

// line appends t as a line of the queue, without its end; fields of the old line that a
// Turn does not have are kept.
func (t *Turn) line(dst []byte, old string) []byte {
	text := func(key, value string, always bool) {
		if value != "" || always {
			dst = memory.AppendString(append(append(append(dst, '"'), key...), `":`...), value)
			dst = append(dst, ',')
		}
	}
	dst = append(dst, '{')
	text("id", t.ID, true)
	text("user", t.User, true)
	text("assistant", t.Assistant, true)
	dst = append(memory.AppendTime(append(dst, `"at":`...), t.At), ',')
	text("session", t.Session, false)
	text("source", t.Source, false)
	if t.Private {
		dst = append(dst, `"private":true,`...)
	}
	if t.Tries > 0 {
		dst = append(strconv.AppendInt(append(dst, `"tries":`...), int64(t.Tries), 10), ',')
	}
	if t.SetAside {
		dst = append(dst, `"setAside":true,`...)
	}
	text("reason", t.Reason, false)
	memory.Members(bareLine(old), func(key, raw string) {
		if turnFields[key] {
			return
		}
		value := memory.CleanValue(raw)
		if !json.Valid(value) {
			value = memory.AppendString(nil, raw)
		}
		dst = append(memory.AppendString(dst, key), ':')
		dst = append(append(dst, value...), ',')
	})
	dst[len(dst)-1] = '}'
	return dst
}

var turnFields = map[string]bool{"id": true, "user": true, "assistant": true, "at": true, "session": true, "source": true,
	"private": true, "tries": true, "setAside": true, "reason": true}

// doneLine is the line that takes turns out, nil for none.
func doneLine(ids []string) []byte {
	if len(ids) == 0 {
		return nil
	}
	line := []byte(`{"done":`)
	for i, id := range ids {
		line = append(line, "[,"[min(i, 1)])
		line = memory.AppendString(line, id)
	}
	return append(line, "]}\n"...)
}
