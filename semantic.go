package plastic

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"plastic/internal/index"
	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/recall"
)

// vectorKey names the vector of a text: it is the index's hash of it, so that a
// vector finds its memory without any text being read.
func vectorKey(hash uint64) (k vectors.Key) {
	binary.BigEndian.PutUint64(k[:], hash)
	return k
}

func keyOf(m *memory.Memory) vectors.Key { return vectorKey(index.TextHash(m)) }

// mostByMeaning is how many memories that share no word with the question come into
// a ranking by their vectors, the nearest.
const mostByMeaning = 200

// meaning is how near each visible memory is to a question, by ref: NaN where it
// has no vector.
type meaning []float32

// of gives the scaled closeness of the memory at r.
func (n meaning) of(s *scene, r index.Ref) (closeness float64, known bool) {
	if int(r) >= len(n) || math.IsNaN(float64(n[r])) {
		return 0, false
	}
	return recall.Scale(float64(n[r]), s.config.Recall.CosineZero, s.config.Recall.CosineOne), true
}

// nearest are the refs nearest to the question, but for those in taken.
func (n meaning) nearest(s *scene, taken map[index.Ref]bool) []index.Ref {
	var out []index.Ref
	for r := range n {
		ref := index.Ref(r)
		if taken[ref] {
			continue
		}
		if x, ok := n.of(s, ref); ok && x > 0 {
			out = append(out, ref)
		}
	}
	slices.SortFunc(out, func(a, b index.Ref) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
	return out[:min(len(out), mostByMeaning)]
}

// embeds reports whether questions are embedded.
func (s *scene) embeds() bool { return s.bank.opts.Embed != nil && s.config.Model.Embed != "" }

// means asks the model what text means and compares it with the vectors at hand. nil
// without a model, or where it can not be had: s.degraded says why then.
func (s *scene) means(ctx context.Context, text string) meaning {
	if !s.embeds() {
		return nil
	}
	file, err := s.vectors()
	if err != nil {
		s.degrade("words only", err)
		return nil
	}
	keys, refs := s.comparable()
	if !file.HasAny(keys) {
		if len(keys) > 0 {
			s.degrade("words only", s.unmeant())
		}
		return nil
	}
	got, err := s.bank.opts.Embed(ctx, []string{text})
	if err == nil && (len(got) != 1 || len(got[0]) == 0) {
		err = fmt.Errorf("%w gave no vector for the question", memory.ErrModel)
	}
	if err != nil {
		if !errors.Is(err, memory.ErrNoModel) {
			s.degrade("words only", err)
		}
		return nil
	}
	return s.compare(file, got[0], keys, refs)
}

// comparable are the keys and refs of what a question is compared with: every visible
// memory but the core ones. What is kept back has no part in it, not even in whether
// the model is asked.
func (s *scene) comparable() (keys []vectors.Key, refs []index.Ref) {
	ix := s.index()
	for r, hash := range ix.Living() {
		if !ix.Core(r) {
			keys, refs = append(keys, vectorKey(hash)), append(refs, r)
		}
	}
	return keys, refs
}

// compare gives the cosine of question with the memories at refs, whose keys are keys.
func (s *scene) compare(file *vectors.File, question []float32, keys []vectors.Key, refs []index.Ref) meaning {
	most := index.Ref(0)
	for _, r := range refs {
		most = max(most, r)
	}
	out := make(meaning, most+1)
	for i := range out {
		out[i] = float32(math.NaN())
	}
	any := false
	for i, cos := range file.Cos(question, keys) {
		out[refs[i]] = cos
		any = any || !math.IsNaN(float64(cos))
	}
	s.bank.sawDimension(len(question))
	if !any {
		if len(keys) > 0 {
			s.degrade("words only", s.unmeant())
		}
		return nil
	}
	return out
}

// unmeant says that nothing this audience sees has a vector to compare: none at all, or
// of another model or dimension. One sentence for all: which it is may be a matter of
// memories that are kept back.
func (s *scene) unmeant() error {
	return fmt.Errorf("no memory has a vector as %s gives them now, run `plastic reindex`", s.config.Model.Embed)
}

// sawDimension notes of which dimension the model's vectors are now: one that has
// changed under the same name makes all others useless.
func (sh *shared) sawDimension(n int) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.dimension = n
}

// outdated reports whether the model gives vectors of another dimension now than those
// in file.
func (sh *shared) outdated(file *vectors.File) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.dimension != 0 && file.Dim() != 0 && sh.dimension != file.Dim()
}

// reranks reports whether a model orders the head of the answers.
func (s *scene) reranks() bool {
	name := s.config.Model.Rerank
	return s.bank.opts.Rerank != nil && name != "" && name != "off"
}

// rerank lets the model order the candidates at the head of f. It answers nil where
// it can not: the order stays.
func (f *found) rerank(ctx context.Context, text string) func(refs []int) []float64 {
	s := f.scene
	if !s.reranks() {
		return nil
	}
	return func(refs []int) []float64 {
		if ctx.Err() != nil { // the time is used up, and that is told
			return nil
		}
		out := make([]float64, len(refs))
		var texts []string
		var at []int
		for i, r := range refs {
			out[i] = math.NaN() // not judged
			if m := f.memory(r); m != nil && sendable(s.config, m) {
				texts, at = append(texts, m.Content), append(at, i)
			}
		}
		if len(texts) < 2 {
			return nil
		}
		scores, err := s.bank.opts.Rerank(ctx, text, texts)
		if err == nil && len(scores) != len(texts) {
			err = fmt.Errorf("%w gave %d scores for %d texts", memory.ErrModel, len(scores), len(texts))
		}
		if err != nil {
			if !errors.Is(err, memory.ErrNoModel) {
				s.degrade("not reranked", err)
			}
			return nil
		}
		for i, x := range scores {
			out[at[i]] = x
		}
		return out
	}
}

// degrade notes why a model that is configured was not used. It is told once, until
// there is another reason.
func (s *scene) degrade(how string, err error) {
	s.degraded = how + ": " + err.Error()
	sh := s.bank.shared
	sh.mu.Lock()
	said := sh.degraded == s.degraded
	sh.degraded = s.degraded
	sh.mu.Unlock()
	if !said {
		s.bank.notice(Problem{Code: "model", Message: s.degraded, Hint: "recall goes on without it; `plastic network` shows what is called"})
	}
}

// vectors is the file of vectors, of the model in force.
func (s *scene) vectors() (*vectors.File, error) {
	if s.embedded != nil {
		return s.embedded, nil
	}
	return s.bank.vectorFile(s.config.Model.Embed)
}

// vectorFile opens the vectors of model, once a process.
func (sh *shared) vectorFile(model string) (*vectors.File, error) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.vectors == nil || sh.vectorsOf != model {
		f, err := vectors.Open(sh.store.Local("vectors"), model)
		if err != nil {
			return nil, fmt.Errorf("open the vectors: %w", err)
		}
		f.MadeFor(sh.store.Adopt)
		if sh.vectors != nil {
			sh.vectors.Close()
		}
		sh.vectors, sh.vectorsOf, sh.refused = f, model, nil
	}
	return sh.vectors, nil
}
