// Package mcpserver is the door of the memory for MCP clients: it decodes the
// arguments of a tool, calls one method of plastic.Bank and answers with its
// result and a short text. What a memory is, who may see it and how it fades is
// decided in the hall. It never writes to its output what is not JSON-RPC, and
// no panic of a call ends it.
//
//	server := mcpserver.New(func() (*plastic.Bank, error) { return bank, nil }, mcpserver.Options{})
//	err := mcpserver.Serve(ctx, server, os.Stdin, os.Stdout)
//
// Over HTTP each request is answered for the Bank, and so the audience, that it
// gets:
//
//	http.Handle("/mcp", mcpserver.NewHTTPHandler(bankOf, mcpserver.Options{}))
package mcpserver

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/memory"
)

// Options change how a server behaves; the zero value works.
type Options struct {
	Audience memory.Audience   // whose tools are listed; "": trusted. What a call may do, its Bank decides
	Card     memory.Audience   // up to whom the card is shown (card.audience); "": trusted
	Names    map[string]string // other names of the tools, by verb (mcp.names)
	Version  string            // of this program, told to the client
	Now      func() time.Time  // for the ages in lines; nil: time.Now
	Notes    *Notes            // problems of the folder, each told once to the owner alone; nil: none
	Log      io.Writer         // where a panic is told; nil: nowhere
}

// Open gives the Bank of one call. Its error is told to the model, which may
// call again: the folder may be there by then.
type Open func() (*plastic.Bank, error)

// Server is an MCP server over one memory.
type Server struct{ mcp *mcp.Server }

// door is what every call of a server has in common.
type door struct {
	Options
	open Open
}

// New makes a server. It opens nothing before the first call.
func New(open Open, o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Audience, o.Card = orTrusted(o.Audience), orTrusted(o.Card)
	d := &door{Options: o, open: open}
	s := mcp.NewServer(
		&mcp.Implementation{Name: "plastic", Title: "plastic: a long-term memory", Version: o.Version},
		&mcp.ServerOptions{
			Instructions: d.named(d.instructions()),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{}},
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }, // what one may read is not for all
		})
	s.AddReceivingMiddleware(d.recovered)
	for _, t := range d.tools() {
		d.add(s, t)
	}
	d.addResources(s)
	return &Server{s}
}

// orTrusted is a, or trusted where nothing was said.
func orTrusted(a memory.Audience) memory.Audience {
	if a == "" {
		return memory.Trusted
	}
	return a.Lower(memory.Trusted)
}

// showsCard reports whether this server's audience may read the card.
func (d *door) showsCard() bool { return d.Audience.Lower(d.Card) == d.Card }

// instructions are what a client puts before the model: recall first, then the
// rule. What the kinds mean stands in the tools.
func (d *door) instructions() string {
	first := "This is your long-term memory. Before you answer anything that may have come up before (a person, a taste, a plan, an agreement, how it went last time), ask {recall}; it gives back only what answers, and nothing is an answer too."
	if !d.Audience.Writes() {
		return first
	}
	first += "\n\n" + plastic.Rule()
	if d.Audience != memory.Trusted {
		first += "\n\nOthers read along here: private memories are kept back."
	}
	return first
}

// name is what the tool of a verb is called here.
func (d *door) name(verb string) string {
	if n := d.Names[verb]; n != "" {
		return n
	}
	return "memory_" + verb
}

// named puts the names of the tools where {verb} stands.
func (d *door) named(text string) string {
	var pairs []string
	for _, verb := range verbs {
		pairs = append(pairs, "{"+verb+"}", d.name(verb))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// recovered answers a call that panics with an error; the server goes on.
func (d *door) recovered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if d.Log != nil {
				fmt.Fprintf(d.Log, "plastic: %s panicked: %v\n%s", method, v, debug.Stack())
			}
			result, err = nil, fmt.Errorf("%s failed inside plastic", method)
			if method == "tools/call" {
				result, err = failed(fmt.Errorf("the tool failed inside plastic; what it did until then may stand"), nil), nil
			}
		}()
		return next(ctx, method, req)
	}
}
