package plastic

import (
	"time"

	"plastic/config"
	"plastic/internal/card"
	"plastic/layers"
	"plastic/memory"
	"plastic/tokenize"
)

// Stats counts what the audience may see. The card is counted for those who see
// it; where the folder lies and what is unsettled in it is told to the owner alone.
func (b *Bank) Stats() (Stats, error) {
	s, err := b.look()
	if err != nil {
		return Stats{}, err
	}
	out := Stats{
		Memories: len(s.memories()), Archive: len(s.archive()),
		Layers: map[string]int{}, Kinds: map[string]int{},
		LastNight: b.lastNight(s.now, s.config), NextNight: Time{b.nextNight(s.now, s.config)}, Timezone: s.config.Memory.Location().String(),
		Channel:  Channel(s.config.Channel),
		Vectors:  Vectors{Model: s.config.Model.Embed},
		Problems: []Problem{},
	}
	for _, l := range layers.All() {
		out.Layers[string(l)] = 0
	}
	for i, st := range s.stand() {
		m := &s.memories()[i]
		out.Kinds[string(m.Kind)]++
		if !m.Live(s.now) {
			out.Superseded++
			continue
		}
		out.Live++
		out.Layers[string(st.Layer)]++
	}
	if c, err := card.Read(b.cardPath(s.config)); err == nil && b.seesCard(s.config) {
		out.Card = CardSize{Bytes: int(c.Size), Runes: c.Runes, Tokens: tokenize.Count(string(c.Bytes))}
	}
	if b.audience != memory.Trusted {
		return out, nil
	}
	out.Dir = b.Dir()
	if err := b.countWork(s, &out); err != nil {
		return Stats{}, err
	}
	for _, p := range s.state.Problems() {
		out.Problems = append(out.Problems, problem(p))
	}
	out.Problems = append(out.Problems, b.around(false)...)
	return out, nil
}

// countWork counts what waits: turns for distillation, memories for a vector.
func (b *Bank) countWork(s *scene, out *Stats) error {
	turns, _, err := b.store.Waiting()
	if err != nil { // the memory can be counted all the same
		out.Problems = append(out.Problems, Problem{Code: "io", Path: "queue.jsonl", Message: "the queue can not be read: " + err.Error()})
	}
	for _, t := range turns {
		if t.SetAside {
			out.SetAside++
		} else {
			out.Queue++
		}
	}
	if s.config.Model.Embed == "" {
		return nil
	}
	file, err := b.vectorFile(s.config.Model.Embed)
	if err != nil {
		out.Problems = append(out.Problems, Problem{Code: "vectors", Path: ".plastic/vectors", Message: err.Error()})
		return nil
	}
	for i := range s.memories() {
		switch m := &s.memories()[i]; {
		case file.Has(keyOf(m)):
			out.Vectors.Have++
		case sendable(s.config, m):
			out.Vectors.Missing++
		}
	}
	return nil
}

// nextNight is when the next night is due; one that was missed is due now.
func (b *Bank) nextNight(now time.Time, c *config.Config) time.Time {
	if _, due := b.nightDue(now, c); due {
		return now
	}
	next := nightHour(now, c)
	if !next.After(now) || b.nightDone(now, c) {
		y, m, d := now.In(c.Memory.Location()).Date()
		next = nightHour(time.Date(y, m, d+1, 12, 0, 0, 0, c.Memory.Location()), c)
	}
	return next
}
