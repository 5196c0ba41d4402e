package memory

import (
	"context"
	"encoding/json"
)

// The three things that a model can do for a memory, as values: rooms make an Ask
// and read a Reply, whoever holds a client carries it. Each is nil or answers
// ErrNoModel where nothing is configured.
type (
	// Chat asks once. An error that wraps ErrModel means that there was no usable
	// reply; one that wraps ErrUnreached (refused connections, timeouts, 401, 403,
	// 429, 5xx) says nothing about what was asked.
	Chat func(ctx context.Context, ask Ask) (Reply, error)

	// Embed gives one vector a text, in their order, all of one dimension.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)

	// Rerank gives one score a text, in their order, higher is nearer to query. Scores
	// are as the endpoint gave them: 0…1, or any number.
	Rerank func(ctx context.Context, query string, texts []string) ([]float64, error)
)

// Ask is one question to a chat model, with the one tool whose arguments are the
// answer.
type Ask struct {
	System, User string
	Tool         Tool
	Model        string // "": the one configured
	Effort       string // of reasoning: "", low, medium, high
	MaxTokens    int    // 0: no cap is sent
}

// Tool is a function that the model is made to call.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of its arguments
}

// Reply is what the model answered, as it came: nothing in it is trusted.
type Reply struct {
	Arguments []string // of each call of the tool, in order; may be broken JSON
	Text      string   // what was said beside or instead
	Reasoning string   // what the endpoint gave as its reasoning
	Finish    string   // why it ended: stop, tool_calls, length; "cut" when the stream broke off
}
