package config

import (
	"math"
	"strconv"
	"strings"
)

// number reads a decimal number as a person means it: 8, 08, 0.35, .5, 1e3,
// 8_000. Leading zeros do not make it octal; hexadecimal, NaN and infinities are
// no numbers here.
func number(s string) (float64, bool) {
	digits, exponent := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '+' || c == '-':
			if i > 0 && s[i-1] != 'e' && s[i-1] != 'E' {
				return 0, false
			}
		case c == '.':
			if exponent {
				return 0, false
			}
		case c == 'e' || c == 'E':
			if digits == 0 || exponent {
				return 0, false
			}
			exponent = true
		case c == '_':
			if i == 0 || i == len(s)-1 || !isDigit(s[i-1]) || !isDigit(s[i+1]) {
				return 0, false
			}
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil || math.IsInf(v, 0) || digits == 0 {
		return 0, false
	}
	return v + 0, true // −0 becomes 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// numberHint says how a number that was nearly one is written.
func numberHint(s string) string {
	low := strings.ToLower(strings.TrimSpace(s))
	if n, ok := number(strings.TrimSuffix(low, "k")); ok && strings.HasSuffix(low, "k") {
		return "write " + formatNumber(n*1000)
	}
	if left, right, ok := strings.Cut(low, ","); ok {
		if n, ok := number(left + "." + right); ok && len(right) != 3 {
			return "write " + formatNumber(n) + ", with a point"
		}
		if n, ok := number(strings.ReplaceAll(low, ",", "")); ok {
			return "write " + formatNumber(n) + ", without a comma"
		}
	}
	return ""
}

// The readings that some keys take beside the plain number or word.

// hourPlain reads 03:00 as 3.
func hourPlain(s string) string {
	if left, ok := strings.CutSuffix(s, ":00"); ok && !strings.Contains(left, ":") {
		return left
	}
	return s
}

// daysPlain reads 30d or 12h as a number of days.
func daysPlain(s string) string {
	if d, err := ParseDuration(s); err == nil && d != 0 {
		return formatNumber(d.Days())
	}
	return s
}

// percentPlain reads 35% as 0.35.
func percentPlain(s string) string {
	if left, ok := strings.CutSuffix(s, "%"); ok {
		if n, ok := number(strings.TrimSpace(left)); ok {
			return strconv.FormatFloat(n/100, 'g', -1, 64)
		}
	}
	return s
}

// neverPlain reads off, no and false as never.
func neverPlain(s string) string {
	if v, ok := truth(s); ok && !v {
		return "never"
	}
	return s
}

// channelPlain reads on as always and no or false as off.
func channelPlain(s string) string {
	switch v, ok := truth(s); {
	case ok && v:
		return "always"
	case ok:
		return "off"
	}
	return s
}

// truth reads yes and no in the ways people write them.
func truth(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "y", "1":
		return true, true
	case "false", "no", "off", "n", "0":
		return false, true
	}
	return false, false
}
