package plastic_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plastic"
)

// Counts that a checkpoint has moved into memory.json are read from there at every
// start, line by line, until the index file has them: some twenty microseconds each.
func TestCountsDoNotPileUpBehindTheIndexFile(t *testing.T) {
	const groups, each = 30, 10
	dir := t.TempDir()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	as := func(f func(b *plastic.Bank) error) {
		t.Helper()
		b, err := plastic.Open(dir, &plastic.Options{Now: func() time.Time { return now }})
		if err == nil {
			err = f(b)
		}
		if err == nil {
			err = b.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	var text string
	for g := range groups {
		for i := range each {
			sep := ","
			if text == "" {
				sep = " "
			}
			text += fmt.Sprintf("%s{\"id\":\"m%02d%02d\",\"content\":\"subject%d has part%d\",\"kind\":\"fact\",\"importance\":0.5,\"createdAt\":%q}\n",
				sep, g, i, g, g*each+i, now.AddDate(0, 0, g*each+i-400).Format(time.RFC3339))
		}
	}
	file, hourAgo := filepath.Join(dir, "memory.json"), time.Now().Add(-time.Hour)
	if err := os.WriteFile(file, []byte(`{"version":1,"memories":[`+"\n"+text+"]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, hourAgo, hourAgo); err != nil { // else it might still be being written
		t.Fatal(err)
	}
	index := func() os.FileInfo {
		info, err := os.Stat(filepath.Join(dir, ".plastic", "index"))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	ask := func(q plastic.Query) int {
		n := 0
		as(func(b *plastic.Bank) error {
			got, err := b.Recall(ctx, q)
			n = len(got.Memories)
			return err
		})
		return n
	}
	ask(plastic.Query{Text: "subject0", NoRehearse: true})
	first, counted := index(), 0
	for g := range groups {
		counted += ask(plastic.Query{Text: fmt.Sprintf("subject%d", g)})
		as(func(b *plastic.Bank) error { _, err := b.Checkpoint(ctx); return err })
		if ask(plastic.Query{Text: "subject0", NoRehearse: true}); !os.SameFile(first, index()) {
			break
		}
	}
	if counted < 50 || counted > 100 {
		t.Errorf("the index file was written anew behind %d counts; each start reads them", counted)
	}
}
