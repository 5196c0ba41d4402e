// Package httpapi is the door of the memory for programs that speak HTTP and
// for a browser: it decodes a request, calls one method of plastic.Bank and
// encodes the answer. What a memory is, who may see it and how it fades is
// decided in the hall; this door only finds out who reads the answer, and keeps
// out requests that another web page made a browser send.
//
//	ln, err := httpapi.Listen("127.0.0.1:7433", bank, os.Getenv)
//	if err != nil { … }
//	err = httpapi.New(bank, ln, httpapi.Options{}).Run(ctx)
//
// It never logs a text, a query or a token, sends nothing to anybody who did not
// ask, and holds no state but its open streams.
package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"plastic"
	"plastic/config"
	"plastic/memory"
)

// Options change how a Server behaves; the zero value works.
type Options struct {
	Audience memory.Audience     // the most that any request is; "": trusted
	Getenv   func(string) string // where the values of tokens are; nil: only .env
	Log      *slog.Logger        // ids, counts and routes, never texts; nil: nothing

	// MCP makes the handler of /mcp, which asks get for the Bank of a request;
	// nil: there is no such route. Access is checked before it is called.
	MCP func(get func(*http.Request) *plastic.Bank) http.Handler

	Beat     time.Duration // between two signs of life on a stream; 0: 15 s
	Patience time.Duration // how long a reader of a stream may take for one event; 0: 10 s
	Watch    time.Duration // between two looks at the folder while somebody streams; 0: 300 ms
	Streams  int           // how many streams there may be at once; 0: 64
	Conns    int           // how many connections there may be at once; 0: 512, at most half of the files the process may open
	Grace    time.Duration // how long Run waits for requests under way; 0: 5 s
}

// The limits of every request.
const (
	maxBody      = 1 << 20          // bytes: a card of 64 KiB fits however it is escaped
	maxHeader    = 32 << 10         // bytes, the address with its query among them
	headerWait   = 5 * time.Second  // from the first byte to the end of the headers
	readWait     = 30 * time.Second // … to the end of the body
	writeWait    = 60 * time.Second // … to the end of the answer; streams have Patience
	idleWait     = 2 * time.Minute  // between two requests of a connection
	shutdownWait = 5 * time.Second  // Options.Grace, where it is not given
	maxSearch    = 1000             // the highest limit of a search
)

// Server answers requests for one Bank.
type Server struct {
	bank    *plastic.Bank
	opts    Options
	start   *config.Config // as it was when the server was made; nil: it could not be read
	ln      net.Listener
	gate    gate
	mux     *http.ServeMux
	routes  map[string]*route // by pattern
	metrics *metrics
	hub     *hub
	mcp     http.Handler
	log     *slog.Logger
	conns   conns
	bodies  chan struct{} // a place for each large body on its way in
	sets    chan struct{} // … for each answer that holds the whole memory

	pending atomic.Pointer[string] // what waits for a new start, as it was last said

	quitOnce sync.Once
	quit     chan struct{} // closed when the server stops: streams end
}

// New makes the server of bank on ln. It starts nothing: Run does, and ServeHTTP
// answers without it.
func New(bank *plastic.Bank, ln net.Listener, o Options) *Server {
	o.Beat = or(o.Beat, 15*time.Second)
	o.Patience = or(o.Patience, 10*time.Second)
	o.Watch = or(o.Watch, 300*time.Millisecond)
	o.Streams = or(o.Streams, 64)
	o.Grace = or(o.Grace, shutdownWait)
	o.Audience = or(o.Audience, memory.Trusted)
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		bank: bank.By("http"), opts: o, ln: ln, log: o.Log,
		metrics: newMetrics(),
		quit:    make(chan struct{}),
		conns:   conns{most: mostConns(o.Conns), open: map[net.Conn]*conn{}},
		bodies:  make(chan struct{}, largeBodies),
		sets:    make(chan struct{}, largeSets),
	}
	s.pending.Store(new(string))
	s.start, _ = bank.Config()
	s.gate = newGate(bank, s.config, ln.Addr(), o.Getenv)
	s.hub = newHub(s.bank, s.config, o.Watch, o.Streams)
	if o.MCP != nil {
		s.mcp = o.MCP(func(r *http.Request) *plastic.Bank { return bankOf(r.Context()) })
	}
	s.mount()
	return s
}

// or is v, or otherwise where v is the zero value.
func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Run serves until ctx is done, then accepts no more, ends the streams, waits
// for the requests under way as long as Options.Grace, and returns nil. The Bank
// is the caller's to close.
func (s *Server) Run(ctx context.Context) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerWait,
		ReadTimeout:       readWait,
		WriteTimeout:      writeWait,
		IdleTimeout:       idleWait,
		MaxHeaderBytes:    maxHeader,
		ConnState:         s.conns.state,
		ConnContext:       withConn,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.ln) }()
	select {
	case err := <-ended:
		s.Close()
		return err
	case <-ctx.Done():
	}
	server.RegisterOnShutdown(s.Close) // once nothing is accepted any more
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Grace)
	defer cancel()
	err := server.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests under way were cut off")
		err = server.Close()
	}
	<-ended
	s.Close()
	return err
}

// Close ends the streams and waits until nothing watches the folder any more.
func (s *Server) Close() {
	s.quitOnce.Do(func() { close(s.quit) })
	s.hub.close()
}
