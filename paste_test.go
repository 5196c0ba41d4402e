package plastic_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// TestAGiantPasteStopsNobody (case 148): what is too long is refused with its measure and
// nothing of it is kept; of a long turn a bounded part goes to the model.
func TestAGiantPasteStopsNobody(t *testing.T) {
	ctx := context.Background()
	var asked memory.Ask
	b := withModel(t, "", plastic.Options{Chat: func(_ context.Context, a memory.Ask) (memory.Reply, error) {
		asked = a
		return memory.Reply{Arguments: []string{`{"facts":[]}`}}, nil
	}})
	line := "level=error connection refused by the upstream server\n"
	if _, err := b.Remember(ctx, plastic.Draft{Content: strings.Repeat("字", 4001)}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "4001 characters") {
		t.Errorf("a long memory: %v", err)
	}
	for _, x := range []plastic.Exchange{{User: strings.Repeat(line, 100_000)}, {User: "look", Assistant: strings.Repeat(line, 100_000)}} {
		if _, err := b.Retain(ctx, x); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "characters") {
			t.Errorf("a giant turn: %v", err)
		}
	}
	if q, err := b.Queue(); err != nil || len(q.Turns) != 0 || listed(t, b) != "" {
		t.Errorf("something was kept: %+v %v", q, err)
	}
	retain(t, b, "my server fails: "+strings.Repeat(line, 5000)+"and this is the end")
	if got, err := b.Flush(ctx, plastic.Flushing{}); err != nil || got.Turns != 1 {
		t.Fatalf("%+v, error %v", got, err)
	}
	if n := utf8.RuneCountInString(asked.User); n > 40_000 || !strings.Contains(asked.User, "my server fails") || !strings.Contains(asked.User, "and this is the end") {
		t.Errorf("%d characters were sent", n)
	}
}

// TestAGiantMemoryByHandHarmsNoOther (case 148): a text of any length that a hand wrote is
// kept, and what is asked, shown and decided about the others is as without it.
func TestAGiantMemoryByHandHarmsNoOther(t *testing.T) {
	giant, err := json.Marshal(strings.Repeat("level=error connection refused by the upstream server\n", 40_000))
	if err != nil {
		t.Fatal(err)
	}
	b := banktest.New(t, "memory.json", `{"version":1,"memories":[
 {"id":"giant","content":`+string(giant)+`,"createdAt":"2026-11-01T00:00:00Z"}
,{"id":"tea","content":"@ann likes green tea","createdAt":"2026-11-02T00:00:00Z"}
]}
`)
	if got := b.Find("does ann like tea"); len(got) != 1 || got[0] != "tea" {
		t.Errorf("found %v", got)
	}
	s := b.Prompt(plastic.Turn{Text: "tea on the upstream server"})
	if n := utf8.RuneCountInString(s.Text); n > 8000 || !strings.Contains(s.Text, "green tea") || s.Left.Recalled != 1 {
		t.Errorf("a section of %d characters, left out %+v", n, s.Left)
	}
	if got := b.Say("@ann bought a red bicycle"); len(got) == 0 {
		t.Error("no id")
	}
	if got := b.Compress(plastic.Nightly{}); got.Before != 3 || got.After != 3 {
		t.Errorf("the night: %+v", got)
	}
}
