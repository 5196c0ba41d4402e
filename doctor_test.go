package plastic_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"plastic"
)

// A byte that changed in the middle of a large index or of the vectors is found by
// doctor, and what was damaged is made anew.
func TestDoctorFindsADamagedIndexAndDamagedVectors(t *testing.T) {
	ctx := context.Background()
	b := withModel(t, "", plastic.Options{Embed: embeds})
	for i := range 300 {
		if _, err := b.Remember(ctx, plastic.Draft{Content: fmt.Sprintf("note %d is about topic%d and thing%d", i, i*7, i*13)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Reindex(ctx, plastic.Reindexing{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Recall(ctx, plastic.Query{Text: "topic7", NoRehearse: true}); err != nil {
		t.Fatal(err)
	}
	dir := b.Dir()
	b.Close()
	for _, name := range []string{"index", "vectors"} {
		path := filepath.Join(dir, ".plastic", name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)*2/3] ^= 0x40
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := plastic.Open(dir, &plastic.Options{Embed: embeds})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		codes := func(fix bool) (out string) {
			got, err := b.Doctor(ctx, fix)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range got.Problems {
				out += fmt.Sprint(p.Code, " ", p.Path, " ", p.Fixed, ";")
			}
			return out
		}
		if got, want := codes(false), "derived .plastic/"+name+" false;"; got != want {
			t.Errorf("%s: doctor says %q, want %q", name, got, want)
		}
		if got, want := codes(true), "derived .plastic/"+name+" true;"; got != want {
			t.Errorf("%s: doctor --fix says %q, want %q", name, got, want)
		}
		if got := codes(false); got != "" {
			t.Errorf("%s: after it doctor says %q", name, got)
		}
		if got, err := b.Recall(ctx, plastic.Query{Text: "topic7", NoRehearse: true}); err != nil || len(got.Memories) == 0 {
			t.Errorf("%s: recall %v, error %v", name, got.Memories, err)
		}
	}
}
