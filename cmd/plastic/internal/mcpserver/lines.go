package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"plastic/memory"
)

const (
	maxLine = 4 << 20     // bytes of one message
	maxOpen = 256         // requests under way: a client that reads no answers is read no further
	grace   = time.Second // for the calls under way when the server is to end
)

// Serve answers the client that writes to in, one message a line, until in ends
// or ctx is done; every request read by then is answered first. What is no
// message gets an error and the session goes on. Calls of tools are carried out
// one after the other in the order they come: all of them use one folder.
func Serve(ctx context.Context, s *Server, in io.Reader, out io.Writer) error {
	l := &lines{in: bufio.NewReaderSize(in, 64<<10), out: out, queue: make(chan jsonrpc.Message), closed: make(chan struct{}), asked: map[jsonrpc.ID]string{}}
	l.changed = sync.NewCond(&l.mu)
	done := make(chan error, 1)
	go func() { done <- s.mcp.Run(ctx, l) }()
	select {
	case err := <-done:
		if ctx.Err() != nil || errors.Is(err, io.EOF) {
			return nil
		}
		return err
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(grace): // the client reads no more: its answer can not be waited for
	}
	return nil
}

// lines is a connection over two streams. It is its own transport.
type lines struct {
	in *bufio.Reader

	writing sync.Mutex // guards out
	out     io.Writer

	queue     chan jsonrpc.Message
	closed    chan struct{}
	closeOnce sync.Once

	mu      sync.Mutex // guards all below
	changed *sync.Cond // asked became smaller, or the connection was closed
	asked   map[jsonrpc.ID]string
	over    bool
}

// Connect starts reading.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	go l.readAll()
	return l, nil
}

// SessionID is none: there is one session.
func (l *lines) SessionID() string { return "" }

// readAll puts each message into the queue, and closes it when in is over and
// every request has its answer.
func (l *lines) readAll() {
	defer close(l.queue)
	for {
		line, err := l.readLine()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			for _, msg := range l.decode(line) {
				if !l.pass(msg) {
					return
				}
			}
		}
		if err != nil {
			l.wait(func(method string) bool { return method != "subscriptions/listen" })
			return
		}
	}
}

// readLine gives one line; of one that is too long it gives a part that no JSON
// begins with.
func (l *lines) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else {
			line = []byte("too long")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// decode gives the messages of a line: one, or several of a batch. What is none
// is answered with an error.
func (l *lines) decode(line []byte) []jsonrpc.Message {
	if !json.Valid(line) {
		l.refuse(nil, jsonrpc.CodeParseError, "this line is not JSON, or is longer than 4 MiB; one message is one line")
		return nil
	}
	parts := []json.RawMessage{line}
	if line[0] == '[' {
		parts = nil
		_ = json.Unmarshal(line, &parts) // it is valid
	}
	var list []jsonrpc.Message
	for _, part := range parts {
		msg, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			l.refuse(part, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: "+err.Error())
			continue
		}
		list = append(list, msg)
	}
	return list
}

// refuse answers what is no message.
func (l *lines) refuse(part []byte, code int, message string) {
	var has struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(part, &has) // without an id the answer has none either
	switch has.ID.(type) {
	case string, float64:
	default:
		has.ID = nil
	}
	b, err := json.Marshal(object{"jsonrpc": "2.0", "id": has.ID, "error": object{"code": code, "message": message}})
	if err != nil {
		return
	}
	_ = l.put(b) // the next answer meets the same fault
}

// put writes one line.
func (l *lines) put(b []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.out.Write(append(memory.Unescape(b), '\n'))
	return err
}

// pass hands msg on, a call of a tool only when none is under way.
func (l *lines) pass(msg jsonrpc.Message) bool {
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		if req.Method == "tools/call" {
			l.wait(func(method string) bool { return method == "tools/call" })
		}
		l.mu.Lock()
		for !l.over && len(l.asked) >= maxOpen {
			l.changed.Wait()
		}
		l.asked[req.ID] = req.Method
		l.mu.Unlock()
	}
	select {
	case l.queue <- msg:
		return true
	case <-l.closed:
		return false
	}
}

// wait returns when no request is under way whose method counts.
func (l *lines) wait(counts func(method string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.over && l.under(counts) {
		l.changed.Wait()
	}
}

func (l *lines) under(counts func(method string) bool) bool {
	for _, method := range l.asked {
		if counts(method) {
			return true
		}
	}
	return false
}

// Read gives the next message, or io.EOF.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg, ok := <-l.queue:
		if !ok {
			return nil, io.EOF
		}
		return msg, nil
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes msg as one line.
func (l *lines) Write(_ context.Context, msg jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	err = l.put(b)
	if res, ok := msg.(*jsonrpc.Response); ok {
		l.mu.Lock()
		delete(l.asked, res.ID)
		l.changed.Broadcast()
		l.mu.Unlock()
	}
	return err
}

// Close ends the connection. A read of in that is under way is not waited for:
// there is no way to end it.
func (l *lines) Close() error {
	l.closeOnce.Do(func() {
		close(l.closed)
		l.mu.Lock()
		l.over = true
		l.changed.Broadcast()
		l.mu.Unlock()
	})
	return nil
}
