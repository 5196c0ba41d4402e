package plastic_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic"
	"plastic/internal/banktest"
)

// examined opens a folder as doctor does, on the day the suite plays.
func examined(t rapid.TB, dir string) *plastic.Bank {
	t.Helper()
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return banktest.Start }, Embed: embeds, Examine: true})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return b
}

// texts are what the memory and its archive say.
func texts(t rapid.TB, b *plastic.Bank) map[string]bool {
	t.Helper()
	defer b.Close()
	out, err := readable(b)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return out
}

func readable(b *plastic.Bank) (map[string]bool, error) {
	out := map[string]bool{}
	list, err := b.List(plastic.Filter{All: true})
	if err != nil {
		return nil, err
	}
	for _, m := range list.Memories {
		out[m.Content] = true
	}
	gone, err := b.Archive()
	for _, e := range gone.Archive {
		out[e.Memory.Content] = true
	}
	delete(out, "")
	return out, err
}

// damaged is a damaged folder, and what became of it.
type damaged struct {
	rapid.TB
	dir                  string
	was                  map[string]string // the files, damaged
	before, after        map[string]bool   // the texts that can be read; nil: none, and it was said why
	found, fixed, second plastic.Checked
}

// put writes a file as it is after its damage, some time ago; nil takes it away.
func (d *damaged) put(name string, text []byte) {
	d.Helper()
	path := filepath.Join(d.dir, name)
	info, err := os.Stat(path)
	if err != nil {
		return // an earlier damage took it
	}
	if text == nil {
		os.Remove(path)
		return
	}
	old := banktest.Start.Add(-time.Hour)
	if err := os.WriteFile(path, text, info.Mode().Perm()); err != nil {
		d.Fatalf("%v", err)
	}
	os.Chtimes(path, old, old)
}

// mend reads the folder, asks doctor, lets it mend, and asks again, and holds each step
// to what must be.
func (d *damaged) mend() {
	d.Helper()
	ctx := context.Background()
	d.was = files(d, d.dir)
	b := examined(d, d.dir)
	before, rerr := readable(b)
	d.before = before
	_, err := b.Recall(ctx, plastic.Query{Text: "grey cats", NoRehearse: true})
	d.saysWhy("recall", err, rerr)
	_, err = b.Prompt(ctx, plastic.Turn{Text: "grey cats", NoRehearse: true})
	d.saysWhy("prompt", err, rerr)
	_, err = b.Nights()
	d.saysWhy("nights", err, nil)
	_, err = b.Queue()
	d.saysWhy("queue", err, nil)
	d.found = d.doctor(b, false)
	if rerr == nil && len(before) == 0 && d.found.OK {
		d.Errorf("the memory reads as empty, and doctor finds nothing")
	}
	d.fixed = d.doctor(b, true)
	b.Close()

	b = examined(d, d.dir)
	d.second = d.doctor(b, false)
	if d.after, err = readable(b); err != nil && rerr == nil {
		d.Errorf("after doctor --fix nothing can be read: %v", err)
	}
	d.holds("after doctor --fix", before, d.after)
	newer := slices.ContainsFunc(d.second.Problems, func(p plastic.Problem) bool { return p.Code == "newer" })
	for _, p := range d.second.Problems {
		if newer {
			break // nothing may be written there
		}
		if !slices.Contains(byHand, p.Code) || p.Hint == "" {
			d.Errorf("after doctor --fix stands %+v", p)
		}
	}
	mended := files(d, d.dir)
	d.doctor(b, true)
	b.Close()
	for name, text := range files(d, d.dir) {
		if mended[name] != text {
			d.Errorf("a second doctor --fix changes %s", name)
		}
	}
	d.kept(mended)
}

// saysWhy holds a verb of a folder that can be read to an answer, or a reason.
func (d *damaged) saysWhy(verb string, err, rerr error) {
	if err != nil && rerr == nil && plastic.Code(err) != "corrupt" {
		d.Errorf("%s fails without a reason a person can use: %v", verb, err)
	}
}

func (d *damaged) doctor(b *plastic.Bank, fix bool) plastic.Checked {
	d.Helper()
	out, err := b.Doctor(context.Background(), fix)
	if err != nil {
		d.Errorf("doctor, fix %v: %v", fix, err)
	}
	return out
}

// holds reports texts that could be read and can not any more.
func (d *damaged) holds(when string, had, has map[string]bool) {
	d.Helper()
	for text := range had {
		if !has[text] {
			d.Errorf("%s %q is lost", when, text)
		}
	}
}

// kept holds doctor to setting the original of what it mended aside.
func (d *damaged) kept(now map[string]string) {
	d.Helper()
	for _, p := range d.fixed.Problems {
		was, there := d.was[p.Path]
		if !p.Fixed || !there || strings.HasPrefix(p.Path, ".plastic/") || strings.TrimSpace(was) == "" {
			continue
		}
		switch p.Code {
		case "journal":
			if now["memory.journal.corrupt-lines"] == "" {
				d.Errorf("the lines of the journal are gone")
			}
		case "corrupt", "odd":
			if !slices.Contains(slices.Collect(maps.Values(now)), was) {
				d.Errorf("%s was mended, and no copy of it is left", p.Path)
			}
		}
	}
}

// damagedWhole reports whether doctor found the memory damaged as a whole, so that all
// of the last good copy serves.
func (d *damaged) damagedWhole() bool {
	odd := slices.ContainsFunc(d.found.Problems, func(p plastic.Problem) bool { return p.Code == "odd" || p.Code == "odd_field" || p.Code == "duplicate" })
	return !odd && slices.ContainsFunc(d.found.Problems, func(p plastic.Problem) bool {
		return p.Path == "memory.json" && (p.Code == "corrupt" || p.Code == "missing" || p.Code == "conflict")
	})
}

// remembers holds the mended folder to keeping what is said next, or to saying why not.
func (d *damaged) remembers() {
	d.Helper()
	b := examined(d, d.dir)
	defer b.Close()
	const text = "Zoe plays the harp in Riga"
	if _, err := b.Remember(context.Background(), plastic.Draft{Content: text}); err != nil {
		if plastic.Code(err) != "read_only" && plastic.Code(err) != "corrupt" {
			d.Errorf("remember: %v", err)
		}
		return
	}
	again := examined(d, d.dir)
	defer again.Close()
	got, err := again.Recall(context.Background(), plastic.Query{Text: "Zoe's harp", NoRehearse: true})
	if err != nil || len(got.Memories) == 0 || got.Memories[0].Content != text {
		d.Errorf("what was remembered is not recalled: %+v %v", got.Memories, err)
	}
}

// files are the regular files under dir, by path, without those that only say what was
// looked at.
func files(t rapid.TB, dir string) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		text, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return out
}

func copied(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "memory")
	must(t, os.Mkdir(to, 0o755))
	copyTree(t, from, to)
	return to
}
