package httpapi_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// A file that was cut off under a running server is no empty memory: the last good copy
// answers, a write is kept, and the owner is told what to do until it is done.
func TestADamagedMemoryServesAndIsToldUntilItIsSettled(t *testing.T) {
	b := banktest.New(t, "config.yaml", tokens)
	b.Say("@ann keeps two cats")
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	owner := []string{"Authorization", tokenOf("trusted")}
	problems := func(headers ...string) []plastic.Problem {
		t.Helper()
		var got struct{ Problems []plastic.Problem }
		if err := json.Unmarshal([]byte(d.get("/v1/stats", headers...).want(t, "stats", 200).body), &got); err != nil {
			t.Fatal(err)
		}
		return got.Problems
	}
	if got := problems(owner...); len(got) > 0 {
		t.Fatalf("before: %+v", got)
	}
	banktest.Write(t, b.Dir(), "memory.json", `{"version":1,"mem`)
	if got := d.get("/v1/memories/search?q=cats", owner...).want(t, "search", 200); !strings.Contains(got.body, "two cats") {
		t.Errorf("the last good copy does not answer: %s", got.body)
	}
	d.ask("POST", "/v1/memories", `{"content":"the ferry to Lamma"}`, owner...).want(t, "remember", 201)
	for range 2 {
		if got := problems(owner...); len(got) != 1 || got[0].Path != "memory.json" || got[0].Hint == "" {
			t.Errorf("the owner is told %+v", got)
		}
	}
	if got := problems(); len(got) > 0 {
		t.Errorf("the public is told %+v", got)
	}
	for range 2 { // puts the file in order, then the copy of the damaged one out of mind
		if _, err := b.Doctor(context.Background(), true); err != nil {
			t.Fatal(err)
		}
	}
	if got := problems(owner...); len(got) > 0 {
		t.Errorf("still told: %+v", got)
	}
	for _, q := range []string{"cats", "ferry"} {
		if got := d.get("/v1/memories/search?q="+q, owner...).want(t, "search", 200); !strings.Contains(got.body, `"content"`) {
			t.Errorf("%s is lost: %s", q, got.body)
		}
	}
}
