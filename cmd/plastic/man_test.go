package main

import (
	"strings"
	"testing"
)

// The law of roff: whatever the text, it stays text. Nothing of it is read as
// an escape that it did not ask for, and no line of it as a request.
func FuzzTextInTheManualStaysText(f *testing.F) {
	for _, text := range []string{"", ".TH x", "'br", "a\n.br", `\fB`, "--as-of", "大肥魚", "\n\n'"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, line := range strings.Split(roff(text), "\n") {
			if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				t.Fatalf("roff(%q) has the request %q", text, line)
			}
			rest := line
			for _, known := range []string{`\&`, `\e`, `\-`, `\[u`} {
				rest = strings.ReplaceAll(rest, known, "")
			}
			if strings.Contains(rest, `\`) {
				t.Fatalf("roff(%q) has the escape %q", text, line)
			}
		}
	})
}
