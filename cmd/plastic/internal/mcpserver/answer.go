package mcpserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/tokenize"
)

// The bounds of an answer. Clients cut what is longer than some 25,000 tokens,
// in silence; an answer goes out twice, as data and as text.
const (
	mostTokens  = 9000 // of the data
	mostContent = 8000 // characters of one memory: only one written by hand is longer
	mostSimilar = 600  // characters of a similar memory: it is there to be recognised
)

// noted is an answer's data, which can carry notes.
type noted interface{ note([]string) }

// notes is the field of that name in every answer.
type notes struct {
	Notes []string `json:"notes"`
}

func (n *notes) note(list []string) { n.Notes = append([]string{}, list...) }

// answered is the result of a call that went well.
func answered(a answer, more []string) *mcp.CallToolResult {
	list := append(a.notes, more...)
	a.data.note(list)
	text := strings.TrimRight(a.text, "\n")
	for _, n := range list {
		text += "\nnote: " + n
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: strings.TrimPrefix(text, "\n")}},
		StructuredContent: a.data,
	}
}

// fail is failed with a hint that fits this door.
func (d *door) fail(err error, more []string) *mcp.CallToolResult {
	return failed(plastic.Hint(err, err.Error(), d.hint(plastic.NextStep(err))), more)
}

// failed is the result of a call that did not go well: the code, the message
// and the next step, to be read by a model, and as data beside it.
func failed(err error, more []string) *mcp.CallToolResult {
	code, hint := plastic.Code(err), plastic.NextStep(err)
	text := "error (" + code + "): " + err.Error()
	if hint != "" {
		text += "\nhint: " + hint
	}
	for _, n := range more {
		text += "\nnote: " + n
	}
	return &mcp.CallToolResult{
		Meta:    mcp.Meta{"error": object{"error": err.Error(), "code": code, "hint": hint}},
		Content: []mcp.Content{&mcp.TextContent{Text: text}},
		IsError: true,
	}
}

// hint says a next step of the shell in the words of this door, where it can be
// taken here.
func (d *door) hint(step string) string {
	return d.named(strings.NewReplacer(
		"leave the secret out, or pass --allow-secret if it is none", "leave the secret out; if it is none, its owner can keep it by `plastic remember --allow-secret`",
		"`plastic list` shows the ids, `plastic recall` finds them by what they say", "{recall} finds memories by what they say and shows their ids",
		"`plastic forget ID…`", "name the ids",
		"read it again (`plastic card --json` gives its hash) and write on top of that", "call {card} without arguments for the text and hash as they are now, and write on top of that",
		"name at least one of content, kind, importance, pin and private", "name at least one of content, kind, importance, pinned and private",
	).Replace(step))
}

// fit is how many of n items, each of which cost tells in tokens, one answer
// holds: at least one.
func fit(n int, cost func(i int) int) int {
	sum := 0
	for i := range n {
		if sum += cost(i); sum > mostTokens && i > 0 {
			return i
		}
	}
	return n
}

// tokensOf is about what v costs as JSON.
func tokensOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return tokenize.Count(string(b))
}

// short cuts the content of m to what an answer can hold.
func short(m plastic.Memory) plastic.Memory {
	m.Content = cut(m.Content, mostContent)
	return m
}

// cut shortens s to n characters and says so.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return fmt.Sprintf("%s… (%d more characters)", string(r[:n]), len(r)-n)
}

// alike is a list of similar memories as data and as text.
func (c *call) alike(list []plastic.Similar) ([]plastic.Similar, string) {
	out := make([]plastic.Similar, len(list))
	var b strings.Builder
	for i, s := range list {
		s.Content = cut(s.Content, mostSimilar)
		out[i] = s
		fmt.Fprintf(&b, "  %s | %.2f | %s\n", s.ID, s.Similarity, oneLine(s.Content))
	}
	if len(out) == 0 {
		return out, ""
	}
	return out, c.named("similar (where one of them is no longer true, settle it now with {update} or {forget}):\n") + b.String()
}

// suggest adds to an unknown id the memories that its text would find, so that a
// model that named a memory by what it says can choose. Nothing is rehearsed.
func (c *call) suggest(id string, err error) error {
	if id == "" || plastic.Code(err) != "not_found" {
		return err
	}
	got, e := c.bank.Recall(c, plastic.Query{Text: id, Limit: 5, NoRehearse: true})
	if e != nil || len(got.Memories) == 0 {
		return err
	}
	var b strings.Builder
	b.WriteString(err.Error() + "; these are near, nothing was changed:")
	for _, m := range got.Memories {
		b.WriteString("\n  " + line(m.Memory, got.Now.Time))
	}
	return plastic.Hint(err, b.String(), "name one of these by its id")
}

// line is a memory as one line of an answer.
func line(m plastic.Memory, now time.Time) string { return plastic.Line(short(m), now) }

// oneLine shows a text on one line, as the lines of memories do.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ⏎ ", "\n", " ⏎ ", "\r", " ⏎ ", "\v", " ⏎ ", "\f", " ⏎ ", "\u0085", " ⏎ ", "\u2028", " ⏎ ", "\u2029", " ⏎ ").Replace(s)
}

// clip shortens s to at most n characters for a message.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

func quote(s string) string { return strconv.Quote(clip(s, 60)) }
