package plastic_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// someTries is how many worlds are tried where -long does not ask for all.
const someTries = 40

// TestWhateverWasDonePrivateMemoriesMoveNothing lets the owner, alone, do anything to a
// memory that is private in part, and holds what others get of it against a folder that
// never had the private ones: whatever they read, and whatever the owner writes among
// others, is answered the same to the byte, before and after. With models the texts that
// are sent for them hold nothing private.
func TestWhateverWasDonePrivateMemoriesMoveNothing(t *testing.T) {
	tried, failed := 0, false
	rapid.Check(t, func(rt *rapid.T) {
		if tried++; tried > someTries && !*long && !failed {
			return // each writes much: with -long all are tried
		}
		defer func() { failed = failed || rt.Failed() }()
		w := newWorld(t, rt)
		for range rapid.IntRange(1, 20).Draw(rt, "deeds") {
			w.deed()
		}
		w.part()
		for _, who := range []memory.Audience{memory.Owner, memory.Public} {
			w.same(rt, who, "at first")
		}
		for range rapid.IntRange(0, 4).Draw(rt, "writes") {
			w.write(rt)
		}
		for _, who := range []memory.Audience{memory.Owner, memory.Public} {
			w.same(rt, who, "after writes")
		}
	})
}

// part makes the second folder of the first, without what is private. The first goes on
// with what it has in mind, or as often is opened anew.
func (w *world) part() {
	_, err := w.a.Checkpoint(context.Background())
	must(w.t, err)
	all := everything(w.t, w.a)
	w.known = all
	kept, left := map[string]bool{}, map[string]bool{} // ids whose memory is shared, as it stands or left
	for _, e := range all.away {
		id := e.Memory.ID
		if e.As != memory.Version {
			left[id] = e.Memory.Private
		}
		kept[id] = !e.Memory.Private && !left[id]
	}
	for _, m := range all.living {
		kept[m.ID] = !m.Private
	}
	w.hidden = []string{"none"}
	for _, id := range all.order() {
		if !kept[id] && len(w.hidden) < 6 {
			w.hidden = append(w.hidden, id, id[:6])
		}
	}
	from := w.a.Dir()
	dir := filepath.Join(filepath.Dir(from), "b")
	must(w.t, os.MkdirAll(filepath.Join(dir, ".plastic"), 0o755))
	for name, list := range map[string]string{"memory.json": "memories", "archive.json": "archive"} {
		if text, err := os.ReadFile(filepath.Join(from, name)); err == nil {
			banktest.Write(w.t, dir, name, bare(w.t, text, list, kept))
		}
	}
	for _, name := range []string{"night", "since"} {
		if text, err := os.ReadFile(filepath.Join(from, ".plastic", name)); err == nil {
			banktest.Write(w.t, dir, ".plastic/"+name, string(text))
		}
	}
	w.b = w.open(dir)
	if rapid.Bool().Draw(w.rt, "anew") {
		must(w.t, w.a.Close())
		w.a = w.open(from)
	}
	if w.models {
		for _, b := range []*plastic.Bank{w.a, w.b} {
			_, err := b.Reindex(context.Background(), plastic.Reindexing{})
			must(w.t, err)
		}
	}
	if !w.sends {
		w.sentNothingPrivate("model.sendPrivate is false")
	}
}

// bare is a file of memories without what is private and without ids that are not kept.
func bare(t testing.TB, text []byte, name string, kept map[string]bool) string {
	var file map[string]json.RawMessage
	must(t, json.Unmarshal(text, &file))
	var lines []json.RawMessage
	must(t, json.Unmarshal(file[name], &lines))
	var out []string
	for _, line := range lines {
		type memory struct {
			ID      string
			Private bool
		}
		var m struct {
			memory
			Memory memory
		}
		must(t, json.Unmarshal(line, &m))
		if id := cmp.Or(m.ID, m.Memory.ID); kept[id] && !m.Private && !m.Memory.Private {
			out = append(out, string(line))
		}
	}
	return "{\"version\":1,\"" + name + "\":[\n" + strings.Join(out, "\n,") + "]}\n"
}

// same holds what who reads in one folder against what he reads in the other.
func (w *world) same(rt *rapid.T, who memory.Audience, when string) {
	queries := []string{w.text(), marked + " " + w.text()}
	w.sent = nil
	with, without := learns(w.a.For(who), queries, w.hidden), learns(w.b.For(who), queries, w.hidden)
	if with, without := w.named(with, w.a), w.named(without, w.b); with != without {
		rt.Fatalf("%s, %s, gets %s", who, when, apart(with, without))
	}
	w.sentNothingPrivate(fmt.Sprintf("%s, %s", who, when))
}

// sentNothingPrivate looks at what models were sent: no text of a private memory, but
// for what a shared one says too.
func (w *world) sentNothingPrivate(when string) {
	w.t.Helper()
	shared := map[string]bool{}
	for _, m := range everything(w.t, w.a).living {
		shared[m.Content] = shared[m.Content] || !m.Private
	}
	for _, text := range w.sent {
		if ok, is := shared[text]; is && !ok {
			w.rt.Fatalf("%s: a model was sent %q", when, text)
		}
	}
}

// named names the ids of what was written on both sides by their order.
func (w *world) named(text string, b *plastic.Bank) string {
	return inOrder(text, everything(w.t, b).without(w.known))
}

// learns is all that a Bank tells of queries and of ids that are not there for it,
// without the note that something is kept back.
func learns(b *plastic.Bank, queries, ids []string) string {
	ctx := context.Background()
	var out []any
	add := func(v any, err error) { out = append(out, v, said(err)) }
	for _, text := range queries {
		for _, q := range []plastic.Query{{Explain: true}, {History: true, Explain: true}, {AsOf: banktest.Start.AddDate(0, 0, 3)}, {Limit: 1}} {
			q.Text = text
			got, err := b.Recall(ctx, q)
			got.Withheld = 0
			add(got, err)
		}
		for _, session := range []string{"", "quiet-room"} {
			got, err := b.Prompt(ctx, plastic.Turn{Text: text, Session: session})
			got.Withheld, got.Text = 0, withoutNote(got.Text)
			add(got, err)
		}
		add(b.Facts(ctx, plastic.Turn{Text: text}))
	}
	stats, err := b.Stats()
	stats.Dir = ""
	add(stats, err)
	for _, id := range ids {
		add(b.Show(id))
		add(b.Restore(ctx, []string{id}))
		add(b.Forget(ctx, []string{id}, plastic.Forgetting{}))
		add(b.Forget(ctx, []string{id}, plastic.Forgetting{Purge: true}))
		add(b.Update(ctx, id, plastic.Change{Private: new(bool)}))
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// write is one thing that the owner writes while others read along, in both folders.
func (w *world) write(rt *rapid.T) {
	w.now = w.now.Add(time.Minute)
	d := w.draft()
	d.At = time.Time{}
	if all := everything(w.t, w.a).living; len(all) > 0 && rapid.Bool().Draw(rt, "again") { // what is there, private or not
		d.Content = all[rapid.IntRange(0, 1<<16).Draw(rt, "which")%len(all)].Content
	}
	shared := w.oneOf(slices.DeleteFunc(w.known.order(), func(id string) bool { return slices.Contains(w.hidden, id) }))
	deed := rapid.IntRange(0, 3).Draw(rt, "write")
	do := func(b *plastic.Bank) string {
		ctx, owner := context.Background(), b.For(memory.Owner)
		var v any
		var err error
		switch deed {
		case 0:
			v, err = owner.Remember(ctx, d)
		case 1:
			super := d
			super.Supersedes = shared
			v, err = owner.Remember(ctx, super)
		case 2:
			v, err = owner.Update(ctx, shared, plastic.Change{Content: &d.Content})
		case 3:
			v, err = owner.Forget(ctx, []string{shared}, plastic.Forgetting{})
		}
		text, e := json.Marshal([]any{v, said(err)})
		must(w.t, e)
		return string(text)
	}
	with, without := do(w.a), do(w.b)
	if with, without := w.named(with, w.a), w.named(without, w.b); with != without {
		rt.Fatalf("the owner writing %d %+v is told %s", deed, d, apart(with, without))
	}
}
