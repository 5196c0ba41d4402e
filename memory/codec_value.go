package memory

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// field reads the value at p into field f of m; an unknown field is only
// stepped over. It fails only when there is no whole value.
func (p *parser) field(m *Memory, f field) bool {
	start := p.i
	if !p.value() {
		return false
	}
	raw := p.s[start:p.i]
	if f == fUnknown || m.set(f, raw) {
		return true
	}
	clean := cleanRaw(raw) // a word without quotes gets them here, and may be plain then
	if !m.set(f, string(clean)) {
		m.keep(keys[f], clean)
	}
	return true
}

// set reads raw into field f and reports whether it made plain sense; if not,
// the field has the value an odd one is read as.
func (m *Memory) set(f field, raw string) bool {
	if raw == "null" && f != fPrivate && f != fContent {
		return true // null says nothing
	}
	switch f {
	case fImportance:
		x, ok := number(raw)
		if ok {
			m.Importance = clamp(x)
		} else {
			m.Importance = DefaultImportance
		}
		return ok && x == m.Importance
	case fPinned:
		m.Pinned = truth(raw) == yes
		return truth(raw) != neither
	case fPrivate:
		m.Private = raw != "false" // whatever else it says, it is private
		return raw == "false" || truth(raw) == yes
	case fRecallCount:
		x, ok := number(raw)
		ok = ok && x == math.Trunc(x) && x >= 0 && x <= math.MaxInt32
		m.RecallCount = 0
		if ok {
			m.RecallCount = int(x)
		}
		return ok
	case fCreatedAt, fUpdatedAt, fLastRecalledAt, fConsolidatedAt, fValidTo:
		t, ok := moment(raw)
		*m.moment(f) = t
		return ok
	}
	return m.setText(f, raw)
}

func (m *Memory) setText(f field, raw string) bool {
	if raw[0] != '"' {
		if _, ok := number(raw); f != fID || !ok || !ValidID(raw) {
			return false
		}
		m.ID = raw // a number as an id
		return true
	}
	s := unquote(raw)
	switch f {
	case fKind:
		if s == "" {
			s = string(Fact)
		}
		m.Kind = Kind(s)
	case fID:
		m.ID = ""
		if !ValidID(s) {
			return s == ""
		}
		m.ID = s
	default:
		*m.text(f) = s
	}
	return true
}

// A boolean as files say it.
type answer int

const (
	neither answer = iota
	yes
	no
)

func truth(raw string) answer {
	switch raw {
	case "true", `"true"`:
		return yes
	case "false", `"false"`:
		return no
	}
	return neither
}

// number reads a finite JSON number, or one inside a string.
func number(raw string) (float64, bool) {
	raw = strings.Trim(raw, `"`)
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false // ParseFloat takes more: +1, .5, inf, nan
	}
	x, err := strconv.ParseFloat(raw, 64)
	if err != nil || strings.ContainsAny(raw, "xXpP_") {
		return 0, false
	}
	return x, true
}

// Epoch numbers from here on are milliseconds: as seconds it is the year 5138,
// as milliseconds March 1973.
const firstMilli = 1e11

// moment reads a time: RFC 3339, the same without a zone (UTC), a date (UTC
// midnight), epoch seconds or milliseconds. Fractions of a second are cut. Not
// set ("" or null, or Go's zero time) is the zero time and no odd value; what is
// outside the years 1 to 9999 is odd.
func moment(raw string) (time.Time, bool) {
	if raw == "null" || raw == `""` {
		return time.Time{}, true
	}
	if t, ok := plainTime(raw); ok {
		return t, true
	}
	if x, ok := number(raw); ok {
		if math.Abs(x) >= firstMilli {
			x /= 1000
		}
		if math.Abs(x) > 1e12 {
			return time.Time{}, false
		}
		return inRange(time.Unix(int64(math.Floor(x)), 0).UTC())
	}
	if len(raw) < 2 || raw[0] != '"' {
		return time.Time{}, false
	}
	s := strings.TrimSpace(unquote(raw))
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return inRange(t.UTC().Truncate(time.Second))
		}
	}
	return time.Time{}, false
}

var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02"}

func inRange(t time.Time) (time.Time, bool) {
	if t.IsZero() {
		return time.Time{}, true
	}
	if !writable(t) {
		return time.Time{}, false
	}
	return t, true
}

// writable reports whether t can stand on disk: set, and in the years 1 to 9999.
func writable(t time.Time) bool {
	y := t.UTC().Year()
	return !t.Truncate(time.Second).IsZero() && y >= 1 && y <= 9999
}

// plainTime is the fast way for the form that plastic writes.
func plainTime(raw string) (time.Time, bool) {
	if len(raw) != 22 || raw[5] != '-' || raw[8] != '-' || raw[11] != 'T' || raw[14] != ':' || raw[17] != ':' || raw[20] != 'Z' {
		return time.Time{}, false
	}
	year, month, day := digits(raw[1:5]), digits(raw[6:8]), digits(raw[9:11])
	hour, minute, sec := digits(raw[12:14]), digits(raw[15:17]), digits(raw[18:20])
	if year < 1 || month < 1 || month > 12 || day < 1 || day > 28 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || sec < 0 || sec > 59 {
		return time.Time{}, false // days 29 to 31 go the long way
	}
	return time.Date(year, time.Month(month), day, hour, minute, sec, 0, time.UTC), true
}

// digits gives the number that s spells, or -1.
func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return -1
		}
		n = n*10 + int(c)
	}
	return n
}

func appendTime(dst []byte, t time.Time) []byte {
	dst = append(dst, '"')
	if writable(t) {
		dst = t.UTC().AppendFormat(dst, "2006-01-02T15:04:05Z")
	}
	return append(dst, '"')
}
