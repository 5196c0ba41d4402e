package plastic_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic"
	"plastic/memory"
)

// indexed is a folder that is only ever asked through Banks opened for one call, so
// that every answer comes by way of the files under .plastic/.
type indexed struct {
	t   *rapid.T
	dir string
	now time.Time
	ids []string
}

func (x *indexed) bank(fn func(b *plastic.Bank)) {
	x.t.Helper()
	b, err := plastic.Open(x.dir, &plastic.Options{Now: func() time.Time { return x.now }})
	if err != nil {
		x.t.Fatal(err)
	}
	fn(b)
	if err := b.Close(); err != nil {
		x.t.Fatal(err)
	}
}

var indexedWords = []string{"tea", "cats", "cat", "Lena", "кошка", "кошек", "大肥魚", "花生過敏", "QX-77", "moved", "to", "Kazan", "Казань", "7", "yesterday", "说", "the", "river", "🦊"}

func (x *indexed) text() string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(indexedWords), 1, 8).Draw(x.t, "text"), " ")
}

func (x *indexed) id() string {
	if len(x.ids) == 0 {
		return ""
	}
	return rapid.SampledFrom(x.ids).Draw(x.t, "id")
}

func (x *indexed) remember() {
	d := plastic.Draft{Content: x.text(), Private: rapid.IntRange(0, 3).Draw(x.t, "private") == 0, Pinned: rapid.IntRange(0, 5).Draw(x.t, "pinned") == 0,
		Session: rapid.SampledFrom([]string{"", "a", "b"}).Draw(x.t, "session"), Speaker: rapid.SampledFrom([]string{"", "user", "Lena"}).Draw(x.t, "speaker"),
		Kind: rapid.SampledFrom([]memory.Kind{"", memory.Event, memory.Core}).Draw(x.t, "kind")}
	x.bank(func(b *plastic.Bank) {
		got, err := b.Remember(context.Background(), d)
		if err != nil {
			x.t.Fatal(err)
		}
		x.ids = append(x.ids, got.ID)
	})
}

func (x *indexed) supersede() {
	if id := x.id(); id != "" {
		d := plastic.Draft{Content: x.text(), Supersedes: id}
		x.bank(func(b *plastic.Bank) {
			if got, err := b.Remember(context.Background(), d); err == nil {
				x.ids = append(x.ids, got.ID)
			}
		})
	}
}

func (x *indexed) update() {
	if id := x.id(); id != "" {
		text, private := x.text(), rapid.Bool().Draw(x.t, "private")
		x.bank(func(b *plastic.Bank) {
			b.Update(context.Background(), id, plastic.Change{Content: &text, Private: &private})
		})
	}
}

func (x *indexed) forget() {
	if id := x.id(); id != "" {
		purge := rapid.IntRange(0, 3).Draw(x.t, "purge") == 0
		x.bank(func(b *plastic.Bank) { b.Forget(context.Background(), []string{id}, plastic.Forgetting{Purge: purge}) })
	}
}

func (x *indexed) restore() {
	if id := x.id(); id != "" {
		x.bank(func(b *plastic.Bank) { b.Restore(context.Background(), []string{id}) })
	}
}

func (x *indexed) rehearse() {
	q := plastic.Query{Text: x.text()}
	x.bank(func(b *plastic.Bank) {
		if _, err := b.Recall(context.Background(), q); err != nil {
			x.t.Fatal(err)
		}
	})
}

func (x *indexed) night() {
	x.now = x.now.AddDate(0, 0, rapid.IntRange(0, 40).Draw(x.t, "days"))
	x.bank(func(b *plastic.Bank) {
		if _, err := b.Compress(context.Background(), plastic.Nightly{Again: true}); err != nil {
			x.t.Fatal(err)
		}
	})
}

// edit is another hand at memory.json: a line changed, taken out, put in or moved.
func (x *indexed) edit() {
	path := filepath.Join(x.dir, "memory.json")
	b, err := os.ReadFile(path)
	if err != nil {
		x.t.Fatal(err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	if len(lines) < 4 {
		return
	}
	k := 1 + rapid.IntRange(0, len(lines)-4).Draw(x.t, "line")
	switch rapid.IntRange(0, 3).Draw(x.t, "how") {
	case 0:
		lines[k] = strings.Replace(lines[k], `"content":"`, `"content":"river `, 1)
	case 1:
		lines = slices.Delete(lines, k, k+1)
	case 2:
		lines = slices.Insert(lines, k, fmt.Sprintf(`,{"id":"hand%d","content":"%s","createdAt":"2026-01-0%dT00:00:00Z"}`+"\n", len(lines), x.text(), 1+k%9))
	case 3:
		lines[1], lines[k] = lines[k], lines[1]
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		x.t.Fatal(err)
	}
	if rapid.Bool().Draw(x.t, "long ago") {
		old := time.Now().Add(-time.Duration(rapid.IntRange(1, 1e6).Draw(x.t, "age")) * time.Millisecond)
		os.Chtimes(path, old, old)
	}
}

// damage is done to what lies under .plastic/.
func (x *indexed) damage() {
	name := rapid.SampledFrom([]string{"index", "index.shared", "steps"}).Draw(x.t, "file")
	path := filepath.Join(x.dir, ".plastic", name)
	b, err := os.ReadFile(path)
	if err != nil || len(b) == 0 {
		return
	}
	at := rapid.IntRange(0, len(b)-1).Draw(x.t, "at")
	switch rapid.IntRange(0, 5).Draw(x.t, "damage") {
	case 0:
		os.Remove(path)
		return
	case 1:
		b = b[:at]
	case 2:
		b[at] ^= byte(1 << rapid.IntRange(0, 7).Draw(x.t, "bit"))
	case 3:
		clear(b[at:min(len(b), at+512)])
	case 4:
		if len(b) > 8 {
			b[8]++ // another version
		}
	case 5:
		os.RemoveAll(filepath.Join(x.dir, ".plastic"))
		return
	}
	os.WriteFile(path+".tmp", b, 0o644)
	os.Rename(path+".tmp", path)
}

// answers are what all audiences are answered, as id and score.
func (x *indexed) answers(queries []string) (out []plastic.Recalled, sections []string) {
	for _, a := range []memory.Audience{memory.Trusted, memory.Owner, memory.Public} {
		x.bank(func(b *plastic.Bank) {
			for _, q := range queries {
				got, err := b.For(a).Recall(context.Background(), plastic.Query{Text: q, NoRehearse: true})
				if err != nil {
					x.t.Fatal(err)
				}
				out = append(out, got)
			}
			s, err := b.For(a).Prompt(context.Background(), plastic.Turn{Text: queries[0], NoRehearse: true})
			if err != nil {
				x.t.Fatal(err)
			}
			sections = append(sections, s.Text)
		})
	}
	return out, sections
}

// check compares the answers with those of the same folder that has no .plastic/.
func (x *indexed) check() {
	queries := []string{x.text(), "does Lena keep cats", "кошка 大肥魚 花生", "where did she move yesterday?"}
	got, gotSections := x.answers(queries)
	own := filepath.Join(x.dir, ".plastic")
	if err := os.Rename(own, own+".aside"); err != nil {
		x.t.Fatal(err)
	}
	want, wantSections := x.answers(queries)
	os.RemoveAll(own)
	if err := os.Rename(own+".aside", own); err != nil {
		x.t.Fatal(err)
	}
	for i := range want {
		if g, w := got[i], want[i]; !sameAnswers(g, w) {
			x.t.Fatalf("%q is answered\n%v, withheld %d\na plain scan answers\n%v, withheld %d", g.Query, scores(g), g.Withheld, scores(w), w.Withheld)
		}
	}
	for i := range wantSections {
		if gotSections[i] != wantSections[i] {
			x.t.Fatalf("the section is\n%s\na plain scan makes it\n%s", gotSections[i], wantSections[i])
		}
	}
}

func scores(r plastic.Recalled) (out []string) {
	for _, m := range r.Memories {
		out = append(out, fmt.Sprintf("%s %.9f %q", m.ID, m.Score, m.Content))
	}
	return out
}

func sameAnswers(a, b plastic.Recalled) bool {
	return a.Withheld == b.Withheld && slices.EqualFunc(a.Memories, b.Memories, func(a, b plastic.Answer) bool {
		return a.ID == b.ID && a.Content == b.Content && a.RecallCount == b.RecallCount && a.Layer == b.Layer && math.Abs(a.Score-b.Score) < 1e-9
	})
}

// TestAnswersThroughFilesAreThoseOfAPlainScan holds after any chain of writes,
// recalls, nights, edits by another hand and damage to what lies under .plastic/.
func TestAnswersThroughFilesAreThoseOfAPlainScan(t *testing.T) {
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		x := &indexed{t: rt, dir: filepath.Join(root, fmt.Sprint(n)), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
		if err := plastic.Init(x.dir, plastic.InitOptions{}); err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(x.dir)
		for range 3 {
			x.remember()
		}
		acts := []func(){x.remember, x.remember, x.remember, x.supersede, x.update, x.forget, x.restore, x.rehearse, x.rehearse, x.night, x.edit, x.edit, x.damage, x.damage}
		for range rapid.IntRange(1, 8).Draw(rt, "acts") {
			acts[rapid.IntRange(0, len(acts)-1).Draw(rt, "act")]()
			x.now = x.now.Add(time.Hour)
			if rapid.IntRange(0, 2).Draw(rt, "look") == 0 {
				x.check()
			}
		}
		x.check()
	})
}

// Processes that build the index at once do each other no harm.
func TestBuildingTheIndexAtOnceHarmsNobody(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	if err := plastic.Init(dir, plastic.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	b, err := plastic.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if _, err := b.Remember(context.Background(), plastic.Draft{Content: fmt.Sprintf("the heron number %d stands in the river", i)}); err != nil {
			t.Fatal(err)
		}
	}
	b.Close()
	for range 5 {
		os.Remove(filepath.Join(dir, ".plastic", "index"))
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				b, err := plastic.Open(dir, nil)
				if err != nil {
					t.Error(err)
					return
				}
				defer b.Close()
				got, err := b.Recall(context.Background(), plastic.Query{Text: "heron number 7", NoRehearse: true})
				if err != nil || len(got.Memories) == 0 || !strings.Contains(got.Memories[0].Content, "number 7 ") {
					t.Errorf("%v, %v", scores(got), err)
				}
			})
		}
		wait.Wait()
	}
}
