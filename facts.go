package plastic

import (
	"context"

	"plastic/internal/section"
	"plastic/memory"
	"plastic/tokenize"
)

// Facts is Recall as a turn's injection: one line a memory, nothing but its
// text, within recall.maxFacts and recall.maxTokens. It obeys the channel and
// counts as a rehearsal only where memory.rehearse is always. No lines is a
// lawful answer.
func (b *Bank) Facts(ctx context.Context, t Turn) ([]string, error) {
	s, err := b.look()
	if err != nil {
		return nil, err
	}
	if !b.opens(s, t) {
		return nil, nil
	}
	limit := s.config.Recall.MaxFacts
	if b.audience == memory.Public {
		limit = min(limit, s.config.Memory.PublicTopK)
	}
	var lines, ids []string
	room := s.config.Recall.MaxTokens
	f := s.search(ctx, t.Text, asked{means: true, formula: s.config.Recall.Formula, limit: limit, debug: true})
	for _, k := range f.Kept {
		m := f.memory(k.Ref)
		if m == nil {
			continue
		}
		line := section.OneLine(m.Content)
		cost := tokenize.Count(line)
		if cost > room {
			continue // a shorter one further down may still fit
		}
		room -= cost
		lines, ids = append(lines, line), append(ids, m.ID)
	}
	if t.Rehearse || s.config.Memory.Rehearse == "always" {
		b.rehearse(ids, s.now)
	}
	b.used(s.now)
	return lines, nil
}
