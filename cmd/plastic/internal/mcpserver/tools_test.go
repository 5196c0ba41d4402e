package mcpserver_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestAMemoryLivesThroughAllTools(t *testing.T) {
	b := banktest.New(t)
	c := connect(t, b.Bank, options(b))

	made := c.must("memory_remember", object{"content": "@ann told me she keeps two cats", "importance": 0.8, "speaker": "@ann", "at": "2026-11-28"})
	id, _ := made.data["id"].(string)
	if made.data["outcome"] != "created" || made.text != id+" created" {
		t.Errorf("remember answers %q, %v", made.text, made.data)
	}
	m := made.data["memory"].(object)
	if m["source"] != "tool:tester" || m["speaker"] != "@ann" || m["importance"] != 0.8 || m["createdAt"] != "2026-11-28T00:00:00Z" {
		t.Errorf("it keeps %v", m)
	}

	near := c.must("memory_remember", object{"content": "@ann told me she keeps three cats and a dog now"})
	if !strings.Contains(near.text, "similar") || !strings.Contains(near.text, id) || !strings.Contains(near.text, "memory_update") {
		t.Errorf("the memory that is alike is not shown: %s", near.text)
	}
	again := c.must("memory_remember", object{"content": "@ann told me she keeps two cats"})
	if again.data["outcome"] != "reinforced" || again.data["id"] != id {
		t.Errorf("the same text again: %v", again.data)
	}

	got := c.must("memory_recall", object{"query": "does Ann have pets like cats", "limit": 1})
	if ids := got.ids(); len(ids) != 1 || !strings.HasPrefix(got.text, ids[0]+" | fact | ") {
		t.Errorf("recall answers %q, %v", got.text, ids)
	}
	if none := c.must("memory_recall", object{"query": "submarine"}); len(none.ids()) != 0 || !strings.Contains(none.text, "nothing") {
		t.Errorf("recall of what is not there: %q", none.text)
	}

	changed := c.must("memory_update", object{"id": id, "content": "@ann told me she keeps four cats", "pinned": true})
	if m := changed.data["memory"].(object); m["content"] != "@ann told me she keeps four cats" || m["pinned"] != true || m["importance"] != 0.8 {
		t.Errorf("update gives %v", m)
	}
	if list := c.must("memory_list", nil); len(list.ids()) != 2 || list.data["total"] != 2.0 {
		t.Errorf("list: %v", list.data)
	}
	gone := c.must("memory_forget", object{"id": near.data["id"], "why": "the dog is not hers"})
	if gone.text != near.data["id"].(string)+" forgotten" {
		t.Errorf("forget answers %q", gone.text)
	}
	archive, err := b.Archive()
	if err != nil || len(archive.Archive) != 2 {
		t.Errorf("the archive: %+v, %v", archive.Archive, err)
	}
	for _, e := range archive.Archive {
		if e.By != "mcp" || e.As == memory.Forgotten && e.Why != "the dog is not hers" {
			t.Errorf("the archive holds %+v", e)
		}
	}
	night := c.must("memory_consolidate", object{"dryRun": true})
	if night.data["dryRun"] != true || !strings.HasPrefix(night.text, "sleep compression: 1 → 1 memories") {
		t.Errorf("consolidate answers %q", night.text)
	}
	if night = c.must("memory_consolidate", nil); night.data["done"] != true || night.data["date"] != "2026-11-30" {
		t.Errorf("consolidate answers %v", night.data)
	}
}

func TestAWriteIsOnDiskWhenItIsAnswered(t *testing.T) {
	b := banktest.New(t)
	c := connect(t, b.Bank, options(b))
	c.must("memory_remember", object{"content": "the key lies under the third pot"})
	again := banktest.Open(t, b.Dir(), b.Clock())
	if ids := again.Find("third pot"); len(ids) != 1 {
		t.Errorf("another process finds %v", ids)
	}
}

func TestTheCardIsReadAndWrittenWithItsHash(t *testing.T) {
	b := banktest.New(t, "memory.md", "# Who\n\n- @ann is the owner\n")
	c := connect(t, b.Bank, options(b))
	read := c.must("memory_card", nil)
	hash, _ := read.data["hash"].(string)
	if read.data["text"] != "# Who\n\n- @ann is the owner\n" || !strings.Contains(read.text, hash) {
		t.Fatalf("the card reads %q, %v", read.text, read.data)
	}
	c.refused("memory_card", object{"content": "# New\n"}, "invalid", "memory_card without arguments")
	c.must("memory_card", object{"content": "# New\n", "hash": hash})
	if now, err := os.ReadFile(filepath.Join(b.Dir(), "memory.md")); err != nil || string(now) != "# New\n" {
		t.Errorf("the file holds %q, %v", now, err)
	}
	c.refused("memory_card", object{"content": "# Newer\n", "hash": hash}, "invalid", "changed")
	archive, err := b.Archive()
	if err != nil || len(archive.Archive) != 1 || !strings.Contains(archive.Archive[0].Memory.Content, "@ann is the owner") {
		t.Errorf("the former card is not in the archive: %+v, %v", archive, err)
	}
}

func TestEachAudienceIsListedWhatItMayUse(t *testing.T) {
	b := banktest.New(t)
	for _, tc := range []struct {
		who  memory.Audience
		card memory.Audience
		want string
	}{
		{memory.Trusted, memory.Trusted, "memory_card memory_consolidate memory_forget memory_list memory_recall memory_remember memory_update"},
		{memory.Owner, memory.Trusted, "memory_forget memory_recall memory_remember memory_update"},
		{memory.Owner, memory.Owner, "memory_card memory_forget memory_recall memory_remember memory_update"},
		{memory.Public, memory.Trusted, "memory_recall"},
	} {
		o := options(b)
		o.Card = tc.card
		c := connect(t, b.For(tc.who), o)
		tools := c.listed()
		if got := strings.Join(slices.Sorted(maps.Keys(tools)), " "); got != tc.want {
			t.Errorf("%s, card for %s: lists %s, want %s", tc.who, tc.card, got, tc.want)
		}
		for name, tool := range tools {
			if tool.Title == "" || len(tool.Description) < 60 {
				t.Errorf("%s says too little: %q %q", name, tool.Title, tool.Description)
			}
			if strings.ContainsAny(tool.Description, "{}") {
				t.Errorf("%s has a name that was not put in: %s", name, tool.Description)
			}
			resolve(t, name, tool.InputSchema)
			resolve(t, name, tool.OutputSchema)
		}
		resources, err := c.ListResources(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if shown := len(resources.Resources) == 2; shown != (tc.who.Lower(tc.card) == tc.card) {
			t.Errorf("%s, card for %s: %d resources", tc.who, tc.card, len(resources.Resources))
		}
	}
}

// TestTheHintsAreTrue holds each hint against what the tool does to the files.
func TestTheHintsAreTrue(t *testing.T) {
	for _, who := range []memory.Audience{memory.Trusted, memory.Owner, memory.Public} {
		b := banktest.New(t, "memory.json", `{"version":1,"memories":[
 {"id":"cat1","content":"@ann told me she keeps two cats","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"tea1","content":"tea at five, never later","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`)
		c := connect(t, b.For(who), options(b))
		for name, tool := range c.listed() {
			raw, err := json.Marshal(tool.Annotations)
			if err != nil {
				t.Fatal(err)
			}
			var hints map[string]any
			if err := json.Unmarshal(raw, &hints); err != nil {
				t.Fatal(err)
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, set := hints[hint].(bool); !set {
					t.Errorf("%s: %s does not set %s", who, name, hint)
				}
			}
			if hints["openWorldHint"] != false {
				t.Errorf("%s says it reaches out", name)
			}
			args := map[string]object{
				"memory_remember": {"content": "the ferry to Lamma leaves at nine"}, "memory_recall": {"query": "cats"},
				"memory_update": {"id": "tea1", "content": "tea at six"}, "memory_forget": {"id": "cat1"},
			}[name]
			before := state(t, b)
			c.call(name, args)
			once := state(t, b)
			c.call(name, args)
			twice := state(t, b)
			if hints["readOnlyHint"] == true && before != once {
				t.Errorf("%s: %s only reads, it says, and changed\n%s\nto\n%s", who, name, before, once)
			}
			if hints["idempotentHint"] == true && once != twice {
				t.Errorf("%s: %s does nothing the second time, it says, and changed\n%s\nto\n%s", who, name, once, twice)
			}
			if hints["destructiveHint"] == false && len(before) > len(once) {
				t.Errorf("%s: %s only adds, it says, and took away", who, name)
			}
		}
	}
}

// state is what the memory is now, counters too.
func state(t *testing.T, b *banktest.Bank) string {
	t.Helper()
	list, err := b.List(plastic.Filter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	archive, err := b.Archive()
	if err != nil {
		t.Fatal(err)
	}
	card, err := b.Card()
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Memories { // what depends on the others
		list.Memories[i].Layer, list.Memories[i].Clarity = "", 0
	}
	raw, err := json.MarshalIndent([]any{list, archive, card}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestTheSchemaExplainsWhatTheRuleLeavesOut(t *testing.T) {
	b := banktest.New(t)
	c := connect(t, b.Bank, options(b))
	raw, err := json.Marshal(c.listed()["memory_remember"])
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{
		"first person", "never forgotten", "0.75", "anchor", "four times faster", "every prompt", "body and health", "money", "whereabouts", "documents", "other people's names",
	} {
		if !strings.Contains(string(raw), says) {
			t.Errorf("the schema of memory_remember does not say %q", says)
		}
	}
	if strings.Contains(plastic.Rule(), "0.75") {
		t.Error("the rule explains importance: that is for the schema")
	}
	card := c.listed()["memory_card"].Description
	for _, says := range []string{"every prompt", "always needed", "pointers", "compress"} {
		if !strings.Contains(card, says) {
			t.Errorf("memory_card does not say %q", says)
		}
	}
}

func TestInstructionsSayRecallFirstAndThenTheRule(t *testing.T) {
	b := banktest.New(t)
	for _, who := range []memory.Audience{memory.Trusted, memory.Owner, memory.Public} {
		text := connect(t, b.For(who), options(b)).InitializeResult().Instructions
		if !strings.Contains(text, "memory_recall") {
			t.Errorf("%s is not told to recall: %s", who, text)
		}
		at := strings.Index(text, plastic.Rule())
		if who.Writes() && at < strings.Index(text, "memory_recall") || !who.Writes() && at >= 0 {
			t.Errorf("%s: the rule stands at %d: %s", who, at, text)
		}
	}
}

func TestToolsCanBeNamedOtherwise(t *testing.T) {
	b := banktest.New(t)
	o := options(b)
	o.Names = map[string]string{"remember": "memory_save", "recall": "memory_search"}
	c := connect(t, b.Bank, o)
	tools := c.listed()
	if tools["memory_save"] == nil || tools["memory_search"] == nil || tools["memory_remember"] != nil || tools["memory_forget"] == nil {
		t.Fatalf("the tools are %v", slices.Sorted(maps.Keys(tools)))
	}
	c.must("memory_save", object{"content": "tea at five"})
	if got := c.must("memory_search", object{"query": "tea"}); len(got.ids()) != 1 {
		t.Errorf("memory_search finds %v", got.ids())
	}
	raw, err := json.Marshal([]any{tools, c.InitializeResult().Instructions})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(raw); strings.Contains(text, "memory_recall") || strings.Contains(text, "memory_remember") {
		t.Errorf("a text names a tool that is not there: %s", text)
	}
	c.refused("memory_save", nil, "usage", "memory_save needs content")
}

func TestResourcesAndThePromptShowTheMemoryWithoutARecall(t *testing.T) {
	b := banktest.New(t, "memory.md", "- @ann is the owner\n")
	id := b.Say("@ann keeps two cats")
	c := connect(t, b.Bank, options(b))
	for uri, says := range map[string]string{
		"memory://card": "- @ann is the owner\n", "memory://prompt": "# Memory\n", "memory://prompt?q=two%20cats": "two cats",
	} {
		got, err := c.ReadResource(context.Background(), readParams(uri))
		if err != nil || len(got.Contents) != 1 || !strings.Contains(got.Contents[0].Text, says) {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	if _, err := c.ReadResource(context.Background(), readParams("memory://nowhere")); err == nil {
		t.Error("a resource that is not there is read")
	}
	got, err := c.GetPrompt(context.Background(), promptParams("cats"))
	if err != nil {
		t.Fatal(err)
	}
	text := textOf(got)
	for _, says := range []string{"# Memory\n", plastic.Rule(), "- @ann is the owner", "two cats"} {
		if !strings.Contains(text, says) {
			t.Errorf("the prompt does not hold %q:\n%s", says, text)
		}
	}
	if shown, err := b.Bank.Show(id); err != nil || shown.Memory.RecallCount != 0 {
		t.Errorf("reading it counted as a recall: %+v, %v", shown, err)
	}
}

func TestALongAnswerIsCutAndSaysSo(t *testing.T) {
	b := banktest.New(t)
	for i := range 60 {
		word := "harbour "
		if i%2 == 1 {
			word = "mountain "
		}
		b.Remember(plastic.Draft{Content: word + strings.Repeat(string(rune('a'+i%26))+"word"+string(rune('a'+i/26))+" ", 300) + "end"})
	}
	c := connect(t, b.Bank, options(b))
	got := c.must("memory_recall", object{"query": "harbour", "limit": 60})
	left, _ := got.data["left"].(float64)
	if n := len(got.ids()); n == 0 || n+int(left) != 30 || left == 0 || !strings.Contains(got.text, "left out for their length") {
		t.Errorf("%d memories, %v left: %.200s", n, left, got.text)
	}
	seen := map[string]bool{}
	for offset := 0.0; ; {
		part := c.must("memory_list", object{"offset": offset})
		for _, id := range part.ids() {
			seen[id] = true
		}
		next, _ := part.data["next"].(float64)
		if len(part.text) > 60_000 {
			t.Fatalf("a part of the list has %d bytes", len(part.text))
		}
		if next == 0 {
			break
		}
		if next <= offset {
			t.Fatalf("after offset %v comes %v", offset, next)
		}
		offset = next
	}
	if len(seen) != 60 {
		t.Errorf("the parts of the list hold %d memories", len(seen))
	}
}

func TestAMemoryWrittenByHandAtAnyLengthFits(t *testing.T) {
	long := strings.Repeat("long ", 100_000)
	b := banktest.New(t, "memory.json", `{"version":1,"memories":[{"id":"huge1","content":"harbour `+long+`","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}]}`)
	c := connect(t, b.Bank, mcpserver.Options{Now: b.Clock().Now})
	got := c.must("memory_recall", object{"query": "harbour"})
	if len(got.ids()) != 1 || len(got.text) > 20_000 || !strings.Contains(got.text, "more characters") {
		t.Errorf("%d bytes: %.100s", len(got.text), got.text)
	}
}

func TestACardTooLongToShowCanNotBeWrittenOver(t *testing.T) {
	b := banktest.New(t, "memory.md", strings.Repeat("大肥魚住在長洲\n", 2000), "config.yaml", "card: {softLimit: 65536}\n")
	c := connect(t, b.Bank, options(b))
	got := c.must("memory_card", nil)
	if got.data["hash"] != "" || !strings.Contains(got.text, "shortened") {
		t.Errorf("it reads %.100q … hash %v", got.text, got.data["hash"])
	}
	c.refused("memory_card", object{"content": "short"}, "invalid")
}
