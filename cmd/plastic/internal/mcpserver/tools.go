package mcpserver

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/memory"
)

// verbs are the tools there are, by the words of mcp.names.
var verbs = []string{"remember", "recall", "update", "forget", "list", "card", "consolidate"}

// tool is one tool as it is listed, and what it does.
type tool struct {
	verb  string
	title string
	about string
	hints hints
	args  []arg
	out   object
	do    func(*call) (answer, error)
}

// hints say what a tool does to its world, which is this memory alone.
type hints struct {
	reads    bool // it changes nothing
	destroys bool // it may change or take away what was there, not only add
	same     bool // called again with the same arguments it changes nothing more
}

// call is one call of a tool.
type call struct {
	context.Context
	*door
	bank *plastic.Bank
	args values
	from string // the client's name, or ""
}

// answer is what a tool answers.
type answer struct {
	text  string
	data  noted
	notes []string
}

// tools are those that the audience may use, in the order they are listed.
func (d *door) tools() []tool {
	list := []tool{recallTool()}
	if !d.Audience.Writes() {
		list[0].hints = hints{reads: true, same: true} // the public rehearses nothing
		list[0].about = "Ask the memory. " + asking
	} else {
		list = []tool{rememberTool(), recallTool(), updateTool(), forgetTool()}
	}
	if d.Audience == memory.Trusted {
		list = append(list, listTool())
	}
	switch {
	case d.Audience == memory.Trusted:
		list = append(list, cardTool())
	case d.showsCard():
		list = append(list, shownCardTool())
	}
	if d.Audience == memory.Trusted {
		list = append(list, consolidateTool())
	}
	if d.Audience.Writes() {
		for i := range list {
			list[i].args = append(list[i].args, audienceArg)
		}
	}
	return list
}

var audienceArg = arg{name: "audience", form: reader, enum: []string{string(memory.Trusted), string(memory.Owner), string(memory.Public)},
	about: "Who reads your answer, if that is fewer than the owner alone: owner (the owner, but others read along) or public (others). It only lowers what may be seen and done."}

// add lists t on s.
func (d *door) add(s *mcp.Server, t tool) {
	no := false
	name := d.name(t.verb)
	for i := range t.args {
		t.args[i].about = d.named(t.args[i].about)
	}
	s.AddTool(&mcp.Tool{
		Name:        name,
		Title:       t.title,
		Description: d.named(t.about),
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.hints.reads, DestructiveHint: &t.hints.destroys, IdempotentHint: t.hints.same, OpenWorldHint: &no,
		},
		InputSchema:  inputSchema(t.args),
		OutputSchema: t.out,
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return d.call(ctx, name, t, req), nil
	})
}

// call answers one call of t: with its result, or with an error that the model
// can read.
func (d *door) call(ctx context.Context, name string, t tool, req *mcp.CallToolRequest) *mcp.CallToolResult {
	args, notes, err := read(name, t.args, req.Params.Arguments)
	if err != nil {
		return d.fail(err, nil)
	}
	bank, err := d.open()
	if err != nil {
		return d.fail(err, nil)
	}
	bank = bank.By("mcp")
	if who := args.text("audience"); who != "" {
		bank = bank.For(memory.Audience(who))
	}
	c := &call{Context: ctx, door: d, bank: bank, args: args, from: clientOf(req)}
	got, err := t.do(c)
	if bank.Audience() == memory.Trusted {
		for _, note := range d.Notes.take() {
			got.notes = slices.DeleteFunc(got.notes, func(n string) bool { return strings.HasPrefix(note, n) }) // it says the same and more
			notes = append(notes, note)
		}
	}
	if err != nil {
		return d.fail(err, notes)
	}
	return answered(got, notes)
}

// clientOf is the client's name as one short word, or "".
func clientOf(req *mcp.CallToolRequest) string {
	if req.Session == nil || req.Session.InitializeParams() == nil || req.Session.InitializeParams().ClientInfo == nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(req.Session.InitializeParams().ClientInfo.Name, ""))
	if r := []rune(name); len(r) > 40 {
		name = string(r[:40])
	}
	return name
}

// moment reads the argument name: RFC 3339, a date (its midnight where the
// memory lives), or a time without a zone (there too).
func (c *call) moment(name string) (time.Time, error) {
	text := c.args.text(name)
	if text == "" {
		return time.Time{}, nil
	}
	loc := time.Local
	if settings, err := c.bank.Config(); settings != nil && err == nil {
		loc = settings.Memory.Location()
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, text, loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, arg{name: name, form: moment}.wrong([]byte(quote(text)))
}
