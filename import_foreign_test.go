package plastic_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

// sources are the example files of the formats, as internal/foreign keeps them.
func sources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, format := range []string{"server-memory", "mem0", "openclaw", "claude-code", "hermes", "claude-export", "chatgpt-export", "basic-memory", "markdown"} {
		dir := filepath.Join("internal", "foreign", "testdata", format)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".golden") {
				out[format+"/"+e.Name()] = filepath.Join(dir, e.Name())
			}
		}
	}
	return out
}

func TestImportingAnotherToolTwiceAddsNothing(t *testing.T) {
	ctx := context.Background()
	taken := 0
	for name, path := range sources(t) {
		format := strings.Split(name, "/")[0]
		b := banktest.New(t)
		first, err := b.ImportPath(ctx, path, plastic.ImportOptions{From: format})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		taken += first.Imported
		all := len(b.All())
		if all != first.Imported {
			t.Errorf("%s: %d said to be imported, %d are there", name, first.Imported, all)
		}
		again, err := b.ImportPath(ctx, path, plastic.ImportOptions{From: format})
		if err != nil || again.Imported != 0 || len(b.All()) != all {
			t.Errorf("%s again: %d more, %v", name, again.Imported, err)
		}
		undone, err := b.UndoImport(ctx)
		if first.Imported == 0 {
			continue
		}
		if err != nil || len(undone.IDs) != first.Imported || len(b.All()) != 0 {
			t.Errorf("%s undone: %d of %d, %v", name, len(undone.IDs), first.Imported, err)
		}
		if third, err := b.ImportPath(ctx, path, plastic.ImportOptions{From: format}); err != nil || third.Imported != first.Imported {
			t.Errorf("%s after undo: %d of %d, %v", name, third.Imported, first.Imported, err)
		}
	}
	if taken < 30 {
		t.Errorf("only %d memories in all examples", taken)
	}
}

func TestAnUndoneImportLeavesWhatWasEditedSince(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	load(t, b, `{"id":"m1","content":"two cats","updatedAt":"2026-11-01T00:00:00Z"}`+"\n")
	load(t, b, `{"id":"m1","content":"three cats","updatedAt":"2026-11-02T00:00:00Z"}
{"id":"m2","content":"a dog"}
{"id":"m3","content":"a parrot"}
`)
	text := "a parrot that talks"
	if _, err := b.Update(ctx, "m3", plastic.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	out, err := b.UndoImport(ctx)
	if err != nil || strings.Join(out.IDs, " ") != "m1 m2" {
		t.Fatalf("%+v %v", out, err)
	}
	if got := b.Show("m1").Content; got != "two cats" {
		t.Errorf("m1 is %q", got)
	}
	if got := b.Show("m3").Content; got != text {
		t.Errorf("m3 is %q", got)
	}
	if _, err := b.UndoImport(ctx); plastic.Code(err) != "not_found" {
		t.Errorf("a second undo: %v", err)
	}
}

func TestExportsOfOtherFormsComeBack(t *testing.T) {
	for _, format := range []string{"markdown", "server-memory", "mem0"} {
		b := banktest.New(t)
		b.Say("@ann keeps two cats")
		b.Remember(plastic.Draft{Content: "ring size 17", Private: true})
		var out bytes.Buffer
		if err := b.Export(&out, format); err != nil {
			t.Fatal(err)
		}
		c := banktest.New(t)
		got, err := c.Import(context.Background(), &out, plastic.ImportOptions{From: format})
		if err != nil || got.Imported != 2 {
			t.Fatalf("%s: %+v %v", format, got, err)
		}
		for _, m := range c.All() {
			if m.Private != strings.Contains(m.Content, "ring") {
				t.Errorf("%s: %q private %v", format, m.Content, m.Private)
			}
		}
	}
}
