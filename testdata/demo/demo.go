// Package demo holds the example memory that `plastic demo` runs on: a few
// hundred memories of a small bot over five months, in three languages. It is
// data only.
//
//	b, err := demo.Files.ReadFile("memory.json")
package demo

import "embed"

// Files are memory.json, the card memory.md and config.yaml.
//
//go:embed memory.json memory.md config.yaml
var Files embed.FS
