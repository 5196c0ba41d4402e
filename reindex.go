package plastic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"plastic/config"
	"plastic/internal/vectors"
	"plastic/memory"
)

// Reindexing says what Reindex does.
type Reindexing struct {
	Measure bool // also say where unrelated and related pairs lie
	Probe   bool // where nothing is missing embed one memory anew: the model may give another dimension now
}

// Reindexed answers Reindex.
type Reindexed struct {
	Embedded int      `json:"embedded"`
	Missing  int      `json:"missing"` // memories that still have no vector
	Model    string   `json:"model"`
	Notes    []string `json:"notes,omitempty"`

	Measured *vectors.Measured `json:"measured,omitempty"`
}

// embedBatch is how many texts are embedded before they are on disk: what is
// interrupted loses one batch at most.
const embedBatch = 64

// Reindex embeds every memory that has no vector of the model in force, in batches
// that are kept at once: it may be interrupted and run again. Vectors of other models
// stay until the next night. It fails with memory.ErrNoModel without model.embed.
func (b *Bank) Reindex(ctx context.Context, r Reindexing) (Reindexed, error) {
	return b.reindex(ctx, r, nil)
}

// reindex is Reindex without the texts of which it is known that they get no vector.
func (b *Bank) reindex(ctx context.Context, r Reindexing, known map[vectors.Key]bool) (Reindexed, error) {
	if err := b.mayDump("reindex"); err != nil {
		return Reindexed{}, err
	}
	c := b.settings()
	if b.opts.Embed == nil || c.Model.Embed == "" {
		return Reindexed{}, Hint(memory.ErrNoModel, "no model makes vectors here", "set model.apiBase and model.embed (`plastic config set model.embed NAME`)")
	}
	file, err := b.vectorFile(c.Model.Embed)
	if err != nil {
		return Reindexed{}, err
	}
	out := Reindexed{Model: c.Model.Embed}
	lacking, err := b.lacking(file, c)
	if err != nil {
		return out, err
	}
	e := &embedder{embed: b.opts.Embed, file: file, refused: maps.Clone(known)}
	out.Missing, lacking = len(lacking), e.able(lacking)
	if len(lacking) == 0 && r.Probe {
		// The model may give another dimension now under the same name: one text tells.
		anew, err := b.probe(ctx, e, c)
		if err != nil {
			return out, err
		}
		out.Missing, lacking = max(out.Missing, len(anew)), e.able(anew)
	}
	dim := file.Dim()
	for len(lacking) > 0 {
		batch := lacking[:min(embedBatch, len(lacking))]
		n, err := e.add(ctx, batch)
		out.Embedded += n
		out.Missing -= n
		if err != nil {
			return out, err
		}
		lacking = lacking[len(batch):]
		if now := file.Dim(); now != dim { // what was there before does not count any more
			if dim = now; n > 0 {
				if lacking, err = b.lacking(file, c); err != nil {
					return out, err
				}
				out.Missing, lacking = len(lacking), e.able(lacking)
			}
		}
		if b.opts.Progress != nil {
			b.opts.Progress("embedding", out.Embedded, out.Embedded+len(lacking))
		}
	}
	out.Notes = e.notes
	b.mu.Lock()
	b.refused = e.refused
	b.mu.Unlock()
	if r.Measure {
		m := file.Measure()
		out.Measured = &m
	}
	return out, nil
}

// probe embeds one memory anew where all have a vector, and gives those that lack one
// then: all others, if the dimension is another.
func (b *Bank) probe(ctx context.Context, e *embedder, c *config.Config) ([]memory.Memory, error) {
	st, err := b.store.Read()
	if err != nil {
		return nil, err
	}
	for _, m := range st.Memories() {
		if !sendable(c, &m) {
			continue
		}
		got, err := b.opts.Embed(ctx, []string{m.Content})
		if err != nil || len(got) != 1 || len(got[0]) == 0 || len(got[0]) == e.file.Dim() {
			return nil, nil // nothing is missing, whoever answers or not
		}
		b.sawDimension(len(got[0]))
		if err := e.file.Add([]vectors.Entry{{Key: keyOf(&m), Vector: got[0]}}); err != nil {
			return nil, err
		}
		return b.lacking(e.file, c)
	}
	return nil, nil
}

// lacking are the memories that have no vector in file and may be sent, one of those
// with the same text.
func (b *Bank) lacking(file *vectors.File, c *config.Config) ([]memory.Memory, error) {
	st, err := b.store.Read()
	if err != nil {
		return nil, err
	}
	var out []memory.Memory
	seen := map[vectors.Key]bool{}
	for _, m := range st.Memories() {
		k := keyOf(&m)
		if !sendable(c, &m) || seen[k] || file.Has(k) {
			continue
		}
		seen[k] = true
		out = append(out, m)
	}
	return out, nil
}

// embedder puts texts into a file of vectors.
type embedder struct {
	embed memory.Embed
	file  *vectors.File
	notes []string

	refused map[vectors.Key]bool
}

// able are those of ms that were not refused.
func (e *embedder) able(ms []memory.Memory) []memory.Memory {
	return slices.DeleteFunc(ms, func(m memory.Memory) bool { return e.refused[keyOf(&m)] })
}

// refuse notes a text that has no vector.
func (e *embedder) refuse(m *memory.Memory, why string) {
	e.notes = append(e.notes, m.ID+" has no vector: "+why)
	if e.refused == nil {
		e.refused = map[vectors.Key]bool{}
	}
	e.refused[keyOf(m)] = true
}

// add embeds ms and keeps the vectors; n of them have one now. A batch that the
// endpoint refuses is halved until what it refuses is alone, which is noted.
func (e *embedder) add(ctx context.Context, ms []memory.Memory) (n int, err error) {
	texts := make([]string, len(ms))
	for i := range ms {
		texts[i] = ms[i].Content
	}
	got, err := e.embed(ctx, texts)
	if err == nil && len(got) != len(texts) {
		err = fmt.Errorf("%w gave %d vectors for %d texts", memory.ErrModel, len(got), len(texts))
	}
	refused := errors.Is(err, memory.ErrModel) && !errors.Is(err, memory.ErrUnreached)
	switch {
	case err != nil && !refused:
		return 0, err
	case err != nil && len(ms) > 1:
		n, err := e.add(ctx, ms[:len(ms)/2])
		if err != nil {
			return n, err
		}
		more, err := e.add(ctx, ms[len(ms)/2:])
		return n + more, err
	case err != nil:
		e.refuse(&ms[0], err.Error())
		return 0, nil
	}
	entries := make([]vectors.Entry, 0, len(ms))
	for i, v := range got {
		if len(v) == 0 {
			e.refuse(&ms[i], "the endpoint gave none")
			continue
		}
		entries = append(entries, vectors.Entry{Key: keyOf(&ms[i]), Vector: v})
	}
	return len(entries), e.file.Add(entries)
}

// unvector takes the vectors of texts that were forgotten out of the file; with purge
// their bytes too, and with them those of models that are not in force. It may fail
// without harm to the memory: the vectors of what is not there are never looked at.
func (b *Bank) unvector(keys []vectors.Key, purge bool) {
	path := b.store.Local("vectors")
	if _, err := os.Stat(path); err != nil || len(keys) == 0 {
		return
	}
	model := b.settings().Model.Embed
	if model == "" {
		if purge {
			os.Remove(path)
		}
		return
	}
	file, err := b.vectorFile(model)
	if err == nil {
		err = file.Remove(keys)
	}
	if err == nil && purge {
		err = file.Compact(nil, func(vectors.Key) bool { return true })
	}
	if err != nil {
		b.notice(Problem{Code: "vectors", Path: ".plastic/vectors", Message: err.Error(), Hint: "the file may be deleted, `plastic reindex` makes it anew"})
	}
}
