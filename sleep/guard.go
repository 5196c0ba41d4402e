package sleep

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"plastic/layers"
	"plastic/memory"
)

// Tally counts what a night has done so far, over all its phases.
type Tally struct {
	Ops     int // applied
	Forgets int // … of them memories forgotten
}

// Guard decides what of a plan may be done. It holds the memories as they are now
// and as the operations it let pass leave them, so that a plan is a patch: what
// was changed since the model saw it is refused.
type Guard struct {
	p     Params
	now   time.Time
	tally *Tally
	newID func() string
	ms    map[string]memory.Memory
	layer map[string]layers.Layer
	core  int // characters of the core memories
}

// NewGuard makes a guard over the memories as they are now, in the order of
// memory.json. newID gives ids that nothing has.
func NewGuard(ms []memory.Memory, p Params, now time.Time, tally *Tally, newID func() string) *Guard {
	g := &Guard{p: p, now: now.UTC().Truncate(time.Second), tally: tally, newID: newID, ms: make(map[string]memory.Memory, len(ms)), layer: make(map[string]layers.Layer, len(ms))}
	for i, s := range layers.Stand(ms, p.Layers, now) {
		g.ms[ms[i].ID], g.layer[ms[i].ID] = ms[i], s.Layer
	}
	g.core = CoreSize(ms, now)
	return g
}

// Memories are the memories as the operations that passed leave them, in the order
// of memory.json.
func (g *Guard) Memories() []memory.Memory {
	return slices.SortedFunc(maps.Values(g.ms), func(a, b memory.Memory) int { return a.Compare(&b) })
}

// Full reports whether the night has done all it may.
func (g *Guard) Full() bool { return g.tally.Ops >= g.p.MaxOps }

// Apply takes the operations of one answer in their order: each is done or refused
// for itself, with the reason. asked are the memories as the model saw them.
func (g *Guard) Apply(in Scope, ops []Op, asked []memory.Memory) []Done {
	seen := make(map[string]memory.Memory, len(asked))
	for _, m := range asked {
		seen[m.ID] = m
	}
	used := map[string]bool{}
	out := []Done{}
	for _, op := range ops {
		d := Done{Op: op, scope: in, shown: asked}
		if d.Refused = g.refuses(&d, seen, used); d.Refused == "" {
			d.Applied = true
			g.take(&d)
			if op.Op != Derive {
				for _, id := range op.IDs {
					used[id] = true
				}
			}
		}
		out = append(out, d)
	}
	return out
}

// refuses says why d may not be done, or gives "" with Before and After filled in.
func (g *Guard) refuses(d *Done, seen map[string]memory.Memory, used map[string]bool) string {
	op := &d.Op
	switch {
	case !slices.Contains(d.scope.verbs(), op.Op):
		return "this is no operation of the phase " + string(d.scope)
	case op.Why == "":
		return "it gives no reason"
	case utf8.RuneCountInString(op.Why) > longReason:
		return "the reason is longer than a sentence"
	case g.p.Refuse != nil && g.p.Refuse(op.Why) != "":
		return "the reason holds what may not be kept"
	case len(op.IDs) < fewest[op.Op], most[op.Op] > 0 && len(op.IDs) > most[op.Op]:
		return fmt.Sprintf("%s does not take %d ids", op.Op, len(op.IDs))
	}
	old := make([]memory.Memory, 0, len(op.IDs))
	for i, id := range op.IDs {
		if why := g.unfit(id, seen, used); why != "" {
			return why
		}
		if slices.Contains(op.IDs[:i], id) {
			return "it names " + id + " twice"
		}
		old = append(old, g.ms[id])
	}
	if g.p.Rejected[Key(*op, old)] {
		return "a person took this back before"
	}
	if d.Capped = g.Full(); d.Capped {
		return fmt.Sprintf("the night has done its %d operations", g.p.MaxOps)
	}
	if why := g.plan(d, old); why != "" {
		return why
	}
	return g.texts(d)
}

// longReason bounds the reason of an operation, in characters.
const longReason = 1000

// How many ids an operation takes; no most is any number.
var (
	fewest = map[Verb]int{Merge: 2, Supersede: 2, Rewrite: 1, Split: 1, Derive: 2, Forget: 1, Set: 1}
	most   = map[Verb]int{Supersede: 2, Rewrite: 1, Split: 1, Forget: 1, Set: 1}
)

// unfit says why nothing may be done with a memory.
func (g *Guard) unfit(id string, seen map[string]memory.Memory, used map[string]bool) string {
	was, shown := seen[id]
	m, there := g.ms[id]
	switch {
	case !shown:
		return "the model was not shown " + clip(id, memory.MaxID)
	case used[id]:
		return id + " was used by an operation before"
	case !there:
		return id + " is not there any more"
	case !sameText(&m, &was) || !m.UpdatedAt.Equal(was.UpdatedAt):
		return id + " was changed since"
	case !m.Live(g.now):
		return id + " does not hold any more"
	}
	return ""
}

// sameText reports whether a and b are alike but for counts and marks.
func sameText(a, b *memory.Memory) bool {
	return a.Content == b.Content && a.Kind == b.Kind && a.Importance == b.Importance && a.Pinned == b.Pinned && a.Private == b.Private &&
		a.CreatedAt.Equal(b.CreatedAt) && a.ValidTo.Equal(b.ValidTo) && a.SupersededBy == b.SupersededBy
}

// texts checks every new wording of d.
func (g *Guard) texts(d *Done) string {
	for i := range d.After {
		m := &d.After[i]
		if j := slices.IndexFunc(d.Before, func(b memory.Memory) bool { return b.ID == m.ID }); j >= 0 && d.Before[j].Content == m.Content {
			continue
		}
		n := utf8.RuneCountInString(m.Content)
		switch {
		case n < shortest:
			return "there is nearly no text"
		case n > g.p.MaxContent:
			return fmt.Sprintf("the text has %d characters, one memory holds at most %d", n, g.p.MaxContent)
		case !utf8.ValidString(m.Content):
			return "the text is no UTF-8"
		case g.p.Refuse != nil && g.p.Refuse(m.Content) != "":
			return "the text looks like it holds " + g.p.Refuse(m.Content)
		}
		if word := d.leaks(m); word != "" {
			return strconv.Quote(word) + " is what only a private memory says, and this one is not private"
		}
	}
	return ""
}

// leaks gives a word of m, which is not private, that the model can only have from a
// private memory it was shown beside, or "".
func (d *Done) leaks(m *memory.Memory) string {
	if m.Private || !slices.ContainsFunc(d.shown, func(o memory.Memory) bool { return o.Private }) {
		return ""
	}
	var open, private []string
	for _, o := range d.shown {
		if r := readingOf(o.Content); o.Private {
			private = append(append(private, r.telling...), r.numbers...)
		} else {
			open = append(append(open, r.stems...), r.numbers...)
		}
	}
	r := readingOf(m.Content)
	for _, word := range slices.Concat(r.telling, r.numbers) {
		if slices.Contains(private, word) && !slices.Contains(open, word) {
			return word
		}
	}
	return ""
}

// shortest is the least a new wording must have, in characters; a Chinese sentence
// may be no longer.
const shortest = 4

// take lets the guard's own view follow d.
func (g *Guard) take(d *Done) {
	for _, m := range d.Before {
		delete(g.ms, m.ID)
		g.core -= coreSize(&m, g.now)
	}
	for _, m := range d.After {
		g.ms[m.ID] = m
		g.core += coreSize(&m, g.now)
	}
	g.tally.Ops++
	if d.Op.Op == Forget {
		g.tally.Forgets++
	}
}

// Mark is a memory that a night has looked at and left as it was, with what its
// consolidatedAt was before.
type Mark struct {
	ID  string    `json:"id"`
	Was time.Time `json:"was,omitzero"`
}

// Settle marks those of asked that are as the model saw them; they are not sent
// again before an edit. Memories gives them with the mark.
func (g *Guard) Settle(asked []memory.Memory) []Mark {
	var out []Mark
	for i := range asked {
		m, ok := g.ms[asked[i].ID]
		if !ok || !sameText(&m, &asked[i]) || !m.UpdatedAt.Equal(asked[i].UpdatedAt) || m.ConsolidatedAt.Equal(g.now) {
			continue
		}
		out = append(out, Mark{m.ID, m.ConsolidatedAt})
		m.ConsolidatedAt = g.now
		g.ms[m.ID] = m
	}
	return out
}

// Get is a memory as the operations that passed leave it.
func (g *Guard) Get(id string) (memory.Memory, bool) {
	m, ok := g.ms[id]
	return m, ok
}

// CoreSize is how many characters the live core memories of ms hold.
func CoreSize(ms []memory.Memory, now time.Time) int {
	n := 0
	for i := range ms {
		n += coreSize(&ms[i], now)
	}
	return n
}

func coreSize(m *memory.Memory, now time.Time) int {
	if m.Kind != memory.Core || !m.Live(now) {
		return 0
	}
	return utf8.RuneCountInString(m.Content)
}
