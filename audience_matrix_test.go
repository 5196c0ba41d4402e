package plastic_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// said is an error as a caller meets it, with its next step.
func said(err error) any {
	if err == nil {
		return nil
	}
	return []string{err.Error(), plastic.Code(err), plastic.NextStep(err)}
}

// withoutNote takes the note for the owner out of a section.
func withoutNote(section string) string {
	before, rest, ok := strings.Cut(section, "\nPrivate memories are kept back")
	if !ok {
		return strings.TrimRight(section, "\n")
	}
	_, rest, _ = strings.Cut(rest, "\n")
	return strings.TrimRight(before+rest, "\n")
}

func TestEveryVerbOfThePackageIsInTheMatrix(t *testing.T) {
	var verbs []string
	of := reflect.TypeFor[*plastic.Bank]()
	for i := range of.NumMethod() {
		verbs = append(verbs, of.Method(i).Name)
	}
	if rows := slices.Sorted(maps.Keys(verbRows())); !slices.Equal(rows, verbs) {
		t.Errorf("the methods of Bank are\n%v\nand the matrix has\n%v", verbs, rows)
	}
}

// TestNoVerbTellsOthersWhatIsPrivate asks each verb of a folder with private memories
// and of the same one without them. What an audience other than the owner alone gets is
// the same to the byte, and the private ones stay as they are.
func TestNoVerbTellsOthersWhatIsPrivate(t *testing.T) {
	for name, r := range verbRows() {
		for _, who := range []memory.Audience{memory.Trusted, memory.Owner, memory.Public} {
			with, without := answerOf(t, r, who, banktest.Secretive), answerOf(t, r, who, banktest.Bare)
			switch {
			case who == memory.Trusted:
				if (with == without) != r.same {
					t.Errorf("%s: the owner alone gets %s", name, apart(with, without))
				}
			case with != without:
				t.Errorf("%s: %s gets %s", name, who, apart(with, without))
			}
		}
	}
}

// answerOf is all that a verb answers to who in a folder that fill makes, and all that is
// told meanwhile; ids that were given by chance are named by their order.
func answerOf(t *testing.T, r row, who memory.Audience, fill func(testing.TB, string)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory")
	fill(t, dir)
	var told strings.Builder
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return banktest.Start }, Debug: &told})
	if err != nil {
		t.Fatal(err)
	}
	before := everything(t, b)
	out, err := json.Marshal(r.do(context.Background(), b.For(who)))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b, err = plastic.Open(dir, &plastic.Options{Now: func() time.Time { return banktest.Start }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	after := everything(t, b)
	if was, is := before.private(), after.private(); who != memory.Trusted && was != is {
		t.Errorf("%s changed what is private from\n%s\nto\n%s", who, was, is)
	}
	return strings.ReplaceAll(inOrder(string(out)+told.String(), after.without(before)), dir, "DIR")
}

// apart shows where two answers part.
func apart(with, without string) string {
	at := 0
	for at < len(with) && at < len(without) && with[at] == without[at] {
		at++
	}
	around := func(s string) string { return s[max(0, min(at, len(s))-200):min(len(s), at+200)] }
	return fmt.Sprintf("where something is private\n…%s…\nwhere nothing is\n…%s…", around(with), around(without))
}

// inOrder names ids, which were given by chance, by the order they come in.
func inOrder(text string, ids []string) string {
	at := func(id string) int { return strings.Index(text, id) }
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(at(a), at(b)) })
	for i, id := range ids {
		text = strings.ReplaceAll(text, id, fmt.Sprintf("new%d", i))
	}
	return text
}

// held is all that a folder holds, as the owner alone sees it.
type held struct {
	living []plastic.Memory
	away   []plastic.ArchiveEntry
}

func everything(t testing.TB, b *plastic.Bank) held {
	t.Helper()
	list, err := b.List(plastic.Filter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	archive, err := b.Archive()
	if err != nil {
		t.Fatal(err)
	}
	return held{list.Memories, archive.Archive}
}

// private is what is private of it, as it is stored.
func (h held) private() string {
	var out []string
	for _, m := range h.living {
		if m.Layer, m.Clarity = "", 0; m.Private {
			out = append(out, fmt.Sprintf("%+v", m))
		}
	}
	for _, e := range h.away {
		if e.Memory.Private || strings.HasPrefix(e.Memory.ID, "hid-") {
			out = append(out, fmt.Sprintf("away %+v", e))
		}
	}
	return strings.Join(out, "\n")
}

// without are the ids in h that are not in before.
func (h held) without(before held) []string {
	var out []string
	for id := range h.ids() {
		if !before.ids()[id] {
			out = append(out, id)
		}
	}
	return out
}

func (h held) ids() map[string]bool {
	out := map[string]bool{}
	for _, m := range h.living {
		out[m.ID] = true
	}
	for _, e := range h.away {
		out[e.Memory.ID] = true
	}
	return out
}
