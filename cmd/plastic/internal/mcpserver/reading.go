package mcpserver

import (
	"fmt"
	"slices"
	"strings"

	"plastic"
	"plastic/layers"
	"plastic/memory"
)

// asking is how to ask, for every audience.
const asking = "It answers with what shares words or their sense with the query, best first, and with nothing where nothing does. " +
	"Each line is id | kind | age | importance | content: mind the age, an old truth may have changed. Memories of kind core are not in it: they stand in the prompt already."

func recallTool() tool {
	return tool{
		verb: "recall", title: "Recall", out: recalledSchema(), do: recall,
		about: "Ask the memory before you answer: who somebody is, what they like, what was agreed, how it went last time. " + asking + " What is recalled often is kept for good.",
		args: []arg{
			{name: "query", form: words, needed: true, aliases: []string{"q", "question", "text", "search", "content", "message", "searchquery"},
				about: "What you want to know, in the words of the conversation, in any language."},
			{name: "limit", form: count, low: 1, aliases: []string{"topk", "k", "n", "max", "maxresults", "count"}, about: "At most so many answers (10 where nothing is said)."},
			{name: "asOf", form: moment, aliases: []string{"at", "date"}, about: "Ask what held on that day: 2026-11-30."},
			{name: "history", form: yes, about: "true shows after each answer what it took the place of."},
		},
	}
}

type recalled struct {
	plastic.Recalled
	Left int `json:"left"`
	notes
}

func recall(c *call) (answer, error) {
	asOf, err := c.moment("asOf")
	if err != nil {
		return answer{}, err
	}
	got, err := c.bank.Recall(c, plastic.Query{Text: c.args.text("query"), Limit: c.args.count("limit"), AsOf: asOf, History: c.args.yes("history")})
	if err != nil {
		return answer{}, err
	}
	for i := range got.Memories {
		got.Memories[i].Memory = short(got.Memories[i].Memory)
	}
	n := fit(len(got.Memories), func(i int) int { return tokensOf(got.Memories[i]) })
	out := answer{data: &recalled{Recalled: got, Left: len(got.Memories) - n}}
	if left := len(got.Memories) - n; left > 0 {
		out.notes = append(out.notes, fmt.Sprintf("%d more answer and were left out for their length; ask more narrowly", left))
	}
	out.data.(*recalled).Memories = got.Memories[:n]
	var b strings.Builder
	for _, m := range got.Memories[:n] {
		b.WriteString(line(m.Memory, got.Now.Time) + "\n")
	}
	if len(got.Memories) == 0 {
		b.WriteString("nothing in the memory answers this\n")
	}
	out.text = b.String()
	out.notes = append(out.notes, c.aside(got)...)
	return out, nil
}

// aside is what an answer alone would not say.
func (c *call) aside(got plastic.Recalled) []string {
	var list []string
	if settings, err := c.bank.Config(); err == nil && settings != nil && !settings.Channel.Enabled {
		list = append(list, "the memory is switched off (`plastic channel on`): it answers nothing")
	}
	if got.Withheld > 0 {
		list = append(list, "private memories are kept back here")
	}
	if got.Degraded != "" {
		list = append(list, got.Degraded)
	}
	return list
}

func listTool() tool {
	kind := kindArg
	kind.about = "Only this kind: fact, event, core or identity."
	return tool{
		verb: "list", title: "List the memories", hints: hints{reads: true, same: true}, out: listedSchema(), do: listed,
		about: "All memories that hold, the oldest first, in parts: to tidy up or to look things over. To find something, {recall} is the better way. It exists only where the owner reads alone, and counts as no recall.",
		args: []arg{
			{name: "layer", form: label, enum: layerNames(), about: "Only this layer."},
			kind,
			{name: "all", form: yes, aliases: []string{"includesuperseded"}, about: "true lists superseded ones too."},
			{name: "limit", form: count, low: 1, aliases: []string{"count", "max"}, about: "At most so many in this part (50 where nothing is said)."},
			{name: "offset", form: count, aliases: []string{"next", "skip", "cursor"}, about: "How many to pass over: `next` of the part before."},
		},
	}
}

func layerNames() []string {
	var all []string
	for _, l := range layers.All() {
		all = append(all, string(l))
	}
	return all
}

// part is how many memories a list shows where nothing is said.
const part = 50

type listing struct {
	plastic.Listing
	Total int `json:"total"`
	Next  int `json:"next"`
	notes
}

func listed(c *call) (answer, error) {
	layer := c.args.text("layer")
	if all := layerNames(); layer != "" && !slices.Contains(all, layer) {
		return answer{}, usage("there is no layer "+quote(layer), "the layers are "+strings.Join(all, ", "))
	}
	got, err := c.bank.List(plastic.Filter{Layer: layers.Layer(layer), Kind: memory.Kind(c.args.text("kind")), All: c.args.yes("all")})
	if err != nil {
		return answer{}, err
	}
	total := len(got.Memories)
	from := min(c.args.count("offset"), total)
	limit := c.args.count("limit")
	if limit == 0 {
		limit = part
	}
	rest := got.Memories[from:min(total, from+limit)]
	for i := range rest {
		rest[i] = short(rest[i])
	}
	n := fit(len(rest), func(i int) int { return tokensOf(rest[i]) })
	out := &listing{Listing: plastic.Listing{Memories: rest[:n]}, Total: total}
	var b strings.Builder
	for _, m := range rest[:n] {
		b.WriteString(line(m, c.Now()) + "\n")
	}
	a := answer{data: out}
	switch {
	case total == 0:
		b.WriteString("there is no such memory\n")
	case from+n < total:
		out.Next = from + n
		a.notes = append(a.notes, fmt.Sprintf("%d to %d of %d; the next part is at offset %d", from+1, from+n, total, from+n))
	}
	a.text = b.String()
	return a, nil
}
