package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
	"plastic/memory"
)

// sought are calls of every tool that would find what is private in a Secretive folder.
var sought = map[string][]object{
	"memory_remember": {{"content": "her zebrawood pension is ten thousand"}, {"content": "Ann keeps two cats"}, {"content": "no tea", "supersedes": "hid-core"}, {"content": "no tea on Mondays", "supersedes": "cup-old"}},
	"memory_recall": {{"query": "zebrawood"}, {"query": "tea piano cats"}, {"query": "tea", "history": true}, {"query": "tea piano clinic", "asOf": "2026-10-20"},
		{"query": "piano", "audience": "trusted"}, {"query": "piano", "limit": 1}},
	"memory_update":      {{"id": "hid", "pinned": true}, {"id": "tea", "pinned": true}, {"id": "hid-core", "content": "x"}, {"id": "the zebrawood piano", "pinned": true}, {"id": "cat-1", "private": true}},
	"memory_forget":      {{"id": "hid"}, {"id": "tea"}, {"id": []string{"cat-1", "hid-core"}}, {"id": "pension"}},
	"memory_list":        {nil, {"all": true}, {"audience": "trusted"}},
	"memory_card":        {nil, {"content": "x"}},
	"memory_consolidate": {nil, {"dryRun": true}},
}

// resources are what can be read beside the tools, and templates and prompts by name.
var resources = map[string][]string{
	"memory://card": {"memory://card"}, "memory://prompt": {"memory://prompt"}, "memory://prompt{?q}": {"memory://prompt?q=zebrawood+tea"}, "memory-rule": nil,
}

func TestEveryToolIsInTheMatrix(t *testing.T) {
	b := banktest.New(t)
	c := connect(t, b.Bank, options(b))
	if tools, rows := slices.Sorted(maps.Keys(c.listed())), slices.Sorted(maps.Keys(sought)); !slices.Equal(tools, rows) {
		t.Errorf("the tools are\n%v\nand the matrix has\n%v", tools, rows)
	}
	var names []string
	res, err := c.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range res.Resources {
		names = append(names, r.URI)
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range templates.ResourceTemplates {
		names = append(names, r.URITemplate)
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prompts.Prompts {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	if rows := slices.Sorted(maps.Keys(resources)); !slices.Equal(names, rows) {
		t.Errorf("what can be read is\n%v\nand the matrix has\n%v", names, rows)
	}
}

// TestNoToolTellsOthersWhatIsPrivate makes each call in a folder with private memories
// and in the same one without them, for servers of a low audience and for calls that
// lower it: but for the owner's note the answers are the same to the byte.
func TestNoToolTellsOthersWhatIsPrivate(t *testing.T) {
	for _, who := range []memory.Audience{memory.Owner, memory.Public} {
		for _, lowered := range []bool{false, true} {
			with, without := answersOf(t, who, lowered, banktest.Secretive), answersOf(t, who, lowered, banktest.Bare)
			for call, answer := range with {
				if answer != without[call] {
					t.Errorf("%s (lowered by the call: %v), %s: with private memories\n%s\nwithout\n%s", who, lowered, call, answer, without[call])
				}
			}
		}
	}
}

// answersOf are the answers to every call, each in a folder of its own that fill makes.
func answersOf(t *testing.T, who memory.Audience, lowered bool, fill func(testing.TB, string)) map[string]string {
	t.Helper()
	out := map[string]string{}
	ask := func(name string, do func(c *client) (any, error)) {
		dir := filepath.Join(t.TempDir(), "memory")
		fill(t, dir)
		now := func() time.Time { return banktest.Start }
		b, err := plastic.Open(dir, &plastic.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		bank := b.For(who)
		if lowered {
			bank = b
		}
		got, err := do(connect(t, bank, mcpserver.Options{Now: now}))
		text, e := json.Marshal(got)
		if e != nil {
			t.Fatal(e)
		}
		said := strings.NewReplacer(`"withheld":1`, `"withheld":0`, dir, "DIR").Replace(fmt.Sprint(string(text), err))
		out[name] = made.ReplaceAllString(keptBack.ReplaceAllString(said, ""), "NEW")
	}
	for tool, calls := range sought {
		for _, args := range calls {
			given := maps.Clone(args)
			if lowered {
				given = maps.Clone(object{"audience": string(who)})
				for k, v := range args {
					if k != "audience" {
						given[k] = v
					}
				}
			}
			ask(fmt.Sprint(tool, given), func(c *client) (any, error) { return c.CallTool(context.Background(), callParams(tool, given)) })
		}
	}
	if lowered {
		return out
	}
	for _, list := range resources {
		for _, uri := range list {
			ask(uri, func(c *client) (any, error) { return c.ReadResource(context.Background(), readParams(uri)) })
		}
	}
	ask("memory-rule", func(c *client) (any, error) {
		return c.GetPrompt(context.Background(), promptParams("zebrawood and tea"))
	})
	ask("instructions", func(c *client) (any, error) { return c.InitializeResult(), nil })
	return out
}

// What is not compared: the owner's note, and ids by chance.
var (
	keptBack = regexp.MustCompile(`,?"private memories are kept back[^"]*"|(\\nnote: )?[Pp]rivate memories are kept back[^\\"]*|(\\n)+`)
	made     = regexp.MustCompile(`\b[a-z][0-9a-hj-km-np-tv-z]{9}\b`)
)
