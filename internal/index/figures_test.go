package index_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/recall"
)

var update = flag.Bool("update", false, "write the goldens anew")

// precision reads the set written for this project.
func precision(t testing.TB) store {
	const root = "../../testdata/recall/"
	s := store{set: "precision"}
	lines(t, root+"memories.jsonl", func(b []byte) error {
		var m struct {
			ID, Content, Session, Speaker, SupersededBy string
			Kind                                        memory.Kind
			CreatedAt, ValidTo                          time.Time
			Importance                                  float64
			Pinned, Private                             bool
		}
		err := json.Unmarshal(b, &m)
		s.memories = append(s.memories, memory.Memory{ID: m.ID, Content: m.Content, Session: m.Session, Speaker: m.Speaker,
			SupersededBy: m.SupersededBy, ValidTo: m.ValidTo, Kind: m.Kind, CreatedAt: m.CreatedAt, UpdatedAt: m.CreatedAt,
			Importance: m.Importance, Pinned: m.Pinned, Private: m.Private})
		return err
	})
	lines(t, root+"queries.jsonl", func(b []byte) error {
		var q question
		err := json.Unmarshal(b, &q)
		s.questions = append(s.questions, q)
		return err
	})
	slices.SortFunc(s.memories, func(a, b memory.Memory) int { return a.Compare(&b) })
	return s
}

// TestFiguresOfThePrecisionSet keeps what is found and what is left unsaid, by
// kind, in one file: a change of scoring is a diff in it.
func TestFiguresOfThePrecisionSet(t *testing.T) {
	s := precision(t)
	found, silent := map[string]*figures{"all": {}}, map[string][]float64{}
	for i, got := range (engine{formula: recall.Bounded, limit: 10}).answers(&s) {
		q := &s.questions[i]
		items := q.items()
		if len(items) == 0 {
			x := 0.0
			if len(got) == 0 {
				x = 1
			}
			silent["all"], silent[q.Kind] = append(silent["all"], x), append(silent[q.Kind], x)
			continue
		}
		if found[q.Kind] == nil {
			found[q.Kind] = &figures{}
		}
		found[q.Kind].add(got, items)
		found["all"].add(got, items)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%-20s %s\n", "found", strings.TrimRight(figuresHead, " "))
	for _, k := range sorted(found) {
		fmt.Fprintf(&out, "%-20s %s\n", k, found[k])
	}
	fmt.Fprintf(&out, "\n%-20s    n  percent\n", "rightly silent")
	for _, k := range sorted(silent) {
		fmt.Fprintf(&out, "%-20s %4d  %5.1f\n", k, len(silent[k]), 100*mean(silent[k]))
	}
	golden(t, "testdata/figures.golden", out.Bytes())
}

// golden compares got with a file, or writes it with -update.
func golden(t *testing.T, file string, got []byte) {
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (renew it with -update):\n%s", file, got)
	}
}
