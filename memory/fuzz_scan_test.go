package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"plastic/memory"
)

// The laws of the lenient reader: what is JSON it reads as JSON is read; a value kept
// is JSON on one line, and kept twice is kept once; nothing is read beyond the text.
func FuzzValue(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b":[2,"\ud83d\ude00",{"c":null}]}`, "[1,]", "{/* x */\"a\":tea // y\n,}", `"\ud800"`, "\"\xff\"", "[[[[", `"\`, "1 2", `{"a":{"a":1,"a":2}}`, "\u2028", "{\"a\r\":\n}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := memory.SkipValue(s)
		if n < 0 || n > len(s) {
			t.Fatalf("%d bytes of %d", n, len(s))
		}
		if n > 0 {
			kept := memory.CleanValue(s[:n])
			if !json.Valid(kept) || strings.ContainsAny(string(kept), "\r\n") {
				t.Fatalf("%q is kept as %q", s[:n], kept)
			}
			if again := memory.CleanValue(string(kept)); string(again) != string(kept) {
				t.Fatalf("%q is kept as %q, then as %q", s[:n], kept, again)
			}
		}
		memory.Elements(s, func(raw string) { memory.CleanValue(raw) })
		memory.Members(s, func(key, raw string) { memory.CleanValue(raw) })
		bare := strings.TrimLeft(s, " \t\r\n")
		if bare == "" || !json.Valid([]byte(bare)) || !utf8.ValidString(bare) {
			return
		}
		whole := strings.TrimRight(bare, " \t\r\n")
		if n := memory.SkipValue(bare); n != len(whole) {
			t.Fatalf("%d bytes of the %d of %q", n, len(whole), whole)
		}
		var text string
		if json.Unmarshal([]byte(whole), &text) == nil && whole[0] == '"' {
			if got := memory.Unquote(whole); got != text {
				t.Fatalf("%s is %q, read as %q", whole, text, got)
			}
			if got := memory.Unquote(string(memory.AppendString(nil, text))); got != text {
				t.Fatalf("%q is written so that it is read as %q", text, got)
			}
		}
		var object map[string]json.RawMessage
		if whole[0] == '{' && json.Unmarshal([]byte(whole), &object) == nil {
			got := map[string]string{}
			if n := memory.Members(whole, func(key, raw string) { got[key] = raw }); n != len(whole) || len(got) != len(object) {
				t.Fatalf("%d members in %d bytes of %q, there are %d in %d", len(got), n, whole, len(object), len(whole))
			}
			for k, v := range object {
				if strings.TrimSpace(got[k]) != string(v) {
					t.Fatalf("%q is %q, read as %q in %q", k, v, got[k], whole)
				}
			}
		}
	})
}

// The law: a time that is read is written so that it is read as the same again, in
// the years that can be written.
func FuzzTime(f *testing.F) {
	for _, s := range []string{`"2026-11-30"`, `"2026-11-30T21:40:00+03:00"`, "1764500000", "1764500000000", "1e9", "-1", `"2026-11-30 21:40"`, "null", `""`, `"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59-12:00"`, "1e400", `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, ok := memory.ParseTime(s)
		if !ok {
			if !at.IsZero() {
				t.Fatalf("%q is no time and is %v", s, at)
			}
			return
		}
		if y := at.UTC().Year(); !at.IsZero() && (y < 0 || y > 9999) {
			t.Fatalf("%q is of the year %d", s, y)
		}
		written := memory.AppendTime(nil, at)
		again, ok := memory.ParseTime(string(written))
		if !json.Valid(written) || !ok || !again.Equal(at.Truncate(time.Second)) {
			t.Fatalf("%q is %v, written %s, read as %v (%v)", s, at, written, again, ok)
		}
	})
}
