package plastic_test

import (
	"context"
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
