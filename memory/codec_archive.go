package memory

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// The line form of an archive entry, one of
//
//	{"memory":{…},"archivedAt":"…","as":"forgotten","by":"cli","why":"…"}
//	{"id":"k3v9x2","archivedAt":"…","as":"forgotten"}     a tombstone whose text is gone
//	{"id":"k3v9x2","restoredAt":"…"}                      a mark: older tombstones are void
//
// and after these, sorted, the members that plastic does not know.

// Textless reports whether the entry has lost its text, or never had one.
func (a *Archived) Textless() bool { return a.Memory.Content == "" }

// AppendArchived appends the line form of a to dst, without a line break.
func AppendArchived(dst []byte, a *Archived) []byte {
	if a.Textless() {
		dst = append(dst, `{"id":`...)
		dst = appendString(dst, a.Memory.ID)
	} else {
		dst = append(dst, `{"memory":`...)
		dst = AppendJSON(dst, &a.Memory)
	}
	if writable(a.ArchivedAt) {
		dst = append(dst, `,"archivedAt":`...)
		dst = appendTime(dst, a.ArchivedAt)
	}
	for _, f := range [...]struct{ key, value string }{{"as", string(a.As)}, {"by", a.By}, {"why", a.Why}} {
		if f.value != "" {
			dst = append(dst, ',', '"')
			dst = append(dst, f.key...)
			dst = append(dst, '"', ':')
			dst = appendString(dst, f.value)
		}
	}
	if writable(a.RestoredAt) {
		dst = append(dst, `,"restoredAt":`...)
		dst = appendTime(dst, a.RestoredAt)
	}
	for _, k := range slices.Sorted(maps.Keys(a.Extra)) {
		dst = append(append(appendString(append(dst, ','), k), ':'), cleanRaw(string(a.Extra[k]))...)
	}
	return append(dst, '}')
}

// ParseArchived reads one archive entry, as leniently as ParseJSON. It fails
// with ErrInvalid when b is no JSON object or names no memory.
func ParseArchived(b []byte) (Archived, error) {
	s := string(b)
	a, n, err := ParseArchivedPrefix(s)
	if err == nil && !isBlank(s[n:]) {
		return Archived{}, Errorf(ErrInvalid, "text after the entry")
	}
	return a, err
}

// ParseArchivedPrefix is to ParseArchived what ParsePrefix is to ParseJSON.
func ParseArchivedPrefix(s string) (a Archived, n int, err error) {
	p := parser{s: s}
	id := ""
	for key, ok := p.open(); ok; key, ok = p.next() {
		start := p.i
		if !p.value() {
			break
		}
		raw := s[start:p.i]
		switch key {
		case "memory":
			m, n, err := ParsePrefix(raw)
			if raw[0] != '{' { // whole, and no memory
				n = len(raw)
			}
			if err != nil { // a text that is not whole is no tombstone
				return Archived{}, p.rest(n), fmt.Errorf("the memory of an archive entry: %w", err)
			}
			a.Memory = m
		case "id":
			id = idOf(raw)
		case "archivedAt":
			var ok bool
			if a.ArchivedAt, ok = moment(raw); !ok {
				a.keep(ArchivedAtWas, raw)
			}
		case "restoredAt":
			a.RestoredAt, _ = moment(raw)
		case "as":
			a.As = As(word(raw))
		case "by":
			a.By = word(raw)
		case "why":
			a.Why = word(raw)
		default:
			a.keep(key, raw)
		}
	}
	if !p.closed {
		return Archived{}, 0, Errorf(ErrInvalid, "not a JSON object at byte %d", p.i)
	}
	if a.Memory.ID == "" {
		a.Memory.ID = id
	}
	if a.Memory.ID == "" && a.Textless() {
		return Archived{}, p.i, Errorf(ErrInvalid, "an archive entry that names no memory")
	}
	return a, p.i, nil
}

// ArchivedAtWas is the field of Extra that keeps an archivedAt that is no time.
const ArchivedAtWas = "archivedAtWas"

func (a *Archived) keep(key, raw string) {
	if a.Extra == nil {
		a.Extra = make(map[string]json.RawMessage)
	}
	a.Extra[key] = cleanRaw(raw)
}

// rest steps over what is left of the entry, when its memory was whole (n > 0),
// and gives its length.
func (p *parser) rest(n int) int {
	for _, ok := p.next(); ok && n > 0; _, ok = p.next() {
		if !p.value() {
			break
		}
	}
	if n == 0 || !p.closed {
		return 0
	}
	return p.i
}

func idOf(raw string) string {
	var m Memory
	m.setText(fID, raw)
	return m.ID
}

func word(raw string) string {
	if raw[0] != '"' {
		return ""
	}
	return unquote(raw)
}
