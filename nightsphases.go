package plastic

import (
	"context"
	"errors"
	"strconv"
	"time"

	"plastic/config"
	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/sleep"
)

// sleeper is one night with a model under way.
type sleeper struct {
	bank  *Bank
	c     *config.Config
	now   time.Time
	dry   bool // nothing is applied
	past  past
	p     sleep.Params
	tally sleep.Tally
	line  *nightLine      // what was done so far
	ms    []memory.Memory // the memory as the phases so far leave it
}

// consolidate runs the phases of a night that ask a model, or those of plan, into
// line: each looks at the memory as it is, asks with no lock held, and applies what
// passes in one update. A phase that fails applies nothing and the others go on;
// when ctx ends the phase under way is not applied. Without a model it does nothing.
func (b *Bank) consolidate(ctx context.Context, now time.Time, c *config.Config, line *nightLine, dry bool, plan *Night) (*sleeper, error) {
	st, err := b.store.Read()
	if err != nil {
		return nil, err
	}
	s := &sleeper{bank: b, c: c, now: now, dry: dry, line: line, ms: st.Memories()}
	if plan == nil && !b.consolidates(c) {
		return s, nil
	}
	if s.past, err = b.past(); err != nil {
		return nil, err
	}
	line.Seen, line.Next = s.past.seen, s.past.next
	s.p = b.sleepParams(c, st, s.past)
	if plan != nil {
		return s, s.follow(ctx, plan)
	}
	if s.live() < c.Sleep.MinMemories {
		return s, nil
	}
	for _, phase := range []func(context.Context) error{s.clusters, s.forgetting, s.overview} {
		if err := phase(ctx); err != nil {
			return s, err
		}
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
	}
	return s, nil
}

// consolidates reports whether nights ask a model here.
func (b *Bank) consolidates(c *config.Config) bool {
	return c.Sleep.Enabled && c.Model.Chat != "" && b.opts.Chat != nil
}

func (s *sleeper) live() int {
	n := 0
	for i := range s.ms {
		if s.ms[i].Live(s.now) {
			n++
		}
	}
	return n
}

// answered is what a model proposed, and the memories it was shown.
type answered struct {
	ops   []sleep.Op
	asked []memory.Memory
	open  bool // it is to be asked again: it broke off
}

// ask asks once. A failure is kept in ph; gone says that asking on is of no use.
func (s *sleeper) ask(ctx context.Context, ph *Phase, ask memory.Ask, asked []memory.Memory) (got *answered, gone bool) {
	ph.Calls++
	reply, err := s.bank.opts.Chat(ctx, ask)
	if err == nil {
		var ops []sleep.Op
		var cut bool
		if ops, cut, err = sleep.Read(reply); err == nil {
			return &answered{ops, asked, cut}, false
		}
	}
	if errors.Is(err, memory.ErrNoModel) {
		ph.Calls--
		return nil, true // nothing was asked: a night as without a model
	}
	if ctx.Err() == nil {
		ph.Failed = err.Error()
	}
	return nil, ctx.Err() != nil || errors.Is(err, memory.ErrUnreached)
}

// clusters asks about each group of memories that belong together, until the night
// has proposals for all it may do.
func (s *sleeper) clusters(ctx context.Context) error {
	near, err := s.near(ctx)
	if err != nil {
		return err
	}
	ph := Phase{Name: string(sleep.InCluster), Ops: []Op{}}
	tally := s.tally
	preview := sleep.NewGuard(s.ms, s.p, s.now, &tally, draftID())
	var got []answered
	for _, cluster := range sleep.Clusters(s.ms, near, s.p, s.now) {
		if preview.Full() {
			break
		}
		one, gone := s.ask(ctx, &ph, sleep.AskCluster(cluster, s.p, s.now), cluster)
		if one != nil {
			preview.Apply(sleep.InCluster, one.ops, one.asked)
			got = append(got, *one)
		}
		if gone {
			break
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.apply(ctx, sleep.InCluster, ph, got)
}

// draftID gives ids for what is only looked at.
func draftID() func() string {
	n := 0
	return func() string { n++; return "draft-" + strconv.Itoa(n) }
}

// forgetting asks which of the candidates outside clusters may go.
func (s *sleeper) forgetting(ctx context.Context) error {
	if s.tally.Ops >= s.p.MaxOps || s.tally.Forgets >= s.p.MaxForget {
		return nil
	}
	if len(sleep.Candidates(s.ms, nil, s.p, s.now)) == 0 {
		return nil // who belongs together need not be looked for
	}
	near, err := s.near(ctx)
	if err != nil {
		return err
	}
	candidates := sleep.Candidates(s.ms, sleep.Clustered(s.ms, near, s.p, s.now), s.p, s.now)
	if len(candidates) == 0 {
		return nil
	}
	ph := Phase{Name: string(sleep.Outside), Ops: []Op{}}
	var got []answered
	if one, _ := s.ask(ctx, &ph, sleep.AskForget(candidates, s.p, s.now), candidates); one != nil {
		got = append(got, *one)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.apply(ctx, sleep.Outside, ph, got)
}

// overview asks about kinds, importance and core, if texts, kinds or the share of
// core are not what they were at the end of the night that asked last.
func (s *sleeper) overview(ctx context.Context) error {
	if sleep.Fingerprint(s.ms, s.p, s.now) == s.past.seen {
		s.line.Seen = asksAgain
		return nil
	}
	if s.tally.Ops >= s.p.MaxOps {
		return nil
	}
	view, next := sleep.Overview(s.ms, s.p, s.past.next, s.now)
	ph := Phase{Name: string(sleep.Whole), Ops: []Op{}}
	one, _ := s.ask(ctx, &ph, sleep.AskOverview(view, s.p, sleep.CoreSize(s.ms, s.now), s.now), view)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var got []answered
	if one != nil {
		got = append(got, *one)
		if !one.open {
			s.line.Seen, s.line.Next = asksAgain, next // the end of the night says what was seen
		}
	}
	return s.apply(ctx, sleep.Whole, ph, got)
}

// asksAgain stands for a fingerprint that is taken at the end of the night.
const asksAgain = "-"

// seal takes the fingerprint of ms, which the night leaves: what it did itself is
// nothing new.
func (l *nightLine) seal(ms []memory.Memory, p sleep.Params, now time.Time) {
	if l.Seen == asksAgain {
		l.Seen = sleep.Fingerprint(ms, p, now)
	}
}

// near are the pairs of memories that are near in meaning, where vectors are made.
func (s *sleeper) near(ctx context.Context) ([]sleep.Pair, error) {
	model := s.c.Model.Embed
	if model == "" || s.bank.opts.Embed == nil {
		return nil, nil
	}
	file, err := s.bank.vectorFile(model)
	if err != nil {
		s.bank.notice(Problem{Code: "vectors", Path: ".plastic/vectors", Message: err.Error(), Hint: "the file may be deleted, `plastic reindex` makes it anew"})
		return nil, nil
	}
	ids := map[vectors.Key][]string{}
	var keys []vectors.Key
	for _, m := range sleep.Sendable(s.ms, s.p, s.now) {
		k := keyOf(&m)
		if ids[k] == nil {
			keys = append(keys, k)
		}
		ids[k] = append(ids[k], m.ID)
	}
	var out []sleep.Pair
	for _, p := range file.Pairs(keys, float32(s.p.ClusterCosine)) {
		for _, a := range ids[p.A] {
			for _, b := range ids[p.B] {
				out = append(out, sleep.Pair{A: a, B: b, Cos: float64(p.Cos)})
			}
		}
	}
	return out, ctx.Err()
}
