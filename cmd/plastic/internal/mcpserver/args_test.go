package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/internal/banktest"
)

func TestArgumentsAreReadInTheirObviousSense(t *testing.T) {
	b := banktest.New(t)
	c := connect(t, b.Bank, options(b))
	content := `"content":"tea at five"`
	for _, tc := range []struct {
		args string // of memory_remember
		want string // field of the memory
		is   any
	}{
		{`{` + content + `,"importance":"0.8"}`, "importance", 0.8},
		{`{` + content + `,"importance":" 0,8 "}`, "importance", 0.8},
		{`{` + content + `,"importance":[0.8]}`, "importance", 0.8},
		{`{` + content + `,"importance":1}`, "importance", 1.0},
		{`{` + content + `,"importance":null}`, "importance", 0.5},
		{`{` + content + `,"importance":""}`, "importance", 0.5},
		{`{` + content + `,"level":5}`, "importance", 1.0},
		{`{` + content + `,"level":"4"}`, "importance", 0.75},
		{`{` + content + `,"level":4.0}`, "importance", 0.75},
		{`{` + content + `,"level":"2.0"}`, "importance", 0.25},
		{`{` + content + `,"private":true}`, "private", true},
		{`{` + content + `,"private":"true"}`, "private", true},
		{`{` + content + `,"private":"True"}`, "private", true},
		{`{` + content + `,"private":1}`, "private", true},
		{`{` + content + `,"is_private":"yes"}`, "private", true},
		{`{` + content + `,"isPrivate":true}`, "private", true},
		{`{` + content + `,"private":"false"}`, "private", false},
		{`{` + content + `,"private":0}`, "private", false},
		{`{` + content + `,"private":null}`, "private", false},
		{`{` + content + `,"pinned":"on"}`, "pinned", true},
		{`{` + content + `,"pin":true}`, "pinned", true},
		{`{` + content + `,"kind":"Event"}`, "kind", "event"},
		{`{` + content + `,"kind":["core"]}`, "kind", "core"},
		{`{` + content + `,"kind":"null"}`, "kind", "fact"},
		{`{` + content + `,"kind":""}`, "kind", "fact"},
		{`{` + content + `,"type":"identity"}`, "kind", "identity"},
		{`{` + content + `,"speaker":"None"}`, "speaker", ""},
		{`{` + content + `,"speaker":" @ann "}`, "speaker", "@ann"},
		{`{` + content + `,"supersedes":"undefined"}`, "supersededBy", ""},
		{`{` + content + `,"at":"2026-11-02"}`, "createdAt", "2026-11-02T00:00:00Z"},
		{`{` + content + `,"at":"2026-11-02T10:00:00+02:00"}`, "createdAt", "2026-11-02T08:00:00Z"},
		{`{` + content + `,"at":"2026-11-02 10:00"}`, "createdAt", "2026-11-02T10:00:00Z"},
		{`{` + content + `,"created_at":"2026-11-02"}`, "createdAt", "2026-11-02T00:00:00Z"},
		{`{"text":"tea at five"}`, "content", "tea at five"},
		{`{"Content":"tea at five"}`, "content", "tea at five"},
		{`{"content":["tea at five"]}`, "content", "tea at five"},
		{`{"content":"[\"tea at five\"]"}`, "content", "tea at five"},
		{`{"content":"tea at five","text":"ignored"}`, "content", "tea at five"},
		{`{"content":1984}`, "content", "1984"},
		{`{"content":"[1] is a footnote"}`, "content", "[1] is a footnote"},
		{`{"content":"[2026]"}`, "content", "[2026]"},
		{`{"content":"he said \"null\""}`, "content", `he said "null"`},
		{`"{\"content\":\"tea at five\"}"`, "content", "tea at five"},
	} {
		got := c.must("memory_remember", json.RawMessage(tc.args))
		if is := got.data["memory"].(object)[tc.want]; is != tc.is {
			t.Errorf("%s: %s is %v, want %v", tc.args, tc.want, is, tc.is)
		}
		c.must("memory_forget", object{"id": got.data["id"]})
	}
}

func TestListsAndLimitsAreReadInTheirObviousSense(t *testing.T) {
	for _, args := range []string{
		`{"id":["cat1","tea1"]}`, `{"ids":["cat1","tea1"]}`, `{"id":"[\"cat1\", \"tea1\"]"}`, `{"id":"cat1, tea1"}`, `{"id":"cat1 tea1"}`,
		`{"ids":"cat1,tea1","why":null}`, `{"id":["` + "`cat1`" + `","tea1 | fact | 3w | 0.50 | tea, at five"]}`, `{"id":"cat1 | fact | 4w | 0.50 | cats, two\ntea1 | fact | 3w | 0.50 | tea"}`,
		`{"id":["cat1","tea1",null,""]}`, `{"memory_ids":["cat1","tea1"]}`,
	} {
		b := banktest.New(t, "memory.json", two)
		c := connect(t, b.Bank, options(b))
		if got := c.must("memory_forget", json.RawMessage(args)); got.text != "cat1, tea1 forgotten" {
			t.Errorf("%s: %s", args, got.text)
		}
	}
	b := banktest.New(t, "memory.json", two)
	c := connect(t, b.Bank, options(b))
	for _, args := range []string{
		`{"query":"tea cats","limit":1}`, `{"query":"tea cats","limit":"1"}`, `{"query":"tea cats","limit":1.0}`, `{"query":["tea cats"],"limit":"1.0"}`,
		`{"query":"[\"tea cats\"]","top_k":1}`, `{"q":"tea cats","limit":[1]}`, `{"query":"tea cats","limit":1,"audience":null}`,
	} {
		if got := c.must("memory_recall", json.RawMessage(args)); len(got.ids()) != 1 {
			t.Errorf("%s: %v", args, got.ids())
		}
	}
	if got := c.must("memory_recall", json.RawMessage(`{"query":"","limit":null}`)); len(got.ids()) != 0 {
		t.Errorf("a query without words finds %v", got.ids())
	}
}

const two = `{"version":1,"memories":[
 {"id":"cat1","content":"@ann told me she keeps two cats","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"tea1","content":"tea at five, never later","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`

func TestWhatCanNotBeReadIsRefusedWithTheRightForm(t *testing.T) {
	b := banktest.New(t, "memory.json", two)
	c := connect(t, b.Bank, options(b))
	before := state(t, b)
	for _, tc := range []struct{ tool, args, code, says string }{
		{"memory_remember", `{}`, "usage", `write {"content": "…"}`},
		{"memory_remember", `{"content":null}`, "usage", "needs content"},
		{"memory_remember", `{"content":""}`, "invalid", "no text"},
		{"memory_remember", `{"content":"null"}`, "usage", `"content": "…"`},
		{"memory_remember", `{"content":["one","two"]}`, "usage", "one text"},
		{"memory_remember", `{"content":"[\"one\",\"two\"]"}`, "usage", "one text"},
		{"memory_remember", `{"content":{"text":"x"}}`, "usage", "one text"},
		{"memory_remember", `["x"]`, "usage", "not a JSON object"},
		{"memory_remember", `"x"`, "usage", "not a JSON object"},
		{"memory_remember", `{"content":"x","importance":"high"}`, "usage", `"importance": 0.5 (a number from 0 to 1)`},
		{"memory_remember", `{"content":"x","importance":true}`, "usage", "a number from 0 to 1"},
		{"memory_remember", `{"content":"x","importance":4}`, "invalid", "level"},
		{"memory_remember", `{"content":"x","importance":"NaN"}`, "usage", "a number from 0 to 1"},
		{"memory_remember", `{"content":"x","level":0}`, "usage", "from 1 to 5"},
		{"memory_remember", `{"content":"x","level":4.5}`, "usage", "from 1 to 5"},
		{"memory_remember", `{"content":"x","level":3,"importance":0.5}`, "usage", "two scales"},
		{"memory_remember", `{"content":"x","private":"maybe"}`, "usage", "true or false"},
		{"memory_remember", `{"content":"x","private":[true,false]}`, "usage", "true or false"},
		{"memory_remember", `{"content":"x","at":"yesterday"}`, "usage", "2026-11-30"},
		{"memory_remember", `{"content":"x","importnce":0.5}`, "usage", "did you mean importance?"},
		{"memory_remember", `{"content":"x","privat":true}`, "usage", "did you mean private?"},
		{"memory_remember", `{"content":"x","confidential":true}`, "usage", "private"},
		{"memory_remember", `{"content":"x","visibility":"private"}`, "usage", "private"},
		{"memory_remember", `{"content":"x","audience":"public"}`, "denied", "public"},
		{"memory_remember", `{"content":"x","allow_secret":true}`, "usage", "no argument"},
		{"memory_remember", `{"content":"my key is sk-ant-` + strings.Repeat("a1B2", 24) + `"}`, "invalid", "owner can keep it"},
		{"memory_remember", `{"content":"` + strings.Repeat("x ", 3000) + `"}`, "invalid", "4000"},
		{"memory_remember", `{"content":"x","supersedes":"nosuch"}`, "not_found", "nosuch"},
		{"memory_recall", `{"query":"tea","limit":0}`, "usage", "at least 1"},
		{"memory_recall", `{"query":"tea","limit":-3}`, "usage", "at least 1"},
		{"memory_recall", `{"query":"tea","limit":2.5}`, "usage", "whole number"},
		{"memory_recall", `{"query":"tea","audience":""}`, "usage", "unknown audience"},
		{"memory_recall", `{"query":"tea","audience":" "}`, "usage", "unknown audience"},
		{"memory_recall", `{"query":"tea","audience":"*"}`, "usage", "unknown audience"},
		{"memory_recall", `{"query":"tea","audience":"root"}`, "usage", "unknown audience"},
		{"memory_update", `{"id":"tea1"}`, "usage", "at least one of"},
		{"memory_update", `{"content":"x"}`, "usage", "needs id"},
		{"memory_forget", `{"id":[]}`, "usage", "needs id"},
		{"memory_forget", `{"id":[["cat1"]]}`, "usage", "one or several ids"},
		{"memory_forget", `{"id":["cat1","nosuch"]}`, "not_found", "nosuch"},
		{"memory_list", `{"layer":"top"}`, "usage", "anchor, important, recent, fading"},
		{"memory_list", `{"audience":"owner"}`, "denied", "owner"},
		{"memory_card", `{"audience":"owner"}`, "denied", "owner"},
		{"memory_consolidate", `{"audience":"public"}`, "denied", "public"},
	} {
		first := c.refused(tc.tool, json.RawMessage(tc.args), tc.code, tc.says)
		if again := c.call(tc.tool, json.RawMessage(tc.args)); again.text != first.text {
			t.Errorf("%s %s: the second time it says %q, not %q", tc.tool, tc.args, again.text, first.text)
		}
		if len(first.text) > 1200 || strings.Contains(first.text, "pass --") {
			t.Errorf("%s %s: not a short answer in the words of this door: %s", tc.tool, tc.args, first.text)
		}
	}
	if after := state(t, b); after != before {
		t.Errorf("a refused call changed\n%s\nto\n%s", before, after)
	}
}

func TestAnArgumentThatNobodyKnowsIsLeftAsideAndSaidSo(t *testing.T) {
	b := banktest.New(t)
	c := connect(t, b.Bank, options(b))
	got := c.must("memory_remember", object{"content": "tea at five", "tags": []string{"tea"}, "user_id": "", "metadata": object{}})
	notes, _ := got.data["notes"].([]any)
	if len(notes) != 1 || !strings.Contains(got.text, `no argument "tags"`) {
		t.Errorf("it says %q, %v", got.text, notes)
	}
}

// TestAnIDThatFitsNoneOrSeveralShowsWhoIsMeant is what a model needs to go on
// in one more call.
func TestAnIDThatFitsNoneOrSeveralShowsWhoIsMeant(t *testing.T) {
	b := banktest.New(t, "memory.json", `{"version":1,"memories":[
 {"id":"k3v1","content":"has a cat","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"k3v2","content":"cat food on Mondays","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`)
	c := connect(t, b.Bank, options(b))
	before := state(t, b)
	for _, tool := range []string{"memory_forget", "memory_update"} {
		several := c.refused(tool, object{"id": "k3", "kind": "event"}, "ambiguous", "k3v1 | fact", "k3v2 | fact")
		near := c.refused(tool, object{"id": "cat", "kind": "event"}, "not_found", "k3v1 | fact", "k3v2 | fact", "nothing was changed", "by its id")
		none := c.refused(tool, object{"id": "dog", "kind": "event"}, "not_found", "dog", "memory_recall")
		for _, r := range []result{several, near, none} {
			if len(r.text) > 600 {
				t.Errorf("%s answers at length: %s", tool, r.text)
			}
		}
	}
	if after := state(t, b); after != before {
		t.Errorf("it changed\n%s\nto\n%s", before, after)
	}
	if got := c.must("memory_forget", object{"id": "k3v2"}); got.text != "k3v2 forgotten" {
		t.Error(got.text)
	}
}

// FuzzAnyArgumentsGetAnAnswer: whatever JSON a model writes, the call has an
// answer that can be read, and no memory is the text of an array.
func FuzzAnyArgumentsGetAnAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"content":"tea"}`, `{"content":["tea","five"],"importance":"1e400"}`, `"{}"`, `[]`, `{"id":["a",1,null],"level":{}}`,
		`{"query":"\"[\\\"tea\\\"]\"","limit":"5"}`, `{"at":"0000-00-00","content":"x"}`, `{"audience":5}`, `{"content":"[\"a\",\"b\"]"}`, `{"hash":1,"text":"\u0000"}`,
	} {
		f.Add(seed)
	}
	b := banktest.New(f)
	c := connect(f, b.Bank, options(b))
	f.Fuzz(func(t *testing.T, args string) {
		if !json.Valid([]byte(args)) {
			t.Skip("no JSON is no argument")
		}
		for _, tool := range []string{"memory_remember", "memory_recall", "memory_update", "memory_forget", "memory_list", "memory_card"} {
			got, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
			if err != nil {
				t.Fatalf("%s %s: %v", tool, args, err)
			}
			if len(got.Content) != 1 || got.Content[0].(*mcp.TextContent).Text == "" {
				t.Errorf("%s %s: an empty answer", tool, args)
			}
		}
		list, err := b.List(plastic.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range list.Memories {
			if json.Unmarshal([]byte(m.Content), &texts) == nil && len(texts) > 0 {
				t.Errorf("%s is kept as %q", args, m.Content)
			}
		}
	})
}
