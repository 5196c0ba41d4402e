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

// TestWhateverWasDonePrivateMemoriesMoveNothing lets the owner, alone, do anything to a
// memory that is private in part, and holds what others get of it against a folder that
// never had the private ones: whatever they read, and whatever the owner writes among
// others, is answered the same to the byte, before and after. With models the texts that
// are sent for them hold nothing private.
func TestWhateverWasDonePrivateMemoriesMoveNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
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

// world is a memory in a folder, and from part on a second one that lacks what is private.
type world struct {
	t      testing.TB
	rt     *rapid.T
	now    time.Time
	config string
	models bool
	sends  bool     // model.sendPrivate
	sent   []string // what models were sent since it was looked at last

	a, b   *plastic.Bank
	known  held     // what there was when they parted
	hidden []string // ids of it that are private, and beginnings of them
}

func newWorld(t testing.TB, rt *rapid.T) *world {
	w := &world{t: t, rt: rt, now: banktest.Start, models: rapid.Bool().Draw(rt, "models")}
	w.config = "memory: {timezone: UTC, rehearse: " + rapid.SampledFrom([]string{"recall", "always"}).Draw(rt, "rehearse") + ", anchorCount: 3, recentCount: 3}\n" +
		"channel: {recall: " + rapid.SampledFrom([]string{"always", "session"}).Draw(rt, "channel") + "}\n"
	if w.models {
		w.sends = rapid.Bool().Draw(rt, "sendPrivate")
		w.config += fmt.Sprintf("model: {embed: words, rerank: scripted, sendPrivate: %v}\n", w.sends)
	}
	dir := filepath.Join(t.TempDir(), "a")
	must(t, os.MkdirAll(dir, 0o755))
	w.a = w.open(dir)
	return w
}

func (w *world) open(dir string) *plastic.Bank {
	banktest.Write(w.t, dir, "config.yaml", w.config)
	o := plastic.Options{Now: func() time.Time { return w.now }}
	if w.models {
		o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
			w.sent = append(w.sent, texts...)
			return embeds(ctx, texts)
		}
		o.Rerank = func(_ context.Context, query string, texts []string) ([]float64, error) {
			w.sent = append(append(w.sent, query), texts...)
			out := make([]float64, len(texts))
			for i, text := range texts {
				out[i] = float64(len(text)%7) / 7
			}
			return out, nil
		}
	}
	b, err := plastic.Open(dir, &o)
	must(w.t, err)
	w.t.Cleanup(func() { b.Close() })
	return b
}

// marked stands in most private texts; some are those of shared ones.
const marked = "zebrawood"

func (w *world) text() string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 2, 6).Draw(w.rt, "text"), " ")
}

// draft is something to remember.
func (w *world) draft() plastic.Draft {
	d := plastic.Draft{Content: w.text(), Private: rapid.Bool().Draw(w.rt, "private"), Kind: rapid.SampledFrom([]memory.Kind{memory.Fact, memory.Event, memory.Core, memory.Identity}).Draw(w.rt, "kind")}
	if d.Private && rapid.IntRange(0, 3).Draw(w.rt, "marked") > 0 {
		d.Content += " " + marked
	}
	importance := float64(rapid.IntRange(0, 20).Draw(w.rt, "importance")) / 20
	d.Importance, d.Session = &importance, rapid.SampledFrom([]string{"", "kitchen", "quiet-room"}).Draw(w.rt, "session")
	d.At = w.now.Add(-time.Duration(rapid.IntRange(0, 900).Draw(w.rt, "hours"))*time.Hour - time.Duration(w.now.Unix()%3600)*time.Second)
	return d
}

// anID is one that is or was there.
func (w *world) anID() string { return w.oneOf(everything(w.t, w.a).order()) }

func (w *world) oneOf(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return list[rapid.IntRange(0, 1<<16).Draw(w.rt, "which")%len(list)]
}

// order are the ids by time, which unlike their names is the same in every run.
func (h held) order() []string {
	var out []string
	for _, m := range h.living {
		out = append(out, m.ID)
	}
	for _, e := range h.away {
		if !slices.Contains(out, e.Memory.ID) {
			out = append(out, e.Memory.ID)
		}
	}
	return out
}

// deed is one thing that the owner does alone; that it can not be done is an answer too.
func (w *world) deed() {
	ctx := context.Background()
	w.now = w.now.Add(time.Duration(rapid.IntRange(1, 40*3600).Draw(w.rt, "pass")) * time.Second)
	switch rapid.IntRange(0, 11).Draw(w.rt, "deed") {
	default:
		_, _ = w.a.Remember(ctx, w.draft())
	case 0:
		d := w.draft()
		d.Supersedes = w.anID()
		_, _ = w.a.Remember(ctx, d)
	case 1:
		d := w.draft()
		_, _ = w.a.Update(ctx, w.anID(), plastic.Change{Content: &d.Content, Private: &d.Private})
	case 2:
		yes := rapid.Bool().Draw(w.rt, "flag")
		_, _ = w.a.Update(ctx, w.anID(), plastic.Change{Private: &yes, Pinned: &yes})
	case 3:
		_, _ = w.a.Forget(ctx, []string{w.anID()}, plastic.Forgetting{Purge: rapid.IntRange(0, 3).Draw(w.rt, "purge") == 0})
	case 4:
		_, _ = w.a.Restore(ctx, []string{w.anID()})
	case 5:
		_, _ = w.a.Recall(ctx, plastic.Query{Text: w.text()})
	case 6:
		_, _ = w.a.Compress(ctx, plastic.Nightly{Again: true})
	case 7: // others look meanwhile: what is kept for them must follow
		_, _ = w.a.For(memory.Public).Recall(ctx, plastic.Query{Text: w.text()})
		_, _ = w.a.For(memory.Owner).Prompt(ctx, plastic.Turn{Text: w.text()})
	}
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
		if !kept[id] {
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
		for _, q := range []plastic.Query{{Explain: true}, {History: true}, {AsOf: banktest.Start.AddDate(0, 0, 3)}, {Limit: 1}} {
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
