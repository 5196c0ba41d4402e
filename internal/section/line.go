package section

import (
	"fmt"
	"math"
	"strings"
	"time"

	"plastic/memory"
)

// Line is m as one line: `id | kind | age | importance | content`. The first
// four parts hold no bar, so the line always comes apart at its first four
// ` | `; the last one is OneLine of the text. The age counts from createdAt: it
// says how old the truth is, not when it was last thought of.
func Line(m *memory.Memory, now time.Time) string {
	return fmt.Sprintf("%s | %s | %s | %.2f | %s",
		cellID(m.ID), cellKind(m.Kind), AgeText(now.Sub(m.CreatedAt)), weight(m.Importance), OneLine(m.Content))
}

// AgeText is an age in its largest fitting unit, rounded down: `now` under an
// hour (and for a time ahead), then 1h–23h, 1d–13d, 2w–8w, 2mo–23mo, 2y and up. A unit
// begins at two of it, so that no step loses more than half.
func AgeText(d time.Duration) string {
	const (
		day   = 24 * time.Hour
		year  = 8766 * time.Hour // 365.25 days
		month = year / 12
	)
	switch {
	case d < time.Hour:
		return "now"
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 2*month:
		return fmt.Sprintf("%dw", d/(7*day))
	case d < 2*year:
		return fmt.Sprintf("%dmo", d/month)
	}
	return fmt.Sprintf("%dy", d/year)
}

// cellID is the id itself if it is one. A hand may have written anything; then
// what could be mistaken for more than an id is shown as `_`.
func cellID(id string) string {
	if memory.ValidID(id) {
		return id
	}
	var b strings.Builder
	for i, r := range OneLine(id) {
		switch alnum := r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'; {
		case alnum, i > 0 && strings.ContainsRune("._:-", r):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "_"
	}
	return b.String()
}

// cellKind is the kind's word without a bar in it.
func cellKind(k memory.Kind) string {
	if s := OneLine(string(k)); s != "" {
		return strings.ReplaceAll(s, "|", "¦")
	}
	return string(memory.Fact)
}

func weight(importance float64) float64 {
	if math.IsNaN(importance) {
		return memory.DefaultImportance
	}
	return min(max(importance, 0), 1)
}
