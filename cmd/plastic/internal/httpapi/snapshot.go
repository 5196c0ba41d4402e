package httpapi

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plastic"
	"plastic/config"
	"plastic/memory"
)

// snapshot is what the folder held at one look.
type snapshot struct {
	files    []fs.FileInfo // of names, nil where there is none
	again    time.Time     // when to look once more although the stamps stay; zero: never
	memories map[string]plastic.Memory
	archived int // entries of the archive
	card     string
	config   *config.Config
	night    string // local date of the last one
	runs     int    // lines of the journal of the nights
}

// names are the files whose change may mean something.
var names = []string{"memory.json", "memory.journal", "archive.json", "nights.jsonl", "config.yaml", ".plastic/night"}

// coarse is how long after a change the files are looked at once more although
// their stamps stayed the same: clocks of file systems are coarse.
const coarse = 2 * time.Second

// snapshot looks at the folder, and gives last again where nothing changed or
// the memory can not be read now.
func (h *hub) snapshot(last *snapshot) *snapshot {
	now := time.Now()
	s := &snapshot{files: h.stamps(), again: now.Add(coarse)}
	if last != nil && slices.EqualFunc(s.files, last.files, sameFile) {
		if last.again.IsZero() || now.Before(last.again) {
			return last
		}
		s.again = time.Time{}
	}
	list, err := h.bank.List(plastic.Filter{All: true})
	if err != nil {
		return or(last, &snapshot{memories: map[string]plastic.Memory{}})
	}
	s.memories = make(map[string]plastic.Memory, len(list.Memories))
	for _, m := range list.Memories {
		s.memories[m.ID] = m
	}
	if card, err := h.bank.Card(); err == nil {
		s.card = card.Hash
	}
	s.config = h.config()
	if stats, err := h.bank.Stats(); err == nil {
		s.archived, s.night = stats.Archive, stats.LastNight
	}
	if last == nil || s.nightFile() != last.nightFile() {
		if lines, err := h.bank.Nights(); err == nil {
			s.runs = len(lines)
		}
	} else {
		s.runs = last.runs
	}
	return s
}

// nightFile tells one state of the nights from another.
func (s *snapshot) nightFile() int64 {
	var sum int64
	for i, name := range names {
		if fi := s.files; i < len(fi) && fi[i] != nil && (name == "nights.jsonl" || name == ".plastic/night") {
			sum += fi[i].ModTime().UnixNano() + fi[i].Size()
		}
	}
	return sum
}

// stamps looks at the files, the card among them.
func (h *hub) stamps() []fs.FileInfo {
	paths := make([]string, 0, len(names)+1)
	for _, name := range names {
		paths = append(paths, filepath.Join(h.bank.Dir(), name))
	}
	card := h.config().Card.Path
	if !filepath.IsAbs(card) {
		card = filepath.Join(h.bank.Dir(), card)
	}
	paths = append(paths, card)
	out := make([]fs.FileInfo, len(paths))
	for i, p := range paths {
		if fi, err := os.Stat(p); err == nil {
			out[i] = fi
		}
	}
	return out
}

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// seer is one kind of reader: who it is, and whether the card is shown to it.
type seer struct {
	audience memory.Audience
	card     bool
}

// changed is what became of the memories: at most mostIDs of each, and how many
// live ones there are now.
type changed struct {
	Created  []string `json:"created"`
	Changed  []string `json:"changed"`
	Recalled []string `json:"recalled"`
	Gone     []string `json:"gone"`
	More     int      `json:"more"` // ids that were left out
	Live     int      `json:"live"`
}

// mostIDs bounds each list of an event: after an import a reader looks anew.
const mostIDs = 500

type archiveChanged struct {
	Archive int `json:"archive"`
}

type nightChanged struct {
	Date string `json:"date"`
}

type runsChanged struct {
	Runs int `json:"runs"`
}

type nothing struct{}

// changes is what a reader learns of the way from one snapshot to the next: what
// it can not see is not there in either, so it moves nothing.
func changes(from, to *snapshot, as seer) []event {
	var out []event
	if c, any := compare(from.seen(as.audience), to.seen(as.audience)); any {
		out = append(out, event{"memories", c})
	}
	if as.card && from.card != to.card {
		out = append(out, event{"card", nothing{}})
	}
	if from.night != to.night {
		out = append(out, event{"night", nightChanged{to.night}})
	}
	if as.audience != memory.Trusted {
		return out
	}
	if from.archived != to.archived {
		out = append(out, event{"archive", archiveChanged{to.archived}})
	}
	if from.runs != to.runs {
		out = append(out, event{"runs", runsChanged{to.runs}})
	}
	if from.config != to.config {
		out = append(out, event{"config", nothing{}})
	}
	return out
}

// seen are the memories that a sees, by memory's own rule.
func (s *snapshot) seen(a memory.Audience) map[string]plastic.Memory {
	if a == memory.Trusted {
		return s.memories
	}
	out := make(map[string]plastic.Memory, len(s.memories))
	sees := func(id string) bool {
		m, there := s.memories[id]
		return there && a.Sees(&memory.Memory{Private: m.Private})
	}
	for id, m := range s.memories {
		if !sees(id) {
			continue
		}
		if m.SupersededBy != "" && !sees(m.SupersededBy) {
			m.SupersededBy = "something" // which it is changes nothing that a sees
		}
		out[id] = m
	}
	return out
}

func compare(from, to map[string]plastic.Memory) (changed, bool) {
	c := changed{Created: []string{}, Changed: []string{}, Recalled: []string{}, Gone: []string{}}
	for id, m := range to {
		if m.ValidTo.IsZero() && m.SupersededBy == "" {
			c.Live++
		}
		old, was := from[id]
		switch {
		case !was:
			c.Created = append(c.Created, id)
		case !sameText(&old, &m):
			c.Changed = append(c.Changed, id)
		case old.RecallCount != m.RecallCount || !old.LastRecalledAt.Equal(m.LastRecalledAt.Time):
			c.Recalled = append(c.Recalled, id)
		}
	}
	for id := range from {
		if _, is := to[id]; !is {
			c.Gone = append(c.Gone, id)
		}
	}
	any := len(c.Created)+len(c.Changed)+len(c.Recalled)+len(c.Gone) > 0
	for _, ids := range []*[]string{&c.Created, &c.Changed, &c.Recalled, &c.Gone} {
		slices.Sort(*ids)
		if n := len(*ids) - mostIDs; n > 0 {
			*ids, c.More = (*ids)[:mostIDs], c.More+n
		}
	}
	return c, any
}

// sameText reports whether all but the traces of recalls is the same.
func sameText(a, b *plastic.Memory) bool {
	return a.Content == b.Content && a.Kind == b.Kind && a.Importance == b.Importance && a.Pinned == b.Pinned && a.Private == b.Private &&
		a.CreatedAt.Equal(b.CreatedAt.Time) && a.ValidTo.Equal(b.ValidTo.Time) && a.SupersededBy == b.SupersededBy &&
		a.Source == b.Source && a.Session == b.Session && a.Speaker == b.Speaker
}
