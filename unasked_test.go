package plastic_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// Nothing that runs by itself writes the card, whatever a person has put into it: not even the
// same bytes, so that no editor says the file has changed.
func TestWhatRunsByItselfLeavesTheCardAlone(t *testing.T) {
	ctx := context.Background()
	plan := `{"ops":[]}`
	b := withModel(t, "sleep: {minMemories: 1}\n", plastic.Options{
		Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i, x := range texts {
				out[i] = banktest.Words(x)
			}
			return out, nil
		},
		Chat: func(_ context.Context, ask memory.Ask) (memory.Reply, error) {
			if ask.Tool.Name == "facts_finish" {
				return memory.Reply{Arguments: []string{`{"facts":[{"content":"@ann keeps two cats"}]}`}}, nil
			}
			return memory.Reply{Arguments: []string{plan}}, nil
		},
	})
	const text = "---\ntitle: notes\n---\n| a | b |\n|--|--|\n<!-- keep -->\n```\n# code\r\n```\n- a\n  - b\n\n\n"
	banktest.Write(t, b.Dir(), "memory.md", text)
	path := filepath.Join(b.Dir(), "memory.md")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"she likes tea", "she likes green tea in the morning"} {
		if _, err := b.Remember(ctx, plastic.Draft{Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Retain(ctx, plastic.Exchange{User: "I keep two cats"}); err != nil {
		t.Fatal(err)
	}
	flushed, err := b.Flush(ctx, plastic.Flushing{})
	if err != nil || flushed.Facts != 1 {
		t.Fatalf("flush: %+v, error %v", flushed, err)
	}
	night, err := b.Sleep(ctx, plastic.Nightly{})
	if err != nil || night.Date == "" {
		t.Fatalf("sleep: %+v, error %v", night, err)
	}
	if _, err := b.Compress(ctx, plastic.Nightly{Again: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reindex(ctx, plastic.Reindexing{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Checkpoint(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Doctor(ctx, true); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("the card was written: %v, then %v, error %v", before.ModTime(), after.ModTime(), err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("the card is now %q, error %v", got, err)
	}
}
