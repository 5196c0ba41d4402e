package plastic

import (
	"context"
	"slices"

	"plastic/internal/card"
	"plastic/internal/index"
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
		in.Recalled = s.comesToMind(ctx, t.Text)
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
		Text: out.Text, IDs: ids, Left: Left{Core: out.LeftCore, Recalled: out.LeftRecalled}, Withheld: s.withheld(),
		Degraded: s.degraded, Sleeping: b.Sleeping(),
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
	ix := s.index()
	var out []memory.Memory
	for _, r := range ix.OfKindCore() {
		if m, ok := s.read(r); ok {
			out = append(out, m)
		}
	}
	return out
}

// comesToMind are the memories for a turn beside the core ones: what answers
// the text, then, up to injectLimit, what is pinned, important or recent.
func (s *scene) comesToMind(ctx context.Context, text string) []memory.Memory {
	limit := s.config.Memory.InjectLimit
	if s.audience == memory.Public {
		limit = min(limit, s.config.Memory.PublicTopK)
	}
	if limit <= 0 {
		return nil
	}
	f := s.search(ctx, text, asked{means: true, formula: s.config.Prompt.Formula, limit: limit, debug: true})
	out := make([]memory.Memory, 0, limit)
	taken := map[index.Ref]bool{}
	for _, k := range f.Kept {
		if m := f.memory(k.Ref); m != nil {
			out = append(out, *m)
			taken[f.hits[k.Ref].Ref] = true
		}
	}
	if !s.config.Prompt.Fill || len(out) >= limit {
		return out
	}
	for _, r := range s.fill(taken, limit-len(out)) {
		if m, ok := s.read(r); ok {
			out = append(out, m)
		}
	}
	return out
}

// fill are the first n memories that may come to mind without an occasion, by the
// formula of the prompt, of equals the newer first. Anchors by age and fading
// memories are not among them.
func (s *scene) fill(taken map[index.Ref]bool, n int) []index.Ref {
	ix, params := s.index(), s.params()
	rank := s.rankParams(s.config.Prompt.Formula, 0)
	type ranked struct {
		r     index.Ref
		score float64
	}
	var best []ranked
	for _, r := range append(ix.Firm(params.ImportanceThreshold, params.RecallPromotionCount), s.places().newest...) {
		g := ix.Signals(r)
		if taken[r] || g.Kind == memory.Core {
			continue
		}
		taken[r] = true
		m := g.Memory()
		st := s.standingAt(r, &m)
		if !m.Pinned && m.Kind != memory.Identity && st.Layer != layers.Important && st.Layer != layers.Recent {
			continue
		}
		x := ranked{r, rank.Worth(candidate(&m, st, params, s.now))}
		k := len(best)
		for k > 0 && (best[k-1].score < x.score || best[k-1].score == x.score && ix.Before(best[k-1].r, r)) {
			k--
		}
		if k < n {
			best = slices.Insert(best, k, x)
			best = best[:min(len(best), n)]
		}
	}
	out := make([]index.Ref, len(best))
	for i := range best {
		out[i] = best[i].r
	}
	return out
}
