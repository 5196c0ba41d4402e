package config

import "strings"

// nearest gives the known key that name, a full or a top-level one, most
// resembles.
func nearest(name string) string {
	section, leaf, ok := strings.Cut(name, ".")
	if !ok {
		section, leaf = "", name
	}
	best, least := "", 1<<30
	for i := range fields {
		s, l, _ := strings.Cut(fields[i].name, ".")
		cost := 3 * unlike(folded(leaf), folded(l))
		if s != section {
			cost += 1 + min(1, len(section)) // another section's key is the second choice
		}
		if cost < least {
			best, least = fields[i].name, cost
		}
	}
	return best
}

// nearestSection gives the section that name most resembles.
func nearestSection(name string) string {
	best, least := "", 1<<30
	for _, s := range sectionNames {
		if d := edits(folded(name), s); d < least {
			best, least = s, d
		}
	}
	return best
}

func folded(s string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
}

// unlike is the edit distance, but a name that stands whole in the other (hour
// in consolidateHour) is never further off than 2.
func unlike(a, b string) int {
	d := edits(a, b)
	if d > 2 && len(a) > 2 && (strings.Contains(b, a) || strings.Contains(a, b)) {
		return 2
	}
	return d
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	if len(a) > 64 {
		a = a[:64]
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := before
			if a[i-1] != b[j-1] {
				cost = 1 + min(before, row[j], row[j-1])
			}
			before, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
