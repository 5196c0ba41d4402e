package plastic

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"plastic/internal/same"
	"plastic/memory"
)

// saying is one thing that the card or a core memory says.
type saying struct {
	where string // "line 3", "the core memory k3v9x2"
	read  *same.Text
}

func says(where, content string) saying {
	return saying{where, same.Read(&memory.Memory{Content: content, Kind: memory.Core})}
}

// cardClashes are the lines of the card that say what another line or a core
// memory says, or likely deny it.
func (s *scene) cardClashes(card string) []Problem {
	lines := cardSayings(card)
	all := make([]saying, 0, len(lines))
	for _, m := range s.core() {
		all = append(all, says("the core memory "+m.ID, m.Content))
	}
	core := len(all)
	var out []Problem
	add := func(code, message, hint string) {
		out = append(out, Problem{Code: code, Path: s.config.Card.Path, Message: message, Hint: hint})
	}
	for _, line := range lines {
		if len(out) >= mostClashes {
			add("card_more", "from "+line.where+" on nothing was compared any more", "mend these first, then check again")
			break
		}
		for i, other := range all {
			switch clash := same.Against(line.read, other.read); {
			case same.Texts(line.read, other.read, s.sameness()):
				code := "card_repeats"
				if i >= core {
					code = "card_twice"
				}
				add(code, line.where+" says what "+other.where+" says", "keep one of the two")
			case clash != same.NoClash:
				add("card_contradicts", fmt.Sprintf("%s may contradict %s (%s)", line.where, other.where, clash), "keep what holds, or say how both can be")
			}
		}
		all = append(all, line)
	}
	return out
}

// mostClashes bounds what one check tells, but for the last line it looks at.
const mostClashes = 50

// listMark is what may stand before a text in a list or quotation.
// It is made when first needed: most starts never are.
var listMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-*+>]\s+|[0-9]{1,3}[.)]\s+|\[[ xX]\]\s+)*`)
})

// cardSayings are the lines of the card that say something: no headings, tables,
// comments, fenced code or front matter, where lines are alike by their nature.
func cardSayings(card string) []saying {
	var out []saying
	fence := ""
	for n, line := range strings.Split(card, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) || fence == "-->" && strings.Contains(line, fence) {
				fence = ""
			}
			continue
		case n == 0 && line == "---", strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fence = line[:3]
			continue
		case strings.HasPrefix(line, "<!--"):
			if !strings.Contains(line, "-->") {
				fence = "-->"
			}
			continue
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "|"):
			continue
		}
		if text := listMark().ReplaceAllString(line, ""); strings.Trim(text, "-*_= ") != "" {
			out = append(out, says(fmt.Sprintf("line %d", n+1), text))
		}
	}
	return out
}

// mergeMark gives the line, from 1, on which a conflict that git left in the card
// begins, 0 if there is none whole: a line of = alone is a heading's.
func mergeMark(card string) int {
	begun, halved, n := 0, false, 0
	for line := range strings.Lines(card) {
		n++
		switch line = strings.TrimRight(line, "\r\n"); {
		case strings.HasPrefix(line, "<<<<<<< "):
			begun, halved = n, false
		case line == "=======":
			halved = begun > 0
		case strings.HasPrefix(line, ">>>>>>> ") && halved:
			return begun
		}
	}
	return 0
}
