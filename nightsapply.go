package plastic

import (
	"context"
	"fmt"
	"maps"
	"time"

	"plastic/memory"
	"plastic/sleep"
	"plastic/store"
)

// apply does what passes of a phase, in one update on the memory as it is then.
func (s *sleeper) apply(ctx context.Context, in sleep.Scope, ph Phase, got []answered) error {
	if ph.Calls == 0 && ph.Failed == "" && len(got) == 0 {
		return nil
	}
	if s.dry || s.c.Sleep.DryRun {
		s.pretend(in, ph, got)
		return nil
	}
	var after nightLine
	var tally sleep.Tally
	st, err := s.bank.store.Update(ctx, func(tx *store.Tx) error {
		tally = s.tally
		g := sleep.NewGuard(tx.State().Memories(), s.p, s.now, &tally, tx.NewID)
		after = *s.line
		after.Phases = append(after.Phases[:len(after.Phases):len(after.Phases)], s.decide(g, in, ph, got))
		carryOut(tx, g, &after.Phases[len(after.Phases)-1], s.now)
		return s.bank.asleepNote(&after)
	})
	if err != nil {
		return err
	}
	*s.line, s.tally, s.ms = after, tally, st.Memories()
	s.past.weighed(&after.Phases[len(after.Phases)-1], s.p.Layers.ImportanceThreshold)
	return nil
}

// pretend notes what apply would do. A dry run goes on as if it were done.
func (s *sleeper) pretend(in sleep.Scope, ph Phase, got []answered) {
	tally := s.tally
	g := sleep.NewGuard(s.ms, s.p, s.now, &tally, draftID())
	ph = s.decide(g, in, ph, got)
	for i := range ph.Ops {
		if ph.Ops[i].Applied {
			ph.Ops[i].Applied = false
			if !s.dry {
				ph.Ops[i].Refused = "planned only: sleep.dryRun is on"
			}
		}
	}
	if s.dry {
		s.tally, s.ms = tally, g.Memories()
	} else {
		ph.Settled, ph.Judged, ph.Early = nil, nil, nil
		s.line.Seen = s.past.seen
	}
	s.line.Phases = append(s.line.Phases, ph)
}

// decide lets the guard judge what was proposed.
func (s *sleeper) decide(g *sleep.Guard, in sleep.Scope, ph Phase, got []answered) Phase {
	out := ph
	out.Ops, out.Settled = []Op{}, nil
	for _, one := range got {
		open, early := one.open, false
		refused := map[string]bool{}
		for _, d := range g.Apply(in, one.ops, one.asked) {
			out.Ops = append(out.Ops, opOf(&d))
			open, early = open || d.Capped, early || d.Early
			for _, id := range d.IDs {
				refused[id] = refused[id] || d.Capped
			}
		}
		switch {
		case in == sleep.Outside && !one.open:
			if out.Judged == nil {
				out.Judged = map[string]string{}
			}
			for _, m := range one.asked {
				if _, stays := g.Get(m.ID); stays && !refused[m.ID] {
					out.Judged[m.ID] = sleep.Sum(&m)
				}
			}
		case in == sleep.InCluster && !open:
			out.Settled = append(out.Settled, g.Settle(one.asked)...)
			if early {
				for _, m := range one.asked {
					out.Early = append(out.Early, m.ID)
				}
			}
		}
	}
	return out
}

// carryOut writes what the guard let pass.
func carryOut(tx *store.Tx, g *sleep.Guard, ph *Phase, now time.Time) {
	for i := range ph.Ops {
		if !ph.Ops[i].Applied {
			continue
		}
		d, err := ph.Ops[i].done()
		if err != nil {
			continue // it was made of memories a moment ago
		}
		changed, gone := d.Changed()
		as := memory.Version
		if d.Op.Op == sleep.Forget {
			as = memory.Forgotten
		}
		entry := memory.Archived{ArchivedAt: whole(now), As: as, By: sleptBy, Why: d.Why}
		for _, id := range gone {
			tx.Archive(id, entry)
		}
		for _, m := range changed {
			if old, ok := tx.Get(m.ID); ok && old.Content != m.Content {
				was := entry
				was.Memory = old
				tx.Keep(was)
			}
			tx.Put(m)
		}
	}
	for _, mark := range ph.Settled {
		if m, ok := g.Get(mark.ID); ok {
			tx.Put(m)
		}
	}
}

// follow does what a plan says that a dry run gave and a person has read: without
// what is marked reject, which is not proposed again.
func (s *sleeper) follow(ctx context.Context, plan *Night) error {
	for _, planned := range plan.Phases {
		in := sleep.Scope(planned.Name)
		var got []answered
		judged := maps.Clone(planned.Judged)
		for i := range planned.Ops {
			op := &planned.Ops[i]
			d, err := op.done()
			if err != nil {
				return Hint(memory.ErrInvalid, fmt.Sprintf("operation %d of the phase %s can not be read: %v", i+1, clip(planned.Name, 40), err), "give the file as `plastic --json sleep --dry-run` wrote it")
			}
			switch {
			case op.Reject:
				s.line.Rejected = append(s.line.Rejected, sleep.Key(d.Op, d.Before))
				if in == sleep.Outside && len(d.Before) > 0 {
					if judged == nil {
						judged = map[string]string{}
					}
					judged[d.Before[0].ID] = sleep.Sum(&d.Before[0])
				}
			case op.Refused == "":
				got = append(got, answered{ops: []sleep.Op{d.Op}, asked: d.Before})
			}
		}
		if in != sleep.InCluster && in != sleep.Outside && in != sleep.Whole {
			continue
		}
		if in == sleep.Whole && planned.Failed == "" {
			s.line.Seen = asksAgain
		}
		if in == sleep.InCluster {
			got = append(got, s.unchanged(planned.Settled, plan.Started.Time))
		}
		ph := Phase{Name: planned.Name, Calls: planned.Calls, Judged: judged, Early: planned.Early}
		if err := s.apply(ctx, in, ph, got); err != nil {
			return err
		}
	}
	return nil
}

// unchanged are the memories that a dry run would have left, as far as nobody has
// edited them since: they are looked at, and not to be sent again.
func (s *sleeper) unchanged(marks []sleep.Mark, since time.Time) answered {
	var out answered
	left := map[string]bool{}
	for _, mark := range marks {
		left[mark.ID] = true
	}
	for _, m := range s.ms {
		if left[m.ID] && !m.UpdatedAt.After(since) && !m.CreatedAt.After(since) {
			out.asked = append(out.asked, m)
		}
	}
	return out
}
