package plastic

import (
	"cmp"
	"context"
	"slices"

	"plastic/internal/card"
	"plastic/internal/section"
	"plastic/layers"
	"plastic/memory"
)

// Turn is one turn of a conversation that wants its memory.
type Turn struct {
	Text     string
	Session  string // the conversation, for channel.recall session
	Rehearse bool   // count what it shows as recalled, whatever memory.rehearse says

	// NoRehearse counts nothing, whatever memory.rehearse says: to look at the
	// section from outside.
	NoRehearse bool
}

// Rule is the rule about what to keep, which stands in every section of a turn
// that may write.
func Rule() string { return section.Rule() }

// Prompt gives what goes into the system prompt of a turn: the rule, the card
// whole, the core memories, and what comes to mind. Building it is no rehearsal
// unless memory.rehearse is always or the turn asks for it.
func (b *Bank) Prompt(ctx context.Context, t Turn) (Section, error) {
	s, err := b.look()
	if err != nil {
		return Section{}, err
	}
	in := section.Input{
		Rule:      b.audience.Writes(),
		Core:      s.core(),
		Budget:    s.config.Memory.PromptBudget,
		CoreShare: s.config.Memory.CoreShare,
		Withheld:  s.withheld() == 1,
		Now:       s.now,
	}
	b.showCard(s, &in)
	if b.opens(s, t) {
		in.Recalled = s.comesToMind(t.Text)
	}
	out := section.Render(in)
	ids := out.IDs
	if ids == nil {
		ids = []string{}
	}
	if !t.NoRehearse && (t.Rehearse || s.config.Memory.Rehearse == "always") {
		b.rehearse(ids, s.now)
	}
	b.used(s.now)
	return Section{
		Text: out.Text, IDs: ids, Left: Left{Core: out.LeftCore, Recalled: out.LeftRecalled}, Withheld: s.withheld(), Sleeping: b.Sleeping(),
	}, nil
}

// opens reports whether the channel lets recalled memories into this turn.
func (b *Bank) opens(s *scene, t Turn) bool {
	c := s.config.Channel
	if !c.Enabled || c.Recall == "off" {
		return false
	}
	return c.Recall != "session" || t.Session == "" || b.firstOf(t.Session)
}

// showCard puts the card into in if the audience may see it.
func (b *Bank) showCard(s *scene, in *section.Input) {
	if !b.seesCard(s.config) {
		return
	}
	c, err := card.Read(b.cardPath(s.config))
	switch {
	case err != nil:
		in.CardState = section.CardUnreadable
	case c.State == card.TooLarge:
		in.CardState, in.CardSize = section.CardTooLarge, c.Size
	default:
		in.Card = c.Bytes
	}
}

// core are the visible live memories of kind core.
func (s *scene) core() []memory.Memory {
	var out []memory.Memory
	for i := range s.memories() {
		if m := &s.memories()[i]; m.Kind == memory.Core && m.Live(s.now) {
			out = append(out, *m)
		}
	}
	return out
}

// comesToMind are the memories for a turn beside the core ones: what answers
// the text, then, up to injectLimit, what is pinned, important or recent.
func (s *scene) comesToMind(text string) []memory.Memory {
	limit := s.config.Memory.InjectLimit
	if s.audience == memory.Public {
		limit = min(limit, s.config.Memory.PublicTopK)
	}
	if limit <= 0 {
		return nil
	}
	f := s.search(text, asked{formula: s.config.Prompt.Formula, limit: limit, debug: true})
	out := make([]memory.Memory, 0, limit)
	taken := map[string]bool{}
	for _, k := range f.Kept {
		if m, ok := s.get(k.ID); ok {
			out = append(out, m)
			taken[m.ID] = true
		}
	}
	if !s.config.Prompt.Fill || len(out) >= limit {
		return out
	}
	for _, m := range s.fill(taken) {
		if len(out) == limit {
			break
		}
		out = append(out, m)
	}
	return out
}

// fill are the memories that may come to mind without an occasion, by the
// formula of the prompt. Anchors by age and fading memories are not among them.
func (s *scene) fill(taken map[string]bool) []memory.Memory {
	type ranked struct {
		m     memory.Memory
		score float64
	}
	var list []ranked
	params, rank := s.params(), s.rankParams(s.config.Prompt.Formula, 0)
	for i, st := range s.stand() {
		m := &s.memories()[i]
		if taken[m.ID] || m.Kind == memory.Core || !m.Live(s.now) {
			continue
		}
		if m.Pinned || m.Kind == memory.Identity || st.Layer == layers.Important || st.Layer == layers.Recent {
			list = append(list, ranked{*m, rank.Worth(candidate(m, st, params, s.now))})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return b.m.Compare(&a.m) // the newer first
	})
	out := make([]memory.Memory, len(list))
	for i := range list {
		out[i] = list[i].m
	}
	return out
}
