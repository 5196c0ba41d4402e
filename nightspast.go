package plastic

import (
	"encoding/json"
	"slices"
	"time"

	"plastic/config"
	"plastic/internal/secret"
	"plastic/memory"
	"plastic/sleep"
	"plastic/store"
)

// past is what earlier nights say to the next one.
type past struct {
	judged   map[string]string
	rejected map[string]bool
	early    map[string]bool
	lowered  map[string]bool
	seen     string
	next     string
}

func (b *Bank) past() (past, error) {
	p := past{judged: map[string]string{}, rejected: map[string]bool{}, early: map[string]bool{}, lowered: map[string]bool{}}
	lines, err := b.store.Nights()
	if err != nil {
		return p, err
	}
	for _, raw := range lines {
		var l nightLine
		if json.Unmarshal(raw, &l) != nil || l.DryRun { // undo lines have their rejected ones too
			continue
		}
		for _, key := range l.Rejected {
			p.rejected[key] = true
		}
		for _, ph := range l.Phases {
			for id, sum := range ph.Judged {
				p.judged[id] = sum
			}
			for _, id := range ph.Early {
				p.early[id] = true
			}
			p.weighed(&ph, b.settings().Memory.ImportanceThreshold)
		}
		if l.Seen != "" {
			p.seen, p.next = l.Seen, l.Next
		}
	}
	return p, nil
}

// weighed notes what a phase made lighter that was important or core.
func (p *past) weighed(ph *Phase, threshold float64) {
	for i := range ph.Ops {
		op := &ph.Ops[i]
		if !op.Applied || op.Op != string(sleep.Set) {
			continue
		}
		d, err := op.done()
		if err != nil || len(d.Before) != 1 || len(d.After) != 1 {
			continue
		}
		was, is := &d.Before[0], &d.After[0]
		if was.Importance >= threshold && is.Importance < threshold || was.Kind == memory.Core && is.Kind != memory.Core {
			p.lowered[was.ID] = true
		}
	}
}

// sleepParams are the settings of a night with a model over st.
func (b *Bank) sleepParams(c *config.Config, st *store.State, p past) sleep.Params {
	return sleep.Params{
		ClusterJaccard: c.Sleep.ClusterJaccard, ClusterCosine: c.Sleep.ClusterCosine, MaxCluster: c.Sleep.MaxCluster,
		MaxOps: c.Sleep.MaxOps, MaxForget: c.Sleep.MaxForget, KeepRecent: c.Sleep.KeepRecent.Std(),
		MaxContent: c.Memory.MaxContent, CoreBudget: int(float64(c.Memory.PromptBudget) * c.Memory.CoreShare), Layers: layerParams(c),
		SendPrivate: c.Model.SendPrivate, Persona: b.persona(c), Model: c.Sleep.Model, Effort: c.Sleep.Effort, Refuse: secret.Find,
		Judged: p.judged, Lowered: p.lowered, Rejected: p.rejected, Early: p.early, Originals: originals(st.Archive()),
	}
}

// originals are, by id, the wordings before the first night that changed them.
func originals(archive []memory.Archived) map[string]string {
	out, at := map[string]string{}, map[string]time.Time{}
	for i := range archive {
		e := &archive[i]
		if e.As != memory.Version || e.By != sleptBy || e.Memory.Content == "" {
			continue
		}
		if first, ok := at[e.Memory.ID]; !ok || e.ArchivedAt.Before(first) {
			out[e.Memory.ID], at[e.Memory.ID] = e.Memory.Content, e.ArchivedAt
		}
	}
	return out
}

// sleptBy marks in the archive what a night with a model put there.
const sleptBy = "sleep"

// opOf is an operation as a night tells of it.
func opOf(d *sleep.Done) Op {
	return Op{
		Op: string(d.Op.Op), IDs: slices.Clone(d.IDs), Content: d.Content, Contents: d.Contents, Kind: d.Kind, Importance: number(d.Importance), Why: d.Why,
		Applied: d.Applied, Refused: d.Refused, Before: rawMemories(d.Before), After: rawMemories(d.After),
	}
}

// number is x where JSON can hold it.
func number(x *float64) *float64 {
	if x == nil || memory.CheckImportance(*x) != nil {
		return nil
	}
	return x
}

func rawMemories(ms []memory.Memory) []json.RawMessage {
	var out []json.RawMessage
	for i := range ms {
		out = append(out, memory.AppendJSON(nil, &ms[i]))
	}
	return out
}

// done is op as the room for sleep takes it back or does it.
func (o *Op) done() (sleep.Done, error) {
	d := sleep.Done{Op: o.proposal(), Applied: o.Applied, Refused: o.Refused}
	for _, list := range []struct {
		raw []json.RawMessage
		to  *sleep.Memories
	}{{o.Before, &d.Before}, {o.After, &d.After}} {
		for _, raw := range list.raw {
			m, err := memory.ParseJSON(raw)
			if err != nil {
				return d, err
			}
			*list.to = append(*list.to, m)
		}
	}
	return d, nil
}

func (o *Op) proposal() sleep.Op {
	return sleep.Op{Op: sleep.Verb(o.Op), IDs: o.IDs, Content: o.Content, Contents: o.Contents, Kind: o.Kind, Importance: o.Importance, Why: o.Why}
}
