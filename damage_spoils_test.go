package plastic_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"unicode/utf16"
)

// spoil is one way to damage the text of a file.
type spoil struct {
	name string
	do   func(text []byte) []byte
}

func tenth(k int) func([]byte) []byte {
	return func(text []byte) []byte { return text[:len(text)*k/10] }
}

func eachLine(text []byte, do func(lines [][]byte) [][]byte) []byte {
	return bytes.Join(do(slices.Collect(bytes.Lines(text))), nil)
}

func replaced(old, new string) func([]byte) []byte {
	return func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(old), []byte(new)) }
}

// spoils are the ways in which the text of any file is damaged; not all of a kind
// unless every is set.
func spoils(every bool) []spoil {
	out := []spoil{
		{"zero bytes", func([]byte) []byte { return []byte{} }},
		{"blanks alone", func([]byte) []byte { return []byte(" \n\n") }},
		{"all NUL", func(text []byte) []byte { return make([]byte, len(text)) }},
		{"a block of NUL", func(text []byte) []byte { clear(text[len(text)/3 : len(text)/2]); return text }},
		{"a tail of NUL", func(text []byte) []byte { return append(text, make([]byte, 512)...) }},
		{"a tail turned to NUL", func(text []byte) []byte { clear(text[len(text)*2/3:]); return text }},
		{"a byte order mark", func(text []byte) []byte { return append([]byte("\ufeff"), text...) }},
		{"UTF-16", func(text []byte) []byte {
			out := []byte{0xff, 0xfe}
			for _, u := range utf16.Encode([]rune(string(text))) {
				out = binary.LittleEndian.AppendUint16(out, u)
			}
			return out
		}},
		{"CRLF", replaced("\n", "\r\n")},
		{"invalid UTF-8", replaced("e", "\xff\xfe")},
		{"a text in Latin-1", func(text []byte) []byte { return bytes.Replace(text, []byte("green"), []byte("gr\xfcn"), 1) }},
		{"lines doubled", func(text []byte) []byte {
			return eachLine(text, func(lines [][]byte) (out [][]byte) {
				for _, l := range lines {
					out = append(out, l, l)
				}
				return out
			})
		}},
		{"lines turned round", func(text []byte) []byte {
			return eachLine(text, func(lines [][]byte) [][]byte { slices.Reverse(lines); return lines })
		}},
		{"the file twice", func(text []byte) []byte { return append(text, text...) }},
		{"a conflict", func(text []byte) []byte {
			return eachLine(text, func(lines [][]byte) [][]byte {
				n := len(lines) / 2
				both := [][]byte{[]byte("<<<<<<< ours\n"), lines[n], []byte("=======\n"), lines[n], []byte(">>>>>>> theirs\n")}
				return slices.Concat(lines[:n], both, lines[n+1:])
			})
		}},
		{"a conflict cut off", func(text []byte) []byte {
			return eachLine(text, func(lines [][]byte) [][]byte {
				n := len(lines) / 2
				return slices.Concat(lines[:n], [][]byte{[]byte("<<<<<<< ours\n")}, lines[n:])
			})
		}},
		{"another file's text", func([]byte) []byte { return []byte("[package]\nname = \"tea\"\n") }},
		{"another JSON", func([]byte) []byte { return []byte(`{"name":"tea","list":[1,2,{"x":null}]}`) }},
		{"a page of HTML", func([]byte) []byte { return []byte("<!DOCTYPE html><html><body>Log in</body></html>\n") }},
		{"a strange line in the middle", func(text []byte) []byte {
			return eachLine(text, func(lines [][]byte) [][]byte { return slices.Insert(lines, len(lines)/2, []byte("%% 7 {[\n")) })
		}},
		{"a pointer of git-lfs", func([]byte) []byte {
			return []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
		}},
		{"a newer version", replaced(`"version":1`, `"version":7`)},
		{"a version of nonsense", replaced(`"version":1`, `"version":{}`)},
		{"no ids", replaced(`"id":`, `"name":`)},
		{"one id for all", func(text []byte) []byte { return oneID.ReplaceAll(text, []byte(`"id":"same"`)) }},
		{"ids that are none", func(text []byte) []byte { return oneID.ReplaceAll(text, []byte(`"id":["../..",7]`)) }},
		{"contents that are numbers", func(text []byte) []byte { return oneContent.ReplaceAll(text, []byte(`"content":7`)) }},
		{"contents that are empty", func(text []byte) []byte { return oneContent.ReplaceAll(text, []byte(`"content":""`)) }},
		{"importance of 1e400", func(text []byte) []byte { return oneImportance.ReplaceAll(text, []byte(`"importance":1e400`)) }},
		{"importance of -3", func(text []byte) []byte { return oneImportance.ReplaceAll(text, []byte(`"importance":-3`)) }},
		{"counts without end", replaced(`"kind":`, `"recallCount":99999999999999999999999,"kind":`)},
		{"the year 0", func(text []byte) []byte { return oneTime.ReplaceAll(text, []byte(`"0000-01-01T00:00:00Z"`)) }},
		{"the year 9999", func(text []byte) []byte { return oneTime.ReplaceAll(text, []byte(`"9999-12-31T23:59:59Z"`)) }},
		{"times that are none", func(text []byte) []byte { return oneTime.ReplaceAll(text, []byte(`"yesterday"`)) }},
		{"times as numbers beyond all", func(text []byte) []byte { return oneTime.ReplaceAll(text, []byte(`1e300`)) }},
		{"ids of another memory", replaced(`"supersededBy":"`, `"supersededBy":"no-such-`)},
	}
	for k := 1; k < 10; k++ {
		if every || k%4 == 1 {
			out = append(out, spoil{fmt.Sprintf("cut at %d tenths", k), tenth(k)})
		}
	}
	for seed := range uint64(30) {
		if !every && seed > 1 {
			break
		}
		out = append(out, spoil{fmt.Sprintf("bytes flipped, %d", seed), func(text []byte) []byte {
			r := rand.New(rand.NewPCG(seed, 1))
			for range 1 + len(text)/200 {
				text[r.IntN(len(text))] ^= 1 << r.IntN(8)
			}
			return text
		}})
	}
	return out
}

var (
	oneID         = regexp.MustCompile(`"id":"[^"]*"`)
	oneContent    = regexp.MustCompile(`"content":"[^"]*"`)
	oneImportance = regexp.MustCompile(`"importance":[0-9.]+`)
	oneTime       = regexp.MustCompile(`"2026-[0-9TZ:-]+"`)
)
