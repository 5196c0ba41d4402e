package mcpserver

import (
	"bytes"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic"
	"plastic/memory"
)

// maxBody bounds a request: a card of 64 KiB fits however it is escaped.
const maxBody = 1 << 20

// NewHTTPHandler answers streamable HTTP. Each request is answered for the Bank
// that get gives it, and nothing is kept between two of them: no session of one
// audience can be taken over by another. Where get gives nil the request is
// refused; who may ask is for the caller to check before. Options.Audience, Card
// and Names come from the Bank.
func NewHTTPHandler(get func(*http.Request) *plastic.Bank, o Options) http.Handler {
	sdk := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		bank := get(r)
		if bank == nil {
			return nil
		}
		own := o
		own.Audience = bank.Audience()
		if c, _ := bank.Config(); c != nil {
			own.Card, own.Names = c.Card.Audience, c.MCP.Names
		}
		return New(func() (*plastic.Bank, error) { return bank, nil }, own).mcp
	}, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { sdk.ServeHTTP(plainly{w}, r) })
}

// plainly writes text in JSON as it is. The SDK writes an answer as a whole.
type plainly struct{ http.ResponseWriter }

func (p plainly) Write(b []byte) (int, error) {
	if n, err := p.ResponseWriter.Write(memory.Unescape(bytes.Clone(b))); err != nil {
		return min(n, len(b)), err
	}
	return len(b), nil
}

// Flush and Unwrap give the SDK the connection.
func (p plainly) Flush()                      { _ = http.NewResponseController(p.ResponseWriter).Flush() }
func (p plainly) Unwrap() http.ResponseWriter { return p.ResponseWriter }
