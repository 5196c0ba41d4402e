package mcpserver

import (
	"fmt"
	"strings"

	"plastic"
	"plastic/memory"
)

// What the schemas say about the fields of a memory, once for all tools: this
// is the only place where a model learns what kinds and importance mean.
var (
	kindArg = arg{name: "kind", form: label, enum: []string{string(memory.Fact), string(memory.Event), string(memory.Core), string(memory.Identity)}, aliases: []string{"type", "category"},
		about: "fact: it holds until something changes it (the usual kind). event: it happened, and fades four times faster. core: stands in every prompt, for the few things that are always needed. identity: who you are; it never fades."}
	importanceArg = arg{name: "importance", form: amount, high: 1,
		about: "How much it matters, 0 to 1; 0.5 where nothing is said. From 0.75 on it is never forgotten; what is less fades unless it is recalled. Most things are not above 0.5."}
	levelArg = arg{name: "level", form: count, low: 1, high: 5,
		about: "The same on five steps: 1, 2, 3, 4, 5 are importance 0, 0.25, 0.5, 0.75, 1. Give one of the two."}
	pinnedArg = arg{name: "pinned", form: yes, aliases: []string{"pin", "anchor"},
		about: "true makes it an anchor: always clear, never forgotten."}
	privateArg = arg{name: "private", form: yes, aliases: []string{"isprivate", "personal"},
		about: "true for what is private: body and health, money, whereabouts, documents, other people's names. It then exists only where the owner reads alone."}
)

func rememberTool() tool {
	return tool{
		verb: "remember", title: "Remember", out: rememberedSchema(), do: remember,
		about: "Keep one thing, at once and unasked, that you would be poorer without in the next conversation. Not what the history in view answers, what a file or a tool gives again, or what ends with the task at hand. " +
			"Write in the first person: \"@ann told me she keeps two cats\", not \"the user has two cats\", so that it is your own memory when you read it again. " +
			"One topic is one memory: change the one there is with {update} where you know it. What says the same as a memory strengthens that one. " +
			"The answer shows the memories that are alike: settle a contradiction there and then, or both will come back later as equals.",
		args: []arg{
			{name: "content", form: words, needed: true, aliases: []string{"text", "memory", "fact", "note", "message"},
				about: "One topic, in the first person and the language it was said in, with absolute dates (\"on 2026-11-30\", not \"yesterday\"). No keys or passwords."},
			kindArg, importanceArg, levelArg, pinnedArg, privateArg,
			{name: "at", form: moment, aliases: []string{"date", "time", "createdat", "when"},
				about: "When it came about, if not now: 2026-11-30 or 2026-11-30T21:40:00+03:00."},
			{name: "supersedes", form: id, aliases: []string{"replaces"},
				about: "Id of a memory that was true until now and whose place this one takes; that one stays readable in the past."},
			{name: "speaker", form: label, about: "Who said it: a name or @handle."},
			{name: "session", form: label, about: "The conversation it comes from."},
			{name: "source", form: label, about: "Where it comes from, if not from this conversation: what[:detail]."},
		},
	}
}

type remembered struct {
	plastic.Remembered
	notes
}

func remember(c *call) (answer, error) {
	importance, err := c.args.importance()
	if err != nil {
		return answer{}, err
	}
	at, err := c.moment("at")
	if err != nil {
		return answer{}, err
	}
	d := plastic.Draft{
		Content: c.args.text("content"), Kind: memory.Kind(c.args.text("kind")), Importance: importance,
		Pinned: c.args.yes("pinned"), Private: c.args.yes("private"), At: at, Supersedes: c.args.text("supersedes"),
		Source: c.args.text("source"), Session: c.args.text("session"), Speaker: c.args.text("speaker"),
	}
	if d.Source == "" {
		d.Source = strings.TrimSuffix("tool:"+c.from, ":")
	}
	got, err := c.bank.Remember(c, d)
	if err != nil {
		return answer{}, c.suggest(d.Supersedes, err)
	}
	similar, lines := c.alike(got.Similar)
	got.Similar = similar
	text := fmt.Sprintf("%s %s\n", got.ID, got.Outcome)
	if got.Outcome == plastic.Reinforced {
		text += line(got.Memory, c.Now()) + "\n"
	}
	got.Memory = short(got.Memory)
	return answer{text: text + lines, data: &remembered{Remembered: got}}, nil
}

func updateTool() tool {
	return tool{
		verb: "update", title: "Change a memory", hints: hints{destroys: true, same: true}, out: updatedSchema(), do: update,
		about: "Change a memory that is out of date, imprecise or of the wrong kind: only what you name changes. A former wording goes to the archive. Where the old state was true in its time and should stay readable as such, use {remember} with supersedes.",
		args: []arg{
			{name: "id", form: id, needed: true, aliases: []string{"memoryid"}, about: "The memory's id, from {recall} or a line of the prompt, or a beginning of it that fits one memory only."},
			{name: "content", form: words, aliases: []string{"text", "memory", "fact", "newcontent"}, about: "The new wording, whole: first person, absolute dates."},
			kindArg, importanceArg, levelArg, pinnedArg, privateArg,
		},
	}
}

type updated struct {
	plastic.Updated
	notes
}

func update(c *call) (answer, error) {
	importance, err := c.args.importance()
	if err != nil {
		return answer{}, err
	}
	change := plastic.Change{Importance: importance, Pinned: c.args.flag("pinned"), Private: c.args.flag("private")}
	if text, ok := c.args["content"].(string); ok {
		change.Content = &text
	}
	if kind := memory.Kind(c.args.text("kind")); kind != "" {
		change.Kind = &kind
	}
	got, err := c.bank.Update(c, c.args.text("id"), change)
	if err != nil {
		return answer{}, c.suggest(c.args.text("id"), err)
	}
	similar, lines := c.alike(got.Similar)
	got.Similar = similar
	text := line(got.Memory, c.Now()) + "\n" + lines
	got.Memory = short(got.Memory)
	return answer{text: text, data: &updated{Updated: got}}, nil
}

func forgetTool() tool {
	return tool{
		verb: "forget", title: "Forget", hints: hints{destroys: true, same: true}, out: forgottenSchema(), do: forget,
		about: "Forget what is stale, wrong, or what the owner asks you to forget. It goes to the archive, from where the owner can restore it. Several ids: all of them or none.",
		args: []arg{
			{name: "id", form: ids, needed: true, aliases: []string{"ids", "memoryid", "memoryids"}, about: "The memory's id, or several, from {recall}; each may be a beginning that fits one memory only."},
			{name: "why", form: words, aliases: []string{"reason"}, about: "The reason in a few words; it is kept in the archive."},
		},
	}
}

type forgotten struct {
	plastic.Forgotten
	notes
}

func forget(c *call) (answer, error) {
	list, _ := c.args["id"].([]string)
	got, err := c.bank.Forget(c, list, plastic.Forgetting{Why: c.args.text("why")})
	if err != nil {
		return answer{}, c.suggestAny(list, err)
	}
	return answer{text: strings.Join(got.IDs, ", ") + " forgotten", data: &forgotten{Forgotten: got}}, nil
}

// suggestAny is suggest for the one of several ids that is unknown.
func (c *call) suggestAny(list []string, err error) error {
	for _, id := range list {
		if _, e := c.bank.Show(id); plastic.Code(e) == "not_found" && e != nil {
			return c.suggest(id, err)
		}
	}
	return err
}
