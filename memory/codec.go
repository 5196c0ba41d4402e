package memory

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The line form of a memory: one JSON object on one line, as it stands in
// memory.json.
//
//	{"id":"k3v9x2","content":"Ann keeps two cats","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}
//
// Keys stand in the order of the table below; id, content, kind, importance and
// createdAt are always written, other fields only when set, unknown fields last
// and sorted. Characters are written as they are; only what JSON must escape is
// escaped. Times are RFC 3339, UTC, whole seconds; the zero time is not written
// (createdAt is then the empty string).
//
// A known field whose value makes no sense ("importance":"high") keeps that
// value in Extra under its own name, and the field has the value it was read as.
// It is written back for as long as reading it would give the value the field
// has now; a field that was changed on purpose drops it.

// A field is a known key, in the order in which it is written.
type field int

const (
	fID field = iota
	fContent
	fKind
	fImportance
	fPinned
	fPrivate
	fCreatedAt
	fUpdatedAt
	fRecallCount
	fLastRecalledAt
	fConsolidatedAt
	fValidTo
	fSupersededBy
	fSource
	fSession
	fSpeaker
	fUnknown
)

var keys = [fUnknown]string{
	"id", "content", "kind", "importance", "pinned", "private", "createdAt", "updatedAt", "recallCount",
	"lastRecalledAt", "consolidatedAt", "validTo", "supersededBy", "source", "session", "speaker",
}

// always tells which keys are written even when they are empty.
var always = [fUnknown]bool{fID: true, fContent: true, fKind: true, fImportance: true, fCreatedAt: true}

// AppendJSON appends the line form of m to dst, without a line break. What can
// not be written is written as its nearest: an importance outside 0…1 at the
// nearer end, one that is not a number as 0.5, an empty kind as fact, bytes that
// are not UTF-8 as U+FFFD.
func AppendJSON(dst []byte, m *Memory) []byte {
	odd := hasOdd(m)
	dst = append(dst, '{')
	for f := range fUnknown {
		var raw json.RawMessage
		if odd {
			raw = m.oddValue(f)
		}
		if raw == nil && !always[f] && m.unset(f) {
			continue
		}
		if f > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, keys[f]...)
		dst = append(dst, '"', ':')
		if raw != nil {
			dst = append(dst, raw...)
			continue
		}
		dst = m.appendField(dst, f)
	}
	if len(m.Extra) > 0 {
		dst = appendExtra(dst, m.Extra)
	}
	return append(dst, '}')
}

func appendExtra(dst []byte, extra map[string]json.RawMessage) []byte {
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		if fieldOf(k) != fUnknown {
			continue // an odd value of a known field stands in that field's place
		}
		dst = append(dst, ',')
		dst = appendString(dst, k)
		dst = append(dst, ':')
		dst = append(dst, cleanRaw(string(extra[k]))...)
	}
	return dst
}

func hasOdd(m *Memory) bool {
	for k := range m.Extra {
		if fieldOf(k) != fUnknown {
			return true
		}
	}
	return false
}

// oddValue gives the odd value kept for f, if reading it gives what f is now.
func (m *Memory) oddValue(f field) json.RawMessage {
	raw, ok := m.Extra[keys[f]]
	if !ok {
		return nil
	}
	probe := blank()
	p := parser{s: string(cleanRaw(string(raw)))}
	if !p.field(&probe, f) || probe.Extra == nil || !probe.same(m, f) {
		return nil
	}
	return probe.Extra[keys[f]]
}

func (m *Memory) unset(f field) bool {
	switch f {
	case fPinned:
		return !m.Pinned
	case fPrivate:
		return !m.Private
	case fRecallCount:
		return m.RecallCount <= 0
	case fSupersededBy, fSource, fSession, fSpeaker:
		return *m.text(f) == ""
	case fUpdatedAt, fLastRecalledAt, fConsolidatedAt, fValidTo:
		return !writable(*m.moment(f))
	}
	return false
}

func (m *Memory) same(o *Memory, f field) bool {
	switch f {
	case fImportance:
		return m.Importance == o.Importance
	case fPinned:
		return m.Pinned == o.Pinned
	case fPrivate:
		return m.Private == o.Private
	case fRecallCount:
		return m.RecallCount == o.RecallCount
	case fKind:
		return m.Kind == o.Kind
	case fID, fContent, fSupersededBy, fSource, fSession, fSpeaker:
		return *m.text(f) == *o.text(f)
	}
	return m.moment(f).Equal(*o.moment(f))
}

// text and moment point at the field f of m; f must be of that type.
func (m *Memory) text(f field) *string {
	switch f {
	case fID:
		return &m.ID
	case fContent:
		return &m.Content
	case fSupersededBy:
		return &m.SupersededBy
	case fSource:
		return &m.Source
	case fSession:
		return &m.Session
	}
	return &m.Speaker
}

func (m *Memory) moment(f field) *time.Time {
	switch f {
	case fCreatedAt:
		return &m.CreatedAt
	case fUpdatedAt:
		return &m.UpdatedAt
	case fLastRecalledAt:
		return &m.LastRecalledAt
	case fConsolidatedAt:
		return &m.ConsolidatedAt
	}
	return &m.ValidTo
}

func (m *Memory) appendField(dst []byte, f field) []byte {
	switch f {
	case fKind:
		if m.Kind == "" {
			return appendString(dst, string(Fact))
		}
		return appendString(dst, string(m.Kind))
	case fImportance:
		return appendFloat(dst, clamp(m.Importance))
	case fPinned, fPrivate:
		return append(dst, "true"...)
	case fRecallCount:
		return strconv.AppendInt(dst, int64(m.RecallCount), 10)
	case fCreatedAt, fUpdatedAt, fLastRecalledAt, fConsolidatedAt, fValidTo:
		return appendTime(dst, *m.moment(f))
	}
	return appendString(dst, *m.text(f))
}

// clamp brings an importance into 0…1; what is no number weighs as the default.
func clamp(x float64) float64 {
	switch {
	case x != x:
		return DefaultImportance
	case x <= 0:
		return 0 // -0 too
	case x >= 1:
		return 1
	}
	return x
}

func appendFloat(dst []byte, x float64) []byte {
	if x != 0 && math.Abs(x) < 1e-6 {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

const hexDigits = "0123456789abcdef"

func appendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = replaceInvalid(s)
	}
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			start = i + 1
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// replaceInvalid puts U+FFFD in the place of each byte that is not UTF-8.
func replaceInvalid(s string) string {
	var b strings.Builder
	for _, r := range s { // gives utf8.RuneError for each such byte
		b.WriteRune(r)
	}
	return b.String()
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// ParseJSON reads one memory, leniently: any order and layout of keys, `text`
// where there is no `content`, times as RFC 3339 or as epoch seconds or
// milliseconds (numbers or digits in a string), numbers and booleans in strings,
// comments and trailing commas from editing by hand. Any `private` other than
// absent or false is private. An odd value of a known field never fails the
// memory: it is kept in Extra under the field's name, and the field is read as
// not set (an importance outside 0…1 as the nearer end). It fails with
// ErrInvalid when b is not one JSON object, or has no content that is a string.
//
// An id that breaks the rules for ids is such an odd value; ID is then empty.
// So is a createdAt that says nothing; giving one is up to the caller.
func ParseJSON(b []byte) (Memory, error) {
	s := string(b)
	m, n, err := ParsePrefix(s)
	if err == nil && !isBlank(s[n:]) {
		return Memory{}, Errorf(ErrInvalid, "text after the memory")
	}
	return m, err
}

// ParsePrefix reads the memory that s begins with and says how many bytes it
// took. The strings of the memory share s. On error n is 0 when s does not begin
// with a whole JSON object, else the length of the object that is no memory.
func ParsePrefix(s string) (m Memory, n int, err error) {
	p := parser{s: s}
	m = blank()
	var hasContent, badContent bool
	var alias string // raw value of "text"
	for key, ok := p.open(); ok; key, ok = p.next() {
		f := fieldOf(key)
		start := p.i
		if !p.field(&m, f) {
			break
		}
		raw := s[start:p.i]
		switch {
		case f == fContent:
			hasContent, badContent = true, raw[0] != '"'
		case f == fUnknown && key == "text":
			alias = raw
		case f == fUnknown:
			m.keep(key, cleanRaw(raw))
		}
	}
	if !p.closed {
		return Memory{}, 0, Errorf(ErrInvalid, "not a JSON object at byte %d", p.i)
	}
	if alias != "" {
		if !hasContent && alias[0] == '"' {
			hasContent, m.Content = true, unquote(alias)
		} else {
			m.keep("text", cleanRaw(alias))
		}
	}
	if !hasContent || badContent {
		return Memory{}, p.i, Errorf(ErrInvalid, "a memory without content")
	}
	return m, p.i, nil
}

// blank is a memory of which nothing was said.
func blank() Memory { return Memory{Kind: Fact, Importance: DefaultImportance} }

func (m *Memory) keep(key string, raw json.RawMessage) {
	if m.Extra == nil {
		m.Extra = make(map[string]json.RawMessage)
	}
	m.Extra[key] = raw
}
