package store_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/memory"
	"plastic/store"
)

// version draws one of few versions of one memory, so that equal ones meet.
func version(t *rapid.T, name string) memory.Memory {
	when := rapid.SampledFrom([]time.Time{{}, start, start.Add(time.Hour), start.Add(day)})
	word := rapid.SampledFrom([]string{"", "x", "y"})
	m := memory.Memory{
		ID: "a", Content: rapid.SampledFrom([]string{"tea", "cat"}).Draw(t, name+" content"), Kind: memory.Kind(rapid.SampledFrom([]string{"fact", "event"}).Draw(t, name+" kind")),
		Importance: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, name+" importance"), Pinned: rapid.Bool().Draw(t, name+" pinned"), Private: rapid.Bool().Draw(t, name+" private"),
		CreatedAt: start, UpdatedAt: when.Draw(t, name+" updated"), RecallCount: rapid.IntRange(0, 2).Draw(t, name+" count"), LastRecalledAt: when.Draw(t, name+" recalled"),
		ValidTo: when.Draw(t, name+" validTo"), SupersededBy: word.Draw(t, name+" by"), Source: word.Draw(t, name+" source"), Speaker: word.Draw(t, name+" speaker"),
	}
	if mood := word.Draw(t, name+" mood"); mood != "" {
		m.Extra = map[string]json.RawMessage{"mood": json.RawMessage(`"` + mood + `"`)}
	}
	return m
}

// oddVersion is a version in which a hand may have written what makes no sense: it has
// the value that is read.
func oddVersion(t *rapid.T, name string) memory.Memory {
	m := version(t, name)
	odd := rapid.SampledFrom([]string{"", "", `"importance":"x"`, `"importance":"y"`, `"importance":7`, `"private":{}`, `"validTo":"x"`}).Draw(t, name+" odd")
	if key, raw, ok := strings.Cut(odd, ":"); ok {
		read, err := memory.ParseJSON([]byte(`{"content":"x",` + odd + `}`))
		if err != nil {
			t.Fatal(err)
		}
		m.Importance, m.Private, m.ValidTo = read.Importance, read.Private, read.ValidTo
		m.Extra = maps.Clone(m.Extra)
		if m.Extra == nil {
			m.Extra = map[string]json.RawMessage{}
		}
		m.Extra[strings.Trim(key, `"`)] = json.RawMessage(raw)
	}
	return m
}

func line(m memory.Memory) string { return string(memory.AppendJSON(nil, &m)) }

func TestMergeIsSymmetricIdempotentAndAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := oddVersion(t, "a"), oddVersion(t, "b"), oddVersion(t, "c")
		ab, lost := store.Merge(&a, &b)
		ba, lost2 := store.Merge(&b, &a)
		if line(ab) != line(ba) || (lost == nil) != (lost2 == nil) || lost != nil && line(*lost) != line(*lost2) {
			t.Fatalf("not symmetric:\n%s\n%s", line(ab), line(ba))
		}
		if aa, lost := store.Merge(&a, &a); line(aa) != line(a) || lost != nil {
			t.Fatalf("not idempotent:\n%s\n%s", line(a), line(aa))
		}
		if again, lost := store.Merge(&ab, &b); line(again) != line(ab) || lost != nil && lost.Content == ab.Content && lost.Kind == ab.Kind && lost.Source == ab.Source && lost.Speaker == ab.Speaker && reflect.DeepEqual(lost.Extra, ab.Extra) {
			t.Fatalf("merging again:\n%s\n%s", line(ab), line(again))
		}
		abC, _ := store.Merge(&ab, &c)
		bc, _ := store.Merge(&b, &c)
		aBC, _ := store.Merge(&a, &bc)
		if line(abC) != line(aBC) {
			t.Fatalf("not associative:\n%s\n%s", line(abC), line(aBC))
		}
		if lost != nil && (a.Private || b.Private) != lost.Private {
			t.Fatal("the loser of a private memory is not private")
		}
	})
}

func TestMergeByFields(t *testing.T) {
	a := memory.Memory{ID: "a", Content: "old", Importance: 0.9, CreatedAt: start, UpdatedAt: start, RecallCount: 7, Pinned: true, LastRecalledAt: start.Add(day)}
	b := memory.Memory{ID: "a", Content: "new", Kind: memory.Event, Importance: 0.1, CreatedAt: start, UpdatedAt: start.Add(time.Hour), Private: true, ValidTo: start.Add(day), SupersededBy: "b"}
	m, lost := store.Merge(&a, &b)
	want(t, "merged", line(m), `{"id":"a","content":"new","kind":"event","importance":0.9,"pinned":true,"private":true,"createdAt":"2026-03-01T08:00:00Z","updatedAt":"2026-03-01T09:00:00Z","recallCount":7,"lastRecalledAt":"2026-03-02T08:00:00Z","validTo":"2026-03-02T08:00:00Z","supersededBy":"b"}`)
	if lost == nil || lost.Content != "old" {
		t.Errorf("%+v", lost)
	}
	b.UpdatedAt = start
	if m, _ := store.Merge(&a, &b); m.Content != "old" {
		t.Error("at equal times the content that sorts last stands:", m.Content)
	}
}
