package plastic

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
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
	Explain    bool      // what each word brought beside the parts of the score, and what was dropped and why
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
	defer func() { runtime.KeepAlive(at) }()
	if !q.AsOf.IsZero() {
		at = s.asOf(q.AsOf)
	} else if q.History {
		at = s.throughTime()
	}
	f := at.search(ctx, q.Text, asked{means: true, formula: s.config.Recall.Formula, limit: limit, explain: q.Explain, debug: true})
	if len(f.Kept) > 0 {
		out.Memories = make([]Answer, 0, len(f.Kept))
	}
	for _, k := range f.Kept {
		if m := f.memory(k.Ref); m != nil {
			out.Memories = append(out.Memories, Answer{
				Memory: at.answerAt(m, at.standing(m)), Score: k.Score, Relevance: k.Relevance, Parts: f.parts(k),
			})
		}
	}
	out.Degraded = at.degraded
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
	means   bool // ask the models that are configured
}

// found is a ranking with the hits it came from.
type found struct {
	recall.Ranking
	scene *scene
	hits  []index.Hit
	read  []*readHit // those that were read
	room  []readHit  // for more of them
}

// readHit is a hit as it was read.
type readHit struct {
	hit    int
	held   memory.Memory
	memory *memory.Memory // held; nil: it could not be read
	text   *same.Text     // nil: it was not compared yet
}

// search ranks the visible live memories for text. Kind core is not among them:
// it stands in every prompt already. What could not come into the answer is left
// out as early as may be, unless it is to be explained.
//
// With a model the question is embedded, and what is near to it is a candidate too.
func (s *scene) search(ctx context.Context, text string, a asked) *found {
	debug := a.debug && s.bank.opts.Debug != nil
	ix := s.index()
	p := s.rankParams(a.formula, a.limit)
	p.Explain = a.explain || debug
	q := ix.Ask(text, s.now)
	q.Explain = a.explain
	f := &found{scene: s}
	var near meaning
	if a.means && len(q.Terms) > 0 && (s.embeds() || s.reranks()) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.config.Model.ReadTimeout.Std())
		defer cancel()
		near = s.means(ctx, text)
		p.Semantic, p.Fusion = near != nil, recall.Fusion(s.config.Recall.Fusion)
		p.Rerank = f.rerank(ctx, text)
	}
	if !p.Explain && !p.Semantic && p.Rerank == nil {
		q.Floor = p.Floor
		q.Head, q.Within = p.Reach()
	}
	f.hits = ix.Search(q).Hits
	if p.Semantic {
		f.byMeaning(near)
	}
	p.Same = f.same
	f.rank(p, near)
	if debug {
		s.bank.debug(f)
	}
	return f
}

// rank makes answers of the hits. Where what the words say decides nearly all, the
// best by words are looked at first, and more of them until no other could come
// before these.
func (f *found) rank(p recall.Params, near meaning) {
	look := len(f.hits)
	if head, _ := p.Reach(); head > 0 && !p.Semantic && p.Rerank == nil {
		look = min(look, p.Limit+p.Limit/2+firstLook)
	}
	index.Lead(f.hits, look)
	for {
		f.Ranking = recall.Rank(f.candidates(f.hits[:look], near), p)
		if look == len(f.hits) {
			return
		}
		next := min(len(f.hits), 4*look)
		index.Lead(f.hits[look:], next-look)
		if p.Enough(f.Ranking, f.hits[look].Raw) {
			return
		}
		look = next
	}
}

// firstLook is how many hits beyond one and a half times the limit are ranked first.
const firstLook = 5

// candidates are hits as the ranking takes them. Their ids are the index's own.
func (f *found) candidates(hits []index.Hit, near meaning) []recall.Candidate {
	s, ix := f.scene, f.scene.index()
	out := make([]recall.Candidate, len(hits))
	for i := range hits {
		h := &hits[i]
		g := ix.Peek(h.Ref)
		m := g.Memory()
		c := candidate(&m, s.standingAt(h.Ref, &m), s.params(), s.now)
		c.Ref, c.Raw, c.Evidence = i, h.Raw, recall.Evidence{Own: h.Own, Share: h.Share}
		c.Closeness, c.HasVector = near.of(s, h.Ref)
		out[i] = c
	}
	return out
}

// byMeaning adds to the hits what is near to the question without a word in common.
func (f *found) byMeaning(near meaning) {
	taken := make(map[index.Ref]bool, len(f.hits))
	for i := range f.hits {
		taken[f.hits[i].Ref] = true
	}
	for _, r := range near.nearest(f.scene, taken) {
		f.hits = append(f.hits, index.Hit{Ref: r})
	}
}

// same reports whether two hits say the same thing. Most have too few stems in
// common by what the index knows, and are not read for it.
func (f *found) same(a, b int) bool {
	p := f.scene.sameness()
	if !f.scene.index().MayOverlap(f.hits[a].Ref, f.hits[b].Ref, p.Jaccard) {
		return false
	}
	s, t := f.readHit(a), f.readHit(b)
	return s.memory != nil && t.memory != nil && same.Texts(s.comparable(), t.comparable(), p)
}

func (r *readHit) comparable() *same.Text {
	if r.text == nil {
		r.text = same.Read(r.memory)
	}
	return r.text
}

// memory gives a hit's memory, nil if it can not be read.
func (f *found) memory(hit int) *memory.Memory { return f.readHit(hit).memory }

func (f *found) readHit(hit int) *readHit {
	for _, r := range f.read {
		if r.hit == hit {
			return r
		}
	}
	if len(f.room) == 0 {
		f.room = make([]readHit, 12)
	}
	r := &f.room[0]
	f.room = f.room[1:]
	r.hit = hit
	var ok bool
	if r.held, ok = f.scene.read(f.hits[hit].Ref); ok {
		r.memory = &r.held
	}
	f.read = append(f.read, r)
	return r
}

func (s *scene) sameness() same.Params {
	return same.Params{Jaccard: s.config.Memory.DedupeJaccard, Location: s.config.Memory.Location()}
}

// candidate is what a memory brings to a ranking beside its words.
func candidate(m *memory.Memory, st layers.Standing, p *layers.Params, now time.Time) recall.Candidate {
	return recall.Candidate{
		ID: m.ID, CreatedAt: m.CreatedAt, Importance: m.Importance, Clarity: st.Clarity, RecallCount: m.RecallCount,
		Anchor: st.Layer == layers.Anchor, AgeDays: layers.AgeDays(m, *p, now), Fade: p.Fade[m.Kind],
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
func (f *found) parts(k recall.Scored) Parts {
	out, words := k.Parts, f.hits[k.Ref].Parts
	if len(words) == 0 {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(words)) {
		out = append(out, recall.Part{Name: "words." + name, Value: words[name]})
	}
	return out
}

func (f *found) dropped() []Dropped {
	out := []Dropped{}
	for _, d := range f.Dropped {
		why := string(d.Reason)
		if d.Of != "" {
			why += " (" + d.Of + ")"
		}
		var near Parts
		if d.Closeness > 0 {
			near = Parts{{Name: "closeness", Value: d.Closeness}}
		}
		out = append(out, Dropped{ID: strings.Clone(d.ID), Relevance: d.Relevance, Why: why, Parts: f.parts(recall.Scored{Ref: d.Ref, Parts: near})})
	}
	return out
}

// debug tells every candidate's score before the cut.
func (b *Bank) debug(f *found) {
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
