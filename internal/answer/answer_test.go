package answer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"plastic/internal/answer"
	"plastic/memory"
)

func texts(l answer.List) string {
	var out []string
	for _, raw := range l.Items {
		var it struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal(raw, &it)
		out = append(out, it.Text)
	}
	return strings.Join(out, "|")
}

func TestTheListIsFoundWhereverModelsPutIt(t *testing.T) {
	const one = `{"facts":[{"text":"likes tea"}]}`
	quoted, _ := json.Marshal(one)
	for name, c := range map[string]struct {
		reply memory.Reply
		want  string
	}{
		"arguments":                {memory.Reply{Arguments: []string{one}}, "likes tea"},
		"the last call":            {memory.Reply{Arguments: []string{`{"facts":[{"text":"draft"}]}`, one}}, "likes tea"},
		"a string of JSON":         {memory.Reply{Arguments: []string{string(quoted)}}, "likes tea"},
		"a list as a string":       {memory.Reply{Arguments: []string{`{"facts":"[{\"text\":\"likes tea\"}]"}`}}, "likes tea"},
		"one object for a list":    {memory.Reply{Arguments: []string{`{"facts":{"text":"likes tea"}}`}}, "likes tea"},
		"nothing":                  {memory.Reply{Arguments: []string{`{"facts":[]}`}}, ""},
		"null":                     {memory.Reply{Arguments: []string{`{"facts":null}`}}, ""},
		"a call without arguments": {memory.Reply{Arguments: []string{` {} `}}, ""},
		"prose":                    {memory.Reply{Text: "Here is it: " + one + " I hope it [helps]."}, "likes tea"},
		"a fence after thinking": {memory.Reply{Text: "<think>maybe [1] or {x}</think>\nSure!\n```json\n[{\"text\":\"likes tea\"}]\n```\nDone."},
			"likes tea"},
		"an end of thinking alone": {memory.Reply{Text: `so {"facts":[{"text":"no"}]}</think>` + one}, "likes tea"},
		"the last complete one":    {memory.Reply{Text: `{"facts":[{"text":"draft"}]} no, rather ` + one}, "likes tea"},
		"wrapped":                  {memory.Reply{Text: `{"name":"facts_finish","arguments":` + one + `}`}, "likes tea"},
		"wrapped as a string":      {memory.Reply{Text: `{"name":"facts_finish","arguments":` + string(quoted) + `}`}, "likes tea"},
		"commas at the end":        {memory.Reply{Text: `{"facts":[{"text":"likes tea",},],}`}, "likes tea"},
		"a broken line in a text":  {memory.Reply{Text: "{\"facts\":[{\"text\":\"likes\ntea\"}]}"}, "likes\ntea"},
		"brackets in a text":       {memory.Reply{Text: `{"facts":[{"text":"a ] } \" b"}]}`}, `a ] } " b`},
		"an open bracket before":   {memory.Reply{Text: "see [1, then " + one}, "likes tea"},
		"single quotes":            {memory.Reply{Text: `I kept {'facts': [{'text': 'likes tea'}]}`}, "likes tea"},
		"an apostrophe in them":    {memory.Reply{Text: `{'facts': [{'text': 'it is Kim's tea'}]}`}, "it is Kim's tea"},
		"text beside a bad call":   {memory.Reply{Arguments: []string{`{"fac`}, Text: one}, "likes tea"},
	} {
		got, err := answer.Find(c.reply, "facts")
		if err != nil || texts(got) != c.want || got.Cut {
			t.Errorf("%s: %q (cut %v), error %v; want %q", name, texts(got), got.Cut, err, c.want)
		}
	}
}

func TestWhatIsNoAnswerIsAnError(t *testing.T) {
	for name, r := range map[string]memory.Reply{
		"thinking after thinking":    {Text: `hm</think> no <think>well {"facts":[{"text":"x"}]}`},
		"thinking that does not end": {Text: `<think>well {"facts":[{"text":"x"}]}`},
		"nothing":                    {},
		"prose":                      {Text: "There is nothing to keep here."},
		"an empty list in prose":     {Text: "Nothing: []"},
		"another object":             {Text: `{"fact":"x"}`},
		"a list of words":            {Text: `["likes tea"]`},
		"cut before the list":        {Arguments: []string{`{"fac`}, Finish: "length"},
		"reasoning only":             {Reasoning: `{"facts":[{"text":"x"}]}`},
	} {
		if got, err := answer.Find(r, "facts"); !errors.Is(err, memory.ErrModel) {
			t.Errorf("%s: %q, error %v", name, texts(got), err)
		}
	}
}

func TestOfACutAnswerTheWholeItemsStay(t *testing.T) {
	whole := `{"facts":[{"text":"a"},{"text":"b"},{"text":"c"}]}`
	for n := len(`{"facts":[`); n < len(whole)-1; n++ {
		got, err := answer.Find(memory.Reply{Arguments: []string{whole[:n]}, Finish: "cut"}, "facts")
		if err != nil || !got.Cut || !strings.HasPrefix("a|b|c", texts(got)) {
			t.Fatalf("%s: %q (cut %v), error %v", whole[:n], texts(got), got.Cut, err)
		}
	}
}

// It would take hours if the time grew with the square of the length.
func TestAHostileAnswerIsLookedThroughOnce(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), strings.Repeat("<think>", 1<<16),
		strings.Repeat("<think></think>", 1<<18), strings.Repeat("' ,", 1<<20), "{'" + strings.Repeat(" ", 1<<20), strings.Repeat(`[{"`, 1<<18)} {
		if got, err := answer.Find(memory.Reply{Text: text, Arguments: []string{text}}, "facts"); err == nil {
			t.Errorf("%d items in %.10s…", len(got.Items), text)
		}
	}
}

// Whatever is found is valid JSON, and stands in the answer or is made of it.
func FuzzFoundItemsAreJSON(f *testing.F) {
	f.Add(`{"facts":[{"text":"a"}]}`, "x")
	f.Add("<think>a</think>```[{\"a\":1,}]```", `{"facts":[{"a"`)
	f.Fuzz(func(t *testing.T, text, arguments string) {
		got, err := answer.Find(memory.Reply{Text: text, Arguments: []string{arguments}}, "facts")
		if err != nil && (len(got.Items) > 0 || !errors.Is(err, memory.ErrModel)) {
			t.Fatal(fmt.Sprint(got, err))
		}
		for _, it := range got.Items {
			if !json.Valid(it) {
				t.Fatalf("%q is no JSON", it)
			}
		}
	})
}
