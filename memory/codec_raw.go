package memory

import (
	"encoding/json"
	"time"
)

// What the other rooms read and write raw JSON with.

// SkipSpace gives the length of the blanks and comments that s begins with.
func SkipSpace(s string) int {
	p := parser{s: s}
	p.space()
	return p.i
}

// SkipValue gives the length of the JSON value that s begins with, 0 when there
// is no whole one. What stands inside brackets is not looked at.
func SkipValue(s string) int {
	p := parser{s: s}
	if !p.value() {
		return 0
	}
	return p.i
}

// CleanValue gives a JSON value as it can stand on one line; what is no JSON is
// given as a JSON string.
func CleanValue(s string) json.RawMessage { return cleanRaw(s) }

// Unquote gives the text of a JSON string with its quotes, "" for another value.
func Unquote(raw string) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	return unquote(raw)
}

// AppendString appends s as a JSON string, escaping only what JSON must.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s) }

// ParseTime reads a time in any form that a memory may hold it in.
func ParseTime(raw string) (time.Time, bool) {
	if raw == "" {
		return time.Time{}, false
	}
	return moment(raw)
}

// AppendTime appends t as it stands on disk, with its quotes; "" when not set.
func AppendTime(dst []byte, t time.Time) []byte { return appendTime(dst, t) }

// Members calls f with each key and raw value of the object that s begins with
// and gives its length, 0 when there is no whole one.
func Members(s string, f func(key, raw string)) int {
	p := parser{s: s}
	for key, ok := p.open(); ok; key, ok = p.next() {
		start := p.i
		if !p.value() {
			return 0
		}
		f(key, p.s[start:p.i])
	}
	if !p.closed {
		return 0
	}
	return p.i
}

// Elements calls f with each raw value of the array that s begins with and gives
// its length, 0 when there is no whole one.
func Elements(s string, f func(raw string)) int {
	p := parser{s: s}
	p.space()
	if p.i >= len(s) || s[p.i] != '[' {
		return 0
	}
	p.i++
	for {
		for p.space(); p.i < len(s) && s[p.i] == ','; p.space() {
			p.i++
		}
		if p.i < len(s) && s[p.i] == ']' {
			return p.i + 1
		}
		start := p.i
		if !p.value() {
			return 0
		}
		f(s[start:p.i])
	}
}

// KnownField reports whether key is one of the fields of a memory; under such a
// key Extra holds a value that made no sense.
func KnownField(key string) bool { return fieldOf(key) != fUnknown }
