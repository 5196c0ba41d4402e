// Package card reads and replaces the card, memory.md: a file people edit by
// hand and that stands whole in the prompt. It never cuts, formats or merges the
// card, and never replaces one that somebody changed since it was read.
//
//	c, err := card.Read("memory.md")
//	err = card.Write("memory.md", append(c.Bytes, "- likes tea\n"...), c.Hash)
package card

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"plastic/memory"
	"plastic/tokenize"
)

// MaxSize is the largest card that is shown or written, in bytes.
const MaxSize = 64 << 10

// Card is the card as it was on disk.
type Card struct {
	State State
	Bytes []byte // as on disk, byte for byte; nil unless State is Whole
	Hash  string // SHA-256 of the whole file in hex, whatever the State
	Size  int64  // of the file, in bytes
	Runes int    // 0 unless Whole; an invalid byte counts as one
	Valid bool   // the text is valid UTF-8; true for an empty card
}

// State says what the card can be used for.
type State int

// The states. None of them is an error: the memory works in each.
const (
	Empty    State = iota // missing, or without a byte
	Whole                 // in Bytes
	TooLarge              // over MaxSize: only Hash and Size are known
)

// Tokens estimates what the card costs in a model's prompt; 0 unless Whole.
func (c *Card) Tokens() int { return tokenize.Count(string(c.Bytes)) }

// Read reads the card at path. A missing file is an Empty card. What is there
// and is no readable file fails with the cause.
func Read(path string) (Card, error) {
	f, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Card{Hash: hashOf(nil), Valid: true}, nil
	}
	if err != nil {
		return Card{}, fmt.Errorf("read the card: %w", err)
	}
	defer f.Close()

	sum := sha256.New()
	head := new(bytes.Buffer)
	if _, err := io.CopyN(io.MultiWriter(head, sum), f, MaxSize+1); err != nil && err != io.EOF {
		return Card{}, fmt.Errorf("read the card: %w", err)
	}
	c := Card{Size: int64(head.Len())}
	if c.Size > MaxSize {
		rest, err := io.Copy(sum, f)
		if err != nil {
			return Card{}, fmt.Errorf("read the card: %w", err)
		}
		c.State, c.Size = TooLarge, c.Size+rest
	} else {
		c.Valid = utf8.Valid(head.Bytes())
		if c.Size > 0 {
			c.State, c.Bytes, c.Runes = Whole, head.Bytes(), utf8.RuneCount(head.Bytes())
		}
	}
	c.Hash = hex.EncodeToString(sum.Sum(nil))
	return c, nil
}

// open opens a regular file for reading. The kind is asked before opening:
// opening a pipe would wait for a writer.
func open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, memory.Errorf(memory.ErrInvalid, "%s is not a file (%s)", path, info.Mode().Type())
	}
	return os.Open(path)
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
