package mcpserver_test

import "github.com/modelcontextprotocol/go-sdk/mcp"

func readParams(uri string) *mcp.ReadResourceParams { return &mcp.ReadResourceParams{URI: uri} }

func promptParams(message string) *mcp.GetPromptParams {
	return &mcp.GetPromptParams{Name: "memory-rule", Arguments: map[string]string{"message": message}}
}

func textOf(p *mcp.GetPromptResult) string {
	text := ""
	for _, m := range p.Messages {
		text += m.Content.(*mcp.TextContent).Text
	}
	return text
}

func callParams(name string, args object) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: name, Arguments: args}
}
