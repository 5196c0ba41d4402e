package store

import (
	"bytes"
	"fmt"
	"strconv"

	"plastic/memory"
)

// The guard, .plastic/guard.json, stands while memory.json is written in place. It has
// the text that is written, the text that it is written over, and a last line:
//
//	{"writes":1234,"over":1200}
//
// with their lengths. When the write was cut off, by a kill or by the power, each byte of
// memory.json is that of the one, that of the other or zero, in any mixture that the disk
// has made; and such a mixture may well read as a list of memories. What is no mixture was
// mended by a hand since, and stands.
const guardName = "guard.json"

func guarding(writes, over []byte) []byte {
	return fmt.Appendf(bytes.Join([][]byte{writes, over}, nil), "{\"writes\":%d,\"over\":%d}\n", len(writes), len(over))
}

// guarded gives both texts of a guard; not ok is one that is not whole.
func guarded(guard []byte) (writes, over []byte, ok bool) {
	at := bytes.LastIndexByte(bytes.TrimSuffix(guard, []byte("\n")), '\n') + 1
	n, m := -1, -1
	memory.Members(string(guard[at:]), func(key, raw string) {
		switch key {
		case "writes":
			n, _ = strconv.Atoi(raw)
		case "over":
			m, _ = strconv.Atoi(raw)
		}
	})
	if n < 0 || m < 0 || n+m != at {
		return nil, nil, false
	}
	return guard[:n], guard[n:at], true
}

// cutOff gives what memory.json was to be, if it is what a write in place has left half
// done.
func (s *Store) cutOff(b *base) (text string, ok bool) {
	guard, err := readFile(s.own(guardName))
	if err != nil || b.absent {
		return "", false
	}
	writes, over, ok := guarded(guard)
	if !ok {
		return "", false
	}
	now, err := b.raw()
	if err == nil && (now == string(writes) || now == string(over) || !mixed(now, writes, over)) {
		return "", false
	}
	return string(writes), true
}

// mixed reports whether each byte of text is that of a or b at its place, or zero.
func mixed(text string, a, b []byte) bool {
	for i := range len(text) {
		c := text[i]
		if c != 0 && (i >= len(a) || c != a[i]) && (i >= len(b) || c != b[i]) {
			return false
		}
	}
	return true
}
