package main

import (
	"bytes"
	"strings"
	"testing"
)

// BenchmarkVersion is what every call pays before its verb: the tree of
// commands, the flags, the streams.
func BenchmarkVersion(b *testing.B) {
	for b.Loop() {
		var out, errs bytes.Buffer
		if run([]string{"plastic", "version"}, strings.NewReader(""), &out, &errs, nil) != exitOK {
			b.Fatal(errs.String())
		}
	}
}
