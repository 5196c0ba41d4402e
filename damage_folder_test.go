package plastic_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// damagedConfig asks for vectors, so that there are some to damage.
const damagedConfig = "memory: {timezone: UTC}\nmodel: {embed: words, rerank: off}\n"

// wholeFolder makes a folder that has every file plastic writes, each with something in it,
// and an operation in the journal that no other file has yet.
func wholeFolder(t testing.TB) string {
	t.Helper()
	ctx := context.Background()
	dir := t.TempDir()
	banktest.Write(t, dir, "config.yaml", damagedConfig)
	banktest.Write(t, dir, "memory.md", "# Ann\n\n- likes green tea\n")
	banktest.Write(t, dir, ".env", "OTHER_KEY=x\n")
	must(t, os.Chmod(filepath.Join(dir, ".env"), 0o600))
	must(t, plastic.Init(dir, plastic.InitOptions{}))
	clock := banktest.Start.Add(-90 * 24 * time.Hour)
	b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return clock }, Embed: embeds})
	must(t, err)
	texts := []string{"Ann keeps two grey cats in Berlin", "Лена любит зелёный чай", "大肥魚住在香港", "the tram to the harbour is yellow", "Bo's bicycle has a blue bell",
		"Ann's blood pressure is high", "the garden gate squeaks at noon", "Кира играет на виолончели", "明天去看醫生", "the server room is on floor nine", "Lev forgets umbrellas on trams", "a quiet week on the coast"}
	var ids []string
	for i, text := range texts {
		clock = clock.Add(time.Hour)
		got, err := b.Remember(ctx, plastic.Draft{Content: text, Private: i == 5})
		must(t, err)
		ids = append(ids, got.ID)
	}
	_, err = b.Forget(ctx, []string{ids[10]}, plastic.Forgetting{Why: "no longer so"})
	must(t, err)
	_, err = b.Remember(ctx, plastic.Draft{Content: "the tram to the harbour is green now", Supersedes: ids[3]})
	must(t, err)
	for _, said := range []string{"I moved to Lisbon", "Мой кот болен", "我換了工作"} {
		_, err = b.Retain(ctx, plastic.Exchange{User: said, Assistant: "I see."})
		must(t, err)
	}
	_, err = b.Reindex(ctx, plastic.Reindexing{})
	must(t, err)
	for clock.Before(banktest.Start.Add(-time.Hour)) {
		clock = clock.Add(30 * 24 * time.Hour)
		_, err = b.Compress(ctx, plastic.Nightly{})
		must(t, err)
	}
	clock = banktest.Start
	_, err = b.Checkpoint(ctx)
	must(t, err)
	for _, audience := range []memory.Audience{memory.Trusted, memory.Public} {
		_, err = b.For(audience).Recall(ctx, plastic.Query{Text: "grey cats"})
		must(t, err)
	}
	must(t, b.Close())
	late, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return clock }, Embed: embeds, Delay: time.Hour})
	must(t, err)
	for _, text := range []string{"Ann will travel to Oslo in May", "Ида печёт хлеб по субботам"} {
		_, err = late.Remember(ctx, plastic.Draft{Content: text})
		must(t, err)
	}
	copied := t.TempDir() // late would write its journal away when it is closed
	copyTree(t, dir, copied)
	must(t, late.Close())
	return copied
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copyTree copies a folder with its modes and times.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		info, err := e.Info()
		if err != nil || rel == "." {
			return err
		}
		if e.IsDir() {
			return os.Mkdir(filepath.Join(to, rel), info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(filepath.Join(to, rel), data, info.Mode().Perm()), os.Chtimes(filepath.Join(to, rel), info.ModTime(), info.ModTime()))
	}))
}
