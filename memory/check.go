package memory

import (
	"strings"
)

// MaxID is the longest id plastic accepts, in bytes.
const MaxID = 64

// ValidID reports whether s matches [A-Za-z0-9][A-Za-z0-9._:-]{0,63}.
func ValidID(s string) bool {
	if s == "" || len(s) > MaxID {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		alnum := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !alnum && (i == 0 || strings.IndexByte("._:-", c) < 0) {
			return false
		}
	}
	return true
}

// CheckImportance fails with ErrInvalid unless x is a number from 0 to 1.
func CheckImportance(x float64) error {
	if x >= 0 && x <= 1 { // false for NaN too
		return nil
	}
	return Errorf(ErrInvalid, "importance %v is outside 0…1 (a value from 1 to 5 is a level: say so)", x)
}

// FromLevel maps the five-step scale 1…5 to importance 0, .25, .5, .75, 1.
func FromLevel(level int) (float64, error) {
	if level < 1 || level > 5 {
		return 0, Errorf(ErrInvalid, "level %d is outside 1…5", level)
	}
	return float64(level-1) / 4, nil
}
