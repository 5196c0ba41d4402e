package config

import (
	"os"
	"strings"
	"time"
)

// Location is the zone that local dates and hours are counted in: of Timezone
// Local it is the machine's. A Config that Load, Parse or With gave always has
// one; of a Timezone set in code that Check would refuse it is time.Local.
func (m Memory) Location() *time.Location {
	if m.loc != nil && m.loc.String() == m.Timezone {
		return m.loc
	}
	if loc := location(m.Timezone); loc != nil {
		return loc
	}
	return time.Local
}

// location gives the zone of a name, of Local or of an offset such as +03:00,
// or nil.
func location(name string) *time.Location {
	switch {
	case name == "Local":
		return time.Local
	case name == "" || name[0] == '/' || name[0] == '.':
		return nil // LoadLocation calls "" UTC
	case name[0] == '+' || name[0] == '-':
		seconds, ok := offset(name)
		if !ok {
			return nil
		}
		return time.FixedZone(name, seconds)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return loc
}

// offset reads +03:00, -0530 or +3 as seconds east of UTC, up to 14 hours.
func offset(s string) (int, bool) {
	digits := strings.Replace(s[1:], ":", "", 1)
	if len(digits) <= 2 && !strings.Contains(s, ":") {
		digits += "00"
	}
	if len(digits) == 3 {
		digits = "0" + digits
	}
	if len(digits) != 4 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	hours := int(digits[0]-'0')*10 + int(digits[1]-'0')
	minutes := int(digits[2]-'0')*10 + int(digits[3]-'0')
	seconds := hours*3600 + minutes*60
	if minutes > 59 || seconds > 14*3600 {
		return 0, false
	}
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

func readZone(text string) (string, *fault) {
	switch strings.ToLower(text) {
	case "local":
		return "Local", nil
	case "utc", "z":
		return "UTC", nil
	}
	if location(text) != nil {
		return text, nil
	}
	return "", &fault{hint: zoneHint(text)}
}

// zoneHint finds the zone somebody meant: a city without its region, another
// case, a space for an underscore, an offset with UTC before it.
func zoneHint(text string) string {
	for _, prefix := range []string{"UTC", "GMT", "utc", "gmt"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok && len(rest) > 1 && (rest[0] == '+' || rest[0] == '-') {
			if seconds, ok := offset(rest); ok {
				return "write \"" + time.Unix(0, 0).In(time.FixedZone("", seconds)).Format("-07:00") + "\""
			}
		}
	}
	parts := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), " ", "_"), "/")
	for i, part := range parts {
		words := strings.Split(strings.ToLower(part), "_")
		for j, w := range words {
			if w != "" && w != "of" && w != "es" {
				words[j] = strings.ToUpper(w[:1]) + w[1:]
			}
		}
		parts[i] = strings.Join(words, "_")
	}
	name := strings.Join(parts, "/")
	for _, region := range []string{"", "Europe/", "Asia/", "America/", "Africa/", "Australia/", "Pacific/",
		"Atlantic/", "Indian/", "America/Argentina/", "Antarctica/", "Arctic/"} {
		if region+name != "Local" && location(region+name) != nil {
			return "write " + region + name
		}
	}
	return "an IANA name such as Europe/Berlin, an offset such as \"+03:00\", or Local"
}

// checkTZ refuses a $TZ that no zone stands behind: the standard library would
// take it for UTC in silence, and nights would come at a wrong hour.
func checkTZ() *Error {
	tz := strings.TrimPrefix(os.Getenv("TZ"), ":")
	if tz == "" || tz == "UTC" {
		return nil
	}
	if tz[0] == '/' {
		if _, err := os.Stat(tz); err == nil {
			return nil
		}
	} else if _, err := time.LoadLocation(tz); err == nil {
		return nil
	}
	return &Error{
		From: "TZ", Key: "memory.timezone", Value: tz, Want: "the name of a time zone",
		Hint: tzHint(tz),
	}
}

// tzHint is what to write in TZ, which takes names only.
func tzHint(tz string) string {
	switch h := zoneHint(tz); {
	case location(tz) != nil, strings.HasPrefix(h, `write "`):
		return "TZ takes a name such as Europe/Berlin; an offset such as \"+03:00\" goes into memory.timezone"
	case strings.HasPrefix(h, "write "):
		return h + " in TZ, or set memory.timezone"
	}
	return "write a name such as Europe/Berlin in TZ, or set memory.timezone"
}
