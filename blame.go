package plastic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

// Story answers Blame: what is known of one memory, oldest first.
type Story struct {
	ID     string  `json:"id"`
	Events []Event `json:"events"`
}

// Event is one thing that happened to a memory. What does not apply is "" or null.
type Event struct {
	At      Time   `json:"at"` // of several times the last
	What    What   `json:"what"`
	By      string `json:"by"`      // the door or stage that did it; who said it; a commit's author
	Why     string `json:"why"`     // the reason, or in words what there is to say
	Content string `json:"content"` // the wording until then, or with which it left
	Other   string `json:"other"`   // the other memory's id, or the commit
	Source  string `json:"source"`  // of created: where it came from
	Session string `json:"session"` // of created: the conversation
	Count   int    `json:"count"`   // of recalled: how often
}

// What says what happened in an Event.
type What string

// What can happen to a memory, beside the ways into the archive (memory.As) and
// the operations of a model in a night (merge, rewrite …).
const (
	WasCreated    What = "created"
	WasCommitted  What = "committed" // the commit of git that brought it
	WasUpdated    What = "updated"
	WasReworded   What = "reworded" // its former wording is in the archive
	WasRaised     What = "raised"   // its importance, by a night
	WasLowered    What = "lowered"  // … and back, by an undo
	WasBrought    What = "restored" // by the undo of a night
	WasRecalled   What = "recalled"
	WasTouched    What = "touched" // as by a restore, without a recall
	WasSettled    What = "consolidated"
	WasSuperseded What = "superseded" // by Other
	Superseded    What = "supersedes" // Other
)

// Blame tells where the memory with the id, or a unique beginning of it, came from
// and what happened to it, as far as it itself, the archive, nights.jsonl and, in
// a repository where git is at hand, the history of memory.json tell. It exists
// for the owner alone and fails with memory.ErrNotFound and memory.ErrAmbiguous.
func (b *Bank) Blame(ctx context.Context, id string) (Story, error) {
	if err := b.mayDump("blame"); err != nil {
		return Story{}, err
	}
	s, err := b.look()
	if err != nil {
		return Story{}, err
	}
	nights, err := b.NightRecords()
	if err != nil {
		return Story{}, err
	}
	m, err := s.hereOrGone(id)
	if err != nil {
		return Story{}, err
	}
	t := teller{scene: s, m: m}
	t.itself()
	t.archived()
	t.chain()
	for _, r := range nights {
		t.night(r)
	}
	t.commit(ctx)
	slices.SortStableFunc(t.events, func(a, b Event) int { return a.At.Compare(b.At.Time) })
	return Story{ID: m.ID, Events: t.events}, nil
}

// hereOrGone finds a memory, or the newest entry of one in the archive; of one
// whose text has expired only the id is known.
func (s *scene) hereOrGone(short string) (memory.Memory, error) {
	m, err := s.resolve(short)
	if !errors.Is(err, memory.ErrNotFound) {
		return m, err
	}
	a, gone := s.archived(short)
	switch {
	case gone == nil:
		return a.Memory, nil
	case errors.Is(gone, memory.ErrAmbiguous):
		return memory.Memory{}, gone
	}
	if stone, ok := s.state.Tombstone(short); ok && s.audience.Sees(&stone.Memory) {
		return stone.Memory, nil
	}
	return memory.Memory{}, err
}

// teller gathers the events of m.
type teller struct {
	*scene
	m      memory.Memory
	events []Event
}

func (t *teller) add(at time.Time, e Event) {
	e.At = Time{at}
	t.events = append(t.events, e)
}

// itself tells what the memory says about itself.
func (t *teller) itself() {
	m := &t.m
	if !m.CreatedAt.IsZero() {
		t.add(m.CreatedAt, Event{What: WasCreated, By: m.Speaker, Source: m.Source, Session: m.Session})
	}
	switch {
	case m.RecallCount > 0:
		t.add(m.LastRecalledAt, Event{What: WasRecalled, Count: m.RecallCount})
	case !m.LastRecalledAt.IsZero():
		t.add(m.LastRecalledAt, Event{What: WasTouched})
	}
	if !m.ConsolidatedAt.IsZero() {
		t.add(m.ConsolidatedAt, Event{What: WasSettled})
	}
	if m.SupersededBy != "" || !m.ValidTo.IsZero() {
		t.add(m.ValidTo, Event{What: WasSuperseded, Other: m.SupersededBy})
	}
}

// archived tells of former wordings and of how it left, and of an update that
// left no wording behind.
func (t *teller) archived() {
	told := map[int64]bool{}
	took := func(a memory.Archived) {
		e := Event{What: What(a.As), By: a.By, Why: a.Why, Content: a.Memory.Content}
		if a.As == memory.Version && a.Memory.SupersededBy == "" {
			e.What = WasReworded
		}
		t.add(a.ArchivedAt, e)
		told[a.ArchivedAt.Unix()] = true
	}
	for _, a := range t.archive() {
		if a.Memory.ID == t.m.ID {
			took(a)
		}
	}
	if stone, ok := t.state.Tombstone(t.m.ID); ok && !told[stone.ArchivedAt.Unix()] {
		took(stone)
	}
	if at := t.m.UpdatedAt; !at.IsZero() && !told[at.Unix()] {
		t.add(at, Event{What: WasUpdated})
	}
}

// chain tells what it took the place of.
func (t *teller) chain() {
	told := map[string]bool{}
	took := func(old *memory.Memory) {
		if old.SupersededBy == t.m.ID && !told[old.ID] {
			told[old.ID] = true
			t.add(old.ValidTo, Event{What: Superseded, Other: old.ID, Content: old.Content})
		}
	}
	for i := range t.memories() {
		took(&t.memories()[i])
	}
	for _, a := range t.archive() {
		took(&a.Memory)
	}
}

// night tells what a night did to it, and why. That it was pruned the archive
// tells, while it can.
func (t *teller) night(r NightRecord) {
	id, at := t.m.ID, r.At().Time
	if r.DryRun {
		return
	}
	for _, p := range r.Phases {
		for _, op := range p.Ops {
			if op.Applied && slices.Contains(op.IDs, id) {
				t.add(at, Event{What: What(op.Op), By: "night, " + p.Name, Why: op.Why, Other: others(op.IDs, id)})
			}
		}
	}
	if r.Compress != nil {
		for _, it := range r.Compress.Raised {
			if it.ID == id {
				t.add(at, Event{What: WasRaised, By: "night", Why: it.Why})
			}
		}
		for _, it := range r.Compress.Archived {
			known := func(e Event) bool { return e.By == "night" && e.At.Equal(at) }
			if it.ID == id && !slices.ContainsFunc(t.events, known) {
				t.add(at, Event{What: What(memory.Pruned), By: "night", Why: it.Why})
			}
		}
	}
	if slices.Contains(r.Restored, id) {
		t.add(at, Event{What: WasBrought, By: "nights undo", Why: "the night of " + r.Date + " was undone"})
	}
	if slices.Contains(r.Lowered, id) {
		t.add(at, Event{What: WasLowered, By: "nights undo", Why: "the night of " + r.Date + " was undone"})
	}
}

func others(ids []string, id string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(ids), func(s string) bool { return s == id }), " ")
}

// commit asks git for the first commit whose memory.json has the id. Without a
// repository, git or such a commit it tells nothing.
func (t *teller) commit(ctx context.Context) {
	r, err := findGit(t.bank.Dir())
	if err != nil {
		return
	}
	said, err := r.run(ctx, "log", "--reverse", "--no-textconv", "--no-ext-diff", "--format=%h%x1f%cI%x1f%an%x1f%s",
		"--pickaxe-regex", "-S", `"id" *: *"`+regexp.QuoteMeta(t.m.ID)+`"`, "--", "memory.json")
	if errors.Is(err, exec.ErrNotFound) || err != nil && ctx.Err() != nil {
		return
	}
	var failed *gitError
	if errors.As(err, &failed) && !strings.Contains(failed.said, "not a git repository") && !strings.Contains(failed.said, "does not have any commits") {
		t.bank.notice(Problem{Code: "git", Path: "memory.json", Message: "its history was not read: " + err.Error()})
	}
	first, _, _ := strings.Cut(said, "\n")
	parts := strings.SplitN(first, "\x1f", 4)
	if len(parts) < 4 {
		return
	}
	at, err := time.Parse(time.RFC3339, parts[1])
	if err == nil {
		t.add(at, Event{What: WasCommitted, Other: parts[0], By: parts[2], Why: parts[3]})
	}
}

// String is the event in words, without its time.
func (e Event) String() string {
	s := string(e.What)
	switch e.What {
	case WasRecalled:
		s = fmt.Sprintf("recalled %d times, here the last", e.Count)
		if e.Count == 1 {
			s = "recalled once"
		}
	case WasSuperseded:
		s += " by " + cmp.Or(e.Other, "nothing: it no longer holds")
	default:
		if e.Other != "" {
			s += " " + e.Other
		}
	}
	for _, d := range []struct{ name, value string }{{"by", e.By}, {"source", e.Source}, {"session", e.Session}} {
		if d.value != "" {
			s += ", " + d.name + " " + d.value
		}
	}
	if e.Why != "" {
		s += ": " + e.Why
	}
	return OneLine(s)
}
