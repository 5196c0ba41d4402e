package memory_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"plastic/memory"
)

func TestTextInJSONStandsAsItIs(t *testing.T) {
	for text, want := range map[string]string{
		"a\u2028b\u2029c":     "\"a\u2028b\u2029c\"\n",
		"<b> & 'x'":           "\"<b> & 'x'\"\n",
		`a\u2028`:             `"a\\u2028"` + "\n", // its backslash is text
		`\\` + "\u2028":       `"\\\\` + "\u2028\"\n",
		"\x01\x1f\"\\":        `"\u0001\u001f\"\\"` + "\n",
		"\xff":                "\"\uFFFD\"\n",
		"大肥魚 🐟 е\u0308\u200B": "\"大肥魚 🐟 е\u0308\u200B\"\n",
	} {
		var b strings.Builder
		if err := memory.WriteJSON(&b, text); err != nil || b.String() != want {
			t.Errorf("%q is written %q (%v), want %q", text, b.String(), err, want)
		}
	}
	var b strings.Builder
	raw := json.RawMessage(`{"why":"\u003cb\u003e \ud83d\udc1f \u0022 \u005c \ud800"}`)
	if err := memory.WriteJSON(&b, raw); err != nil || b.String() != `{"why":"<b> \ud83d\udc1f \u0022 \u005c \ud800"}`+"\n" {
		t.Errorf("raw JSON is written %q (%v)", b.String(), err)
	}
}

// FuzzUnescapedJSONSaysTheSame: what is unescaped is as valid, says the same, and is
// unescaped once and for all.
func FuzzUnescapedJSONSaysTheSame(f *testing.F) {
	f.Add(`{"a":"\u2028\\u2028\u0000\u003c\ud83d\udc1f\ud800"}`)
	f.Add(`"\\\u2029"`)
	f.Fuzz(func(t *testing.T, text string) {
		var before, after any
		if json.Unmarshal([]byte(text), &before) != nil {
			t.Skip()
		}
		out := bytes.Clone(memory.Unescape([]byte(text)))
		if err := json.Unmarshal(out, &after); err != nil {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		was, _ := json.Marshal(before) // read from JSON: it can be written
		is, _ := json.Marshal(after)
		if !bytes.Equal(was, is) {
			t.Fatalf("%q became %q", text, out)
		}
		if again := memory.Unescape(bytes.Clone(out)); !bytes.Equal(again, out) {
			t.Fatalf("%q unescaped again is %q", out, again)
		}
	})
}
