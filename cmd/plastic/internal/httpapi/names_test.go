package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// One thing has one name at every door, and what was read can be sent back.
func TestBodiesTakeTheNamesOfTheOtherDoors(t *testing.T) {
	d := opened(t, banktest.New(t, "memory.json", stocked, "memory.md", "# Card\n"), httpapi.Options{})
	if got := d.ask("PATCH", "/v1/memories/tea1", `{"level":4}`).want(t, "level", 200); !strings.Contains(got.body, `"importance":0.75`) {
		t.Errorf("level 4 is %s", got.body)
	}
	d.ask("PATCH", "/v1/memories/tea1", `{"level":9}`).want(t, "level 9", 400)
	d.ask("PATCH", "/v1/memories/tea1", `{"level":0}`).want(t, "level 0", 400)
	d.ask("PATCH", "/v1/memories/tea1", `{"level":4,"importance":0.5}`).want(t, "both", 400)
	if got := d.ask("POST", "/v1/memories/search", `{"q":"cats"}`).want(t, "q", 200); !strings.Contains(got.body, "cat1") {
		t.Errorf("q finds %s", got.body)
	}
	d.ask("POST", "/v1/memories/search", `{"q":"cats","query":"tea"}`).want(t, "q and query", 400)

	card := map[string]any{}
	d.get("/v1/card").into(t, &card)
	card["text"] = card["text"].(string) + "- likes tea\n"
	back, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	d.ask("PUT", "/v1/card", string(back)).want(t, "the card as it was given", 200)
	if got := d.get("/v1/card"); !strings.Contains(got.body, "likes tea") {
		t.Errorf("the card is %s", got.body)
	}
	d.ask("PUT", "/v1/card", `{"text":"a","content":"b"}`).want(t, "two cards", 400)

	for _, got := range []answer{d.get("/v1/stats?audience=nobody"), d.ask("POST", "/v1/memories/search", `{"audience":"nobody"}`)} {
		if got.want(t, "an unknown audience", 400); !strings.Contains(got.body, `"code":"usage"`) {
			t.Errorf("an unknown audience: %s", got.body)
		}
	}
}

// A next step is one that can be taken at this door.
func TestHintsNameThisDoor(t *testing.T) {
	d := opened(t, banktest.New(t, "memory.json", stocked), httpapi.Options{})
	for _, got := range []answer{
		d.ask("POST", "/v1/memories", `{"content":"the key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"}`),
		d.get("/v1/memories/nothere"), d.ask("PATCH", "/v1/memories/tea1", "{}"), d.ask("PUT", "/v1/card", `{"content":"x","hash":"other"}`),
		d.ask("POST", "/v1/memories/archive/nothere/restore", ""), d.ask("POST", "/v1/sleep/runs/2026-01-01/undo", ""),
	} {
		var f struct{ Hint string }
		got.into(t, &f)
		if got.status < 400 || f.Hint == "" || strings.Contains(f.Hint, "`plastic") || strings.Contains(f.Hint, "--") || strings.Contains(f.Hint, "pin ") {
			t.Errorf("%d: %s", got.status, got.body)
		}
	}
}
