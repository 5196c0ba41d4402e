package plastic

import (
	"slices"
	"time"

	"plastic/internal/index"
	"plastic/memory"
)

// asOf is what the audience would have seen to hold at t: every memory from
// before t, in the folder or superseded and in the archive, that was not closed
// by then.
func (s *scene) asOf(t time.Time) *scene {
	return s.past(t, func(m *memory.Memory) bool {
		return !m.CreatedAt.After(t) && (m.ValidTo.IsZero() && m.SupersededBy == "" || m.ValidTo.After(t))
	})
}

// throughTime is everything the timeline holds, closed memories as if they
// still held.
func (s *scene) throughTime() *scene {
	return s.past(s.now, func(*memory.Memory) bool { return true })
}

// past is a scene at now over the memories of the timeline that hold.
func (s *scene) past(now time.Time, holds func(*memory.Memory) bool) *scene {
	p := &scene{state: s.state, config: s.config, audience: s.audience, now: now, bank: s.bank, whole: true, timeline: map[string]memory.Memory{}}
	take := func(m memory.Memory) {
		if _, there := p.timeline[m.ID]; there || !holds(&m) {
			return
		}
		p.timeline[m.ID] = m
		m.ValidTo, m.SupersededBy = time.Time{}, ""
		p.visible = append(p.visible, m)
	}
	for _, m := range s.memories() {
		take(m)
	}
	for _, a := range s.archive() {
		if a.Memory.SupersededBy != "" && a.Memory.Content != "" {
			take(a.Memory)
		}
	}
	p.fixed = index.Build(p.visible, now)
	return p
}

// chains puts each answer's whole story in its place: what holds now first,
// then what it took the place of, newest first. Each story is told once.
func (s *scene) chains(answers []Answer) []Answer {
	before := map[string][]memory.Memory{}
	for _, m := range s.timeline {
		if m.SupersededBy != "" {
			before[m.SupersededBy] = append(before[m.SupersededBy], m)
		}
	}
	score := map[string]Answer{}
	for _, a := range answers {
		score[a.ID] = a
	}
	told := map[string]bool{}
	out := []Answer{}
	var tell func(m memory.Memory)
	tell = func(m memory.Memory) {
		if told[m.ID] {
			return
		}
		told[m.ID] = true
		a, scored := score[m.ID]
		if !scored {
			a = Answer{Memory: s.answer(&m)}
		}
		if m.SupersededBy != "" || !m.Live(s.now) {
			a.Layer, a.Clarity = "", 0
		}
		out = append(out, a)
		for _, old := range newestFirst(before[m.ID]) {
			tell(old)
		}
	}
	for _, a := range answers {
		tell(s.head(s.timeline[a.ID]))
	}
	return out
}

// head follows a memory to the one that holds in its place.
func (s *scene) head(m memory.Memory) memory.Memory {
	for range s.timeline {
		next, ok := s.timeline[m.SupersededBy]
		if !ok {
			break
		}
		m = next
	}
	return m
}

func newestFirst(ms []memory.Memory) []memory.Memory {
	slices.SortFunc(ms, func(a, b memory.Memory) int { return b.Compare(&a) })
	return ms
}
