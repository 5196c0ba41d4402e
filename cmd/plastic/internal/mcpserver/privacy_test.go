package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
	"plastic/memory"
)

const withPrivate = `{"version":1,"memories":[
 {"id":"hid1","content":"her zebrawood pension is ten thousand","kind":"core","importance":0.9,"private":true,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"hid2","content":"the zebrawood clinic on Friday","kind":"event","importance":0.5,"private":true,"createdAt":"2026-11-02T08:00:00Z"}
,{"id":"hid3","content":"the ring has size 17","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-11-02T08:00:00Z"}
,{"id":"open1","content":"tea at five","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`

// asked are calls that would find the private memories.
var asked = map[string][]object{
	"memory_remember": {{"content": "the table of wood"}, {"content": "her salary of wood", "supersedes": "hid1"}, {"content": "ring size"}},
	"memory_recall": {{"query": "zebrawood"}, {"query": "ring size"}, {"query": "friday", "history": true}, {"query": "zebrawood", "asOf": "2026-11-20"},
		{"query": "zebrawood", "audience": "trusted"}, {"query": "zebrawood", "audience": "owner"}},
	"memory_update":      {{"id": "hid", "pinned": true}, {"id": "hid1", "content": "x"}, {"id": "zebrawood", "pinned": true}},
	"memory_forget":      {{"id": "hid"}, {"id": "hid1"}, {"id": []string{"open1", "hid2"}}, {"id": "ring"}},
	"memory_list":        {nil, {"all": true}, {"kind": "core"}, {"audience": "trusted"}},
	"memory_card":        {nil, {"content": "x"}},
	"memory_consolidate": {nil, {"dryRun": true}},
}

// TestNothingPrivateIsToldToOthers looks at every byte that goes to the client,
// for servers of a low audience and for calls that lower it.
func TestNothingPrivateIsToldToOthers(t *testing.T) {
	markers := []string{"pension", "clinic", "hid3", "ten thousand", "size 17", "marrow"}
	for _, who := range []memory.Audience{memory.Owner, memory.Public} {
		for _, lowered := range []bool{false, true} {
			b := banktest.New(t, "memory.json", withPrivate, "memory.md", "the card speaks of marrow\n")
			bank, extra := b.For(who), object{}
			if lowered {
				bank, extra = b.Bank, object{"audience": string(who)}
			}
			c := connect(t, bank, options(b))
			c.listed()
			for tool, calls := range asked {
				for _, args := range calls {
					given := object{}
					for k, v := range args {
						given[k] = v
					}
					for k, v := range extra {
						given[k] = v
					}
					_, _ = c.CallTool(context.Background(), callParams(tool, given)) // an error is an answer too
				}
			}
			if !lowered {
				for _, uri := range []string{"memory://card", "memory://prompt", "memory://prompt?q=zebrawood"} {
					_, _ = c.ReadResource(context.Background(), readParams(uri))
				}
				_, _ = c.GetPrompt(context.Background(), promptParams("zebrawood and the ring"))
				_, _ = c.ListResources(context.Background(), nil)
			}
			for line := range strings.Lines(c.wire.String()) {
				if !strings.HasPrefix(line, "read: ") {
					continue // what the client itself wrote
				}
				for _, marker := range markers {
					if strings.Contains(line, marker) {
						t.Errorf("%s (lowered by the call: %v) is told %q: %s", who, lowered, marker, line)
					}
				}
			}
			hidden := 0
			list, err := b.List(plastic.Filter{All: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range list.Memories {
				if m.Private {
					hidden++
				}
			}
			if hidden != 3 {
				t.Errorf("%s (lowered by the call: %v) left %d private memories", who, lowered, hidden)
			}
		}
	}
}

func TestTheOwnerIsToldThatSomethingIsKeptBackAndThePublicIsNot(t *testing.T) {
	b := banktest.New(t, "memory.json", withPrivate)
	for who, told := range map[memory.Audience]bool{memory.Trusted: false, memory.Owner: true, memory.Public: false} {
		c := connect(t, b.For(who), options(b))
		got := c.must("memory_recall", object{"query": "tea"})
		if strings.Contains(got.text, "kept back") != told || (got.data["withheld"] == 1.0) != told {
			t.Errorf("%s: %s", who, got.text)
		}
	}
}

func TestAnArgumentNeverRaisesTheAudience(t *testing.T) {
	b := banktest.New(t, "memory.json", withPrivate)
	c := connect(t, b.For(memory.Owner), options(b))
	if got := c.must("memory_recall", object{"query": "zebrawood", "audience": "trusted"}); len(got.ids()) != 0 {
		t.Errorf("the owner raised himself: %s", got.text)
	}
}

func TestThePublicRehearsesNothing(t *testing.T) {
	b := banktest.New(t, "memory.json", withPrivate)
	c := connect(t, b.For(memory.Public), options(b))
	c.must("memory_recall", object{"query": "tea"})
	if m, err := b.Bank.Show("open1"); err != nil || m.Memory.RecallCount != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestAProblemIsToldOnceAndToTheOwnerAlone(t *testing.T) {
	b := banktest.New(t)
	notes := &mcpserver.Notes{}
	o := options(b)
	o.Notes = notes
	problem := plastic.Problem{Code: "salvaged", Path: "memory.json", Message: "12 memories were saved", Hint: "`plastic doctor`"}
	if !notes.Add(problem) || notes.Add(problem) {
		t.Error("a problem is new once")
	}
	c := connect(t, b.Bank, o)
	if got := c.must("memory_recall", object{"query": "tea", "audience": "owner"}); strings.Contains(got.text, "12 memories") {
		t.Errorf("others are told: %s", got.text)
	}
	if got := c.must("memory_recall", object{"query": "tea"}); !strings.Contains(got.text, "note: memory.json: 12 memories were saved (`plastic doctor`)") {
		t.Errorf("the owner is not told: %s", got.text)
	}
	if got := c.must("memory_recall", object{"query": "tea"}); strings.Contains(got.text, "12 memories") {
		t.Errorf("it is told again: %s", got.text)
	}
}
