package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
)

type object = map[string]any

// client is a connected client of the SDK that fails the test by itself.
type client struct {
	*mcp.ClientSession
	t    testing.TB
	wire *wire                           // all that went to and fro
	outs map[string]*jsonschema.Resolved // by tool
}

// wire keeps what a transport logs.
type wire struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *wire) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// connect starts a server over bank and a client of it.
func connect(t testing.TB, bank *plastic.Bank, o mcpserver.Options) *client {
	t.Helper()
	o.Audience = bank.Audience()
	return connectTo(t, func() (*plastic.Bank, error) { return bank, nil }, o)
}

func connectTo(t testing.TB, open mcpserver.Open, o mcpserver.Options) *client {
	t.Helper()
	fromClient, toServer := pipe(t)
	fromServer, toClient := pipe(t)
	done := make(chan error, 1)
	go func() { done <- mcpserver.Serve(context.Background(), mcpserver.New(open, o), fromClient, toClient) }()
	c := &client{t: t, wire: &wire{}, outs: map[string]*jsonschema.Resolved{}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, nil).
		Connect(context.Background(), &mcp.LoggingTransport{Transport: &mcp.IOTransport{Reader: fromServer, Writer: toServer}, Writer: c.wire}, nil)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	c.ClientSession = session
	t.Cleanup(func() {
		session.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return c
}

// listed are the tools that the server lists, by name.
func (c *client) listed() map[string]*mcp.Tool {
	c.t.Helper()
	got, err := c.ListTools(context.Background(), nil)
	if err != nil {
		c.t.Fatalf("list the tools: %v", err)
	}
	tools := map[string]*mcp.Tool{}
	for _, tool := range got.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

// result is what a tool answered.
type result struct {
	text  string
	wrong bool
	data  object // as a program reads it
	code  string // of an error
}

// call calls a tool with arguments of any kind, and holds the answer against the
// schema that the tool promised.
func (c *client) call(name string, args any) result {
	c.t.Helper()
	got, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s %v: %v", name, args, err)
	}
	r := result{wrong: got.IsError}
	for _, part := range got.Content {
		r.text += part.(*mcp.TextContent).Text
	}
	if r.wrong {
		if got.StructuredContent != nil {
			c.t.Errorf("%s: an error has data, which can not be what the schema says", name)
		}
		e, _ := got.Meta["error"].(object)
		r.code, _ = e["code"].(string)
		return r
	}
	r.data, _ = got.StructuredContent.(object)
	if err := c.schema(name).Validate(r.data); err != nil {
		c.t.Errorf("%s answers not as its schema says: %v", name, err)
	}
	return r
}

// must is call for a call that goes well.
func (c *client) must(name string, args any) result {
	c.t.Helper()
	r := c.call(name, args)
	if r.wrong {
		c.t.Fatalf("%s %v: %s", name, args, r.text)
	}
	return r
}

// refused is call for a call that does not.
func (c *client) refused(name string, args any, code string, says ...string) result {
	c.t.Helper()
	r := c.call(name, args)
	if !r.wrong || r.code != code {
		c.t.Fatalf("%s %v: code %q, want %q: %s", name, args, r.code, code, r.text)
	}
	for _, s := range says {
		if !strings.Contains(r.text, s) {
			c.t.Errorf("%s %v does not say %q: %s", name, args, s, r.text)
		}
	}
	return r
}

func (c *client) schema(name string) *jsonschema.Resolved {
	c.t.Helper()
	if s := c.outs[name]; s != nil {
		return s
	}
	for _, tool := range c.listed() {
		c.outs[tool.Name] = resolve(c.t, tool.Name, tool.OutputSchema)
		resolve(c.t, tool.Name, tool.InputSchema)
	}
	if c.outs[name] == nil {
		c.t.Fatalf("there is no tool %s", name)
	}
	return c.outs[name]
}

// resolve reads a schema, which must be a valid one.
func resolve(t testing.TB, name string, schema any) *jsonschema.Resolved {
	t.Helper()
	b, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatalf("a schema of %s: %v", name, err)
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatalf("a schema of %s: %v", name, err)
	}
	return r
}

// ids are those of the memories in an answer.
func (r result) ids() []string {
	out := []string{}
	list, _ := r.data["memories"].([]any)
	for _, m := range list {
		out = append(out, m.(object)["id"].(string))
	}
	return out
}

// options are those of a server over bank in tests: its clock.
func options(b *banktest.Bank) mcpserver.Options { return mcpserver.Options{Now: b.Clock().Now} }
