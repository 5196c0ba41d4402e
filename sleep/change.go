package sleep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plastic/layers"
	"plastic/memory"
)

// plan fills in what d does to old, the memories it names in its order, or says
// why it may not be done.
func (g *Guard) plan(d *Done, old []memory.Memory) string {
	d.Before = old
	if d.Op.Op != Derive && d.Op.Op != Set { // these leave what they name as it says
		for i := range old {
			if d.Op.Op == Supersede && i == 1 {
				break // the newer one may be young
			}
			if d.Early = g.p.young(&old[i], g.now); d.Early {
				return old[i].ID + " is younger than what a night may change"
			}
		}
	}
	switch d.Op.Op {
	case Merge:
		return g.merge(d, old)
	case Supersede:
		return g.supersede(d, old[0], old[1])
	case Rewrite:
		return g.rewrite(d, old[0])
	case Split:
		return g.split(d, old[0])
	case Derive:
		return g.derive(d, old)
	case Forget:
		return g.forget(d, old[0])
	}
	return g.set(d, old[0])
}

// merge makes one memory of several: the id, source, session and createdAt of the
// most recalled (of equals the oldest), the counts of all, and of the rest what is
// stronger. createdAt stays with its id: together they say which memory it is.
func (g *Guard) merge(d *Done, old []memory.Memory) string {
	byAge := slices.SortedFunc(slices.Values(old), func(a, b memory.Memory) int {
		return cmp.Or(edited(&a).Compare(edited(&b)), a.Compare(&b))
	})
	m := slices.MaxFunc(byAge, func(a, b memory.Memory) int { return cmp.Or(a.RecallCount-b.RecallCount, b.Compare(&a)) })
	id, speaker := m.ID, ""
	for i := range old {
		o := &old[i]
		if o.Speaker != "" && speaker != "" && o.Speaker != speaker {
			return "they were said by different people"
		}
		speaker = cmp.Or(speaker, o.Speaker)
		if o.ID != id {
			m.RecallCount += o.RecallCount
		}
		if o.LastRecalledAt.After(m.LastRecalledAt) {
			m.LastRecalledAt = o.LastRecalledAt
		}
		m.Importance = max(m.Importance, o.Importance)
		m.Pinned, m.Private = m.Pinned || o.Pinned, m.Private || o.Private
		m.Kind = stronger(m.Kind, o.Kind)
	}
	m.Content, m.Speaker, m.ConsolidatedAt = d.Op.Content, speaker, g.now
	if why := loses(byAge, m.Content); why != "" {
		return why
	}
	if n := invents(old, m.Content); n != "" {
		return "it says " + n + ", which no memory says"
	}
	d.After = []memory.Memory{m}
	return ""
}

// stronger is the kind that must not be lost in a merge.
func stronger(a, b memory.Kind) memory.Kind {
	for _, k := range []memory.Kind{memory.Identity, memory.Core} {
		if a == k || b == k {
			return k
		}
	}
	return a
}

// supersede closes an old memory for a newer one; it stays on the timeline.
func (g *Guard) supersede(d *Done, old, next memory.Memory) string {
	switch {
	case guarded(&old):
		return old.ID + " is " + standing(&old) + ": fold the newer one into it, it is not closed"
	case edited(&next).Before(edited(&old)):
		return next.ID + " is older than " + old.ID
	}
	old.ValidTo, old.SupersededBy, old.ConsolidatedAt = g.now, next.ID, g.now
	next.Importance = max(next.Importance, d.Before[0].Importance)
	next.Private = next.Private || old.Private
	next.ConsolidatedAt = g.now
	d.After = []memory.Memory{old, next}
	return ""
}

// guarded reports whether m is never closed, split or forgotten.
func guarded(m *memory.Memory) bool {
	return m.Pinned || m.Kind == memory.Core || m.Kind == memory.Identity
}

func standing(m *memory.Memory) string {
	if m.Pinned {
		return "pinned"
	}
	return string(m.Kind)
}

func (g *Guard) rewrite(d *Done, m memory.Memory) string {
	if m.Pinned || m.Kind == memory.Identity {
		return m.ID + " is " + standing(&m) + ": its words stay"
	}
	if m.Content == d.Op.Content {
		return "it changes nothing"
	}
	first := m
	if was, ok := g.p.Originals[m.ID]; ok {
		first.Content = was
	}
	if why := cmp.Or(loses([]memory.Memory{m}, d.Op.Content), hollows(&first, d.Op.Content)); why != "" {
		return why
	}
	if n := invents(append(slices.Clone(d.shown), first, m), d.Op.Content); n != "" {
		return "it says " + n + ", which no memory says"
	}
	m.Content, m.ConsolidatedAt = d.Op.Content, g.now
	d.After = []memory.Memory{m}
	return ""
}

// hollows says that a text has too little left of the wording before the first
// night that changed it: many small losses are one large one.
func hollows(first *memory.Memory, text string) string {
	return covers([]reading{readingOf(first.Content)}, readingOf(text))
}

// split makes a memory of each content; the first keeps the id. Nothing of the
// whole may get lost between them.
func (g *Guard) split(d *Done, m memory.Memory) string {
	switch {
	case m.Pinned || m.Kind == memory.Identity:
		return m.ID + " is " + standing(&m) + ": its words stay"
	case len(d.Op.Contents) < 2:
		return "a split has two contents or more"
	case len(d.Op.Contents) > mostParts:
		return fmt.Sprintf("a split has at most %d contents", mostParts)
	}
	whole := strings.Join(d.Op.Contents, "\n")
	if why := loses([]memory.Memory{m}, whole); why != "" {
		return why
	}
	if n := invents([]memory.Memory{m}, whole); n != "" {
		return "it says " + n + ", which the memory does not say"
	}
	for i, text := range d.Op.Contents {
		part := m
		part.Content, part.ConsolidatedAt = strings.TrimSpace(text), g.now
		if i > 0 {
			part.ID = g.newID()
		}
		if readingOf(part.Content).script != readingOf(m.Content).script {
			return "it is written in another script than the memory"
		}
		d.After = append(d.After, part)
	}
	return ""
}

// mostParts bounds what one memory is split into.
const mostParts = 8

// derive draws a new fact from several memories, which stay as they are. It weighs
// no more than the heaviest of them.
func (g *Guard) derive(d *Done, evidence []memory.Memory) string {
	kind := cmp.Or(d.Op.Kind, memory.Fact)
	if kind != memory.Fact && kind != memory.Event {
		return "what is derived is a fact or an event"
	}
	m := memory.Memory{Content: d.Op.Content, Kind: kind, CreatedAt: g.now, ConsolidatedAt: g.now, Source: "sleep"}
	scripts := map[string]bool{}
	var all []reading
	for i := range evidence {
		e := &evidence[i]
		m.Importance, m.Private = max(m.Importance, e.Importance), m.Private || e.Private
		all = append(all, readingOf(e.Content))
		scripts[all[i].script] = true
	}
	if x := d.Op.Importance; x != nil {
		if why := wrong(*x); why != "" {
			return why
		}
		m.Importance = min(m.Importance, *x)
	}
	result := readingOf(m.Content)
	part, n := kept(result.telling, slices.Concat(stemsOf(all)...))
	switch {
	case !scripts[result.script]:
		return "it is written in another script than the evidence"
	case n > 0 && part < keptByMerge:
		return "it speaks of other things than the evidence"
	}
	if no := invents(evidence, m.Content); no != "" {
		return "it says " + no + ", which no evidence says"
	}
	for _, o := range g.ms {
		if o.Content == m.Content && o.Live(g.now) {
			return o.ID + " says this already"
		}
	}
	m.ID = g.newID()
	d.After = append(slices.Clone(evidence), m)
	return ""
}

func stemsOf(all []reading) [][]string {
	var out [][]string
	for _, r := range all {
		out = append(out, r.stems)
	}
	return out
}

func (g *Guard) forget(d *Done, m memory.Memory) string {
	switch layer := g.layer[m.ID]; {
	case guarded(&m):
		return m.ID + " is " + standing(&m) + " and never forgotten"
	case layer == layers.Anchor:
		return m.ID + " is among the first memories and never forgotten"
	case layer == layers.Important, m.Importance >= g.p.Layers.ImportanceThreshold, layers.Promoted(&m, g.p.Layers):
		return m.ID + " is important and never forgotten"
	case g.p.Lowered[m.ID]:
		return m.ID + " was core or important before a night made it lighter: no night forgets it"
	case g.tally.Forgets >= g.p.MaxForget:
		d.Capped = true
		return fmt.Sprintf("the night has forgotten its %d memories", g.p.MaxForget)
	}
	d.After = nil
	return ""
}

func (g *Guard) set(d *Done, m memory.Memory) string {
	before := m
	if x := d.Op.Importance; x != nil {
		if why := wrong(*x); why != "" {
			return why
		}
		m.Importance = *x
	}
	if k := d.Op.Kind; k != "" && k != m.Kind {
		switch {
		case m.Kind == memory.Identity:
			return m.ID + " is who the bot is: its kind stays"
		case k != memory.Fact && k != memory.Event && k != memory.Core:
			return fmt.Sprintf("%q is no kind that a night gives", clip(string(k), 40))
		case m.Pinned && m.Kind == memory.Core:
			return m.ID + " is pinned: its kind stays"
		}
		m.Kind = k
		if size := coreSize(&m, g.now); size > 0 && g.core+size > g.p.CoreBudget {
			return "the core memories fill their share of the prompt already"
		}
	}
	if m.Kind == before.Kind && m.Importance == before.Importance {
		return "it changes nothing"
	}
	d.After = []memory.Memory{m}
	return ""
}

func wrong(importance float64) string {
	if memory.CheckImportance(importance) != nil {
		return "an importance is a number from 0 to 1"
	}
	return ""
}
