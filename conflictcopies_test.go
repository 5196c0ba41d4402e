package plastic_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

func TestCopiesOfSyncToolsAreToldAndNotRead(t *testing.T) {
	b := banktest.New(t)
	b.Say("Bo drinks tea")
	for name, of := range map[string]string{
		"memory (Ann's conflicted copy 2026-11-28).json":      "memory.json",
		"memory (conflicted copy 2026-11-28 120000).json":     "memory.json",
		"memory (SFConflict ann@example.com 2026-11-28).json": "memory.json",
		"memory (конфликтующая копия 2026-11-28).json":        "memory.json",
		"memory.sync-conflict-20261128-120000-ABCDEFG.json":   "memory.json",
		"memory_conflict-20261128-120000.json":                "memory.json",
		"memory.json.conflict1":                               "memory.json",
		"memory 2.json":                                       "memory.json",
		"memory (1).json":                                     "memory.json",
		"memory-DESKTOP-1A2B3C4.json":                         "memory.json",
		"memory.json.orig":                                    "memory.json",
		"memory_REMOTE_4711.json":                             "memory.json",
		"archive.sync-conflict-20261128-120000-ABCDEFG.json":  "archive.json",
		"nights (Ann's conflicted copy 2026-11-28).jsonl":     "nights.jsonl",
		"memory.sync-conflict-20261128-120000-ABCDEFG.md":     "memory.md",
		"config (Ann's conflicted copy 2026-11-28).yaml":      "config.yaml",
		"memory (Ann's conflicted copy 2026-11-28 (1)).json":  "memory.json",
		"memory (Annの競合コピー 2026-11-28).json":                  "memory.json",
		"memory [Conflict].json":                              "memory.json",
		"memory..path1.json":                                  "memory.json",
		"memory 12.json":                                      "memory.json",
		"memory-ANN-PC.json":                                  "memory.json",
		"memory-Anns-MacBook-Pro.json":                        "memory.json",
		"memory-OLD.json":                                     "",
		"memory-old.json":                                     "",
		"memory 2026.json":                                    "",
		"memory.json~":                                        "",
		"memory.json.tmp123":                                  "",
		"memory.json.corrupt-2026":                            "",
		"memory-2026-11-28.json":                              "",
		"memory backup.json":                                  "",
		"memory 2.md":                                         "",
		"notes (conflicted copy).txt":                         "",
	} {
		path := filepath.Join(b.Dir(), name)
		banktest.Write(t, b.Dir(), name, `{"version":1,"memories":[{"id":"zz9","content":"Ann sings in a choir","createdAt":"2026-11-01T00:00:00Z"}]}`)
		told := copiesTold(t, b)
		if of == "" && len(told) > 0 {
			t.Errorf("%s: %+v", name, told)
		}
		if of != "" && (len(told) != 1 || told[0].Path != name || !strings.Contains(told[0].Message, "copy of "+of+" ")) {
			t.Errorf("%s: %+v", name, told)
		}
		if n := len(b.All()); n != 1 {
			t.Errorf("%s was read: %d memories", name, n)
		}
		if of == "memory.json" {
			got, err := b.ImportPath(context.Background(), path, plastic.ImportOptions{From: "plastic"})
			if err != nil || got.Imported != 1 || b.Show("zz9").Content != "Ann sings in a choir" {
				t.Errorf("%s: import: %+v, %v", name, got, err)
			}
			if _, err := b.UndoImport(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if err := os.Remove(path); err != nil { // as the hint says
			t.Error(err)
		}
	}
}

// The hint of an archive's copy is a command that brings it in.
func TestACopyOfTheArchiveIsMergedAsItsHintSays(t *testing.T) {
	b := banktest.New(t)
	if _, err := b.Forget(context.Background(), []string{b.Say("Bo drinks tea")}, plastic.Forgetting{}); err != nil {
		t.Fatal(err)
	}
	banktest.Write(t, b.Dir(), "archive 2.json", `{"version":1,"archive":[{"memory":{"id":"zz9","content":"Ann sings in a choir","createdAt":"2026-11-01T00:00:00Z"},"archivedAt":"2026-11-02T00:00:00Z","as":"forgotten","by":"cli"}]}`)
	told := copiesTold(t, b)
	if len(told) != 1 || !strings.HasPrefix(told[0].Hint, "plastic git-merge "+os.DevNull+" ") {
		t.Fatalf("%+v", told)
	}
	file := func(name string) string { return filepath.Join(b.Dir(), name) }
	if err := plastic.GitMerge(os.DevNull, file("archive.json"), file("archive 2.json"), ""); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file("archive 2.json")); err != nil {
		t.Fatal(err)
	}
	got, err := b.Archive()
	if err != nil || len(got.Archive) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// copiesTold are the copies that doctor tells of and does not touch, and stats
// tells of the same.
func copiesTold(t *testing.T, b *banktest.Bank) []plastic.Problem {
	t.Helper()
	copies := func(list []plastic.Problem) (out []plastic.Problem) {
		for _, p := range list {
			if p.Code == "conflict_copy" && !p.Fixed {
				out = append(out, p)
			}
		}
		return out
	}
	got, err := b.Doctor(context.Background(), true)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := b.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if len(copies(stats.Problems)) != len(copies(got.Problems)) {
		t.Errorf("stats says %+v, doctor %+v", stats.Problems, got.Problems)
	}
	return copies(got.Problems)
}
