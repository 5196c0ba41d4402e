package plastic

import (
	"context"
	"fmt"
	"time"

	"plastic/internal/index"
	"plastic/internal/same"
	"plastic/layers"
	"plastic/memory"
	"plastic/recall"
)

// Query asks the memory something.
type Query struct {
	Text       string
	Limit      int       // at most so many answers; 0: recall.limit
	AsOf       time.Time // what held then; zero: what holds now
	History    bool      // superseded memories too, each answer followed by what it took the place of
	NoRehearse bool      // do not count this recall
	Explain    bool      // each answer's parts, and what was dropped and why
}

// Recall gives the memories that answer q, best first: only what shares with
// the query something that carries information, nothing under recall.floor of
// the best, of near-identical ones one. No answer is a lawful answer. What it
// returns is rehearsed by the rule of memory.rehearse, without waiting.
func (b *Bank) Recall(ctx context.Context, q Query) (Recalled, error) {
	s, err := b.look()
	if err != nil {
		return Recalled{}, err
	}
	out := Recalled{Query: q.Text, Now: Time{s.now}, Memories: []Answer{}, Withheld: s.withheld()}
	if !s.config.Channel.Enabled {
		return out, nil
	}
	limit := q.Limit
	if limit <= 0 {
		limit = s.config.Recall.Limit
	}
	if b.audience == memory.Public {
		limit = min(limit, s.config.Memory.PublicTopK)
	}
	at := s
	if !q.AsOf.IsZero() {
		at = s.asOf(q.AsOf)
	} else if q.History {
		at = s.throughTime()
	}
	f := at.search(q.Text, asked{formula: s.config.Recall.Formula, limit: limit, explain: q.Explain, debug: true})
	for _, k := range f.Kept {
		if m, ok := at.get(k.ID); ok {
			out.Memories = append(out.Memories, Answer{Memory: at.answer(&m), Score: k.Score, Relevance: k.Relevance, Parts: f.parts(k)})
		}
	}
	if q.Explain {
		out.Dropped = f.dropped()
	}
	if q.History {
		out.Memories = at.chains(out.Memories)
	}
	if !q.NoRehearse && q.AsOf.IsZero() && !q.History && s.config.Memory.Rehearse != "never" {
		b.rehearse(idsOf(out.Memories), s.now)
	}
	b.used(s.now)
	return out, nil
}

// asked is how a search is to be done.
type asked struct {
	formula string
	limit   int
	explain bool
	debug   bool // tell Options.Debug
}

// found is a ranking with the hits it came from.
type found struct {
	recall.Ranking
	index *index.Index
	hits  []index.Hit
}

// search ranks the visible live memories for text. Kind core is not among them:
// it stands in every prompt already.
func (s *scene) search(text string, a asked) found {
	debug := a.debug && s.bank.opts.Debug != nil
	ix := s.index()
	q := index.Ask(text, s.now)
	q.Explain = a.explain
	f := found{index: ix, hits: ix.Search(q).Hits}
	candidates := make([]recall.Candidate, 0, len(f.hits))
	params, at := s.params(), s.places()
	for i := range f.hits {
		g := ix.Signals(f.hits[i].Ref)
		if g.Kind == memory.Core {
			continue
		}
		m := g.Memory()
		c := candidate(&m, layers.Of(&m, at.earliest[m.ID], at.newest[m.ID], params, s.now), params, s.now)
		c.Ref, c.Raw, c.Evidence = i, f.hits[i].Raw, recall.Evidence{Own: f.hits[i].Own, Share: f.hits[i].Share}
		candidates = append(candidates, c)
	}
	p := s.rankParams(a.formula, a.limit)
	p.Explain = a.explain || debug
	p.Same = s.repeats(f)
	f.Ranking = recall.Rank(candidates, p)
	if debug {
		s.bank.debug(f)
	}
	return f
}

// repeats tells whether two hits say the same thing; it keeps what it read.
func (s *scene) repeats(f found) func(a, b int) bool {
	read := map[int]*same.Text{}
	text := func(i int) *same.Text {
		t, ok := read[i]
		if !ok {
			m, _ := s.get(f.index.Signals(f.hits[i].Ref).ID)
			t = same.Read(&m)
			read[i] = t
		}
		return t
	}
	p := s.sameness()
	return func(a, b int) bool { return same.Texts(text(a), text(b), p) }
}

func (s *scene) sameness() same.Params {
	return same.Params{Jaccard: s.config.Memory.DedupeJaccard, Location: s.config.Memory.Location()}
}

// candidate is what a memory brings to a ranking beside its words.
func candidate(m *memory.Memory, st layers.Standing, p layers.Params, now time.Time) recall.Candidate {
	return recall.Candidate{
		ID: m.ID, CreatedAt: m.CreatedAt, Importance: m.Importance, Clarity: st.Clarity, RecallCount: m.RecallCount,
		Anchor: st.Layer == layers.Anchor, AgeDays: layers.AgeDays(m, p, now), Fade: p.Fade[m.Kind],
	}
}

func (s *scene) rankParams(formula string, limit int) recall.Params {
	return recall.Params{
		Formula: recall.Formula(formula), Floor: s.config.Recall.Floor, Limit: limit, Bar: recall.Bar{},
		PromotionCount: s.config.Memory.RecallPromotionCount, HalfLifeDays: s.config.Memory.DecayHalfLifeDays,
	}
}

// parts are the terms of an answer's score: the formula's own, and with a dot
// what its words brought.
func (f found) parts(k recall.Scored) map[string]float64 {
	out := map[string]float64{}
	for name, x := range k.Parts {
		out[name] = x
	}
	for name, x := range f.hits[k.Ref].Parts {
		out["words."+name] = x
	}
	return out
}

func (f found) dropped() []Dropped {
	out := []Dropped{}
	for _, d := range f.Dropped {
		why := string(d.Reason)
		if d.Of != "" {
			why += " (" + d.Of + ")"
		}
		out = append(out, Dropped{ID: d.ID, Relevance: d.Relevance, Why: why, Parts: f.parts(recall.Scored{Ref: d.Ref})})
	}
	return out
}

// debug tells every candidate's score before the cut.
func (b *Bank) debug(f found) {
	for _, k := range f.Kept {
		fmt.Fprintf(b.opts.Debug, "%s score=%.4f relevance=%.4f kept\n", k.ID, k.Score, k.Relevance)
	}
	for _, d := range f.dropped() {
		fmt.Fprintf(b.opts.Debug, "%s relevance=%.4f dropped: %s\n", d.ID, d.Relevance, d.Why)
	}
}

func idsOf(list []Answer) []string {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}

// rehearse counts a recall of ids unless the public reads, and never waits: a
// busy or read-only folder skips it.
func (b *Bank) rehearse(ids []string, now time.Time) {
	if b.audience == memory.Public || len(ids) == 0 {
		return
	}
	if err := b.store.Rehearse(ids, now); err != nil {
		b.notice(Problem{Code: "rehearsal", Message: "this recall was not counted: " + err.Error()})
	}
}
