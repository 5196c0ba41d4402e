package config

import (
	"math"
	"strconv"
	"strings"
	"time"

	"plastic/memory"
)

// Duration is a length of time that is written 30d, 12h, 90m, 10s, 250ms, 2w or
// in parts, 1d12h. A day is 24 hours, a week 7 days.
type Duration time.Duration

// The units.
const (
	Millisecond = Duration(time.Millisecond)
	Second      = Duration(time.Second)
	Minute      = Duration(time.Minute)
	Hour        = Duration(time.Hour)
	Day         = 24 * Hour
)

// Std gives d as the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// Days gives d in days.
func (d Duration) Days() float64 { return float64(d) / float64(Day) }

// String writes d in its largest whole unit, as ParseDuration reads it.
func (d Duration) String() string {
	switch {
	case d == 0:
		return "0"
	case d%Day == 0:
		return strconv.FormatInt(int64(d/Day), 10) + "d"
	case d%Hour == 0:
		return strconv.FormatInt(int64(d/Hour), 10) + "h"
	case d%Minute == 0 && d != Minute: // one minute is more often said in seconds
		return strconv.FormatInt(int64(d/Minute), 10) + "m"
	case d%Second == 0:
		return strconv.FormatInt(int64(d/Second), 10) + "s"
	}
	return strconv.FormatFloat(float64(d)/float64(Millisecond), 'f', -1, 64) + "ms"
}

// ParseDuration reads a Duration. A number needs its unit, but 0 does not.
// Signs, unknown units and more than about 290 years are errors that wrap
// memory.ErrInvalid.
func ParseDuration(s string) (Duration, error) {
	rest := strings.TrimSpace(s)
	if n, ok := number(rest); ok && n == 0 {
		return 0, nil
	}
	total, parts := 0.0, 0
	for rest != "" {
		n := 0
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.') {
			n++
		}
		count, ok := number(rest[:n])
		unit, size := leadingUnit(rest[n:])
		if !ok || size == 0 {
			return 0, memory.Errorf(memory.ErrInvalid, "%q is not a duration such as 30d, 12h or 90m", s)
		}
		total += math.Round(count * float64(size))
		rest = strings.TrimLeft(rest[n+len(unit):], " ")
		parts++
	}
	if parts == 0 || total >= math.MaxInt64 {
		return 0, memory.Errorf(memory.ErrInvalid, "%q is not a duration such as 30d, 12h or 90m", s)
	}
	return Duration(total), nil
}

func leadingUnit(s string) (string, Duration) {
	for _, u := range []struct {
		name string
		size Duration
	}{{"ms", Millisecond}, {"s", Second}, {"m", Minute}, {"h", Hour}, {"d", Day}, {"w", 7 * Day}} {
		if strings.HasPrefix(s, u.name) {
			return u.name, u.size
		}
	}
	return "", 0
}
