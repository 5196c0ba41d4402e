package plastic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"plastic/distill"
	"plastic/internal/card"
	"plastic/internal/index"
	"plastic/internal/same"
	"plastic/internal/secret"
	"plastic/internal/section"
	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/store"
	"plastic/tokenize"
)

// Flushing says how Flush runs.
type Flushing struct {
	Retry bool // take back the turns that were set aside
}

// Flushed answers Flush.
type Flushed struct {
	Turns      int `json:"turns"` // distilled by this call
	Facts      int `json:"facts"`
	Created    int `json:"created"`
	Reinforced int `json:"reinforced"`
	Superseded int `json:"superseded"`
	Refused    int `json:"refused"` // facts of the model that were not taken
	Left       int `json:"left"`    // turns that still wait
	SetAside   int `json:"setAside"`
}

const (
	// mostTries is how many answers about a turn may be none before it is set aside.
	mostTries = 5

	// mostKnown is how many memories near to a turn the model is shown.
	mostKnown = 12

	// sameMeaning is the cosine from which two texts may be one memory in other words,
	// if nothing that vectors do not tell apart stands against it (same.Paraphrase).
	sameMeaning = 0.95
)

// Flush distils the turns that wait, oldest first, one question to the model each. A
// turn leaves the queue in the moment its facts are stored. An answer that is none
// counts as a try; after five the turn is set aside, kept and shown. A model that can
// not be reached ends the flush: nothing is lost and nothing counted as a try.
//
// It fails with memory.ErrNoModel without model.chat, with memory.ErrUnreached or
// memory.ErrModel where turns are left for that reason; what was done is in the answer
// all the same.
func (b *Bank) Flush(ctx context.Context, how Flushing) (Flushed, error) {
	if err := b.mayDump("flush"); err != nil {
		return Flushed{}, err
	}
	c := b.settings()
	if how.Retry {
		if _, err := b.store.ChangeQueue(ctx, func(t *store.Turn) bool {
			back := t.SetAside
			t.SetAside, t.Tries, t.Reason = false, 0, ""
			return back
		}); err != nil {
			return Flushed{}, err
		}
	}
	turns, _, err := b.store.Waiting()
	if err != nil {
		return Flushed{}, err
	}
	f := &flush{bank: b, injected: nil}
	for _, t := range turns {
		if t.SetAside {
			f.out.SetAside++
		} else {
			f.out.Left++
		}
	}
	all := f.out.Left
	if b.opts.Chat == nil || c.Model.Chat == "" {
		return f.out, Hint(memory.ErrNoModel, "no model is configured to distil turns with", "set model.apiBase and model.chat (`plastic config set model.chat NAME`)")
	}
	var bad error
	kept := 0
	for _, t := range turns {
		if t.SetAside {
			continue
		}
		if t.Private && !c.Model.SendPrivate {
			kept++
			continue
		}
		if err := ctx.Err(); err != nil {
			return f.out, err
		}
		x, waits, err := b.store.Turn(t.ID)
		switch {
		case err != nil:
		case waits:
			err = f.turn(ctx, x)
		default:
			f.out.Left-- // somebody else has distilled it meanwhile
		}
		switch {
		case err == nil:
		case errors.Is(err, memory.ErrModel) && !errors.Is(err, memory.ErrUnreached):
			if bad = err; f.tried(ctx, t.ID, err) != nil {
				return f.out, err
			}
		default:
			return f.out, err
		}
		if b.opts.Progress != nil {
			b.opts.Progress("distilling", all-f.out.Left, all)
		}
	}
	if kept > 0 {
		b.notice(Problem{Code: "note", Message: fmt.Sprintf("%d private turns wait: model.sendPrivate is false", kept), Hint: "they are distilled when private ones may be sent to the model"})
	}
	return f.out, bad
}

// flush is one Flush under way.
type flush struct {
	bank     *Bank
	injected map[string]bool // folded lines that the memory itself puts into a conversation
	out      Flushed
}

// tried counts an answer that was none.
func (f *flush) tried(ctx context.Context, id string, why error) error {
	aside := false
	err := f.bank.store.ChangeTurn(ctx, id, func(q *store.Turn) {
		q.Tries++
		q.Reason = clip(why.Error(), 300)
		aside = q.Tries >= mostTries && !q.SetAside
		q.SetAside = q.SetAside || aside
	})
	if err == nil && aside {
		f.out.Left--
		f.out.SetAside++
	}
	return err
}

// turn distils one turn.
func (f *flush) turn(ctx context.Context, t store.Turn) error {
	b := f.bank
	s, err := b.look()
	if err != nil {
		return err
	}
	if f.injected == nil {
		f.injected = s.injects()
	}
	said := distill.Strip(distill.Turn{User: t.User, Assistant: t.Assistant, At: t.At, Private: t.Private},
		func(line string) bool { return f.injected[tokenize.Fold(line)] })
	var got distill.Result
	if !distill.Idle(said.User) {
		known := s.near(said.User, mostKnown)
		p := distill.Params{Location: s.config.Memory.Location(), MaxContent: s.config.Memory.MaxContent}
		reply, err := b.opts.Chat(ctx, distill.Ask(said, known, p))
		if err != nil {
			return err
		}
		if got, err = distill.Read(reply, said, known, p); err != nil {
			return err
		}
	}
	return f.store(ctx, t, got)
}

// store keeps the facts of a turn and takes it out of the queue, in one update.
func (f *flush) store(ctx context.Context, t store.Turn, got distill.Result) error {
	b := f.bank
	now := b.opts.Now()
	var ms []memory.Memory
	facts := slices.DeleteFunc(slices.Clone(got.Facts), func(x distill.Fact) bool { return secret.Find(x.Content) != "" })
	for _, x := range facts {
		source := t.Source
		if source == "" {
			source = "turn:" + t.ID
		}
		ms = append(ms, memory.Memory{
			Content: x.Content, Kind: x.Kind, Importance: x.Importance, Private: x.Private, CreatedAt: whole(t.At),
			Session: t.Session, Source: source, Speaker: x.Speaker,
		})
	}
	found, file := f.embed(ctx, ms)
	var done Flushed
	_, err := b.store.Update(ctx, func(tx *store.Tx) error {
		done = Flushed{}
		if !tx.Done(t.ID) {
			return nil // somebody else has distilled it meanwhile
		}
		done.Turns, done.Refused = 1, len(got.Refused)+len(got.Facts)-len(facts)
		for i := range ms {
			m := ms[i]
			s := b.scene(tx.State(), now)
			done.Facts++
			if id := facts[i].Supersedes; id != "" {
				if old, ok := s.get(id); ok && old.SupersededBy == "" && old.Content != m.Content && !core(&old) {
					if err := b.succeed(tx, s, id, &m); err != nil {
						return err
					}
					done.Superseded++
					done.Created++
					continue
				}
			}
			old, ok := s.twin(&m)
			if !ok && found != nil {
				old, ok = s.paraphrased(&m, found[i], file)
			}
			if ok {
				b.reinforce(tx, old, m, now)
				done.Reinforced++
				continue
			}
			m.ID = tx.NewID()
			tx.Put(m)
			done.Created++
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.out.Turns += done.Turns
	f.out.Facts += done.Facts
	f.out.Created += done.Created
	f.out.Reinforced += done.Reinforced
	f.out.Superseded += done.Superseded
	f.out.Refused += done.Refused
	f.out.Left--
	if found != nil {
		f.keep(ms, found, file)
	}
	return nil
}

func core(m *memory.Memory) bool { return m.Kind == memory.Core || m.Kind == memory.Identity }

// embed asks for the vectors of new memories. Without a model, or when it can not be
// asked, there are none: reindex makes them later.
func (f *flush) embed(ctx context.Context, ms []memory.Memory) ([][]float32, *vectors.File) {
	b := f.bank
	c := b.settings()
	if b.opts.Embed == nil || c.Model.Embed == "" || len(ms) == 0 {
		return nil, nil
	}
	var texts []string
	for i := range ms {
		if !sendable(c, &ms[i]) {
			return nil, nil
		}
		texts = append(texts, ms[i].Content)
	}
	got, err := b.opts.Embed(ctx, texts)
	if err != nil || len(got) != len(ms) {
		if err != nil && !errors.Is(err, memory.ErrNoModel) {
			b.notice(Problem{Code: "model", Message: "the facts have no vectors yet: " + err.Error(), Hint: "`plastic reindex` makes them"})
		}
		return nil, nil
	}
	file, err := b.vectorFile(c.Model.Embed)
	if err != nil {
		return nil, nil
	}
	return got, file
}

// keep puts the vectors of stored facts into the file.
func (f *flush) keep(ms []memory.Memory, found [][]float32, file *vectors.File) {
	var entries []vectors.Entry
	for i, v := range found {
		if len(v) > 0 {
			entries = append(entries, vectors.Entry{Key: keyOf(&ms[i]), Vector: v})
		}
	}
	if err := file.Add(entries); err != nil {
		f.bank.notice(Problem{Code: "vectors", Path: ".plastic/vectors", Message: err.Error(), Hint: "`plastic reindex` makes them"})
	}
}

// near are the visible live memories that have to do with a text and may be sent, the
// nearest first.
func (s *scene) near(text string, most int) []memory.Memory {
	var out []memory.Memory
	ix := s.index()
	for _, h := range ix.Search(ix.Ask(text, s.now).Informing(mostLookedAt)).Hits {
		if len(out) == most {
			break
		}
		if m, ok := s.read(h.Ref); ok && sendable(s.config, &m) {
			out = append(out, m)
		}
	}
	return out
}

// paraphrased is the visible live memory that says in other words what m says, whose
// vector is v; of several the nearest.
func (s *scene) paraphrased(m *memory.Memory, v []float32, file *vectors.File) (memory.Memory, bool) {
	if len(v) == 0 {
		return memory.Memory{}, false
	}
	keys, refs := s.comparable()
	near := s.compare(file, v, keys, refs)
	var best memory.Memory
	most := float32(sameMeaning)
	for r, cos := range near {
		if math.IsNaN(float64(cos)) || cos < most {
			continue
		}
		if old, ok := s.read(index.Ref(r)); ok && old.Live(s.now) && same.Paraphrase(&old, m, s.sameness()) {
			best, most = old, cos
		}
	}
	return best, best.ID != ""
}

// injects are the folded lines that the memory itself puts into a conversation: the
// rule, the card, what memories say.
func (s *scene) injects() map[string]bool {
	out := map[string]bool{}
	add := func(text string) {
		for line := range strings.Lines(text) {
			if bare := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), ">*-•")); bare != "" {
				out[tokenize.Fold(bare)] = true
			}
		}
	}
	empty := section.Render(section.Input{Rule: true, Budget: s.config.Memory.PromptBudget, CoreShare: 1, Now: s.now,
		Core:     []memory.Memory{{ID: "x", Content: "x", Kind: memory.Core}},
		Recalled: []memory.Memory{{ID: "y", Content: "y"}}})
	add(empty.Text)
	if c, err := card.Read(s.bank.cardPath(s.config)); err == nil {
		add(string(c.Bytes))
	}
	for _, m := range s.memories() {
		if len(m.Content) >= leastInjected {
			add(section.OneLine(m.Content))
		}
	}
	return out
}

// leastInjected is how long a memory must be, in bytes, to be taken for one when a user
// says just that.
const leastInjected = 12
