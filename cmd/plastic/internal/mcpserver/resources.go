package mcpserver

import (
	"context"
	"fmt"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
)

const (
	cardURI   = "memory://card"
	promptURI = "memory://prompt"
	markdown  = "text/markdown"
)

// addResources lists what a client may put into a conversation by itself: the
// card, the section of the prompt, and a prompt that brings the section along.
// Reading them is no recall.
func (d *door) addResources(s *mcp.Server) {
	if d.showsCard() {
		s.AddResource(&mcp.Resource{
			URI: cardURI, Name: "card", Title: "The card", MIMEType: markdown,
			Description: "memory.md: the facts that are always needed, as the owner and the bot keep them.",
		}, d.readCard)
	}
	s.AddResource(&mcp.Resource{
		URI: promptURI, Name: "prompt", Title: "The memory as it goes into a prompt", MIMEType: markdown,
		Description: "The section # Memory: the rule, the card, the core memories, and what is pinned, important or recent.",
	}, d.readSection)
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: promptURI + "{?q}", Name: "prompt-for", Title: "The memory for a message", MIMEType: markdown,
		Description: "The same section with what comes to mind on the message q.",
	}, d.readSection)
	s.AddPrompt(&mcp.Prompt{
		Name: "memory-rule", Title: "Memory: the rule and what is known",
		Description: "The rule about what to keep, and the memory as it stands.",
		Arguments:   []*mcp.PromptArgument{{Name: "message", Title: "Message", Description: "What the conversation is about: what comes to mind on it is put in."}},
	}, d.rulePrompt)
}

func (d *door) readCard(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	bank, err := d.open()
	if err != nil {
		return nil, d.told(err)
	}
	got, err := bank.Card()
	if err != nil {
		return nil, d.told(err)
	}
	return resource(req.Params.URI, got.Text), nil
}

func (d *door) readSection(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	u, err := url.Parse(req.Params.URI)
	if err != nil {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	text, err := d.section(ctx, u.Query().Get("q"))
	if err != nil {
		return nil, err
	}
	return resource(req.Params.URI, text), nil
}

func resource(uri, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: markdown, Text: text}}}
}

func (d *door) rulePrompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text, err := d.section(ctx, req.Params.Arguments["message"])
	if err != nil {
		return nil, err
	}
	return &mcp.GetPromptResult{
		Description: "The memory as it stands",
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}

// section is what a turn with this message would carry.
func (d *door) section(ctx context.Context, message string) (string, error) {
	bank, err := d.open()
	if err != nil {
		return "", d.told(err)
	}
	got, err := bank.Prompt(ctx, plastic.Turn{Text: message})
	if err != nil {
		return "", d.told(err)
	}
	return got.Text, nil
}

// told is err with its next step in the message: a protocol error has no other
// place for it.
func (d *door) told(err error) error {
	if hint := d.hint(plastic.NextStep(err)); hint != "" {
		return fmt.Errorf("%w (%s)", err, hint)
	}
	return err
}
