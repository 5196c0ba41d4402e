package plastic

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"plastic/config"
	"plastic/internal/index"
	"plastic/internal/vectors"
	"plastic/layers"
	"plastic/memory"
	"plastic/store"
)

// scene is what one audience sees of the folder at one moment. Every verb reads
// through it and nothing else, so privacy is this one place: ranks, layers,
// statistics, id prefixes and neighbours are all computed over what is visible.
type scene struct {
	state    *store.State
	config   *config.Config
	audience memory.Audience
	now      time.Time
	bank     *Bank

	visible []memory.Memory // see memories
	whole   bool            // visible is computed
	placed  *places
	matches []index.Match  // see alike
	matched string         // the text they are of
	layers  *layers.Params // see params

	timeline map[string]memory.Memory // of a scene in the past: what held, as it was closed later
	fixed    *index.Index             // the index over what is visible: see index
	embedded *vectors.File            // of a scene apart from any folder: its vectors
	degraded string                   // why a configured model was not used
}

// look is the folder as this Bank's audience sees it now.
func (b *Bank) look() (*scene, error) {
	st, err := b.store.Read()
	if err != nil {
		return nil, err
	}
	return b.scene(st, b.opts.Now()), nil
}

func (b *Bank) scene(st *store.State, now time.Time) *scene {
	return &scene{state: st, config: b.settings(), audience: b.audience, now: now, bank: b}
}

// memories are the visible ones, superseded ones too, by createdAt and id. They are
// all decoded: the verbs of every turn ask the index instead.
func (s *scene) memories() []memory.Memory {
	if s.whole {
		return s.visible
	}
	s.visible, s.whole = s.state.Memories(), true
	if s.audience != memory.Trusted {
		s.visible = sharedOnly.of(s.visible)
	}
	return s.visible
}

// archive is the visible part of the archive, oldest first. A memory that is private
// now, living or as restoring would bring it back, has no former wordings there for
// others than the owner alone: they were shared once, and lead to it by its id.
func (s *scene) archive() []memory.Archived {
	all := s.state.Archive()
	if s.audience == memory.Trusted || len(all) == 0 {
		return all
	}
	hidden, left := map[string]bool{}, map[string]bool{}
	for i := range all { // of one that does not live the newest decides: of all, and of how it left
		id, private := all[i].Memory.ID, !s.audience.Sees(&all[i].Memory)
		if all[i].As != memory.Version {
			left[id] = private
		}
		hidden[id] = private || left[id]
	}
	living := s.state.Memories()
	for i := range living {
		hidden[living[i].ID] = !s.audience.Sees(&living[i])
	}
	out := make([]memory.Archived, 0, len(all))
	for i := range all {
		if s.audience.Sees(&all[i].Memory) && !hidden[all[i].Memory.ID] {
			out = append(out, all[i])
		}
	}
	return out
}

// withheld is 1 where the owner must be told that private memories are kept
// back; whether they fit the query plays no part.
func (s *scene) withheld() int {
	if s.audience != memory.Owner {
		return 0
	}
	if s.hides() {
		return 1
	}
	return 0
}

// get finds a visible memory by its whole id.
func (s *scene) get(id string) (memory.Memory, bool) { return s.getAt(id, store.Unknown) }

// read gives a memory of the index.
func (s *scene) read(r index.Ref) (memory.Memory, bool) {
	g := s.index().Peek(r) // what is given has its own id
	return s.getAt(g.ID, g.Line)
}

func (s *scene) getAt(id string, offset int64) (memory.Memory, bool) {
	if s.timeline != nil {
		m, ok := s.timeline[id]
		return m, ok
	}
	m, ok := s.state.GetAt(id, offset)
	if !ok || !s.audience.Sees(&m) {
		return memory.Memory{}, false
	}
	return m, true
}

// resolve finds a visible memory by its id or a unique beginning of it. It
// fails with memory.ErrNotFound or memory.ErrAmbiguous, which lists who fits.
func (s *scene) resolve(short string) (memory.Memory, error) {
	if m, ok := s.get(short); ok {
		return m, nil
	}
	var fits []memory.Memory
	if memory.ValidID(short) {
		for _, m := range s.memories() {
			if strings.HasPrefix(m.ID, short) {
				fits = append(fits, m)
			}
		}
	}
	switch len(fits) {
	case 0:
		return memory.Memory{}, notFound(short)
	case 1:
		return fits[0], nil
	}
	return memory.Memory{}, s.ambiguous(short, fits)
}

func notFound(id string) error {
	return Hint(memory.ErrNotFound, fmt.Sprintf("no memory has the id %q", clip(id, 80)), "`plastic list` shows the ids, `plastic recall` finds them by what they say")
}

func (s *scene) ambiguous(short string, fits []memory.Memory) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%q fits %d memories, nothing was changed:", short, len(fits))
	for i, m := range fits {
		if i == 10 {
			fmt.Fprintf(&b, "\n  … and %d more", len(fits)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s", s.line(&m))
	}
	return Hint(memory.ErrAmbiguous, b.String(), "give one of these ids whole")
}

// clip shortens s to at most n runes for a message.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// params are the settings of the layers.
func (s *scene) params() *layers.Params {
	if s.layers == nil {
		p := layerParams(s.config)
		s.layers = &p
	}
	return s.layers
}

// layerParams are the settings of the layers.
func layerParams(c *config.Config) layers.Params {
	p := layers.Params{
		AnchorCount:          c.Memory.AnchorCount,
		RecentCount:          c.Memory.RecentCount,
		ImportanceThreshold:  c.Memory.ImportanceThreshold,
		RecallPromotionCount: c.Memory.RecallPromotionCount,
		HalfLifeDays:         c.Memory.DecayHalfLifeDays,
		AgeFromCreated:       c.Memory.AgeFrom == "created",
		Fade:                 map[memory.Kind]float64{},
	}
	for kind, k := range c.Memory.Kinds {
		p.Fade[memory.Kind(kind)] = k.Fade
	}
	return p
}

// stand places all visible memories in their layers.
func (s *scene) stand() []layers.Standing {
	return layers.Stand(s.memories(), *s.params(), s.now)
}

// names reports whether this audience may be told the id of a successor: for
// others than the owner alone it must be there and visible.
func (s *scene) names(id string) bool {
	if s.audience == memory.Trusted {
		return true
	}
	m, there := s.state.Get(id)
	return there && s.audience.Sees(&m)
}

// answer is one visible memory with its standing.
func (s *scene) answer(m *memory.Memory) Memory { return s.answerAt(m, s.standing(m)) }

// answerAt is one visible memory whose standing is known.
func (s *scene) answerAt(m *memory.Memory, at layers.Standing) Memory {
	out := answer(m, at)
	if out.SupersededBy != "" && !s.names(out.SupersededBy) {
		out.SupersededBy = "" // it is closed; by what this audience does not see
	}
	return out
}

// places are the earliest and the newest visible live memories, rising.
type places struct{ earliest, newest []index.Ref }

func (s *scene) places() *places {
	if s.placed == nil {
		p, ix := s.params(), s.index()
		s.placed = &places{ix.Earliest(p.AnchorCount), ix.Newest(p.RecentCount)}
		slices.Sort(s.placed.earliest)
		slices.Sort(s.placed.newest)
	}
	return s.placed
}

// standing is where a visible memory stands.
func (s *scene) standing(m *memory.Memory) layers.Standing {
	if s.timeline != nil {
		open := *m
		open.ValidTo, open.SupersededBy = time.Time{}, ""
		m = &open
	}
	if !m.Live(s.now) {
		return layers.Standing{}
	}
	r, ok := s.index().Find(m.ID)
	if !ok {
		return layers.Of(m, false, false, *s.params(), s.now)
	}
	return s.standingAt(r, m)
}

// standingAt is where the live memory m stands, which is at r in the index.
func (s *scene) standingAt(r index.Ref, m *memory.Memory) layers.Standing {
	at := s.places()
	_, earliest := slices.BinarySearch(at.earliest, r)
	_, newest := slices.BinarySearch(at.newest, r)
	return layers.Of(m, earliest, newest, *s.params(), s.now)
}

// line is a memory as one line of text.
func (s *scene) line(m *memory.Memory) string { return Line(s.answer(m), s.now) }
