package plastic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"plastic/internal/index"
	"plastic/internal/same"
	"plastic/internal/secret"
	"plastic/memory"
	"plastic/store"
	"plastic/tokenize"
)

// Draft is a text to remember. Content is all it needs.
type Draft struct {
	Content     string
	Kind        memory.Kind // "" is fact
	Importance  *float64    // 0…1; nil: 0.5
	Level       int         // the five-step scale 1…5 in place of Importance; 0: not given
	Pinned      bool
	Private     bool
	At          time.Time // when it came about; zero: now
	Supersedes  string    // id of the memory this one takes the place of
	Source      string    // what[:detail]
	Session     string    // the conversation it came from
	Speaker     string    // who said it
	AllowSecret bool      // keep a text that looks like it holds a key
}

// Remember keeps a text. Where a memory says the same already, that one is
// reinforced: the more detailed wording wins (the other goes to the archive),
// the importance is the higher of both, pinned and private hold if either has
// them, and it counts as recalled. The answer names the similar memories: the
// moment of writing is the only one where a contradiction can be seen.
//
// It fails with memory.ErrInvalid for a text or value that can not be kept,
// memory.ErrDenied for the public, memory.ErrNotFound for an unknown Supersedes
// and memory.ErrBusy when another process holds the folder too long.
func (b *Bank) Remember(ctx context.Context, d Draft) (Remembered, error) {
	if err := b.mayWrite("remember"); err != nil {
		return Remembered{}, err
	}
	now := b.opts.Now()
	draft, err := b.draft(d, now)
	if err != nil {
		return Remembered{}, err
	}
	var m memory.Memory
	var out Remembered
	st, err := b.store.Update(ctx, func(tx *store.Tx) error { // may be called again: starts anew
		m, out = draft, Remembered{Outcome: Created}
		s := b.scene(tx.State(), now)
		out.Similar = s.similar(&m)
		if d.Supersedes != "" {
			return b.succeed(tx, s, d.Supersedes, &m)
		}
		if old, ok := s.twin(&m); ok {
			out.Outcome = Reinforced
			m = b.reinforce(tx, old, m, now)
			out.Similar = without(out.Similar, m.ID)
			return nil
		}
		m.ID = tx.NewID()
		tx.Put(m)
		return nil
	})
	if err != nil {
		return Remembered{}, err
	}
	b.used(now)
	out.ID = m.ID
	out.Memory = b.scene(st, now).answer(&m)
	return out, nil
}

// draft checks d and gives the memory it becomes, without an id.
func (b *Bank) draft(d Draft, now time.Time) (memory.Memory, error) {
	content, err := b.content(d.Content, d.AllowSecret)
	if err != nil {
		return memory.Memory{}, err
	}
	m := memory.Memory{
		Content: content, Kind: d.Kind, Importance: memory.DefaultImportance, Pinned: d.Pinned, Private: d.Private,
		CreatedAt: whole(now), Source: d.Source, Session: d.Session, Speaker: d.Speaker,
	}
	if m.Kind == "" {
		m.Kind = memory.Fact
	}
	if !d.At.IsZero() {
		m.CreatedAt = whole(d.At)
	}
	if d.Importance != nil && d.Level != 0 {
		return memory.Memory{}, Hint(memory.ErrUsage, "importance and level say the same thing on two scales", "give one of them")
	}
	if d.Importance != nil {
		m.Importance = *d.Importance
	}
	if d.Level != 0 {
		if m.Importance, err = memory.FromLevel(d.Level); err != nil {
			return memory.Memory{}, err
		}
	}
	if !d.AllowSecret {
		if err := labels(&m); err != nil {
			return memory.Memory{}, err
		}
	}
	return m, check(&m)
}

// check fails with memory.ErrInvalid for a field that no memory may have.
func check(m *memory.Memory) error {
	if err := memory.CheckImportance(m.Importance); err != nil {
		return err
	}
	if y := m.CreatedAt.Year(); y < 1 || y > 9999 {
		return memory.Errorf(memory.ErrInvalid, "the year %d can not be written", y)
	}
	for _, f := range []struct{ name, value string }{{"kind", string(m.Kind)}, {"source", m.Source}, {"session", m.Session}, {"speaker", m.Speaker}} {
		if utf8.RuneCountInString(f.value) > maxLabel || strings.IndexFunc(f.value, unicode.IsControl) >= 0 || !utf8.ValidString(f.value) {
			return memory.Errorf(memory.ErrInvalid, "%s %q is not one line of at most %d characters", f.name, clip(f.value, 40), maxLabel)
		}
	}
	return nil
}

// maxLabel bounds kind, source, session and speaker, in runes: they are names.
const maxLabel = 200

// content checks a text for the door: not empty, within maxContent, no secret.
// Bytes that are not UTF-8 become U+FFFD once, here; all else stays as it is.
func (b *Bank) content(text string, allowSecret bool) (string, error) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if blank(text) {
		return "", Hint(memory.ErrInvalid, "there is no text to remember", "")
	}
	if n, most := utf8.RuneCountInString(text), b.settings().Memory.MaxContent; n > most {
		return "", Hint(memory.ErrInvalid, fmt.Sprintf("the text has %d characters, one memory holds at most %d", n, most), "say it shorter, or in several memories (memory.maxContent)")
	}
	if what := secret.Find(text); what != "" && !allowSecret {
		return "", Hint(memory.ErrInvalid, "the text looks like it holds "+what+"; it was not kept", "leave the secret out, or pass --allow-secret if it is none")
	}
	return text, nil
}

// blank reports whether nothing of text can be seen: spaces, controls, and what has no
// width or no ink of its own.
func blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return r != brailleBlank && !unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	}) < 0
}

// brailleBlank is the braille cell without dots, a symbol to Unicode.
const brailleBlank = '\u2800'

// whole is t as memory.json can hold it.
func whole(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// succeed puts m and closes the memory it takes the place of, which stays on
// the timeline.
func (b *Bank) succeed(tx *store.Tx, s *scene, short string, m *memory.Memory) error {
	old, err := s.resolve(short)
	if err != nil {
		return err
	}
	if old.SupersededBy != "" {
		if !s.names(old.SupersededBy) {
			return Hint(memory.ErrInvalid, old.ID+" was superseded already", "")
		}
		return Hint(memory.ErrInvalid, old.ID+" was superseded by "+old.SupersededBy+" already", "supersede that one")
	}
	m.ID = tx.NewID()
	m.Private = m.Private || old.Private
	tx.Put(*m)
	old.ValidTo, old.SupersededBy = whole(s.now), m.ID
	tx.Put(old)
	return nil
}

// twin is the visible live memory that says what m says, if there is one; of
// several the one that is most alike.
func (s *scene) twin(m *memory.Memory) (memory.Memory, bool) {
	p := s.sameness()
	text := same.Read(m)
	for _, alike := range s.alike(m.Content) {
		if alike.Jaccard < min(p.Jaccard, sameFolded) {
			break
		}
		old, ok := s.read(alike.Ref)
		if ok && old.Live(s.now) && same.Texts(same.Read(&old), text, p) {
			return old, true
		}
	}
	return memory.Memory{}, false
}

// alike are the visible live memories with many stems in common with a text, the
// most alike first. The last text's are kept: it is asked about twice.
func (s *scene) alike(text string) []index.Match {
	if s.matches == nil || s.matched != text {
		least := min(s.sameness().Jaccard, sameFolded, leastSimilar)
		s.matches, s.matched = s.index().Overlaps(tokenize.Stems(text), least), text
	}
	return s.matches
}

// reinforce strengthens old with what again says.
func (b *Bank) reinforce(tx *store.Tx, old, again memory.Memory, now time.Time) memory.Memory {
	m := old
	if again.Content != old.Content && same.More(old.Content, again.Content) {
		tx.Keep(memory.Archived{Memory: old, ArchivedAt: whole(now), As: memory.Version, By: b.by, Why: "said again in more detail"})
		m.Content = again.Content
	}
	if again.Kind == memory.Core || again.Kind == memory.Identity {
		m.Kind = again.Kind
	}
	m.Importance = math.Max(old.Importance, again.Importance)
	m.Pinned, m.Private = old.Pinned || again.Pinned, old.Private || again.Private
	if m.Speaker == "" {
		m.Speaker = again.Speaker
	}
	if m.Content != old.Content || m.Kind != old.Kind || m.Importance != old.Importance || m.Pinned != old.Pinned || m.Private != old.Private {
		m.UpdatedAt = whole(now)
	}
	m.RecallCount++
	if t := whole(now); t.After(m.LastRecalledAt) {
		m.LastRecalledAt = t
	}
	tx.Put(m)
	return m
}

// What is shown as similar: at most so many, with so much in common.
const (
	mostSimilar  = 5
	mostLookedAt = 64   // those that hold the most of what the new text says
	leastSimilar = 0.25 // Jaccard of the stems
	leastShared  = 0.35 // … or this share of what the new text says, by information
	sameFolded   = 0.9  // texts that fold to the same have nearly the same stems
)

// similar are the visible live memories nearest to m, the most alike first:
// those with many stems in common, and those that hold much of what m says.
func (s *scene) similar(m *memory.Memory) []Similar {
	out := []Similar{}
	ix := s.index()
	stems := tokenize.Stems(m.Content)
	seen := map[string]bool{m.ID: true}
	add := func(r index.Ref, jaccard func(old string) float64) {
		id := ix.Signals(r).ID
		if seen[id] {
			return
		}
		seen[id] = true
		if old, ok := s.read(r); ok {
			if j := jaccard(old.Content); j > 0 {
				out = append(out, Similar{ID: id, Content: old.Content, Similarity: j})
			}
		}
	}
	for _, alike := range s.alike(m.Content) {
		if len(out) == mostSimilar || alike.Jaccard < leastSimilar {
			break
		}
		add(alike.Ref, func(string) float64 { return alike.Jaccard })
	}
	q := ix.Ask(m.Content, s.now).Informing(mostLookedAt)
	q.Dates, q.Number = nil, false // a text states them; only a question asks for them
	for _, h := range ix.Holding(q, leastShared) {
		add(h.Ref, func(old string) float64 { return same.Jaccard(stems, tokenize.Stems(old)) })
	}
	slices.SortStableFunc(out, func(a, b Similar) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return out[:min(len(out), mostSimilar)]
}

func without(list []Similar, id string) []Similar {
	out := list[:0]
	for _, s := range list {
		if s.ID != id {
			out = append(out, s)
		}
	}
	return out
}
