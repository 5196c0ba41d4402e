package plastic

import (
	"time"

	"plastic/internal/section"
	"plastic/layers"
	"plastic/memory"
)

// Filter narrows a list; the zero value lists every live memory.
type Filter struct {
	Layer layers.Layer
	Kind  memory.Kind
	All   bool // superseded ones too
}

// List gives the memories by createdAt and id. It exists for the owner alone
// and fails with memory.ErrDenied for others.
func (b *Bank) List(f Filter) (Listing, error) {
	if err := b.mayDump("list"); err != nil {
		return Listing{}, err
	}
	s, err := b.look()
	if err != nil {
		return Listing{}, err
	}
	standing, all := s.stand(), s.memories()
	out := Listing{Memories: []Memory{}}
	if f == (Filter{All: f.All}) {
		out.Memories = make([]Memory, 0, len(all))
	}
	for i := range all {
		m := &all[i]
		if f.Kind != "" && m.Kind != f.Kind || f.Layer != "" && standing[i].Layer != f.Layer || !f.All && !m.Live(s.now) {
			continue
		}
		out.Memories = append(out.Memories, answer(m, standing[i]))
	}
	return out, nil
}

// Show gives the memory with the id, or a unique beginning of it. It fails with
// memory.ErrNotFound and memory.ErrAmbiguous.
func (b *Bank) Show(id string) (Shown, error) {
	s, err := b.look()
	if err != nil {
		return Shown{}, err
	}
	m, err := s.resolve(id)
	if err != nil {
		return Shown{}, err
	}
	return Shown{Memory: s.answer(&m)}, nil
}

// Archive lists what left the memory, oldest first. It exists for the owner
// alone.
func (b *Bank) Archive() (ArchiveListing, error) {
	if err := b.mayDump("archive"); err != nil {
		return ArchiveListing{}, err
	}
	s, err := b.look()
	if err != nil {
		return ArchiveListing{}, err
	}
	var out ArchiveListing
	archive := s.archive()
	out.Archive = make([]ArchiveEntry, len(archive))
	for i := range archive {
		out.Archive[i] = entry(&archive[i])
	}
	return out, nil
}

// entry is an archive entry as every door answers with it; what is away has no
// layer.
func entry(a *memory.Archived) ArchiveEntry {
	return ArchiveEntry{Memory: answer(&a.Memory, layers.Standing{}), ArchivedAt: Time{a.ArchivedAt}, As: a.As, By: a.By, Why: a.Why}
}

// OneLine shows stored text as data on one line: line breaks as ⏎, nothing that
// can not be seen, no control character, no opening tag. The store keeps the
// original.
func OneLine(text string) string { return section.OneLine(text) }

// Line is m as one line of text, `id | kind | age | importance | content`, with
// line breaks and whatever could forge another line made visible.
func Line(m Memory, now time.Time) string {
	return section.Line(&memory.Memory{
		ID: m.ID, Content: m.Content, Kind: m.Kind, Importance: m.Importance,
		CreatedAt: m.CreatedAt.Time, LastRecalledAt: m.LastRecalledAt.Time,
	}, now)
}
