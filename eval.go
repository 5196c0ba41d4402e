package plastic

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plastic/config"
	"plastic/internal/eval"
	"plastic/internal/index"
	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/recall"
)

// EvalOptions say how Eval asks.
type EvalOptions struct {
	Formula  string          // "": recall.formula
	Limit    int             // answers looked at; 0: 20
	Audience memory.Audience // "": trusted
	Config   *config.Config  // nil: the defaults

	// Embed and Rerank also use models, by the names in Config.Model, which must be set
	// for them. nil: words alone.
	Embed  memory.Embed
	Rerank memory.Rerank
}

// Eval measures recall on memories and questions in JSON lines, apart from any
// folder: for each question the ids that an explicit recall at its time would
// give. Nothing is rehearsed.
func Eval(ctx context.Context, memories, queries io.Reader, o EvalOptions) (eval.Report, error) {
	if o.Config == nil {
		o.Config = config.Default()
	}
	if o.Audience == "" {
		o.Audience = memory.Trusted
	}
	if o.Formula == "" {
		o.Formula = o.Config.Recall.Formula
	}
	if !slices.Contains([]recall.Formula{recall.Bounded, recall.Mixture, recall.Product}, recall.Formula(o.Formula)) {
		return eval.Report{}, Hint(memory.ErrUsage, fmt.Sprintf("the formula %q is not known", clip(o.Formula, 40)), "bounded, mixture or product")
	}
	if o.Limit <= 0 {
		o.Limit = slices.Max(eval.Depths)
	}
	ms, err := readMemories(memories)
	if err != nil {
		return eval.Report{}, memory.Errorf(memory.ErrInvalid, "memories: %w", err)
	}
	questions, err := eval.Read(queries)
	if err != nil {
		return eval.Report{}, memory.Errorf(memory.ErrInvalid, "queries: %w", err)
	}
	var run eval.Run
	s := stage(ms, o)
	if o.Embed != nil {
		done, err := s.embedAll(ctx)
		if err != nil {
			return eval.Report{}, err
		}
		defer done()
	}
	for _, q := range questions {
		s.now, s.placed = q.Now, nil
		if !s.fixed.Holds(q.Now) {
			s.fixed = index.Build(s.visible, q.Now)
		}
		var found []string
		for _, k := range s.search(ctx, q.Query, asked{formula: o.Formula, limit: o.Limit, means: true}).Kept {
			found = append(found, k.ID)
		}
		if s.degraded != "" {
			return eval.Report{}, fmt.Errorf("%w: %s", memory.ErrModel, s.degraded)
		}
		run.Add(q, found)
	}
	return run.Report(), nil
}

// stage is a scene over ms alone.
func stage(ms []memory.Memory, o EvalOptions) *scene {
	s := &scene{config: o.Config, audience: o.Audience, bank: &Bank{shared: &shared{opts: Options{Embed: o.Embed, Rerank: o.Rerank}}}, whole: true, timeline: map[string]memory.Memory{}}
	for i := range ms {
		if o.Audience.Sees(&ms[i]) {
			s.visible = append(s.visible, ms[i])
			s.timeline[ms[i].ID] = ms[i]
		}
	}
	s.fixed = index.Build(s.visible, s.now)
	return s
}

// embedAll gives the scene vectors of all it sees, in a file that done removes.
func (s *scene) embedAll(ctx context.Context) (done func(), err error) {
	dir, err := os.MkdirTemp("", "plastic-eval-")
	if err != nil {
		return nil, err
	}
	remove := func() { os.RemoveAll(dir) }
	file, err := vectors.Open(filepath.Join(dir, "vectors"), s.config.Model.Embed)
	e := &embedder{embed: s.bank.opts.Embed, file: file}
	for at := 0; err == nil && at < len(s.visible); at += embedBatch {
		_, err = e.add(ctx, s.visible[at:min(at+embedBatch, len(s.visible))])
	}
	if err != nil {
		remove()
		return nil, err
	}
	s.embedded = file
	return func() { file.Close(); remove() }, nil
}

func readMemories(r io.Reader) ([]memory.Memory, error) {
	var out []memory.Memory
	br := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, tooLong, err := readLine(br)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if tooLong {
			return nil, fmt.Errorf("line %d is longer than %d bytes", n, maxImportLine)
		}
		if text := strings.TrimSpace(line); text != "" {
			m, perr := memory.ParseJSON([]byte(text))
			if perr != nil {
				return nil, fmt.Errorf("line %d: %w", n, perr)
			}
			if m.ID == "" {
				m.ID = fmt.Sprintf("line%d", n)
			}
			out = append(out, m)
		}
		if err == io.EOF {
			slices.SortFunc(out, func(a, b memory.Memory) int { return a.Compare(&b) })
			return out, nil
		}
	}
}
