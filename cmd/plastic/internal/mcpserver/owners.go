package mcpserver

import (
	"fmt"
	"strings"

	"plastic"
)

func cardTool() tool {
	return tool{
		verb: "card", title: "The card", hints: hints{destroys: true, same: true}, out: cardSchema(), do: card,
		about: "Read the card (memory.md), or write it. It stands whole in every prompt, so each line is paid in every turn for ever: it holds only facts that are always needed and not found out in a minute; the rest is pointers (\"build traps: tickets 12 and 40\"). " +
			"Without arguments it is read. To write, give the whole new text and the hash that reading gave. Adding, compress: two lines in place of one are a longer prompt in every conversation. The former card goes to the archive.",
		args: []arg{
			{name: "content", form: words, aliases: []string{"text", "card"}, about: "The whole new card, in Markdown. Leave it out to read."},
			{name: "hash", form: label, about: "The hash that reading the card gave; empty for a card that is empty."},
		},
	}
}

// shownCardTool is the card for an audience that may read it and no more.
func shownCardTool() tool {
	t := cardTool()
	t.title, t.args, t.hints = "Read the card", nil, hints{reads: true, same: true}
	t.about = "Read the card (memory.md): the facts that are always needed. It stands in every prompt already."
	return t
}

type cardText struct {
	plastic.CardText
	notes
}

func card(c *call) (answer, error) {
	text, writes := c.args["content"].(string)
	if !writes {
		return c.readCard()
	}
	got, err := c.bank.WriteCard(c, []byte(text), c.args.text("hash"))
	if err != nil {
		return answer{}, err
	}
	a := answer{data: &cardText{CardText: got}, text: fmt.Sprintf("the card has %d bytes now, about %d tokens in every prompt", got.Size.Bytes, got.Size.Tokens)}
	a.notes = c.cardNotes()
	return a, nil
}

func (c *call) readCard() (answer, error) {
	got, err := c.bank.Card()
	if err != nil {
		return answer{}, err
	}
	a := answer{notes: c.cardNotes()}
	if got.Size.Tokens > mostTokens {
		got.Text, got.Hash = cut(got.Text, mostContent), ""
		a.notes = append(a.notes, "the card is too long to be shown whole, so it can not be written from here: it must be shortened in an editor (`plastic card edit`)")
	}
	a.data, a.text = &cardText{CardText: got}, got.Text
	if strings.TrimSpace(got.Text) == "" {
		a.text = "the card is empty"
	}
	if got.Hash != "" {
		a.notes = append(a.notes, "hash "+got.Hash)
	}
	return a, nil
}

// cardNotes are what should be done about the card.
func (c *call) cardNotes() []string {
	list, err := c.bank.CheckCard()
	if err != nil {
		return nil
	}
	var out []string
	for _, p := range list {
		text := p.Message
		if p.Hint != "" {
			text += " (" + p.Hint + ")"
		}
		out = append(out, text)
	}
	return out
}

func consolidateTool() tool {
	return tool{
		verb: "consolidate", title: "Sleep on it", hints: hints{destroys: true}, out: compressedSchema(), do: consolidate,
		about: "The night, now: what was recalled often becomes important for good, and of each day's fading memories the clearest stay while the others go to the archive, from where they can be restored. Anchors and important memories are never touched. " +
			"With a model configured what belongs together is first put in order by it (merged, settled, rewritten); each change can be taken back. A date has one night: called again on the same day it changes nothing. Call it when the owner asks; it needs no help to run by itself.",
		args: []arg{
			{name: "dryRun", form: yes, aliases: []string{"dry", "preview"}, about: "true shows what the night would do and changes nothing."},
		},
	}
}

type compressed struct {
	plastic.Compressed
	Operations []operation `json:"operations"`
	notes
}

// operation is what a model proposed, and what became of it.
type operation struct {
	Op      string   `json:"op"`
	IDs     []string `json:"ids"`
	Why     string   `json:"why"`
	Applied bool     `json:"applied"`
	Refused string   `json:"refused"`
}

// night is the whole night where a model is configured for it, else compression alone.
func (c *call) night(n plastic.Nightly) (plastic.Night, error) {
	if s := c.bank.Settings(); s.Model.Chat != "" && s.Sleep.Enabled {
		return c.bank.Sleep(c, n)
	}
	got, err := c.bank.Compress(c, n)
	return plastic.Night{Date: got.Date, DryRun: n.DryRun, Compress: got}, err
}

func consolidate(c *call) (answer, error) {
	night, err := c.night(plastic.Nightly{DryRun: c.args.yes("dryRun")})
	if err != nil {
		return answer{}, err
	}
	got := night.Compress
	out := &compressed{Compressed: got, Operations: []operation{}}
	a := answer{data: out, text: got.String()}
	applied := 0
	for _, p := range night.Phases {
		if p.Failed != "" {
			a.notes = append(a.notes, p.Name+" failed: "+p.Failed)
		}
		for _, op := range p.Ops {
			if op.Applied {
				applied++
			}
			out.Operations = append(out.Operations, operation{Op: op.Op, IDs: append([]string{}, op.IDs...), Why: op.Why, Applied: op.Applied, Refused: op.Refused})
		}
	}
	if n := len(out.Operations); n > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%d of %d operations of the model applied", applied, n))
	}
	switch {
	case got.DryRun:
		a.notes = append(a.notes, "dry run: nothing was changed")
	case got.Pruned == 0 && got.Promoted == 0 && applied == 0:
		a.notes = append(a.notes, "nothing changed: the night of "+got.Date+" is done")
	}
	return a, nil
}
